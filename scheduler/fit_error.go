package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// FitErrorMessage returns the message that kube-scheduler would give to a pod of the class now, or "" if
// some node is feasible. It does not affect a cycle.
func (s *Scheduler) FitErrorMessage(class *cluster.Class) string {
	fits := false
	s.EachFeasible(class, func(cluster.NodeID) { fits = true })
	if fits {
		return ""
	}
	c := s.probe
	c.attempt = Attempt{Outcome: Rejected, Node: cluster.None, cycle: c}
	return c.attempt.Message()
}
