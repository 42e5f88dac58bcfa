package admit

import (
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// mergeLabelKeys puts what matchLabelKeys and mismatchLabelKeys name into the selectors; those of spread constraints only on
// request.
//
// Upstream: mutatePodAffinity and mutateTopologySpreadConstraints of
// pkg/registry/core/pod/strategy.go, v1.36.3.
func mergeLabelKeys(spec *v1.PodSpec, labels map[string]string, spread bool) {
	if spread {
		for i := range spec.TopologySpreadConstraints {
			s := &spec.TopologySpreadConstraints[i]
			s.LabelSelector = WithLabelKeys(s.LabelSelector, labels, s.MatchLabelKeys, nil)
		}
	}
	merge := func(required []v1.PodAffinityTerm, preferred []v1.WeightedPodAffinityTerm) {
		for i := range required {
			t := &required[i]
			t.LabelSelector = WithLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
		for i := range preferred {
			t := &preferred[i].PodAffinityTerm
			t.LabelSelector = WithLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
	}
	if a := spec.Affinity; a != nil && a.PodAffinity != nil {
		merge(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		merge(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

// WithLabelKeys returns the selector with requirements that the keys have the values of these labels,
// or not.
//
// Upstream: applyLabelKeysToLabelSelector of pkg/registry/core/pod/strategy.go, v1.36.3.
func WithLabelKeys(s *metav1.LabelSelector, labels map[string]string, match, mismatch []string) *metav1.LabelSelector {
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

// RepeatedLabelKeys notes those of matchLabelKeys, at path, that the selector s, to which they have been
// added, has otherwise too.
//
// Upstream: ValidateMatchLabelKeysAndMismatchLabelKeys of pkg/apis/core/validation, v1.36.3.
func RepeatedLabelKeys(faults *document.Errors, at document.Value, path string, keys []string, s *metav1.LabelSelector) {
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
			faults.Add(at, decode.Join(path, n), "is a key of the labelSelector too")
		}
		seen[key] = true
	}
}

// MergeLabels returns a copy of labels in which others take precedence.
func MergeLabels(labels, others map[string]string) map[string]string {
	out := maps.Clone(labels)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, others)
	return out
}
