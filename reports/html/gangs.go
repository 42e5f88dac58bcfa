package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// gangLog follows the pod groups of a run.
type gangLog struct{ gangs []gang }

// gang is a pod group. It is whole once minMember members are bound at the same time.
type gang struct {
	declared  bool
	name      string
	workload  int32
	minMember int
	members   int          // that have arrived
	bound     int          // members that are bound now
	first     clock.Time   // arrival of the first member; -1 before
	whole     clock.Time   // -1 before
	timeouts  []clock.Time // when a member waited in Permit for too long
	rejects   int          // members that were rejected in Permit along with one that timed out
}

func (l *gangLog) declare(r *record.Record) {
	*grow(&l.gangs, r.Group) = gang{declared: true, name: r.Text, workload: r.Workload, minMember: r.Count, first: -1, whole: -1}
}

// of returns the gang of that number, or nil.
func (l *gangLog) of(number int64) *gang {
	if number < 0 || number >= int64(len(l.gangs)) || !l.gangs[number].declared {
		return nil
	}
	return &l.gangs[number]
}

func (l *gangLog) arrive(r *record.Record) {
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

func (l *gangLog) rollBack(r *record.Record, p *pod) {
	g := l.of(p.group)
	switch {
	case g == nil:
	case r.Cause == record.ByPermitTimeout:
		g.timeouts = append(g.timeouts, r.Time)
	case r.Cause == record.ByPermitReject:
		g.rejects++
	}
}

// slowest returns up to n gangs in order of arrival, and the number of all gangs. It chooses those that did not become whole
// and those that took longest; if there are too many, each of the two kinds has at least half of
// the places.
func (l *gangLog) slowest(n int, end clock.Time) (shown []gang, all int) {
	var whole, never []gang
	for _, g := range l.gangs {
		switch {
		case !g.declared || g.first < 0:
		case g.whole >= 0:
			whole = append(whole, g)
		default:
			never = append(never, g)
		}
	}
	all = len(whole) + len(never)
	for _, kind := range [][]gang{whole, never} {
		slices.SortStableFunc(kind, func(a, b gang) int { return -cmp.Compare(a.took(end), b.took(end)) })
	}
	shown = slices.Clone(never[:min(len(never), max(n/2, n-len(whole)))])
	shown = append(shown, whole[:min(len(whole), n-len(shown))]...)
	slices.SortStableFunc(shown, func(a, b gang) int { return cmp.Compare(a.first, b.first) })
	return shown, all
}

// took returns how long the gang took to become whole, or has waited for it.
func (g *gang) took(end clock.Time) clock.Time {
	if g.whole < 0 {
		return end - g.first
	}
	return g.whole - g.first
}
