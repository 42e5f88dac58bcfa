package preemption

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// sortByImportance puts pods in order: those of higher priority first, then those that started earlier. Two
// pods without a start time are in the order of onNode from 1.37 on. Up to 1.36 each of them counts as the more important
// one, since upstream reads the clock in every comparison: the same sort as upstream's then gives the same order, which for
// few pods is the reverse.
//
// Upstream: MoreImportantPod, pkg/scheduler/util/utils.go, v1.36.3; MoreImportantVictim, framework/preemption/util.go, v1.37.2.
func (p *defaultPreemption) sortByImportance(pods, onNode []cluster.PodID) {
	if len(pods) < 2 {
		return
	}
	reversed := p.rules.VictimsWithoutStart == release.WithoutStartReversed
	slices.SortFunc(pods, func(a, b cluster.PodID) int {
		x, y := p.cluster.Pod(a), p.cluster.Pod(b)
		order := cmp.Or(cmp.Compare(y.Class.Priority, x.Class.Priority), cmp.Compare(started(x), started(y)))
		switch {
		case order != 0:
			return order
		case started(x) != clock.Forever:
			return cmp.Or(strings.Compare(x.Name, y.Name), cmp.Compare(x.Serial, y.Serial))
		case reversed:
			return -1
		}
		return cmp.Compare(slices.Index(onNode, a), slices.Index(onNode, b))
	})
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
