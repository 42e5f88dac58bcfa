package admit

import (
	"k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// runtimeClass is a RuntimeClass with what it brings to pods.
type runtimeClass struct {
	name         string
	faulty       bool // the rest is not known
	hasOverhead  bool
	overhead     resources.Amounts
	nodeSelector map[string]string
	tolerations  []v1.Toleration
}

// RegisterRuntimeClass makes a class known to the pods that name it.
func (chain *Chain) RegisterRuntimeClass(o *decode.Object) {
	r := o.Typed.(*nodev1.RuntimeClass)
	out := &runtimeClass{name: o.Name, faulty: len(o.Faults) > 0}
	if !out.faulty && r.Overhead != nil {
		out.hasOverhead, out.overhead = true, resources.AmountsOf(r.Overhead.PodFixed)
	}
	if r.Scheduling != nil {
		out.nodeSelector, out.tolerations = r.Scheduling.NodeSelector, r.Scheduling.Tolerations
	}
	chain.runtimes[o.Name] = out
}
