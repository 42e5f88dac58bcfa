package compile

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// podAffinity compiles the terms that are about other pods. The API server adds matchLabelKeys and
// mismatchLabelKeys to the selector when it creates a pod; one that has a uid has been created.
//
// Upstream: mutatePodAffinity of pkg/registry/core/pod/strategy.go and newAffinityTerm of
// k8s.io/kube-scheduler/framework, v1.36.3.
func (compiler *Compiler) podAffinity(faults *document.Errors, p admit.Source, c *cluster.Class) {
	c.Affinity, c.AntiAffinity, c.PreferredAffinity, c.PreferredAntiAffinity = nil, nil, nil, nil
	if p.Spec.Affinity == nil {
		return
	}
	lists := validate.PodAffinityLists(p.Spec.Affinity)
	for k := range lists {
		for i := range lists[k].Terms {
			t := lists[k].Terms[i]
			if p.Meta.UID == "" {
				t.PodAffinityTerm.LabelSelector = admit.WithLabelKeys(t.PodAffinityTerm.LabelSelector, p.Meta.Labels,
					t.PodAffinityTerm.MatchLabelKeys, t.PodAffinityTerm.MismatchLabelKeys)
				admit.RepeatedLabelKeys(faults, p.At.Get("spec"), lists[k].Term(i)+".matchLabelKeys",
					t.PodAffinityTerm.MatchLabelKeys, t.PodAffinityTerm.LabelSelector)
			}
			term := compiler.podTerm(p.Meta.Namespace, &t.PodAffinityTerm)
			weighted := cluster.WeightedPodTerm{Weight: int64(t.Weight), Term: term}
			switch k {
			case validate.RequiredPodAffinity:
				c.Affinity = append(c.Affinity, term)
			case validate.RequiredPodAntiAffinity:
				c.AntiAffinity = append(c.AntiAffinity, term)
			case validate.PreferredPodAffinity:
				c.PreferredAffinity = append(c.PreferredAffinity, weighted)
			case validate.PreferredPodAntiAffinity:
				c.PreferredAntiAffinity = append(c.PreferredAntiAffinity, weighted)
			}
		}
	}
}

// podTerm compiles one term of a pod of that namespace, which is meant where the term names none.
func (compiler *Compiler) podTerm(namespace string, t *v1.PodAffinityTerm) *cluster.PodTerm {
	namespaces := t.Namespaces
	if len(namespaces) == 0 && t.NamespaceSelector == nil {
		namespaces = []string{namespace}
	}
	return compiler.vocabulary.AddPodTerm(cluster.PodTerm{
		TopologyKey:       compiler.vocabulary.Symbol(t.TopologyKey),
		Selector:          compiler.podSelector(t.LabelSelector),
		Namespaces:        compiler.syms(namespaces),
		NamespaceSelector: compiler.labelSelector(t.NamespaceSelector),
	})
}
