// Package plan answers how many nodes a workload needs. Plan searches the smallest or cheapest fleet on which a scenario
// meets a goal, by the counts of one pool or several. Compaction removes random nodes until the workload no longer fits.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
)

// Plan searches the cheapest fleet that meets its objectives.
type Plan struct {
	Scenario   *scenarios.Scenario
	Options    scenarios.Options // of all runs; Seed and Counts are ignored
	Objectives Objectives
	Axes       []Axis
	Seeds      []uint64
	Quantile   int // percent of the seeds in which objectives without a quantile must be met together, 1 to 100
	Probes     int // largest number of fleets to try, where several pools vary
	Runner     experiment.Runner
	// Done, if not nil, is called after each finished run with the number of fleets that were finished before. It is not
	// called concurrently.
	Done func(fleets int)

	goal *goal.Goal // all of the objectives
}

// ErrInterrupted is the error of a search whose context ended.
var ErrInterrupted = errors.New("the search was interrupted")

// Search makes runs until the answer is known. If the context ends first, the error is ErrInterrupted; the plan then has
// what was found, or is nil if that is nothing.
func (p *Plan) Search(ctx context.Context) (*fleetplan.Plan, error) {
	p.goal = p.Objectives.goal()
	s, err := p.prepare(ctx)
	if err != nil {
		return nil, err
	}
	out := &fleetplan.Plan{
		Scenario: p.Scenario.File.Metadata.Name, Goal: p.goal.Text, Goals: p.Objectives.reported(), Seeds: p.Seeds, Quantile: p.Quantile,
	}
	s.try = func(counts []int) (*probe, error) {
		m := p.matrix(counts)
		m.StopEarly = p.stopEarly(s)
		results, err := m.Run(ctx, p.Runner, p.doneAfter(len(s.probes)))
		if err != nil {
			return nil, err
		}
		runs := results.Summaries[0]
		if slices.Contains(runs, nil) {
			return nil, ErrInterrupted
		}
		if out.Policy == "" { // the largest fleet: what a smaller one warns of is what is looked for
			out.Policy, out.Warnings, out.Skipped = results.Policies[0], results.Warnings, results.Skipped
			if err := p.goal.Check(runs); err != nil {
				return nil, err
			}
		}
		return p.probe(s, counts, runs), nil
	}
	if err := s.run(); err != nil && (!errors.Is(err, ErrInterrupted) || len(s.probes) == 0) {
		return nil, err
	} else if err != nil {
		out.Partial = true
	}
	p.report(s, out)
	if out.Partial {
		return out, ErrInterrupted
	}
	return out, nil
}

// WriteRuns makes the runs of one fleet, given by its numbers of nodes, and writes each to policy/seed-N below dir.
func (p *Plan) WriteRuns(ctx context.Context, counts []int, dir string) error {
	m := p.matrix(counts)
	m.Dir = dir
	results, err := m.Run(ctx, p.Runner, nil)
	if err == nil && slices.Contains(results.Summaries[0], nil) {
		err = ErrInterrupted
	}
	return err
}

// doneAfter returns the callback for the runs of a fleet, nil if there is no Done.
func (p *Plan) doneAfter(fleets int) func(experiment.Cell) {
	if p.Done == nil {
		return nil
	}
	return func(experiment.Cell) { p.Done(fleets) }
}

// prepare checks the question before the first run, and begins the search.
func (p *Plan) prepare(ctx context.Context) (*search, error) {
	s := &search{axes: p.Axes, terms: len(p.goal.Terms), wants: p.wants(), budget: p.Probes}
	if err := p.checkPools(s); err != nil {
		return nil, &AxisError{err}
	}
	run, err := p.Scenario.BuildContext(ctx, p.options(s.highs()))
	if err != nil && ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	defer run.Close()
	if err := p.checkNeverFit(ctx, s, run); ctx.Err() != nil {
		return nil, ErrInterrupted
	} else if err != nil {
		return nil, err
	}
	nodes := 0
	for _, n := range s.highs() {
		nodes += n
	}
	s.empty = run.Config.Cluster.NumNodes() == nodes
	return s, nil
}

// checkPools returns an error if the pools cannot vary in that way, and sets the prices of their nodes.
func (p *Plan) checkPools(s *search) (err error) {
	if err := checkAxes(p.Axes); err != nil {
		return err
	}
	if err := p.Scenario.CheckCounts(p.counts(s.highs())); err != nil {
		return err
	}
	if slices.Max(s.highs()) == 0 {
		return errors.New("the pools that vary have no node even at their largest")
	}
	s.prices, err = p.prices()
	return err
}

// highs returns the largest sizes of the pools.
func (s *search) highs() []int {
	out := make([]int, len(s.axes))
	for i, a := range s.axes {
		out[i] = a.High
	}
	return out
}

// options returns the options of the runs of one fleet.
func (p *Plan) options(counts []int) scenarios.Options {
	options := p.Options
	options.Counts, options.Prices = p.counts(counts), map[string]float64{}
	for _, a := range p.Axes {
		if a.PricePerHour != nil {
			options.Prices[a.Pool] = *a.PricePerHour
		}
	}
	return options
}

func (p *Plan) counts(of []int) map[string]int {
	out := map[string]int{}
	for i, a := range p.Axes {
		out[a.Pool] = of[i]
	}
	return out
}

// prices returns the price of a node by axis: pricePerHour, or 1 for all if no pool that varies has a price.
func (p *Plan) prices() ([]float64, error) {
	prices := make([]float64, len(p.Axes))
	without, with := "", ""
	for i, a := range p.Axes {
		prices[i] = p.price(a)
		if prices[i] == 0 {
			without = a.Pool
		} else {
			with = a.Pool
		}
	}
	switch {
	case with == "":
		for i := range prices {
			prices[i] = 1
		}
	case without != "":
		return nil, fmt.Errorf("pool %s has a pricePerHour and pool %s has none: give both, or neither for the number of nodes to decide", with, without)
	}
	return prices, nil
}

// price returns what a node of the axis costs per hour.
func (p *Plan) price(a Axis) float64 {
	if a.PricePerHour != nil {
		return *a.PricePerHour
	}
	fleet := p.Scenario.File.Fleet
	return fleet[slices.IndexFunc(fleet, func(f scenarios.Fleet) bool { return f.Pool == a.Pool })].PricePerHour
}

// matrix returns the runs of one fleet.
func (p *Plan) matrix(counts []int) *experiment.Matrix {
	return &experiment.Matrix{Scenario: p.Scenario, Options: p.options(counts), Policies: []string{p.Options.Policy}, Seeds: p.Seeds}
}

// stopEarly returns when a run cannot meet the goal any more and may end; nil: runs must be complete.
func (p *Plan) stopEarly(s *search) func(experiment.Cell, *metric.Summary) bool {
	if !s.inside || len(s.wants) != 1 {
		return nil
	}
	return func(c experiment.Cell, sofar *metric.Summary) bool {
		for t := range p.goal.Terms {
			if p.hopeless(s, c.Seed, t, sofar) {
				return true
			}
		}
		return false
	}
}

// hopeless reports whether a term that must hold in a run fails however the run goes on.
func (p *Plan) hopeless(s *search, run, term int, sofar *metric.Summary) bool {
	return !s.broken[run][term] && p.goal.Terms[term].Hopeless(sofar)
}

// probe judges the runs of one fleet. Of a run that was stopped early it knows the hopeless terms; the others count as if they
// held, without values.
func (p *Plan) probe(s *search, counts []int, runs []*metric.Summary) *probe {
	out := &probe{counts: counts}
	var whole []*metric.Summary
	for run, sofar := range runs {
		outcomes := p.goal.Judge(sofar)
		out.judged = append(out.judged, outcomes)
		if !sofar.Run.Partial {
			whole = append(whole, sofar)
			continue
		}
		out.stoppedEarly++
		for t := range outcomes {
			if !p.hopeless(s, run, t, sofar) {
				outcomes[t] = goal.Outcome{Holds: true, Values: slices.Repeat([]float64{math.NaN()}, len(outcomes[t].Values))}
			}
		}
	}
	out.reasons = fleetplan.MeanReasons(whole)
	return out
}

// report adds what the search has found to the answer.
func (p *Plan) report(s *search, out *fleetplan.Plan) {
	priced := false
	for _, a := range p.Axes {
		price := p.price(a)
		priced = priced || price > 0
		out.Pools = append(out.Pools, fleetplan.Pool{Name: a.Pool, Low: a.Low, High: a.High, PricePerHour: price})
	}
	out.Priced = priced
	probes := s.ordered()
	of := func(p *probe) int { return slices.Index(probes, p) }
	out.Best, out.Fewest, out.Most = of(s.best), of(s.fewest), of(s.most)
	out.Found = slices.IndexFunc(probes, func(p *probe) bool { return s.enough(p, nil) })
	for i, at := range probes {
		out.Probes = append(out.Probes, p.reported(s, at))
		if len(p.Axes) > 1 && (s.minimal(at) || at == s.best) {
			out.Frontier = append(out.Frontier, i)
		}
	}
	for t, term := range p.goal.Terms {
		if runs := s.most.count(func(run int) bool { return s.broken[run][t] }); runs > 0 {
			out.Broken = append(out.Broken, fleetplan.BrokenTerm{Text: term.Text, Seeds: runs})
		}
	}
	out.Contradictions = s.contradictions(p.Seeds)
	out.Exact, out.Bound = s.exact && !out.Contradicted(), s.bound
}

// reported returns a probe for reports.
func (p *Plan) reported(s *search, at *probe) fleetplan.Probe {
	out := fleetplan.Probe{Counts: at.counts, Cost: s.cost(at.counts), Held: held(at), Holds: s.holds(at), Reasons: at.reasons, StoppedEarly: at.stoppedEarly}
	for t, term := range p.goal.Terms {
		var failing [][]float64
		for _, of := range at.judged {
			if !of[t].Holds {
				failing = append(failing, of[t].Values)
			}
		}
		if len(failing) > 0 {
			out.Failing = append(out.Failing, fleetplan.Term{
				Text: term.Text, Why: term.Explain(middle(failing)), Seeds: len(failing), Binds: !s.termHolds(at, t),
				Broken: s.fewest != nil && s.termHolds(s.fewest, t) && !s.termHolds(s.most, t),
			})
		}
		for k, key := range term.Keys {
			if !slices.ContainsFunc(out.Values, func(v fleetplan.Value) bool { return v.Key == key }) {
				out.Values = append(out.Values, fleetplan.Value{Key: key, Value: mean(at.judged, t, k)})
			}
		}
	}
	return out
}

// middle returns the median of the readings by their first value.
func middle(readings [][]float64) []float64 {
	slices.SortStableFunc(readings, func(a, b []float64) int { return cmp.Compare(a[0], b[0]) })
	return readings[len(readings)/2]
}

// mean returns the mean of a value of a term over the seeds that have it, or NaN if none has.
func mean(judged [][]goal.Outcome, term, key int) float64 {
	sum, n := 0.0, 0
	for _, of := range judged {
		if v := of[term].Values[key]; !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n) // 0/0 is not a number
}
