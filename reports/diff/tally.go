package diff

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Pod is a pod with different outcomes in the two runs.
type Pod struct {
	Name     string // namespace/name
	Workload string
	Outcomes [2]PodOutcome
	Differences
}

// Differences are the differences between the outcomes of one pod.
type Differences struct {
	OtherNode bool    // its last node was another one
	Pending   [2]bool // it is pending at the end of this run only
	Preempted [2]bool // it was preempted in this run only
	Only      [2]bool // this run only has it
}

func (d *Differences) differs() bool { return *d != Differences{} }

// findDifferences finds the differences.
func (p *Pod) findDifferences() {
	for s, f := range p.Outcomes {
		other := p.Outcomes[1-s]
		switch {
		case f.State == Absent:
		case other.State == Absent:
			p.Only[s] = true
		default:
			p.Pending[s] = f.State == Pending && other.State != Pending
			p.Preempted[s] = f.Preempted > 0 && other.Preempted == 0
		}
	}
	a, b := p.Outcomes[0].Node, p.Outcomes[1].Node
	p.OtherNode = a != "" && b != "" && a != b
}

// extraWait returns how much longer the pod waited in the second run. It may be negative.
func (p *Pod) extraWait() clock.Time { return p.Outcomes[1].Waited - p.Outcomes[0].Waited }

// Tally counts pods.
type Tally struct {
	Pods      int64    `json:"pods"`    // that one of the runs has, or both
	Changed   int64    `json:"changed"` // that had different outcomes
	OtherNode int64    `json:"elsewhere"`
	Pending   [2]int64 `json:"pendingOnly"`
	Preempted [2]int64 `json:"preemptedOnly"`
	Only      [2]int64 `json:"only"`
}

// WorkloadTally counts the pods of a workload.
type WorkloadTally struct {
	Workload string `json:"workload"`
	Tally
}

func (t *Tally) count(p *Pod) {
	t.Pods++
	countIf := func(is bool, n *int64) {
		if is {
			*n++
		}
	}
	countIf(p.differs(), &t.Changed)
	countIf(p.OtherNode, &t.OtherNode)
	for s := range t.Only {
		countIf(p.Pending[s], &t.Pending[s])
		countIf(p.Preempted[s], &t.Preempted[s])
		countIf(p.Only[s], &t.Only[s])
	}
}

func (t *Tally) add(o *Tally) {
	t.Pods += o.Pods
	t.Changed += o.Changed
	t.OtherNode += o.OtherNode
	for s := range t.Only {
		t.Pending[s] += o.Pending[s]
		t.Preempted[s] += o.Preempted[s]
		t.Only[s] += o.Only[s]
	}
}

// worst keeps the pods that differ most, in order; all of them if the limit is negative.
type worst struct {
	limit int
	list  []Pod
}

func (w *worst) offer(p Pod) {
	if w.limit < 0 || len(w.list) < w.limit {
		w.list = append(w.list, p)
		if w.limit < 0 || len(w.list) < w.limit {
			return // finish sorts the list, or the next line once it is full
		}
		w.finish()
		return
	}
	if w.limit == 0 || compareFates(&w.list[w.limit-1], &p) <= 0 {
		return
	}
	i := sort.Search(len(w.list), func(i int) bool { return compareFates(&w.list[i], &p) > 0 })
	copy(w.list[i+1:], w.list[i:])
	w.list[i] = p
}

// finish puts the list in order.
func (w *worst) finish() {
	slices.SortFunc(w.list, func(a, b Pod) int { return compareFates(&a, &b) })
}

// compareFates orders pods: first those that are pending in one run only, then those preempted
// in one only, those that one run only has, and those that ran elsewhere. Among equals those come first whose
// waits differ most, then those that arrived first.
func compareFates(a, b *Pod) int {
	return cmp.Or(
		cmp.Compare(b.weight(), a.weight()),
		cmp.Compare(max(b.extraWait(), -b.extraWait()), max(a.extraWait(), -a.extraWait())),
		cmp.Compare(a.firstArrival(), b.firstArrival()),
		strings.Compare(a.Name, b.Name), strings.Compare(a.Workload, b.Workload),
		cmp.Compare(a.Outcomes[0].Number, b.Outcomes[0].Number), cmp.Compare(a.Outcomes[1].Number, b.Outcomes[1].Number),
	)
}

func (p *Pod) weight() int {
	switch {
	case p.Pending[0] || p.Pending[1]:
		return 3
	case p.Preempted[0] || p.Preempted[1]:
		return 2
	case p.Only[0] || p.Only[1]:
		return 1
	}
	return 0
}

// firstArrival returns when the pod first arrived in either run.
func (p *Pod) firstArrival() clock.Time {
	switch {
	case p.Only[0]:
		return p.Outcomes[0].Arrived
	case p.Only[1]:
		return p.Outcomes[1].Arrived
	}
	return min(p.Outcomes[0].Arrived, p.Outcomes[1].Arrived)
}
