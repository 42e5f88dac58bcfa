package plan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Compaction finds how few of a scenario's nodes its workload fits into (Verma et al., "Large-scale cluster management at
// Google with Borg", EuroSys 2015, section 5.1). A trial removes nodes in a random order, and schedules all pods again on
// the rest. It searches the smallest number of nodes by bisection, and then tries some larger numbers. A fleet that is
// too small for the workload is copied first.
type Compaction struct {
	Scenario *scenarios.Scenario
	Options  scenarios.Options // of all runs; Seed is ignored
	Goals    Objectives        // that must be met too
	Seeds    []uint64          // one for each trial
	Quantile int               // percentile of the trials that is the answer
	Pending  float64           // share of the pods that may stay pending
	Runner   experiment.Runner
	// Done, if not nil, is called after each trial with the number of finished trials. It is not called concurrently.
	Done func(trials int)

	goal *goal.Goal // all of the goals; nil: none
}

// ErrOpenWorkload is the error of a scenario whose pods keep arriving until its horizon.
var ErrOpenWorkload = errors.New("compaction needs a fixed workload: pods that are all there at the beginning, from manifests, or horizon: untilDone")

// Search makes the trials in parallel. If the context ends first, the error is ErrInterrupted; the answer then has the
// finished trials, or is nil if there are none.
func (c *Compaction) Search(ctx context.Context) (*fleetplan.Compaction, error) {
	if !c.fixed() {
		return nil, ErrOpenWorkload
	}
	if err := c.Scenario.CheckFixedFleet("compaction asks how few of the nodes do that are there at the beginning"); err != nil {
		return nil, err
	}
	first, err := c.Scenario.BuildContext(ctx, c.Options)
	if err != nil && ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	first.Close()
	out := &fleetplan.Compaction{
		Scenario: c.Scenario.File.Metadata.Name, Policy: first.Policy.Name, Nodes: first.Config.Cluster.NumNodes(),
		Quantile: c.Quantile, Pending: c.Pending, Warnings: first.Warnings, Skipped: first.Skipped,
	}
	if len(c.Goals) > 0 {
		c.goal = c.Goals.goal()
		out.Goal = c.goal.Text
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

// fixed reports whether all pods arrive at the beginning, or the run ends only when all of them have completed.
func (c *Compaction) fixed() bool {
	if clock.Time(c.Scenario.Horizon(c.Options)) == clock.Forever {
		return true
	}
	return !slices.ContainsFunc(c.Scenario.File.Workloads, func(w scenarios.Workload) bool { return w.Manifests == nil })
}

// trials makes one trial for each seed.
func (c *Compaction) trials(ctx context.Context) ([]*fleetplan.Trial, error) {
	out := make([]*fleetplan.Trial, len(c.Seeds))
	var lock sync.Mutex
	done := 0
	err := parallel.Do(ctx, 0, len(out), func(i int) error {
		t, err := c.trial(ctx, c.Seeds[i])
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		out[i] = t
		if done++; c.Done != nil {
			c.Done(done)
		}
		return nil
	})
	if err != nil && errors.Is(err, context.Cause(ctx)) {
		err = ErrInterrupted
	}
	return out, err
}

// beyond is how many sizes above an answer are tried too, since pods that fit on a number of nodes may not fit on one or
// two more.
const beyond = 5

// trial finds how many nodes the workload needs, if nodes are removed in the order that the seed draws. If all of them
// are too few, it begins with copies of the fleet.
func (c *Compaction) trial(ctx context.Context, seed uint64) (*fleetplan.Trial, error) {
	t := &trial{Trial: fleetplan.Trial{Seed: seed}, c: c, placed: map[int]*placement{}}
	all, err := t.placeAll(ctx)
	if err != nil {
		return nil, err
	}
	if t.Fits {
		t.placed[all.nodes] = all
		err = t.reduce(ctx, all.nodes)
	}
	return &t.Trial, err
}

// trial is a trial in progress.
type trial struct {
	fleetplan.Trial
	c      *Compaction
	placed map[int]*placement // by number of nodes
}

// reduce finds the fewest nodes that the workload fits on. It fits on all of them.
func (t *trial) reduce(ctx context.Context, all int) error {
	for fails := 0; t.Nodes-fails > 1; {
		p, err := t.keep(ctx, fails+(t.Nodes-fails)/2)
		if err != nil {
			return err
		}
		if p.fits {
			t.take(p)
		} else {
			fails, t.Why, t.Reasons = p.nodes, p.why, p.reasons
		}
	}
	for n := t.Nodes + 1; n <= t.Nodes+beyond && n < all; n++ {
		p, err := t.keep(ctx, n)
		if err != nil {
			return err
		}
		if p.fits {
			continue
		}
		next, err := t.keep(ctx, n+1)
		if err != nil {
			return err
		}
		t.take(next)
		t.Why, t.Reasons = p.why, p.reasons
	}
	return nil
}

// placeAll places the workload on the complete fleet and, if it does not fit, on copies of it.
func (t *trial) placeAll(ctx context.Context) (all *placement, err error) {
	for copies := 1; copies <= maxCopies && !t.Fits; copies *= 2 {
		if all, err = t.c.place(ctx, t, subset{copies, math.MaxInt}); err != nil {
			return nil, err
		}
		if copies == 1 || all.fits {
			t.Fits, t.Copies, t.Reasons = all.fits, copies, all.reasons
			t.take(all)
		}
		if copies == 1 {
			t.Why = all.why
		}
		if !all.clonable {
			break
		}
	}
	return all, nil
}

// take makes a placement the answer of the trial.
func (t *trial) take(p *placement) {
	t.Nodes, t.Arrived, t.Pending, t.LeftOut = p.nodes, p.arrived, p.pending, p.leftOut
}

// keep returns the placement of the workload on so many nodes.
func (t *trial) keep(ctx context.Context, nodes int) (*placement, error) {
	if p := t.placed[nodes]; p != nil {
		return p, nil
	}
	p, err := t.c.place(ctx, t, subset{t.Copies, nodes})
	t.placed[nodes] = p
	return p, err
}

// placement is the outcome of a run on a part of the fleet.
type placement struct {
	fits             bool
	clonable         bool // the fleet can be copied
	nodes            int
	arrived, pending float64
	leftOut          int
	why              string // if it does not fit
	reasons          []fleetplan.Reason
}

// place runs the scenario with a part of its nodes.
func (c *Compaction) place(ctx context.Context, t *trial, of subset) (*placement, error) {
	options := c.Options
	options.Seed = &t.Seed
	run, err := c.Scenario.BuildContext(ctx, options)
	if err != nil && ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	nodes, clonable := run.Config.Cluster.NumNodes()*of.copies, canCopy(run.Config.Cluster)
	stream := of.apply(run, t.Seed)
	outcome, err := c.Runner.Run(ctx, run, "")
	if err != nil {
		return nil, err
	}
	t.Runs++
	s := outcome.Summary
	if s.Run.Ended == "interrupted" {
		return nil, ErrInterrupted
	}
	if c.goal != nil {
		if err := c.goal.Check([]*metric.Summary{s}); err != nil {
			return nil, err
		}
	}
	p := &placement{nodes: min(nodes, of.kept), clonable: clonable, reasons: fleetplan.MeanReasons([]*metric.Summary{s})}
	p.arrived, _ = s.Value("placement.arrived", "")
	p.pending, _ = s.Value("placement.pending", "")
	p.leftOut = stream.leftOut
	p.fits = p.pending <= tolerated(c.Pending, p.arrived)
	switch {
	case stream.placed == 0 && p.leftOut > 0:
		p.fits, p.why = false, "no node could take any of the "+human.Counted(p.leftOut, "pod")
	case !p.fits:
		p.why = fmt.Sprintf("%.0f of %s pending", p.pending, human.Counted(p.arrived, "pod"))
	}
	if c.goal != nil {
		for i, o := range c.goal.Judge(s) {
			if !o.Holds && p.fits {
				p.fits, p.why = false, c.goal.Terms[i].Explain(o.Values)
			}
		}
	}
	return p, nil
}

// tolerated returns how many of the pods may stay pending. It rounds down, except for a rounding error of the product.
func tolerated(share, pods float64) float64 {
	const rounding = 1e-6
	return math.Floor(float64(share*pods) + rounding)
}
