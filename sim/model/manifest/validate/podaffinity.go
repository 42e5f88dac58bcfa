package validate

import (
	"slices"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// affinityList is one of the lists of terms of a pod, with those of a required list without weight.
type affinityList struct {
	path     string // from the affinity of the pod
	weighted bool
	Terms    []v1.WeightedPodAffinityTerm
}

// Term is the path of one term.
func (a *affinityList) Term(i int) string {
	path := decode.Join("affinity."+a.path, i)
	if a.weighted {
		path += ".podAffinityTerm"
	}
	return path
}

// The lists of podAffinityLists.
const (
	RequiredPodAffinity = iota
	PreferredPodAffinity
	RequiredPodAntiAffinity
	PreferredPodAntiAffinity
)

// PodAffinityLists returns all terms that are about other pods, in the order of the API's fields.
func PodAffinityLists(a *v1.Affinity) [4]affinityList {
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
		lists[RequiredPodAffinity].Terms = unweighted(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		lists[PreferredPodAffinity].Terms = a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	if a != nil && a.PodAntiAffinity != nil {
		lists[RequiredPodAntiAffinity].Terms = unweighted(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
		lists[PreferredPodAntiAffinity].Terms = a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	}
	return lists
}

// podAffinity checks the terms of a spec, except for what depends on the pod's labels.
//
// Upstream: validatePodAffinity and validatePodAntiAffinity of pkg/apis/core/validation, v1.36.3.
func (c *Checker) podAffinity(faults *document.Errors, at document.Value, a *v1.Affinity) {
	if a == nil {
		return
	}
	lists := PodAffinityLists(a)
	for k := range lists {
		list := &lists[k]
		for i := range list.Terms {
			if w := list.Terms[i].Weight; list.weighted && (w < 1 || w > 100) {
				faults.Add(at, decode.Join("affinity."+list.path, i)+".weight", "must be in the range 1-100")
			}
			c.podAffinityTerm(faults, at, list.Term(i), &list.Terms[i].PodAffinityTerm)
		}
	}
}

func (c *Checker) podAffinityTerm(faults *document.Errors, at document.Value, path string, t *v1.PodAffinityTerm) {
	c.labelSelector(faults, at, path+".labelSelector", t.LabelSelector)
	c.labelSelector(faults, at, path+".namespaceSelector", t.NamespaceSelector)
	for i, name := range t.Namespaces {
		if what := c.dnsLabel(name); what != "" {
			faults.Add(at, decode.Join(path+".namespaces", i), "is not valid: %s", what)
		}
	}
	c.labelKeysOf(faults, at, path+".matchLabelKeys", t.MatchLabelKeys, t.LabelSelector)
	c.labelKeysOf(faults, at, path+".mismatchLabelKeys", t.MismatchLabelKeys, t.LabelSelector)
	for i, key := range t.MatchLabelKeys {
		if slices.Contains(t.MismatchLabelKeys, key) {
			faults.Add(at, decode.Join(path+".matchLabelKeys", i), "is one of mismatchLabelKeys too")
		}
	}
	if t.TopologyKey == "" {
		faults.Add(at, path+".topologyKey", "is required")
	} else if what := c.LabelKey(t.TopologyKey); what != "" {
		faults.Add(at, path+".topologyKey", "is not valid: %s", what)
	}
}

// labelKeysOf checks keys whose values in the pod's labels a selector is to have.
//
// Upstream: validateLabelKeys of pkg/apis/core/validation, v1.36.3.
func (c *Checker) labelKeysOf(faults *document.Errors, at document.Value, path string, keys []string, s *metav1.LabelSelector) {
	if len(keys) > 0 && s == nil {
		faults.Add(at, path, "must not be given without a labelSelector")
		return
	}
	for i, key := range keys {
		if what := c.LabelKey(key); what != "" {
			faults.Add(at, decode.Join(path, i), "is not valid: %s", what)
		}
	}
}
