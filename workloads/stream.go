// Package workloads makes streams of pod arrivals: from arrival processes and
// templates, from manifests and from traces. A stream is pulled one pod at a time, so
// memory does not grow with the number of pods that have come and gone.
package workloads

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Arrival is one pod that comes into being.
type Arrival struct {
	At       clock.Time
	Name     string // within the namespace of the class
	UID      string // metadata.uid of its object, empty as a rule
	Class    *cluster.Class
	Workload int // index of the stream in the scenario
	// Lifetime is how long the pod runs once started; clock.Forever: to the end.
	Lifetime clock.Time
	// Group is the pod group; members share the pointer. Nil: none.
	Group *Group
	// Node is the name of the node that the pod runs on already; empty: it is to be
	// scheduled.
	Node string
	// Devices are those that such a pod holds there; nil: it is not known.
	Devices []int32
	// Started is when such a pod was started, at most At; clock.Forever: its object does not
	// say, and it counts as the last one started.
	Started clock.Time
	// Nominated is the pod's nominated node, empty as a rule.
	Nominated string
	// Ending reports that the pod is being deleted. One with a node is gone after its Lifetime;
	// see Deleted for one without. Preempted: because the scheduler chose it as a victim.
	Ending, Preempted bool
	// Recreate reports whether a controller re-creates the pod when it is evicted.
	Recreate bool
	// Recreated is the class of the pod when it is re-created; nil: its Class.
	Recreated *cluster.Class
	// Daemon pods stay on their node when it is drained, and do not count as load of
	// an otherwise empty node.
	Daemon bool
	// Successor makes the pod that takes the place of this one when it completes, such as
	// the next one of a Job; false: there is none. Nil: never. It is called once, at the
	// completion; what it returns arrives at that instant, whatever its At says.
	Successor func() (Arrival, bool)
}

// Deleted reports whether the pod is being deleted before it has a node. It is not scheduled: it
// holds its nomination until the queue pops it, and is gone then.
//
// Upstream: Add of pkg/scheduler/backend/queue/scheduling_queue.go, which nominates every pod that
// is added, and skipPodSchedule of pkg/scheduler/schedule_one.go, v1.36.3.
func (a *Arrival) Deleted() bool { return a.Ending && a.Node == "" }

// Group is a PodGroup as it arrives.
type Group struct {
	Name            string // within the namespace
	Namespace       cluster.Sym
	MinMember       int
	Size            int        // how many members will come
	ScheduleTimeout clock.Time // how long a member waits in Permit
}

// Stream yields arrivals in order of time. After false or an error it is at its end.
type Stream interface {
	Next() (Arrival, bool, error)
}

// before reports whether the arrival comes first whichever stream it is of.
func (a *Arrival) before(other *Arrival) bool {
	if a.At != other.At {
		return a.At < other.At
	}
	return len(a.Devices) > 0 && len(other.Devices) == 0
}

// Merge yields the arrivals of several streams in order of time. Of those of one instant pods
// that hold named devices come first: others would be given theirs. Then the stream that is
// listed first does.
func Merge(streams ...Stream) Stream { return &merged{streams: streams} }

type merged struct {
	streams []Stream
	heads   []head
	primed  bool
}

type head struct {
	arrival Arrival
	ok      bool
}

func (m *merged) Next() (Arrival, bool, error) {
	if !m.primed {
		m.primed = true
		m.heads = make([]head, len(m.streams))
		for i := range m.streams {
			if err := m.pull(i); err != nil {
				return Arrival{}, false, err
			}
		}
	}
	first := -1
	for i := range m.heads {
		if m.heads[i].ok && (first < 0 || m.heads[i].arrival.before(&m.heads[first].arrival)) {
			first = i
		}
	}
	if first < 0 {
		return Arrival{}, false, nil
	}
	a := m.heads[first].arrival
	return a, true, m.pull(first)
}

func (m *merged) pull(i int) (err error) {
	m.heads[i].arrival, m.heads[i].ok, err = m.streams[i].Next()
	return err
}
