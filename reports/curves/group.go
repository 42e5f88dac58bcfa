package curves

import (
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/quantile"
)

// Group are the runs of one list under one policy, with several seeds.
type Group struct {
	Workload, Policy string
	results          []*Result
}

// Groups are the entries by list and policy, in the order of the tables.
func Groups(entries []Entry) []Group {
	var groups []Group
	for _, e := range entries {
		last := len(groups) - 1
		if last < 0 || groups[last].Workload != e.Workload || groups[last].Policy != e.Policy {
			groups, last = append(groups, Group{Workload: e.Workload, Policy: e.Policy}), last+1
		}
		groups[last].results = append(groups[last].results, e.Result)
	}
	return groups
}

// Seeds is how many runs there are.
func (g *Group) Seeds() int { return len(g.results) }

// in is the place of the group of the same list and policy among others; -1: it is not there.
func (g *Group) in(others []Group) int {
	return slices.IndexFunc(others, func(o Group) bool { return o.Workload == g.Workload && o.Policy == g.Policy })
}

// column are the values of the runs in a column, those that there are, in the order of the
// runs: a mean adds them in that order, and its last digit depends on it.
func (g *Group) column(of func(*Result) *Curve, j int) []float64 {
	var values []float64
	for _, r := range g.results {
		if v := of(r)[j]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// Mean is the mean of a column over the seeds, and its standard deviation over them; NaN
// where no run has a value.
func (g *Group) Mean(of func(*Result) *Curve, j int) (mean, deviation float64) {
	values := g.column(of, j)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	mean = sum / float64(len(values))
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(len(values)-1))
}

// quantile is the quantile of a column over the runs, between two of them in proportion as in the published tables.
func (g *Group) quantile(of func(*Result) *Curve, j int, share float64) float64 {
	values := g.column(of, j)
	if len(values) == 0 {
		return math.NaN()
	}
	return quantile.Between(values, share)
}

// Short is the policy without the number by which tables sort it.
func (g *Group) Short() string {
	if _, name, numbered := strings.Cut(g.Policy, "-"); numbered {
		return name
	}
	return g.Policy
}
