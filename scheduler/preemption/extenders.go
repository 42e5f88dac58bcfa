package preemption

import "github.com/berth-sim/berth/scheduler"

const messageNoneLeft = "no candidate node for preemption"

// narrow has extenders narrow down the candidates; where none are left, the status says
// why. It leaves the nomination of the pod as it is.
//
// Upstream: Preempt and callExtenders, framework/preemption/preemption.go, v1.36.3.
func (p *defaultPreemption) narrow(c *scheduler.Cycle, candidates []candidate) ([]candidate, scheduler.Status) {
	asked := make([]scheduler.Candidate, len(candidates))
	for i, k := range candidates {
		asked[i] = scheduler.Candidate{Node: k.node, Victims: k.victims, Violations: int64(k.violations)}
	}
	left, status := p.h.CallExtenders(c, asked)
	if status.Code == scheduler.Error {
		status.Message = "preemption: " + status.Message
		return nil, status
	}
	candidates = candidates[:0]
	for _, k := range left {
		candidates = append(candidates, candidate{k.Node, k.Victims, int(k.Violations)})
	}
	return candidates, scheduler.Status{Code: scheduler.Unschedulable, Message: "preemption: " + messageNoneLeft}
}
