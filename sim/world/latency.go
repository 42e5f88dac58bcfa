package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Delay draws spans of time.
type Delay interface{ Draw() clock.Time }

// Latency is how long things take. A nil Delay takes no time.
type Latency struct {
	// A scheduling cycle takes Cycle, and more for every node looked at and for every
	// node that there is.
	Cycle            Delay
	PerEvaluatedNode clock.Time
	PerNode          clock.Time
	VolumeBind       Delay // from PreBind, or the creation of the claim, until an existing volume is bound to it
	Provision        Delay // the same for a volume that is made for it
	Bind             Delay // from the end of the cycle, and of PreBind, until the pod is bound
	Start            Delay // from then until it runs
	Terminate        Delay // from eviction until the pod has left, at most its grace period
}

func (l *Latency) cycle(a *scheduler.Attempt, nodes int) clock.Time {
	return draw(l.Cycle) + clock.Time(a.Evaluated)*l.PerEvaluatedNode + clock.Time(nodes)*l.PerNode
}

func draw(d Delay) clock.Time {
	if d == nil {
		return 0
	}
	return max(d.Draw(), 0)
}
