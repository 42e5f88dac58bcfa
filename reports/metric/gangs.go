package metric

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
)

// group is a pod group that has pods, or some of whose pods
// have not arrived.
type group struct {
	minMember int
	arrived   int        // pods that have arrived
	present   int        // pods that are present
	bound     int        // pods that were bound and not evicted
	first     clock.Time // arrival of the first pod
	whole     bool       // minMember pods have been bound at once
}

func (l *Ledger) joinGroup(p *pod) {
	g := l.groups[p.Group]
	if g == nil {
		return
	}
	if g.arrived == 0 {
		g.first = p.Arrived
		l.priorities[l.classes[p.Class].priority].gangs++
	}
	g.arrived++
	g.present++
}

// bindInGroup counts a pod that was bound; the one that makes its gang whole ends the
// wait of the gang.
func (l *Ledger) bindInGroup(p *pod) {
	g := l.groups[p.Group]
	if g == nil {
		return
	}
	if g.bound++; g.whole || g.bound < g.minMember {
		return
	}
	g.whole = true
	for i, t := range l.scopes(p) {
		if i == 3 { // its members may be on nodes of many pools
			break
		}
		t.gangsWhole++
		if p.Attempts > 0 {
			t.gangTime.observe(int64(l.now - g.first))
		}
	}
}

func (l *Ledger) unbindInGroup(p *pod) {
	if g := l.groups[p.Group]; g != nil && (p.State == lifecycle.Starting || p.State == lifecycle.Running) {
		g.bound--
	}
}

// removeEmptyGroup drops a group when its last pod has gone and no more will arrive.
func (l *Ledger) removeEmptyGroup(p *pod) {
	g := l.groups[p.Group]
	if g == nil {
		return
	}
	if g.present--; g.present == 0 && g.arrived >= g.minMember {
		delete(l.groups, p.Group)
	}
}
