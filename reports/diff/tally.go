package diff

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Pod is a pod that fared differently in the two runs.
type Pod struct {
	Name     string // namespace/name
	Workload string
	Fates    [2]Fate
	Differences
}

// Differences are how one pod fared differently.
type Differences struct {
	Elsewhere bool    // its last node was another one
	Pending   [2]bool // it is pending at the end of this run alone
	Preempted [2]bool // it was preempted in this run alone
	Only      [2]bool // it is in this run alone
}

func (d *Differences) differs() bool { return *d != Differences{} }

// judge finds the differences.
func (p *Pod) judge() {
	for s, f := range p.Fates {
		other := p.Fates[1-s]
		switch {
		case f.State == Absent:
		case other.State == Absent:
			p.Only[s] = true
		default:
			p.Pending[s] = f.State == Pending && other.State != Pending
			p.Preempted[s] = f.Preempted > 0 && other.Preempted == 0
		}
	}
	a, b := p.Fates[0].Node, p.Fates[1].Node
	p.Elsewhere = a != "" && b != "" && a != b
}

// later is how much longer the pod waited in the second run.
func (p *Pod) later() clock.Time { return p.Fates[1].Waited - p.Fates[0].Waited }

// Tally counts pods.
type Tally struct {
	Pods      int64    `json:"pods"`    // in one of the runs, or both
	Changed   int64    `json:"changed"` // that fared differently
	Elsewhere int64    `json:"elsewhere"`
	Pending   [2]int64 `json:"pendingOnly"`
	Preempted [2]int64 `json:"preemptedOnly"`
	Only      [2]int64 `json:"only"`
}

// LoadTally counts the pods of a workload.
type LoadTally struct {
	Workload string `json:"workload"`
	Tally
}

func (t *Tally) count(p *Pod) {
	t.Pods++
	note := func(is bool, n *int64) {
		if is {
			*n++
		}
	}
	note(p.differs(), &t.Changed)
	note(p.Elsewhere, &t.Elsewhere)
	for s := range t.Only {
		note(p.Pending[s], &t.Pending[s])
		note(p.Preempted[s], &t.Preempted[s])
		note(p.Only[s], &t.Only[s])
	}
}

func (t *Tally) add(o *Tally) {
	t.Pods += o.Pods
	t.Changed += o.Changed
	t.Elsewhere += o.Elsewhere
	for s := range t.Only {
		t.Pending[s] += o.Pending[s]
		t.Preempted[s] += o.Preempted[s]
		t.Only[s] += o.Only[s]
	}
}

// worst keeps the pods that differ most, in order; most negative: all.
type worst struct {
	most int
	list []Pod
}

func (w *worst) offer(p Pod) {
	if w.most < 0 || len(w.list) < w.most {
		w.list = append(w.list, p)
		if w.most < 0 || len(w.list) < w.most {
			return // put in order by finish, or once there are enough
		}
		w.finish()
		return
	}
	if w.most == 0 || compareFates(&w.list[w.most-1], &p) <= 0 {
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

// compareFates puts pods that are pending in one run alone first, then those that were preempted
// in one alone, those that are in one alone, and those that ran elsewhere. Of equal ones those come first whose
// waits differ most, then those that came first.
func compareFates(a, b *Pod) int {
	return cmp.Or(
		cmp.Compare(b.weight(), a.weight()),
		cmp.Compare(max(b.later(), -b.later()), max(a.later(), -a.later())),
		cmp.Compare(a.came(), b.came()),
		strings.Compare(a.Name, b.Name), strings.Compare(a.Workload, b.Workload),
		cmp.Compare(a.Fates[0].Number, b.Fates[0].Number), cmp.Compare(a.Fates[1].Number, b.Fates[1].Number),
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

// came is when the pod first came.
func (p *Pod) came() clock.Time {
	switch {
	case p.Only[0]:
		return p.Fates[0].Arrived
	case p.Only[1]:
		return p.Fates[1].Arrived
	}
	return min(p.Fates[0].Arrived, p.Fates[1].Arrived)
}
