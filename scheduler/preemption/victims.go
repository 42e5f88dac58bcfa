package preemption

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// candidate is a node that can be freed.
type candidate struct {
	node    cluster.NodeID
	victims []cluster.PodID // by falling importance
	// violations is how many of the victims no budget allows to be evicted.
	violations int
}

// selectVictims removes every pod of lower priority and, if the pod then fits, adds back as many as
// it can: first those that no budget allows to be evicted, then the others, the most important
// first. The rest are the victims. The cluster is left as it was.
//
// Upstream: SelectVictimsOnNode, v1.36.3 and v1.37.2.
func (p *defaultPreemption) selectVictims(c *scheduler.Cycle, node cluster.NodeID) (candidate, []string) {
	found := candidate{node: node}
	lower := p.lower(c, node)
	if len(lower) == 0 {
		return found, []string{reasonNoVictims}
	}
	mark := p.cluster.Mark()
	defer p.cluster.Rollback(mark)
	for _, pod := range lower {
		p.cluster.TryRemove(pod)
	}
	if v := p.h.PassesFilters(c, node); v != scheduler.Fits {
		return found, c.ReasonsOf(v)
	}
	onNode := p.work.In(c).onNode
	p.sortByImportance(lower, onNode)
	violating := p.violatingFirst(c, lower)
	for i, pod := range lower {
		p.cluster.TryPlace(pod, node)
		if p.h.PassesFilters(c, node) == scheduler.Fits {
			continue
		}
		p.cluster.TryRemove(pod)
		found.victims = append(found.victims, pod)
		if i < violating {
			found.violations++
		}
	}
	if violating > 0 {
		p.sortByImportance(found.victims, onNode)
	}
	return found, nil
}

// lower are the pods on a node of lower priority than that of the cycle, terminating ones
// included, in the work space of the cycle.
func (p *defaultPreemption) lower(c *scheduler.Cycle, node cluster.NodeID) []cluster.PodID {
	work := p.work.In(c)
	work.lower, work.onNode = work.lower[:0], work.onNode[:0]
	for _, pod := range p.cluster.PodsOn(node) {
		if p.cluster.Pod(pod).Class.Priority < c.Class.Priority {
			work.lower = append(work.lower, pod)
		}
	}
	work.onNode = append(work.onNode, work.lower...)
	return work.lower
}

// violatingFirst moves those pods to the front whose eviction would take a budget below
// 0, were they evicted in this order, and returns how many they are. Else the order stays.
//
// Upstream: filterPodsWithPDBViolation, v1.36.3; FilterVictimsWithPDBViolation, v1.37.2.
func (p *defaultPreemption) violatingFirst(c *scheduler.Cycle, pods []cluster.PodID) int {
	if p.cluster.Budgets.Len() == 0 {
		return 0
	}
	work := p.work.In(c)
	work.rest = work.rest[:0]
	work.spent = append(work.spent, make([]int32, p.cluster.Budgets.Len()-len(work.spent))...)
	clear(work.spent)
	violating := 0
	for _, pod := range pods {
		if p.violates(pod, work.spent) {
			pods[violating] = pod
			violating++
		} else {
			work.rest = append(work.rest, pod)
		}
	}
	copy(pods[violating:], work.rest)
	return violating
}

// violates takes a pod off the budgets that select it, and reports whether one of them
// allows that no more. From 1.37 on it leaves the budgets after that one as they are. To preemption a pod without labels is
// in no budget, nor does an empty selector select any.
func (p *defaultPreemption) violates(id cluster.PodID, spent []int32) bool {
	pod := p.cluster.Pod(id)
	if len(pod.Class.Labels) == 0 {
		return false
	}
	violates := false
	for _, at := range p.cluster.Budgets.Of(pod.Class) {
		b := p.cluster.Budgets.Budget(at)
		if b.Selector.IsEmpty() || b.DisruptedPods[pod.Name] {
			continue
		}
		if spent[at]++; spent[at] > b.DisruptionsAllowed {
			violates = true
			if !p.rules.BudgetsAfterViolation {
				break
			}
		}
	}
	return violates
}
