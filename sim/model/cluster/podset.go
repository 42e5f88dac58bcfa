package cluster

import (
	"fmt"
	"slices"
	"strings"
)

// PodTerm is a term of pod affinity or anti-affinity: which pods it is about, and the
// topology key within whose domains they are looked for. It is made by AddPodTerm and
// never changes; equal terms are one.
type PodTerm struct {
	ID          int32
	TopologyKey Symbol
	Selector    LabelSelector
	// Namespaces are those of the pods, by name; NamespaceSelector adds those whose labels
	// it matches.
	Namespaces        []Symbol
	NamespaceSelector LabelSelector
}

// AddPodTerm returns the one term that is equal to t.
func (v *Vocabulary) AddPodTerm(t PodTerm) *PodTerm {
	slices.Sort(t.Namespaces)
	t.Namespaces = slices.Compact(t.Namespaces)
	key := fmt.Sprint(t.TopologyKey, t.Namespaces, "|", t.NamespaceSelector.key(), "|", t.Selector.key())
	if known := v.podTerms[key]; known != nil {
		return known
	}
	t.ID = int32(len(v.podTerms))
	v.podTerms[key] = &t
	return &t
}

// Selects reports whether the term, as one of a pod that exists, is about pods of a class:
// its namespaces, or the labels of the class's namespace, match, and so do its labels.
func (t *PodTerm) Selects(class *Class, v *Vocabulary) bool {
	return t.within(class.Namespace, v) && t.Selector.Matches(class.Labels, &v.Symbols)
}

// SelectsForIncoming is like Selects, for a term of the pod that is being scheduled. Its namespace
// selector is turned into the names of namespaces first. With emptyNamespaces it is then also matched against no labels at
// all: one that these satisfy selects every namespace.
//
// Upstream: mergeAffinityTermNamespacesIfNotEmpty, framework/plugins/interpodaffinity/plugin.go,
// and AffinityTerm.Matches of k8s.io/kube-scheduler/framework with no labels, v1.34.4 to v1.36.3; v1.33.13 and v1.37.2
// clear the selector in between.
func (t *PodTerm) SelectsForIncoming(class *Class, v *Vocabulary, emptyNamespaces bool) bool {
	return (t.within(class.Namespace, v) || emptyNamespaces && t.NamespaceSelector.Matches(nil, &v.Symbols)) &&
		t.Selector.Matches(class.Labels, &v.Symbols)
}

// SelectsByName is like Selects, for a term whose namespace selector was resolved to no names: the
// rest of it is matched against an empty set of labels.
//
// Upstream: AffinityTerm.Matches of k8s.io/kube-scheduler/framework, as
// isSchedulableAfterPodChange of framework/plugins/interpodaffinity/plugin.go uses it, v1.36.3.
func (t *PodTerm) SelectsByName(class *Class, v *Vocabulary) bool {
	return (slices.Contains(t.Namespaces, class.Namespace) || t.NamespaceSelector.Matches(nil, &v.Symbols)) &&
		t.Selector.Matches(class.Labels, &v.Symbols)
}

func (t *PodTerm) within(namespace Symbol, v *Vocabulary) bool {
	return slices.Contains(t.Namespaces, namespace) ||
		t.NamespaceSelector.Matches(v.NamespaceLabels(namespace), &v.Symbols)
}

// WeightedPodTerm is a preferred term.
type WeightedPodTerm struct {
	Weight int64
	Term   *PodTerm
}

// TermRole is what a pod declares a term for.
type TermRole uint8

// The roles of terms.
const (
	RequiredAffinity TermRole = iota
	RequiredAntiAffinity
	PreferredAffinity
	PreferredAntiAffinity
)

// DeclaredTerm is a term and what it is declared for. Weight is that of a preferred term,
// else 0.
type DeclaredTerm struct {
	Term   *PodTerm
	Role   TermRole
	Weight int64
}

func declaredBy(c *Class) []DeclaredTerm {
	var out []DeclaredTerm
	for _, t := range c.Affinity {
		out = append(out, DeclaredTerm{t, RequiredAffinity, 0})
	}
	for _, t := range c.AntiAffinity {
		out = append(out, DeclaredTerm{t, RequiredAntiAffinity, 0})
	}
	for _, t := range c.PreferredAffinity {
		out = append(out, DeclaredTerm{t.Term, PreferredAffinity, t.Weight})
	}
	for _, t := range c.PreferredAntiAffinity {
		out = append(out, DeclaredTerm{t.Term, PreferredAntiAffinity, t.Weight})
	}
	return out
}

// PodSet is a set of pods, distinguished by their classes; a pod can be in it several times. Sets
// of one meaning are one PodSet.
type PodSet struct {
	times  func(*Class) int64 // how often a pod of the class is in the set
	states podStates
}

// podStates says which pods of its classes are in a set. A trial moves all of them in and out.
type podStates uint8

const (
	anyState       podStates = iota
	notTerminating           // none that terminates
	trialMovesOnly           // none except for what a trial moves
)

func (v *Vocabulary) podSet(key string, of podStates, times func(*Class) int64) *PodSet {
	if known := v.podSets[key]; known != nil {
		return known
	}
	s := &PodSet{times, of}
	v.podSets[key] = s
	return s
}

// ActivePods returns the pods of a namespace that the selector matches and that do not terminate.
func (v *Vocabulary) ActivePods(namespace Symbol, selector LabelSelector) *PodSet {
	return v.selected("active", notTerminating, namespace, selector)
}

// SpreadPods returns the ActivePods that a spread constraint counts: none if the selector is empty,
// although trials then move all pods of the namespace.
//
// Upstream: countPodsMatchSelector and updateWithPod,
// framework/plugins/podtopologyspread, v1.36.3.
func (v *Vocabulary) SpreadPods(namespace Symbol, selector LabelSelector) *PodSet {
	if selector.IsEmpty() {
		return v.selected("moved", trialMovesOnly, namespace, selector)
	}
	return v.ActivePods(namespace, selector)
}

func (v *Vocabulary) selected(word string, of podStates, namespace Symbol, selector LabelSelector) *PodSet {
	key := fmt.Sprint(word, " ", namespace, " ", selector.key())
	return v.podSet(key, of, func(c *Class) int64 {
		return indicator(c.Namespace == namespace && selector.Matches(c.Labels, &v.Symbols))
	})
}

// PodsSelected returns the pods that every one of the terms selects, as terms of a pod that is
// being scheduled. For emptyNamespaces see PodTerm.SelectsForIncoming.
func (v *Vocabulary) PodsSelected(terms []*PodTerm, emptyNamespaces bool) *PodSet {
	var key strings.Builder
	key.WriteString("selected")
	if emptyNamespaces {
		key.WriteString(" with empty namespaces")
	}
	for _, t := range terms {
		fmt.Fprint(&key, " ", t.ID)
	}
	return v.podSet(key.String(), anyState, func(c *Class) int64 {
		return indicator(!slices.ContainsFunc(terms, func(t *PodTerm) bool { return !t.SelectsForIncoming(c, v, emptyNamespaces) }))
	})
}

// PodsDeclaring returns the pods that declare a term, each as often as it declares it.
func (v *Vocabulary) PodsDeclaring(d DeclaredTerm) *PodSet {
	return v.podSet(fmt.Sprint("declaring ", d.Term.ID, d.Role, d.Weight), anyState, func(c *Class) int64 {
		var times int64
		for _, other := range c.declared {
			times += indicator(other == d)
		}
		return times
	})
}

func indicator(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
