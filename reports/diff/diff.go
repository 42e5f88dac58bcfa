// Package diff says how two saved runs differ: their inputs, the first scheduling attempt
// with a different outcome and its reason, and what followed for the pods and in the metrics. Both logs
// are read side by side. Only the pods that are present in one of the runs are kept in memory, and as many
// differences as are shown.
package diff

import (
	"cmp"
	"context"
	"slices"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Options are the options of Read.
type Options struct {
	Pods int // how many of the pods with different outcomes to list; negative: all
	// Names are what the runs are called; "" is the directory.
	Names [2]string
	// Explain explains an attempt of a run by running it again, since logs hold no scores; nil: no attempt is
	// explained. It is called for both runs concurrently.
	Explain func(context.Context, Question) (*explain.Explanation, error)
	// ReadProgress is called from time to time with the number of records read so far; it may be nil.
	ReadProgress func(records int64)
	// RerunProgress is called from time to time while the runs are run again; it may be nil.
	RerunProgress func(now clock.Time, arrived, completed int64)
}

// A Question is about one attempt of a saved run.
type Question struct {
	Manifest rundir.Manifest // of the run
	Attempt  *Attempt
	Node     string // to explain in full beside the one that the attempt took; "" for none
	// Progress is called from time to time while the run is run again; it may be nil.
	Progress func(now clock.Time, arrived, completed int64)
}

// Diff is how two runs differ.
type Diff struct {
	Runs  [2]*rundir.Run
	Names [2]string // what they are called
	Facts []Fact    // properties in which their manifests differ
	// First is the first record in which their logs differ; nil if they are equal.
	First *FirstRecord
	// Order is the first attempt that is for another pod, if it comes before Divergence; nil if the runs try pods in the same
	// order up to there.
	Order *Order
	// Divergence is the first attempt with a different outcome; nil if there is none.
	Divergence *Divergence
	// Workloads counts pods by workload, in order of appearance; Pods counts all of them.
	Workloads []WorkloadTally
	Pods      Tally
	Worst     []Pod // pods with different outcomes, the largest differences first
	// Deltas are the differences of the metrics.
	Deltas []compare.Delta
}

// Equal reports whether the same happened in both runs.
func (d *Diff) Equal() bool { return d.First == nil }

// Read compares the runs of two directories. Errors are those of rundir.Open and
// Replay, and that of the context if it ends while the logs are read. If it ends later,
// nothing is explained.
func Read(ctx context.Context, dirs [2]string, o Options) (*Diff, error) {
	d := &Diff{Names: o.Names}
	for i, dir := range dirs {
		run, err := rundir.Open(dir)
		if err != nil {
			return nil, err
		}
		d.Runs[i], d.Names[i] = run, cmp.Or(o.Names[i], dir)
	}
	d.Facts = facts(d.Runs[0].Manifest, d.Runs[1].Manifest)
	m := newMerge(o)
	if err := m.read(ctx, d.Runs); err != nil {
		return nil, err
	}
	m.finish()
	d.First, d.Order, d.Divergence = m.prefix.first, m.divergence.order, m.divergence.found
	d.Worst = m.worst.list
	for _, l := range m.list {
		d.Workloads = append(d.Workloads, WorkloadTally{l.name, l.tally})
		d.Pods.add(&l.tally)
	}
	d.Deltas = compare.Deltas(d.Runs[0].Summary, d.Runs[1].Summary)
	if p := d.Divergence; p != nil {
		for s, a := range p.Attempts {
			if a != nil && a.place() != "" && !slices.Contains(m.sides[1-s].nodes, a.place()) {
				p.Lacking[1-s] = a.place()
			}
		}
		p.explain(ctx, d.Runs, o)
	}
	return d, nil
}

// explain runs both runs again up to the attempt, since logs hold no scores.
func (p *Divergence) explain(ctx context.Context, runs [2]*rundir.Run, o Options) {
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
			q.Progress = o.RerunProgress
		}
		found, err := o.Explain(ctx, q)
		if p.Explained[s] = found; err != nil {
			p.NotRerun[s] = err.Error()
		}
	})
}

// place returns the node that the attempt took, or is nominated to.
func (a *Attempt) place() string {
	if a.Node != "" {
		return a.Node
	}
	return a.Nominated
}
