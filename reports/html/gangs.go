package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/clock"
)

// gangLog is what became of each pod group.
type gangLog struct{ gangs []gang }

// gang is a pod group.
type gang struct {
	declared  bool
	name      string
	workload  int32
	minMember int
	members   int // that have arrived
	bound     int // now
	first     clock.Time
	whole     clock.Time   // -1 before
	timeouts  []clock.Time // waits in Permit that were too long
	rejects   int          // pods that lost their place with them
}

func (l *gangLog) declare(r *sim.Record) {
	*grow(&l.gangs, r.Group) = gang{declared: true, name: r.Text, workload: r.Workload, minMember: r.Count, first: -1, whole: -1}
}

// of is the gang of that number, or nil.
func (l *gangLog) of(number int64) *gang {
	if number < 0 || number >= int64(len(l.gangs)) || !l.gangs[number].declared {
		return nil
	}
	return &l.gangs[number]
}

func (l *gangLog) arrive(r *sim.Record) {
	if g := l.of(r.Group); g != nil {
		if g.members++; g.first < 0 {
			g.first = r.Time
		}
	}
}

func (l *gangLog) bind(now clock.Time, p *pod) {
	if g := l.of(p.group); g != nil {
		if g.bound++; g.bound == g.minMember && g.whole < 0 {
			g.whole = now
		}
	}
}

func (l *gangLog) unbind(p *pod) {
	if g := l.of(p.group); g != nil && p.bound >= 0 {
		g.bound--
	}
}

func (l *gangLog) rollBack(r *sim.Record, p *pod) {
	g := l.of(p.group)
	switch {
	case g == nil:
	case r.Cause == sim.ByPermitTimeout:
		g.timeouts = append(g.timeouts, r.Time)
	case r.Cause == sim.ByPermitReject:
		g.rejects++
	}
}

// slowest are the gangs that took longest to become whole, or have not, and how many there
// are in all. They are in order of arrival.
func (l *gangLog) slowest(n int, end clock.Time) (shown []gang, all int) {
	for _, g := range l.gangs {
		if g.declared && g.first >= 0 {
			shown = append(shown, g)
		}
	}
	all = len(shown)
	slices.SortStableFunc(shown, func(a, b gang) int { return -cmp.Compare(a.took(end), b.took(end)) })
	shown = shown[:min(n, all)]
	slices.SortStableFunc(shown, func(a, b gang) int { return cmp.Compare(a.first, b.first) })
	return shown, all
}

// took is how long the gang was not whole.
func (g *gang) took(end clock.Time) clock.Time {
	if g.whole < 0 {
		return end - g.first
	}
	return g.whole - g.first
}
