package validate

import (
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// Upstream: ValidateStorageClass of pkg/apis/storage/validation, v1.36.3.
func checkStorageClass(c *Checker, o *decode.Object) {
	s := decoded[storagev1.StorageClass](c, o)
	c.meta(o, &s.ObjectMeta, false)
	if s.Provisioner == "" {
		o.Faults.Add(o.At, "provisioner", "is required")
	} else if what := c.LabelKey(strings.ToLower(s.Provisioner)); what != "" {
		o.Faults.Add(o.At, "provisioner", "is not valid: %s", what)
	}
	if p := s.ReclaimPolicy; p != nil && *p != "" && *p != v1.PersistentVolumeReclaimDelete && *p != v1.PersistentVolumeReclaimRetain {
		o.Faults.Add(o.At, "reclaimPolicy", "is not a policy of storage classes; Delete and Retain are")
	}
	if m := s.VolumeBindingMode; m != nil && *m != storagev1.VolumeBindingImmediate && *m != storagev1.VolumeBindingWaitForFirstConsumer {
		o.Faults.Add(o.At, "volumeBindingMode", "is not a binding mode; Immediate and WaitForFirstConsumer are")
	}
	c.topologies(o, s.AllowedTopologies)
}

// topologies checks the topologies that a storage class allows.
//
// Upstream: validateAllowedTopologies of pkg/apis/storage/validation, v1.36.3.
func (c *Checker) topologies(o *decode.Object, terms []v1.TopologySelectorTerm) {
	for i := range terms {
		path := decode.Join("allowedTopologies", i)
		if len(terms[i].MatchLabelExpressions) == 0 {
			o.Faults.Add(o.At, path+".matchLabelExpressions", "must not be empty")
		}
		for j, r := range terms[i].MatchLabelExpressions {
			path := decode.Join(path+".matchLabelExpressions", j)
			if what := c.LabelKey(r.Key); what != "" {
				o.Faults.Add(o.At, path+".key", "is not valid: %s", what)
			}
			if len(r.Values) == 0 {
				o.Faults.Add(o.At, path+".values", "is required")
			}
			for k, value := range r.Values {
				if slices.Contains(r.Values[:k], value) {
					o.Faults.Add(o.At, decode.Join(path+".values", k), "is listed twice")
				}
			}
			before := terms[i].MatchLabelExpressions[:j]
			if slices.ContainsFunc(before, func(b v1.TopologySelectorLabelRequirement) bool { return b.Key == r.Key }) {
				o.Faults.Add(o.At, path+".key", "is the key of another expression")
			}
		}
		for _, other := range terms[:i] {
			if equalTopologies(other, terms[i]) {
				o.Faults.Add(o.At, path, "is equal to another term")
			}
		}
	}
}

func equalTopologies(a, b v1.TopologySelectorTerm) bool {
	within := func(x, y v1.TopologySelectorTerm) bool {
		for _, r := range x.MatchLabelExpressions {
			equal := func(s v1.TopologySelectorLabelRequirement) bool {
				return s.Key == r.Key && slices.Equal(slices.Sorted(slices.Values(s.Values)), slices.Sorted(slices.Values(r.Values)))
			}
			if !slices.ContainsFunc(y.MatchLabelExpressions, equal) {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}
