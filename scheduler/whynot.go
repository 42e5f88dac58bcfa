package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// WhyNot is what kube-scheduler would say of a pod of the class that fits on no node
// now; empty when it fits on one. It disturbs no cycle.
func (s *Scheduler) WhyNot(class *cluster.Class) string {
	fits := false
	s.EachFitting(class, func(cluster.NodeID) { fits = true })
	if fits {
		return ""
	}
	c := s.probe
	c.attempt = Attempt{Outcome: Rejected, Node: cluster.None, cycle: c}
	return c.attempt.Message()
}
