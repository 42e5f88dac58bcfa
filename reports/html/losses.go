package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// lossLog holds when pods lost their nodes, and the preemptions that lost most work.
type lossLog struct {
	columns
	keep     int
	causes   []causeCount
	costly   []*preemption
	last     *preemption
	attempts int64 // to schedule a pod that chose victims
}

// causeCount is how many pods lost their nodes for one cause in each column.
type causeCount struct {
	label  string
	counts []float64
}

// preemption is an attempt that chose victims.
type preemption struct {
	at       clock.Time
	pod      string
	number   int64
	priority int32
	node     int32
	chosen   int        // victims, according to the attempt
	taken    int        // victims that have lost their node so far
	victims  []string   // names of the first of them
	lost     clock.Time // sum over the victims of how long they had run
}

// take adds a victim that has lost its node.
func (p *preemption) take(victim *pod) {
	p.taken++
	p.lost += victim.lost
	if len(p.victims) < maxVictims {
		p.victims = append(p.victims, victim.name)
	}
}

// maxVictims is how many victims of a preemption are named.
const maxVictims = 12

func newLossLog(end clock.Time, l limits) lossLog {
	return lossLog{columns: newColumns(end, l.columns/2), keep: l.preemptions}
}

func (l *lossLog) tally(label string, at clock.Time) {
	i := slices.IndexFunc(l.causes, func(c causeCount) bool { return c.label == label })
	if i < 0 {
		i = len(l.causes)
		l.causes = append(l.causes, causeCount{label, make([]float64, l.columns.count)})
	}
	l.causes[i].counts[l.of(at)]++
}

func (l *lossLog) evict(r *record.Record) { l.tally("evicted: "+describeCause(r.Cause), r.Time) }

// rollBack counts a pod that was taken off its node before it was bound, and returns the
// preemption that it was a victim of, if any. The record does not say for whom; victims
// follow the attempt that chose them.
func (l *lossLog) rollBack(r *record.Record, p *pod) *preemption {
	l.tally("rolled back: "+describeCause(r.Cause), r.Time)
	if last := l.last; r.Cause == record.ByPreemption && last != nil && last.taken < last.chosen {
		last.take(p)
		return last
	}
	return nil
}

// preempt records an attempt that chose victims; take adds them.
func (l *lossLog) preempt(r *record.Record, p *pod, priority int32) *preemption {
	l.attempts++
	if len(l.costly) >= 16*l.keep {
		l.prune(r.Time)
	}
	l.last = &preemption{at: r.Time, pod: p.name, number: p.number, priority: priority, node: r.Attempt.Nominated, chosen: r.Attempt.Victims}
	l.costly = append(l.costly, l.last)
	return l.last
}

// prune keeps the preemptions that lost most work, and those of this instant, whose victims may not all be known.
func (l *lossLog) prune(now clock.Time) {
	slices.SortFunc(l.costly, func(a, b *preemption) int {
		return cmp.Or(-cmp.Compare(a.lost, b.lost), cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number))
	})
	kept := l.costly[:min(l.keep, len(l.costly))]
	for _, p := range l.costly[len(kept):] {
		if p.at == now {
			kept = append(kept, p)
		}
	}
	l.costly = kept
}

// shown returns the preemptions that lost most work, in order of time.
func (l *lossLog) shown() []*preemption {
	l.prune(-1)
	out := slices.Clone(l.costly)
	slices.SortFunc(out, func(a, b *preemption) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.number, b.number))
	})
	return out
}

// ordered returns the causes in order of their names.
func (l *lossLog) ordered() []causeCount {
	return slices.SortedFunc(slices.Values(l.causes), func(a, b causeCount) int { return cmp.Compare(a.label, b.label) })
}

// describeCause returns a cause as the page shows it.
func describeCause(c record.Cause) string {
	texts := map[record.Cause]string{
		record.ByPreemption: "preemption", record.ByDrain: "drain", record.ByNodeRemoval: "node removed", record.ByTaint: "taint",
		record.ByPermitTimeout: "timeout in Permit", record.ByPermitReject: "gang gave up", record.ByBindFailure: "binding failed",
	}
	if text, known := texts[c]; known {
		return text
	}
	return string(c)
}
