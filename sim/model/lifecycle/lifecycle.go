// Package lifecycle follows the pods of a record log from state to state, and finds records that are impossible. Whatever
// follows pods over a log does so by the changes that a Lifecycle returns.
package lifecycle

import (
	"iter"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// State is where a pod is in its life.
//
//	arrive ──▶ Pending ──attempt──▶ Binding ──bind──▶ Starting ──start──▶ Running ──complete──▶ (Absent)
//	           │  ▲  └───attempt──▶ Waiting ──allow──▶ Binding      │        │
//	           │  └──rollback── Waiting, Binding                    └─evict──┴──▶ Terminating ──gone──▶ (Absent)
//	           └──gone──▶ (Absent)
//
// A pod that is on its node when the run begins goes from Pending to Starting, by a bind without attempts. A pod that
// waits or is being bound may also be evicted, and a terminating pod may still complete.
type State uint8

// The states.
const (
	Absent      State = iota // not arrived yet, or gone
	Pending                  // without a node, gated or not
	Waiting                  // assumed on a node, waiting in Permit
	Binding                  // assumed on a node, being bound to it
	Starting                 // bound, not yet running
	Running                  //
	Terminating              // evicted, still on its node
	NumStates
)

var stateNames = [NumStates]string{"absent", "pending", "waiting", "binding", "starting", "running", "terminating"}

// String returns the name of the state.
func (s State) String() string { return stateNames[s] }

// Pod is a pod that is present. Data belongs to the reader of the log.
type Pod[Data any] struct {
	Number   int64 // of arrival
	State    State
	Gated    bool
	Daemon   bool // of a DaemonSet
	Class    int32
	Workload int32
	Node     int32 // -1 while it has none
	Group    int64 // -1: none
	Attempts int
	Arrived  clock.Time
	Entered  clock.Time // when it came into its state
	Data     Data
}

// Change is what a record did to a pod. Before is the pod as it was, which was Absent if the pod has arrived; Pod is the
// pod as it is, which is Absent and without a node if it has gone.
type Change[Data any] struct {
	Before Pod[Data]
	Pod    *Pod[Data]
}

// Move is a pod's change of nodes. From and To are -1 where it has none; a pod never moves from one node to another.
type Move struct {
	Pod      int64
	Class    int32
	From, To int32
	Held     []int32 // devices that the pod holds on To; those of the record
}

// Move returns the change of nodes that the record made. If it made none, as the nil Change, From and To are -1.
func (c *Change[Data]) Move(r *record.Record) Move {
	if c == nil || c.Before.Node == c.Pod.Node {
		return Move{From: -1, To: -1}
	}
	m := Move{Pod: c.Before.Number, Class: c.Before.Class, From: c.Before.Node, To: c.Pod.Node, Held: r.Held}
	if r.Attempt != nil {
		m.Held = r.Attempt.Held
	}
	return m
}

// Lifecycle follows all pods of a log. Its memory grows with the pods that are present at one time.
type Lifecycle[Data any] struct {
	Violations
	now    clock.Time
	ended  string
	fleet  fleet
	known  declared
	slots  map[int64]int32 // of pods, by number
	pods   []Pod[Data]
	free   []int32 // slots
	end    int64   // all pods that have arrived have smaller numbers
	change Change[Data]
}

// New returns a lifecycle that has seen no record.
func New[Data any]() *Lifecycle[Data] { return &Lifecycle[Data]{slots: map[int64]int32{}} }

// Now returns the time of the last record.
func (l *Lifecycle[Data]) Now() clock.Time { return l.now }

// Ended returns how the run ended, or "" if it has not.
func (l *Lifecycle[Data]) Ended() string { return l.ended }

// Pod returns the pod of that number, or nil if it is not present. It is valid until the next record.
func (l *Lifecycle[Data]) Pod(number int64) *Pod[Data] {
	slot, ok := l.slots[number]
	if !ok {
		return nil
	}
	return &l.pods[slot]
}

// Pods returns the pods that are present. Their order has no meaning, but is the same for the same log.
func (l *Lifecycle[Data]) Pods() iter.Seq[*Pod[Data]] {
	return func(yield func(*Pod[Data]) bool) {
		for i := range l.pods {
			if p := &l.pods[i]; p.State != Absent && !yield(p) {
				return
			}
		}
	}
}

// Observe takes in the next record. It returns what the record did to its pod, valid until the next record, or nil if it
// is about no pod. It returns false for an impossible record, which changes no pod and is a violation; see Err.
func (l *Lifecycle[Data]) Observe(r *record.Record) (*Change[Data], bool) {
	if r.Time < l.now {
		l.Violate(r, "time runs back from %v", l.now)
		return nil, false
	}
	if l.ended != "" {
		l.Violate(r, "the run has ended already")
		return nil, false
	}
	l.now = r.Time
	bad := "" // what is wrong with the record
	switch r.Kind {
	case record.RunStarted, record.DeclareTarget, record.Sampled:
	case record.RunEnded:
		l.ended = r.Text
	case record.DeclareClass, record.DeclareWorkload, record.DeclareGroup:
		bad = l.known.declare(r)
	case record.NodeAdded, record.NodeChanged:
		bad = l.fleet.set(r)
	case record.NodeRemoved:
		bad = l.fleet.remove(r, &l.Violations)
	case record.PodArrived:
		if bad = l.arrive(r); bad == "" {
			return &l.change, true
		}
	default:
		if bad = l.observePod(r); bad == "" {
			return &l.change, true
		}
	}
	if bad != "" {
		l.Violate(r, "%s", bad)
	}
	return nil, bad == ""
}
