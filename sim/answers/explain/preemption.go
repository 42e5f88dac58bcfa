package explain

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// preemption is how the attempt made room for the pod; nil: it did not.
func preemption(c *cluster.Cluster, a *scheduler.Attempt) *Preemption {
	if a.Nominated == cluster.None {
		return nil
	}
	p := &Preemption{Attempt: a.Number, Node: c.Node(a.Nominated).Name, Priority: c.Pod(a.Pod).Class.Priority}
	p.Victims = podsOn(c, a.Victims)
	return p
}

// rank finds the next best node, and the criterion that decided between it and the chosen one.
func (p *Preemption) rank(c *cluster.Cluster, a *scheduler.Attempt) {
	options := a.PreemptionOptions()
	p.Candidates = len(options)
	ahead := true
	for _, o := range options {
		if o.Node == a.Nominated {
			ahead = false
		} else if p.Next == nil {
			p.Next = &AlternativeCandidate{Node: c.Node(o.Node).Name, Victims: podsOn(c, o.Victims), Rule: o.Rule, Ahead: ahead}
		}
	}
}

func podsOn(c *cluster.Cluster, ids []cluster.PodID) []PodOn {
	out := []PodOn{}
	for _, id := range ids {
		out = append(out, podOn(c, id))
	}
	return out
}

func podOn(c *cluster.Cluster, id cluster.PodID) PodOn {
	return PodOn{podName(c, id), c.Pod(id).Class.Priority}
}
