package metric

import (
	"maps"
	"slices"
	"strconv"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Wait is a distribution of times.
type Wait int

// The distributions that are kept.
const (
	WaitToBind Wait = iota // of placement.waitToBind
	WaitToRun              // of placement.waitToRun
)

// Curve is a distribution of the pods of one scope: the seconds that each share of the
// pods does not exceed.
type Curve struct {
	Scope   Scopes
	Name    string // of the workload or priority
	Pods    int64
	Shares  []float64
	Seconds []float64
}

// Curves returns the distributions of a wait that have values: that of the run, those of the
// workloads, and those of the priorities, from high to low.
func (l *Ledger) Curves(wait Wait) []Curve {
	of := func(t *totals) *distribution {
		if wait == WaitToRun {
			return &t.waitToRun
		}
		return &t.waitToBind
	}
	var out []Curve
	add := func(scope Scopes, name string, t *totals) {
		if d := of(t); d.n > 0 {
			c := Curve{Scope: scope, Name: name, Pods: d.n}
			for _, permille := range curvePoints() {
				c.Shares = append(c.Shares, float64(permille)/1000)
				c.Seconds = append(c.Seconds, d.quantile(permille)/float64(clock.Second))
			}
			out = append(out, c)
		}
	}
	add(ScopeRun, "", l.run)
	for _, w := range l.workloads {
		if w.declared {
			add(ScopeWorkload, w.name, w.totals)
		}
	}
	for _, priority := range slices.Backward(slices.Sorted(maps.Keys(l.priorities))) {
		add(ScopePriority, strconv.Itoa(int(priority)), l.priorities[priority])
	}
	return out
}

// curvePoints returns the quantiles of a curve, in permille: close together at its ends.
func curvePoints() []int64 {
	points := []int64{0, 1, 2, 5}
	for p := int64(10); p < 980; p += 10 {
		points = append(points, p)
	}
	for p := int64(980); p <= 1000; p++ {
		points = append(points, p)
	}
	return points
}
