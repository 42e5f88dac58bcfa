package preemption

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
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
// Upstream: SelectVictimsOnNode, v1.36.3.
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
	slices.SortFunc(lower, p.byImportance)
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
		slices.SortFunc(found.victims, p.byImportance)
	}
	return found, nil
}

// lower are the pods on a node of lower priority than that of the cycle, terminating ones
// included, in the work space of the cycle.
func (p *defaultPreemption) lower(c *scheduler.Cycle, node cluster.NodeID) []cluster.PodID {
	work := p.work.In(c)
	work.lower = work.lower[:0]
	for _, pod := range p.cluster.PodsOn(node) {
		if p.cluster.Pod(pod).Class.Priority < c.Class.Priority {
			work.lower = append(work.lower, pod)
		}
	}
	return work.lower
}

// violatingFirst moves those pods to the front whose eviction would take a budget below
// 0, were they evicted in this order, and returns how many they are. Else the order stays.
//
// Upstream: filterPodsWithPDBViolation, v1.36.3.
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

// violates takes a pod off every budget that selects it, and reports whether one of them
// allows that no more. To preemption a pod without labels is in no budget, nor does an
// empty selector select any.
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
		spent[at]++
		violates = violates || spent[at] > b.DisruptionsAllowed
	}
	return violates
}

// byImportance puts pods of higher priority first, then those that started earlier.
//
// Upstream: MoreImportantPod, pkg/scheduler/util/utils.go, v1.36.3.
func (p *defaultPreemption) byImportance(a, b cluster.PodID) int {
	x, y := p.cluster.Pod(a), p.cluster.Pod(b)
	return cmp.Or(
		cmp.Compare(y.Class.Priority, x.Class.Priority),
		cmp.Compare(started(x), started(y)),
		strings.Compare(x.Name, y.Name),
		cmp.Compare(x.Serial, y.Serial),
	)
}

// started is status.startTime of a pod: when it was bound, in whole seconds, as metav1.Time is written in the API. Pods
// bound within one second started together. One that is not bound yet counts as the latest.
//
// Upstream: GetPodStartTime, pkg/scheduler/util/utils.go, v1.36.3.
func started(p *cluster.Pod) clock.Time {
	if p.Phase == cluster.Assumed {
		return clock.Forever
	}
	if p.Start == clock.Forever {
		return p.Start
	}
	return wholeSeconds(p.Start)
}

// wholeSeconds cuts a time, before the start of the run too, to the second that it lies in.
func wholeSeconds(t clock.Time) clock.Time {
	if t < 0 {
		t -= clock.Second - 1
	}
	return t / clock.Second * clock.Second
}
