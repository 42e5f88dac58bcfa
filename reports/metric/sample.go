package metric

import (
	"math"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// instant is what the next sampling instant needs of this one, to compute rates.
type instant struct {
	time     clock.Time
	attempts int64
	bound    int64
	busy     clock.Time
}

// fragmentation is the fragmentation of a sample, by ids of resources.
type fragmentation struct {
	resources []int
	free      []int64 // parallel to resources, as are stranded, inflated and whole
	stranded  []int64
	inflated  []int64 // nil when not asked for
	whole     []int64 // allocatable in the fleet at that instant
	freePods  int64   // how many pods nodes have room for, by their limits on pods
	mix       []record.MixShare
}

func (l *Ledger) sample(r *record.Record) {
	l.checkQueue(r)
	v := view{l: l, scope: ScopeSample, totals: l.run, fleet: l.fleet, now: l.now, sample: r.Sample}
	if f := r.Sample.Fragmentation; f != nil && l.checkFragmentation(r, f) {
		l.checkFree(r, f)
		l.lastFrag = l.fragmentation(f)
		v.frag = l.lastFrag
	}
	l.series.add(&v)
	l.previous = l.instant()
}

func (l *Ledger) instant() instant {
	return instant{time: l.now, attempts: l.attempts, bound: l.run.scheduled, busy: l.busySoFar()}
}

func (l *Ledger) fragmentation(f *record.Fragmentation) *fragmentation {
	out := &fragmentation{freePods: math.MaxInt64}
	if id := l.resources.id(PodsResource); grow(&l.fleet.shares, id).Whole.Now() > 0 {
		out.freePods = l.free(id)
	}
	for _, name := range f.Resources {
		id := l.resources.id(name)
		out.resources = append(out.resources, id)
		out.whole = append(out.whole, grow(&l.fleet.shares, id).Whole.Now())
	}
	out.free = append(out.free, f.Free...)
	out.stranded = append(out.stranded, f.Stranded...)
	if f.Inflated != nil {
		out.inflated = append([]int64{}, f.Inflated...)
	}
	for _, m := range f.Mix {
		m.Unusable = append([]int64(nil), m.Unusable...)
		out.mix = append(out.mix, m)
	}
	return out
}

// checkQueue checks that the queue of a sample agrees with the records
// before it. A pod in its scheduling cycle is pending, but in no part of the queue;
// one that is allowed in the cycle of another waits until that one's end.
func (l *Ledger) checkQueue(r *record.Record) {
	states := func(state lifecycle.State) int64 { return l.run.states[state].Now() }
	d := r.Sample.Queue
	queued := int64(d.Active + d.Backoff + d.Unschedulable + d.Gated)
	if inCycle := states(lifecycle.Pending) - queued; inCycle != 0 && inCycle != 1 {
		l.life.Violate(r, "%d pods are pending, but %d are queued", states(lifecycle.Pending), queued)
	}
	if int64(d.Waiting) > states(lifecycle.Waiting) {
		l.life.Violate(r, "%d pods wait in Permit, not %d", states(lifecycle.Waiting), d.Waiting)
	}
}

// checkFragmentation reports whether the lists of a sample are of equal length and its classes are
// known, and records a violation if not.
func (l *Ledger) checkFragmentation(r *record.Record, f *record.Fragmentation) bool {
	n := len(f.Resources)
	parallel := len(f.Free) == n && len(f.Stranded) == n && (f.Inflated == nil || len(f.Inflated) == n)
	for _, m := range f.Mix {
		parallel = parallel && len(m.Unusable) == n
		if m.Class < 0 || int(m.Class) >= len(l.classes) || !l.classes[m.Class].declared {
			l.life.Violate(r, "class %d is not declared", m.Class)
			return false
		}
	}
	if !parallel {
		l.life.Violate(r, "amounts are not parallel to the %d resources", n)
	}
	return parallel
}

// checkFree checks conservation: what is free is what is allocatable and not
// requested, node by node.
func (l *Ledger) checkFree(r *record.Record, f *record.Fragmentation) {
	for i, name := range f.Resources {
		if free := l.free(l.resources.id(name)); free != f.Free[i] {
			l.life.Violate(r, "%d of %s is free, not %d", free, name, f.Free[i])
		}
	}
}

// free returns what is free of a resource over all nodes; an overcommitted node
// counts as full.
func (l *Ledger) free(resource int) int64 {
	sum := int64(0)
	for i := range l.nodes {
		if n := &l.nodes[i]; n.alive {
			sum += max(n.free(resource), 0)
		}
	}
	return sum
}
