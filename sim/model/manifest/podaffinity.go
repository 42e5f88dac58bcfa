package manifest

import (
	"slices"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// affinityList is one of the lists of terms of a pod, with those of a required list without weight.
type affinityList struct {
	path     string // from the affinity of the pod
	weighted bool
	terms    []v1.WeightedPodAffinityTerm
}

// term is the path of one term.
func (a *affinityList) term(i int) string {
	path := join("affinity."+a.path, i)
	if a.weighted {
		path += ".podAffinityTerm"
	}
	return path
}

// The lists of podAffinityLists.
const (
	requiredPodAffinity = iota
	preferredPodAffinity
	requiredPodAntiAffinity
	preferredPodAntiAffinity
)

// podAffinityLists are all terms that are about other pods, in the order of the API's fields.
func podAffinityLists(a *v1.Affinity) [4]affinityList {
	const required, preferred = ".requiredDuringSchedulingIgnoredDuringExecution", ".preferredDuringSchedulingIgnoredDuringExecution"
	lists := [4]affinityList{
		{path: "podAffinity" + required}, {path: "podAffinity" + preferred, weighted: true},
		{path: "podAntiAffinity" + required}, {path: "podAntiAffinity" + preferred, weighted: true},
	}
	unweighted := func(terms []v1.PodAffinityTerm) []v1.WeightedPodAffinityTerm {
		var out []v1.WeightedPodAffinityTerm
		for i := range terms {
			out = append(out, v1.WeightedPodAffinityTerm{PodAffinityTerm: terms[i]})
		}
		return out
	}
	if a != nil && a.PodAffinity != nil {
		lists[requiredPodAffinity].terms = unweighted(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		lists[preferredPodAffinity].terms = a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	if a != nil && a.PodAntiAffinity != nil {
		lists[requiredPodAntiAffinity].terms = unweighted(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		lists[preferredPodAntiAffinity].terms = a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	return lists
}

// podAffinity checks the terms of a spec, but for what depends on the pod's labels.
//
// Upstream: validatePodAffinity and validatePodAntiAffinity of pkg/apis/core/validation, v1.36.3.
func (c *checker) podAffinity(faults *document.Errors, at document.Value, a *v1.Affinity) {
	if a == nil {
		return
	}
	lists := podAffinityLists(a)
	for k := range lists {
		list := &lists[k]
		for i := range list.terms {
			if w := list.terms[i].Weight; list.weighted && (w < 1 || w > 100) {
				faults.Add(at, join("affinity."+list.path, i)+".weight", "must be in the range 1-100")
			}
			c.podAffinityTerm(faults, at, list.term(i), &list.terms[i].PodAffinityTerm)
		}
	}
}

func (c *checker) podAffinityTerm(faults *document.Errors, at document.Value, path string, t *v1.PodAffinityTerm) {
	c.labelSelector(faults, at, path+".labelSelector", t.LabelSelector)
	c.labelSelector(faults, at, path+".namespaceSelector", t.NamespaceSelector)
	for i, name := range t.Namespaces {
		if what := c.dnsLabel(name); what != "" {
			faults.Add(at, join(path+".namespaces", i), "is not valid: %s", what)
		}
	}
	c.labelKeysOf(faults, at, path+".matchLabelKeys", t.MatchLabelKeys, t.LabelSelector)
	c.labelKeysOf(faults, at, path+".mismatchLabelKeys", t.MismatchLabelKeys, t.LabelSelector)
	for i, key := range t.MatchLabelKeys {
		if slices.Contains(t.MismatchLabelKeys, key) {
			faults.Add(at, join(path+".matchLabelKeys", i), "is one of mismatchLabelKeys too")
		}
	}
	if t.TopologyKey == "" {
		faults.Add(at, path+".topologyKey", "is required")
	} else if what := c.labelKey(t.TopologyKey); what != "" {
		faults.Add(at, path+".topologyKey", "is not valid: %s", what)
	}
}

// labelKeysOf checks keys whose values in the pod's labels a selector is to have.
//
// Upstream: validateLabelKeys of pkg/apis/core/validation, v1.36.3.
func (c *checker) labelKeysOf(faults *document.Errors, at document.Value, path string, keys []string, s *metav1.LabelSelector) {
	if len(keys) > 0 && s == nil {
		faults.Add(at, path, "must not be given without a labelSelector")
		return
	}
	for i, key := range keys {
		if what := c.labelKey(key); what != "" {
			faults.Add(at, join(path, i), "is not valid: %s", what)
		}
	}
}

// withLabelKeys returns the selector with requirements that the keys have the values of these labels,
// or not.
//
// Upstream: applyLabelKeysToLabelSelector of pkg/registry/core/pod/strategy.go, v1.36.3.
func withLabelKeys(s *metav1.LabelSelector, labels map[string]string, match, mismatch []string) *metav1.LabelSelector {
	if s == nil || len(match)+len(mismatch) == 0 {
		return s
	}
	out := &metav1.LabelSelector{MatchLabels: s.MatchLabels, MatchExpressions: slices.Clone(s.MatchExpressions)}
	add := func(keys []string, op metav1.LabelSelectorOperator) {
		for _, key := range keys {
			if value, has := labels[key]; has {
				out.MatchExpressions = append(out.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: op, Values: []string{value}})
			}
		}
	}
	add(match, metav1.LabelSelectorOpIn)
	add(mismatch, metav1.LabelSelectorOpNotIn)
	return out
}

// repeatedLabelKeys notes those of matchLabelKeys, at path, that the selector s, to which they have been
// added, has otherwise too.
//
// Upstream: ValidateMatchLabelKeysAndMismatchLabelKeys of pkg/apis/core/validation, v1.36.3.
func repeatedLabelKeys(faults *document.Errors, at document.Value, path string, keys []string, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	seen := map[string]bool{}
	for key := range s.MatchLabels {
		seen[key] = true
	}
	for i := range s.MatchExpressions {
		key := s.MatchExpressions[i].Key
		if n := slices.Index(keys, key); n >= 0 && seen[key] {
			faults.Add(at, join(path, n), "is a key of the labelSelector too")
		}
		seen[key] = true
	}
}

// podAffinity compiles the terms that are about other pods. The API server adds matchLabelKeys and
// mismatchLabelKeys to the selector when it creates a pod; one that has a uid has been created.
//
// Upstream: mutatePodAffinity of pkg/registry/core/pod/strategy.go and newAffinityTerm of
// k8s.io/kube-scheduler/framework, v1.36.3.
func (cp *compiler) podAffinity(faults *document.Errors, p podSource, c *cluster.Class) {
	c.Affinity, c.AntiAffinity, c.PreferredAffinity, c.PreferredAntiAffinity = nil, nil, nil, nil
	if p.spec.Affinity == nil {
		return
	}
	lists := podAffinityLists(p.spec.Affinity)
	for k := range lists {
		for i := range lists[k].terms {
			t := lists[k].terms[i]
			if p.meta.UID == "" {
				t.PodAffinityTerm.LabelSelector = withLabelKeys(t.PodAffinityTerm.LabelSelector, p.meta.Labels,
					t.PodAffinityTerm.MatchLabelKeys, t.PodAffinityTerm.MismatchLabelKeys)
				repeatedLabelKeys(faults, p.at.Get("spec"), lists[k].term(i)+".matchLabelKeys",
					t.PodAffinityTerm.MatchLabelKeys, t.PodAffinityTerm.LabelSelector)
			}
			term := cp.podTerm(p.meta.Namespace, &t.PodAffinityTerm)
			weighted := cluster.WeightedPodTerm{Weight: int64(t.Weight), Term: term}
			switch k {
			case requiredPodAffinity:
				c.Affinity = append(c.Affinity, term)
			case requiredPodAntiAffinity:
				c.AntiAffinity = append(c.AntiAffinity, term)
			case preferredPodAffinity:
				c.PreferredAffinity = append(c.PreferredAffinity, weighted)
			case preferredPodAntiAffinity:
				c.PreferredAntiAffinity = append(c.PreferredAntiAffinity, weighted)
			}
		}
	}
}

// podTerm compiles one term of a pod of that namespace, which is meant where the term names none.
func (cp *compiler) podTerm(namespace string, t *v1.PodAffinityTerm) *cluster.PodTerm {
	namespaces := t.Namespaces
	if len(namespaces) == 0 && t.NamespaceSelector == nil {
		namespaces = []string{namespace}
	}
	return cp.vocabulary.AddPodTerm(cluster.PodTerm{
		TopologyKey:       cp.vocabulary.Sym(t.TopologyKey),
		Selector:          cp.labelSelector(t.LabelSelector),
		Namespaces:        cp.syms(namespaces),
		NamespaceSelector: cp.labelSelector(t.NamespaceSelector),
	})
}
