package steady

import (
	"fmt"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/paired"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Entry is the result of one run of a scenario.
type Entry struct {
	Scenario string
	Load     int // GPUs asked for in the mean, in percent of those that there are
	Policy   string
	Seed     uint64
	Result   *Result
}

// Entries are results of a study: what runs have in common is in the order of its first
// occurrence.
type Entries []Entry

// Scenarios returns the scenarios.
func (e Entries) Scenarios() []string { return distinct(e, func(e Entry) string { return e.Scenario }) }

// Policies returns the policies.
func (e Entries) Policies() []string { return distinct(e, func(e Entry) string { return e.Policy }) }

// Loads returns the loads, in rising order.
func (e Entries) Loads() []int {
	return slices.Sorted(slices.Values(distinct(e, func(e Entry) int { return e.Load })))
}

func distinct[T comparable](entries Entries, of func(Entry) T) (out []T) {
	for _, e := range entries {
		if v := of(e); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Paired returns the entries of the seeds that a scenario has been played with at a load under
// every policy.
func (e Entries) Paired() (out Entries) {
	type at struct {
		scenario string
		load     int
		seed     uint64
	}
	runs := map[at]int{}
	for _, x := range e {
		runs[at{x.Scenario, x.Load, x.Seed}]++
	}
	policies := len(e.Policies())
	for _, x := range e {
		if runs[at{x.Scenario, x.Load, x.Seed}] == policies {
			out = append(out, x)
		}
	}
	return out
}

// values are those of a measure by seed.
func (e Entries) values(scenario string, load int, policy string, of func(*Result) float64) map[uint64]float64 {
	out := map[uint64]float64{}
	for _, x := range e {
		if x.Scenario == scenario && x.Load == load && x.Policy == policy {
			out[x.Seed] = of(x.Result)
		}
	}
	return out
}

// Cell is a measure of a policy at a load.
type Cell struct {
	Policy string
	Load   int
	Mean   float64 // over the seeds; NaN without values
	Seeds  int     // with a value
	// From is the difference from the baseline, in pairs of equal seeds; Adjusted allows for all
	// cells of the grid. It is nil for the baseline itself.
	From *paired.Difference
}

// Compare returns a grid of cells of a scenario: by policy and then by load.
func (e Entries) Compare(scenario string, m Measure, baseline string) [][]Cell {
	var grid [][]Cell
	var family []*paired.Difference
	for _, policy := range e.Policies() {
		var row []Cell
		for _, load := range e.Loads() {
			c := Cell{Policy: policy, Load: load}
			var of []float64
			of, c.From = e.differences(scenario, load, policy, baseline, m)
			c.Mean, c.Seeds = paired.Mean(of), len(of)
			if c.From != nil {
				family = append(family, c.From)
			}
			row = append(row, c)
		}
		grid = append(grid, row)
	}
	paired.Adjust(family)
	return grid
}

// differences are the values of a policy, those that there are, and how they differ from the
// baseline's.
func (e Entries) differences(scenario string, load int, policy, baseline string, m Measure) ([]float64, *paired.Difference) {
	values, base := e.values(scenario, load, policy, m.Of), e.values(scenario, load, baseline, m.Of)
	seeds := distinct(e, func(e Entry) uint64 { return e.Seed })
	slices.Sort(seeds)
	var of, differences []float64
	for _, seed := range seeds {
		v, there := values[seed]
		if !there || math.IsNaN(v) {
			continue
		}
		of = append(of, v)
		if b, there := base[seed]; there {
			differences = append(differences, v-b)
		}
	}
	if policy == baseline {
		return of, nil
	}
	stream := fmt.Sprintf("bootstrap/%s/%s/%d/%s", scenario, m.Name, load, policy)
	d := paired.Of(differences, clock.NewStreams(0).Rand(stream))
	return of, &d
}
