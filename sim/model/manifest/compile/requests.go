package compile

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// quantities are the amounts in base units that are not zero, ordered by resource, for all names that
// the scheduler counts.
func (compiler *Compiler) quantities(list resources.Amounts) []cluster.Quantity {
	var out []cluster.Quantity
	for _, a := range list {
		if value := a.Base(); value != 0 && compiler.isScheduled(a.Name) {
			out = append(out, cluster.Quantity{Resource: compiler.vocabulary.Resource(a.Name), Amount: value})
		}
	}
	slices.SortFunc(out, func(x, y cluster.Quantity) int { return int(x.Resource - y.Resource) })
	return out
}

// isScheduled remembers what isScheduled says, for names that are dear to check.
func (compiler *Compiler) isScheduled(name string) bool {
	if resources.IsPlain(name) || name == string(v1.ResourcePods) {
		return true
	}
	is, known := compiler.scheduled[name]
	if !known {
		is = resources.IsScheduled(name)
		compiler.scheduled[name] = is
	}
	return is
}

// setRequests puts what the pod asks for into its class. It returns the resource whose amount is too large,
// if any.
func (compiler *Compiler) setRequests(class *cluster.Class, d *resources.PodRequests) (tooLarge string) {
	total := d.Total(true, nil)
	for _, a := range total {
		if a.Base() > resources.MaxAmount {
			return a.Name
		}
	}
	class.Requests = compiler.quantities(total)
	class.ScoreRequests = class.Requests
	if len(d.Pod) > 0 {
		class.ScoreRequests = compiler.quantities(d.Total(false, nil))
	}
	scored := d.Total(false, resources.NonZeroDefaults)
	class.ScoreNonZero = resources.NonZero(scored)
	class.NonZero = class.ScoreNonZero
	if len(d.Pod) > 0 {
		class.NonZero = resources.NonZero(d.Total(true, d.NodeDefaults(total)))
	}
	return ""
}
