// Package workloads makes streams of pod arrivals: of arrival processes and templates, of manifests and of traces. A
// stream returns one pod at a time, so memory does not grow with the number of pods of a run.
package workloads

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Arrival is one pod that is created.
type Arrival struct {
	At       clock.Time
	Name     string // within the namespace of the class
	UID      string // metadata.uid of its object, empty as a rule
	Class    *cluster.Class
	Workload int // index of the stream in the scenario
	// Lifetime is how long the pod runs once started; clock.Forever: to the end.
	Lifetime clock.Time
	// Group is the pod group, nil if the pod has none. All members share the pointer.
	Group *Group
	// Node is the name of the node that the pod runs on already. If it is empty, the pod is to be scheduled.
	Node string
	// Devices are the devices of Node that the pod holds; nil: unknown.
	Devices []int32
	// Started is when a pod with a Node was started, at most At. clock.Forever means that its object does not say; the pod
	// counts as the last one started.
	Started clock.Time
	// Nominated is the pod's nominated node, empty as a rule.
	Nominated string
	// Terminating reports that the pod is being deleted. A pod with a node is gone after its Lifetime; for one without see
	// Deleted. Preempted reports that it is deleted since the scheduler chose it as a victim.
	Terminating, Preempted bool
	// Recreate reports whether a controller re-creates the pod when it is evicted.
	Recreate bool
	// RecreatedClass is the class of the re-created pod; nil: Class.
	RecreatedClass *cluster.Class
	// Daemon reports whether the pod is that of a DaemonSet: it is not evicted when its node is drained, and a node with
	// no other pods counts as empty.
	Daemon bool
	// Successor, if not nil, is called once when the pod completes. It returns the pod that replaces it, such as the next
	// one of a Job, or false if there is none. That pod arrives at once, whatever its At is.
	Successor func() (Arrival, bool)
}

// Deleted reports whether the pod is being deleted and has no node. Such a pod is not scheduled: it keeps its nomination
// until the queue pops it, and is gone then.
//
// Upstream: Add of pkg/scheduler/backend/queue/scheduling_queue.go, which nominates every pod that
// is added, and skipPodSchedule of pkg/scheduler/schedule_one.go, v1.36.3.
func (a *Arrival) Deleted() bool { return a.Terminating && a.Node == "" }

// Group is a pod group.
type Group struct {
	Name            string // within the namespace
	Namespace       cluster.Symbol
	MinMember       int
	Size            int        // number of members that will arrive
	ScheduleTimeout clock.Time // how long a member waits in Permit
}

// Stream returns arrivals in order of time. After false or an error, Next must not be called again.
type Stream interface {
	Next() (Arrival, bool, error)
}

// before reports whether a comes before other whatever the order of their streams.
func (a *Arrival) before(other *Arrival) bool {
	if a.At != other.At {
		return a.At < other.At
	}
	return len(a.Devices) > 0 && len(other.Devices) == 0
}

// Merge returns the arrivals of several streams in order of time. Within one instant, pods that hold given devices come
// first, since other pods could be assigned these devices. Further ties are in the order of streams.
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
