package manifest

import (
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// defaultClass is the storage class of claims that name none.
type defaultClass struct {
	name    string
	created time.Time
}

// Upstream: ValidateStorageClass of pkg/apis/storage/validation, v1.36.3.
func readStorageClass(c *checker, o *object) {
	s := decoded[storagev1.StorageClass](c, o)
	c.meta(o, &s.ObjectMeta, false)
	if s.Provisioner == "" {
		o.faults.Add(o.at, "provisioner", "is required")
	} else if what := c.labelKey(strings.ToLower(s.Provisioner)); what != "" {
		o.faults.Add(o.at, "provisioner", "is not valid: %s", what)
	}
	if p := s.ReclaimPolicy; p != nil && *p != "" && *p != v1.PersistentVolumeReclaimDelete && *p != v1.PersistentVolumeReclaimRetain {
		o.faults.Add(o.at, "reclaimPolicy", "is not a policy of storage classes; Delete and Retain are")
	}
	if m := s.VolumeBindingMode; m != nil && *m != storagev1.VolumeBindingImmediate && *m != storagev1.VolumeBindingWaitForFirstConsumer {
		o.faults.Add(o.at, "volumeBindingMode", "is not a binding mode; Immediate and WaitForFirstConsumer are")
	}
	c.topologies(o, s.AllowedTopologies)
}

// topologies checks the topologies that a storage class allows.
//
// Upstream: validateAllowedTopologies of pkg/apis/storage/validation, v1.36.3.
func (c *checker) topologies(o *object, terms []v1.TopologySelectorTerm) {
	for i := range terms {
		path := join("allowedTopologies", i)
		if len(terms[i].MatchLabelExpressions) == 0 {
			o.faults.Add(o.at, path+".matchLabelExpressions", "must not be empty")
		}
		for j, r := range terms[i].MatchLabelExpressions {
			path := join(path+".matchLabelExpressions", j)
			if what := c.labelKey(r.Key); what != "" {
				o.faults.Add(o.at, path+".key", "is not valid: %s", what)
			}
			if len(r.Values) == 0 {
				o.faults.Add(o.at, path+".values", "is required")
			}
			for k, value := range r.Values {
				if slices.Contains(r.Values[:k], value) {
					o.faults.Add(o.at, join(path+".values", k), "is listed twice")
				}
			}
			before := terms[i].MatchLabelExpressions[:j]
			if slices.ContainsFunc(before, func(b v1.TopologySelectorLabelRequirement) bool { return b.Key == r.Key }) {
				o.faults.Add(o.at, path+".key", "is the key of another expression")
			}
		}
		for _, other := range terms[:i] {
			if equalTopologies(other, terms[i]) {
				o.faults.Add(o.at, path, "is equal to another term")
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

// registerStorageClass notes the default class: of several the newest, and then by name.
//
// Upstream: GetDefaultClass of pkg/volume/util/storageclass.go, v1.36.3.
func (ch *chain) registerStorageClass(o *object) {
	s := o.typed.(*storagev1.StorageClass)
	if s.Annotations["storageclass.kubernetes.io/is-default-class"] != "true" &&
		s.Annotations["storageclass.beta.kubernetes.io/is-default-class"] != "true" {
		return
	}
	d := &ch.defaultClass
	created := wholeSeconds(&s.CreationTimestamp)
	if d.name == "" || created.After(d.created) || created.Equal(d.created) && o.name < d.name {
		*d = defaultClass{o.name, created}
	}
}

// storageClass compiles a StorageClass.
func (cp *compiler) storageClass(o *object) cluster.StorageClass {
	s := o.typed.(*storagev1.StorageClass)
	out := cluster.StorageClass{
		Name: cp.vocabulary.Sym(o.name), Provisioner: s.Provisioner, Driver: cp.vocabulary.Sym(driverOf(s.Provisioner)),
		WaitForConsumer: s.VolumeBindingMode != nil && *s.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer,
		Reclaim:         cluster.Delete,
		Topologies:      cluster.VolumeAffinity{Limited: len(s.AllowedTopologies) > 0},
	}
	if s.ReclaimPolicy != nil && *s.ReclaimPolicy != "" {
		out.Reclaim = reclaims[*s.ReclaimPolicy]
	}
	for _, t := range s.AllowedTopologies {
		term := v1.NodeSelectorTerm{}
		for _, r := range t.MatchLabelExpressions {
			term.MatchExpressions = append(term.MatchExpressions, v1.NodeSelectorRequirement{Key: r.Key, Operator: v1.NodeSelectorOpIn, Values: r.Values})
		}
		compiled, errs := cp.term(&term, nil)
		compiled.Fault = wording(errs)
		out.Topologies.Terms = append(out.Topologies.Terms, compiled)
	}
	return out
}
