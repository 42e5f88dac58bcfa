package plugins

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// schedulingGates keeps pods that have spec.schedulingGates out of the queue.
//
// Upstream: framework/plugins/schedulinggates/scheduling_gates.go, v1.36.3.
// Differs: none.
type schedulingGates struct{ cluster *cluster.Cluster }

func newSchedulingGates(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &schedulingGates{h.Cluster()}, nil
}

func (p *schedulingGates) Name() string { return "SchedulingGates" }

func (p *schedulingGates) DependsOn() scheduler.Dependencies { return scheduler.PodItself }

func (p *schedulingGates) PreEnqueue(pod cluster.PodID) string {
	gates := p.cluster.Pod(pod).Class.Gates
	if len(gates) == 0 {
		return ""
	}
	return fmt.Sprintf("waiting for scheduling gates: %v", gates)
}
