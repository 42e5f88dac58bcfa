package scheduler

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	minPercentage      = 5
	adaptivePercentage = 50
	nodesPerPercent    = 125
)

// findFeasible fills c.feasible: the nominated node alone where it passes, else as
// many nodes as are wanted, searched from where the previous search stopped.
//
// Upstream: findNodesThatFitPod, pkg/scheduler/schedule_one.go, v1.36.3.
func (s *Scheduler) findFeasible(c *Cycle) Status {
	node := s.Nominated(c.Pod)
	if families[c.profile.family].nominatedFirst && node != cluster.None {
		if c.check(node) {
			c.feasible = append(c.feasible, node)
			c.countEvaluated()
			if err := c.passExtenders(); err == nil && len(c.feasible) > 0 {
				return Status{}
			}
			c.feasible = c.feasible[:0]
		}
	}
	s.scan(c, c.searched())
	s.startIndex = (s.startIndex + len(c.feasible) + c.rejections.nodes + len(c.ext.unknownNodes)) % s.cluster.NumNodes()
	passed := len(c.feasible)
	c.countEvaluated()
	if err := c.passExtenders(); err != nil {
		return Status{Error, err.Error()}
	}
	if len(c.feasible) != passed {
		c.rejectors.add(c.profile.extender)
	}
	return Status{}
}

// countEvaluated notes how many nodes were looked at, whatever extenders make of them. The
// nominated node, looked at alone before, is not counted twice.
func (c *Cycle) countEvaluated() {
	c.attempt.Evaluated = min(len(c.feasible)+c.rejections.nodes, c.Cluster.NumNodes())
}

// searched are the nodes to search: all of them, or those that PreFilter left. The other nodes
// count as rejected by the plugins that excluded them and, because upstream has one set for both,
// by the plugin that just rejected the nominated node.
func (c *Cycle) searched() []cluster.NodeID {
	if c.restrict == 0 {
		return c.Cluster.Order()
	}
	c.absent.Message = fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", c.names(c.rejectors))
	return c.search
}

// scan visits nodes until one more than wanted is feasible; that one is dropped, as
// a single worker upstream does.
func (s *Scheduler) scan(c *Cycle, nodes []cluster.NodeID) {
	wanted := s.wanted(c.profile, len(nodes))
	start := s.startIndex % max(len(nodes), 1)
	for _, part := range [2][]cluster.NodeID{nodes[start:], nodes[:start]} {
		for _, node := range part {
			if !c.check(node) {
				continue
			}
			if len(c.feasible) == wanted {
				return
			}
			c.feasible = append(c.feasible, node)
		}
	}
}

// check runs the filters on one node and notes a rejection.
func (c *Cycle) check(node cluster.NodeID) bool {
	v := c.s.filterWithNominated(c, node)
	if v == Fits {
		return true
	}
	c.reject(node, v)
	return false
}

// wanted is how many feasible nodes are sought among n.
//
// Upstream: numFeasibleNodesToFind, pkg/scheduler/schedule_one.go, v1.36.3.
func (s *Scheduler) wanted(p *profile, n int) int {
	if len(p.score) == 0 && !s.needsAllFeasible() {
		return 1
	}
	minFeasible := families[p.family].minFeasible
	if n < minFeasible {
		return n
	}
	percentage := p.percentage
	if percentage == 0 {
		percentage = max(adaptivePercentage-n/nodesPerPercent, minPercentage)
	}
	return max(n*percentage/100, minFeasible)
}

// filterWithNominated runs the filters with the pods of at least equal priority
// that are nominated to the node counted as running there, and, if it passes, once
// more without them.
//
// Upstream: RunFilterPluginsWithNominatedPods, framework/runtime/framework.go, v1.36.3.
func (s *Scheduler) filterWithNominated(c *Cycle, node cluster.NodeID) Verdict {
	if len(s.nominator.of) != 0 {
		if v := s.filterBehindNominated(c, node); v != Fits {
			return v
		}
	}
	return c.filter(node)
}

func (s *Scheduler) filterBehindNominated(c *Cycle, node cluster.NodeID) Verdict {
	mark := s.cluster.Mark()
	defer s.cluster.Rollback(mark)
	added := false
	for _, pod := range s.nominator.of[s.cluster.Ref(node)] {
		if pod != c.Pod && s.cluster.Pod(pod).Class.Priority >= c.Class.Priority {
			s.cluster.TryPlace(pod, node)
			added = true
		}
	}
	if !added {
		return Fits
	}
	return c.filter(node)
}

// prepareFilters lets the filters work out what is the same for all nodes, and
// lists those that do not pass every node.
func (c *Cycle) prepareFilters() {
	c.filters = c.filters[:0]
	for _, f := range c.profile.filter {
		if c.skipFilter.has(f.index) || f.prepare != nil && !f.prepare.PrepareFilter(c) {
			continue
		}
		c.filters = append(c.filters, f.indexed)
	}
}

// filter asks the filter plugins in order; the first that rejects ends it.
func (c *Cycle) filter(node cluster.NodeID) Verdict {
	for i := range c.filters {
		if v := c.filters[i].plugin.Filter(c, node); v != Fits {
			return v.by(c.filters[i].index)
		}
	}
	return Fits
}

// EachFeasible calls f for every node that a pod of the class would pass the filters
// of now. It disturbs no cycle and does not move the start index.
func (s *Scheduler) EachFeasible(class *cluster.Class, f func(cluster.NodeID)) {
	c := s.probe
	c.reset(class)
	if c.profile == nil || c.runPreFilter().Code != Success {
		return
	}
	c.prepareFilters()
	for _, node := range c.searched() {
		if v := c.filter(node); v == Fits {
			f(node)
		} else {
			c.reject(node, v)
		}
	}
}

// EachFeasibleOf calls f for each of the given nodes with whether it is feasible for a pod of the class, as EachFeasible
// finds. It returns false without calling f if the answer for one node can depend on other nodes, as after a PreFilter
// that rejects the pod or restricts the search.
func (s *Scheduler) EachFeasibleOf(class *cluster.Class, nodes []cluster.NodeID, f func(node cluster.NodeID, fits bool)) bool {
	c := s.probe
	c.reset(class)
	if c.profile == nil || c.runPreFilter().Code != Success || c.restrict != 0 {
		return false
	}
	c.prepareFilters()
	if !c.filtersAreLocal() {
		return false
	}
	for _, node := range nodes {
		f(node, c.filter(node) == Fits)
	}
	return true
}
