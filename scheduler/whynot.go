package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// WhyNot is what kube-scheduler would say of a pod of the class that fits on no node
// now; empty when it fits on one. The filter of the plugin named is left out; empty: none
// is. It disturbs no cycle.
func (s *Scheduler) WhyNot(class *cluster.Class, without string) string {
	fits := false
	s.eachFitting(class, without, func(cluster.NodeID) { fits = true })
	if fits {
		return ""
	}
	c := s.probe
	c.attempt = Attempt{Outcome: Rejected, Node: cluster.None, cycle: c}
	return c.attempt.Message()
}
