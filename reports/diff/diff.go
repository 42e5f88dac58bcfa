// Package diff says how two saved runs differ: what they were made from, the first decision
// in which they part and why, and what followed for the pods and in the figures. Both logs
// are read side by side; of the pods it keeps those that are in one of the runs at the
// moment, and of the differences as many as it is to show.
package diff

import (
	"context"
	"slices"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Options say what to look for beside what is always told.
type Options struct {
	Pods int // how many of the pods that fared differently to list; negative: all
	// Explain explains an attempt of a run by running it again, since logs hold no scores; nil: no attempt is
	// explained. It is called for both runs at once.
	Explain func(context.Context, Question) (*explain.Explanation, error)
	// Reading is told now and then how many records were read; nil: nobody is.
	Reading func(records int64)
	// Playing is told now and then how far the runs have been played again; nil: nobody is.
	Playing func(now clock.Time, arrived, completed int64)
}

// A Question is about one attempt of a saved run.
type Question struct {
	Manifest rundir.Manifest // of the run
	Attempt  *Attempt
	Node     string // to explain in full beside the one that the attempt took; empty: none
	// Progress is told now and then how far the run has come; nil: nobody is.
	Progress func(now clock.Time, arrived, completed int64)
}

// Diff is how two runs differ.
type Diff struct {
	Runs  [2]*rundir.Run
	Facts []Fact // in which their manifests differ
	// First is the first record in which their logs differ; nil: they are equal.
	First *FirstRecord
	// Order is the first attempt that is one of another pod; nil: as far as all their attempts
	// lead to the same, they are in the same order.
	Order *Order
	// Parting is the first attempt that leads to something else; nil: none does.
	Parting *Parting
	// Loads are what became of pods by workload, in order of appearance, Pods all of them.
	Loads []LoadTally
	Pods  Tally
	Worst []Pod // that fared differently, the worst first
	// Deltas are the differences of the figures.
	Deltas []compare.Delta
}

// Equal reports whether the same happened in both runs.
func (d *Diff) Equal() bool { return d.First == nil }

// Read compares the runs of two directories. Errors are those of rundir.Open and
// Replay, and that of a context that ends while the logs are read; one that ends later
// leaves out what is to be played again.
func Read(ctx context.Context, dirs [2]string, o Options) (*Diff, error) {
	d := &Diff{}
	for i, dir := range dirs {
		run, err := rundir.Open(dir)
		if err != nil {
			return nil, err
		}
		d.Runs[i] = run
	}
	d.Facts = facts(d.Runs[0].Manifest, d.Runs[1].Manifest)
	m := newMerge(o)
	if err := m.read(ctx, d.Runs); err != nil {
		return nil, err
	}
	m.finish()
	d.First, d.Order, d.Parting = m.prefix.first, m.parting.order, m.parting.found
	d.Worst = m.worst.list
	for _, l := range m.list {
		d.Loads = append(d.Loads, LoadTally{l.name, l.tally})
		d.Pods.add(&l.tally)
	}
	d.Deltas = compare.Deltas(d.Runs[0].Summary, d.Runs[1].Summary)
	if p := d.Parting; p != nil {
		for s, a := range p.Attempts {
			if a != nil && a.place() != "" && !slices.Contains(m.sides[1-s].nodes, a.place()) {
				p.Lacking[1-s] = a.place()
			}
		}
		p.explain(ctx, d.Runs, o)
	}
	return d, nil
}

// explain plays both runs again, side by side, up to the attempt: logs hold no scores.
func (p *Parting) explain(ctx context.Context, runs [2]*rundir.Run, o Options) {
	if o.Explain == nil {
		return
	}
	parallel.Each(len(p.Attempts), func(s int) {
		a := p.Attempts[s]
		if a == nil {
			return
		}
		q := Question{Manifest: runs[s].Manifest, Attempt: a}
		if other := p.Attempts[1-s]; other != nil && other.place() != a.place() {
			q.Node = other.place()
		}
		if s == 0 || p.Attempts[0] == nil {
			q.Progress = o.Playing
		}
		found, err := o.Explain(ctx, q)
		if p.Explained[s] = found; err != nil {
			p.Unplayed[s] = err.Error()
		}
	})
}

// place is the node that the attempt took, or that it frees.
func (a *Attempt) place() string {
	if a.Node != "" {
		return a.Node
	}
	return a.Nominated
}
