package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/workloads"
)

// Compaction is the question how few of a scenario's nodes its workload would fit into
// (Verma et al., "Large-scale cluster management at Google with Borg", EuroSys 2015, section
// 5.1). A trial takes nodes away in an order drawn at random and places the whole workload
// anew, until it no longer fits. Unlike there, a fleet that is too small from the start is
// not cloned.
type Compaction struct {
	Scenario *scenarios.Scenario
	Options  scenarios.Options // of all runs, but for the seed
	Goal     *goal.Goal        // that must hold besides; nil: none
	Seeds    []uint64          // of the trials, one each
	Quantile int               // percent: the answer is that percentile of the trials
	Pending  float64           // share of the pods that may stay pending
	Player   experiment.Player
	// Done is told of each finished trial, one at a time; nil: nobody is.
	Done func(trials int)
}

// ErrOpenWorkload is the error of a scenario whose pods keep coming until its horizon.
var ErrOpenWorkload = errors.New("compaction needs a fixed workload: pods that are all there at the beginning, from manifests, or horizon: untilDone")

// Search plays the trials, side by side over the cores. Those that are finished are returned
// with ErrInterrupted too, unless there are none.
func (c *Compaction) Search(ctx context.Context) (*reports.FleetCompaction, error) {
	if !c.fixed() {
		return nil, ErrOpenWorkload
	}
	first, err := c.Scenario.Build(c.Options)
	if err != nil {
		return nil, err
	}
	first.Close()
	out := &reports.FleetCompaction{
		Scenario: c.Scenario.File.Metadata.Name, Policy: first.Policy.Name, Nodes: first.Config.Cluster.NumNodes(),
		Quantile: c.Quantile, Pending: c.Pending, Warnings: first.Warnings,
	}
	if c.Goal != nil {
		out.Goal = c.Goal.Text
	}
	trials, err := c.trials(ctx)
	for _, t := range trials {
		if t != nil {
			out.Trials = append(out.Trials, *t)
		}
	}
	switch {
	case err != nil && !errors.Is(err, ErrInterrupted), len(out.Trials) == 0:
		return nil, err
	case err != nil:
		out.Partial = true
	}
	return out, err
}

// fixed says whether all pods are there at the beginning, or the run goes on until all of
// them are done.
func (c *Compaction) fixed() bool {
	horizon := c.Options.Horizon
	if horizon == nil {
		horizon = c.Scenario.File.Horizon
	}
	if horizon == nil || clock.Time(*horizon) == clock.Forever {
		return true
	}
	return !slices.ContainsFunc(c.Scenario.File.Workloads, func(w scenarios.Workload) bool { return w.Manifests == nil })
}

// trials plays one trial for each seed.
func (c *Compaction) trials(ctx context.Context) ([]*reports.CompactionTrial, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := make([]*reports.CompactionTrial, len(c.Seeds))
	var lock sync.Mutex
	var failed error
	next, done := 0, 0
	take := func() (int, bool) {
		lock.Lock()
		defer lock.Unlock()
		next++
		return next - 1, next <= len(out)
	}
	finish := func(i int, t *reports.CompactionTrial, err error) {
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			if failed == nil || errors.Is(failed, ErrInterrupted) {
				failed = err
			}
			stop()
			return
		}
		out[i] = t
		if done++; c.Done != nil {
			c.Done(done)
		}
	}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(out)) {
		all.Go(func() {
			for i, more := take(); more && ctx.Err() == nil; i, more = take() {
				t, err := c.trial(ctx, c.Seeds[i])
				finish(i, t, err)
			}
		})
	}
	all.Wait()
	if failed == nil && slices.Contains(out, nil) {
		failed = ErrInterrupted
	}
	return out, failed
}

// trial finds how many nodes must stay when they go in the order that the seed draws.
func (c *Compaction) trial(ctx context.Context, seed uint64) (*reports.CompactionTrial, error) {
	t := &reports.CompactionTrial{Seed: seed}
	all, err := c.place(ctx, t, math.MaxInt)
	if err != nil {
		return nil, err
	}
	t.Nodes, t.Arrived, t.Pending, t.Reasons = all.nodes, all.arrived, all.pending, all.reasons
	if !all.fits {
		t.Why = all.why
		return t, nil
	}
	t.Fits = true
	for fails := 0; t.Nodes-fails > 1; {
		kept := fails + (t.Nodes-fails)/2
		p, err := c.place(ctx, t, kept)
		if err != nil {
			return nil, err
		}
		if p.fits {
			t.Nodes, t.Arrived, t.Pending = kept, p.arrived, p.pending
		} else {
			fails, t.Why, t.Reasons = kept, p.why, p.reasons
		}
	}
	return t, nil
}

// placement is how the workload fares on a part of the fleet.
type placement struct {
	fits             bool
	nodes            int
	arrived, pending float64
	why              string // it does not fit
	reasons          []reports.PlanReason
}

// place runs the scenario with as many of its nodes as that, at most all.
func (c *Compaction) place(ctx context.Context, t *reports.CompactionTrial, kept int) (*placement, error) {
	options := c.Options
	options.Seed = &t.Seed
	run, err := c.Scenario.Build(options)
	if err != nil {
		return nil, err
	}
	nodes := run.Config.Cluster.NumNodes()
	reduce(run, t.Seed, kept)
	outcome, err := c.Player.Play(ctx, run, "")
	if err != nil {
		return nil, err
	}
	t.Runs++
	s := outcome.Summary
	if s.Run.Ended == "interrupted" {
		return nil, ErrInterrupted
	}
	if c.Goal != nil {
		if err := c.Goal.Check(s); err != nil {
			return nil, err
		}
	}
	p := &placement{nodes: min(nodes, kept), reasons: reports.MeanReasons([]*reports.Summary{s})}
	p.arrived, _ = s.Value("placement.arrived", "")
	p.pending, _ = s.Value("placement.pending", "")
	p.fits = p.pending <= math.Floor(c.Pending*p.arrived)
	if !p.fits {
		p.why = fmt.Sprintf("%.0f of %s pending", p.pending, reports.Counted(int64(p.arrived), "pod"))
	}
	if c.Goal != nil {
		for i, o := range c.Goal.Judge(s) {
			if !o.Holds && p.fits {
				p.fits, p.why = false, c.Goal.Terms[i].Explain(o.Values)
			}
		}
	}
	return p, nil
}

// reduce takes nodes away before the first pod comes, in the order that the seed draws, and
// has the whole workload placed anew: pods that run on a node already are to be scheduled
// like all others. Daemons belong to their nodes, and go with them.
func reduce(run *scenarios.Run, seed uint64, kept int) {
	c := run.Config.Cluster
	gone := map[string]bool{}
	var names []string
	for i, id := range clock.NewStreams(seed).Rand("compaction").Perm(c.NodeIDs()) {
		if i >= kept {
			names = append(names, c.Node(cluster.NodeID(id)).Name)
			gone[names[len(names)-1]] = true
		}
	}
	if len(names) > 0 {
		removal := sim.Change{Kind: sim.RemoveNodes, Names: names}
		run.Config.Changes = append([]sim.Change{removal}, run.Config.Changes...)
	}
	run.Config.Arrivals = &anew{run.Config.Arrivals, gone}
	if daemons := run.Config.Daemons; daemons != nil {
		run.Config.Daemons = func(id cluster.NodeID) []workloads.Arrival {
			if gone[c.Node(id).Name] {
				return nil
			}
			return daemons(id)
		}
	}
}

// anew is a stream of pods none of which has a node yet.
type anew struct {
	workloads.Stream
	gone map[string]bool // nodes
}

// Next implements workloads.Stream.
func (s *anew) Next() (workloads.Arrival, bool, error) {
	for {
		a, more, err := s.Stream.Next()
		switch {
		case err != nil || !more || a.Node == "":
			return a, more, err
		case a.Ending, a.Daemon && s.gone[a.Node]:
			continue
		case !a.Daemon:
			a.Node, a.Started = "", a.At
		}
		return a, more, nil
	}
}
