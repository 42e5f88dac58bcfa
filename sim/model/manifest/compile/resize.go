package compile

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// Resized returns the class of an admitted pod by what its status says that it takes on its node; nil where the status
// says nothing.
func (compiler *Compiler) Resized(o *decode.Object, a *admit.Pod, of *cluster.Class) *cluster.Class {
	pod := o.Typed.(*v1.Pod)
	rule := compiler.check.Rules.ResizeRequests
	if !resources.ShowsResize(pod, rule) {
		return nil
	}
	d := a.Requests.Resized(pod, rule)
	class := *of
	if name := compiler.setRequests(&class, &d); name != "" {
		o.Faults.Add(o.At, "status", "shows too much %s: the largest amount is 2^53 of the base unit", name)
		return nil
	}
	// What an incoming pod asks for in scores is for its spec to say.
	class.ScoreRequests, class.ScoreNonZero = of.ScoreRequests, of.ScoreNonZero
	return compiler.Intern(class)
}
