package compile

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// quantities are the amounts in base units that are not zero, ordered by resource, for all names that
// the scheduler counts.
func (cp *Compiler) quantities(list resources.Amounts) []cluster.Quantity {
	var out []cluster.Quantity
	for _, a := range list {
		if value := a.Base(); value != 0 && cp.isScheduled(a.Name) {
			out = append(out, cluster.Quantity{Resource: cp.vocabulary.Resource(a.Name), Amount: value})
		}
	}
	slices.SortFunc(out, func(x, y cluster.Quantity) int { return int(x.Resource - y.Resource) })
	return out
}

// isScheduled remembers what isScheduled says, for names that are dear to check.
func (cp *Compiler) isScheduled(name string) bool {
	if resources.IsPlain(name) || name == string(v1.ResourcePods) {
		return true
	}
	is, known := cp.scheduled[name]
	if !known {
		is = resources.IsScheduled(name)
		cp.scheduled[name] = is
	}
	return is
}

// setRequests puts what the pod asks for into its class. It returns the resource whose amount is too large,
// if any.
func (cp *Compiler) setRequests(class *cluster.Class, d *resources.PodRequests) (tooLarge string) {
	total := d.Total(true, nil)
	for _, a := range total {
		if a.Base() > resources.MaxAmount {
			return a.Name
		}
	}
	class.Requests = cp.quantities(total)
	class.ScoreRequests = class.Requests
	if len(d.Pod) > 0 {
		class.ScoreRequests = cp.quantities(d.Total(false, nil))
	}
	scored := d.Total(false, resources.NonZeroDefaults)
	class.ScoreNonZero = resources.NonZero(scored)
	class.NonZero = class.ScoreNonZero
	if len(d.Pod) > 0 {
		class.NonZero = resources.NonZero(d.Total(true, d.NodeDefaults(total)))
	}
	return ""
}
