package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// The kinds of events. Their order is the order within one instant: what ends comes before what
// changes, what arrives and what starts; then the controllers act, in order of rank; then waits
// and backoffs end; the scheduler comes last except for samples. Events of one kind at one
// instant are handled in the order in which they were pushed.
const (
	completion  uint8 = iota // a pod has done its work
	termination              // an evicted pod has left its node
	change                   // a timed event of the scenario
	arrival                  // the next pod of the stream
	started                  // a bound pod runs
	// controllerTimer is the first of numRanks kinds: a timer of the controller of rank r has the
	// kind controllerTimer+r.
	controllerTimer
)

const (
	permitTimer = controllerTimer + numRanks + iota // a pod may have waited in Permit for too long
	flushTimer                                      // backoff is over for some pod
	preBindDone                                     // a pod has waited for its volumes
	bindingDone                                     // a binding cycle is over
	cycleDone                                       // a scheduling cycle is over
	cycle                                           // the scheduler takes the next pod
	sample                                          // a sample is due
)

// changesCluster reports whether events of the kind can change the cluster by themselves.
func changesCluster(kind uint8) bool { return kind != flushTimer && kind != sample }

// task is what an event is about: a pod, or what id names: for change the index of the change, for
// a controller's timer what the controller set it with.
type task struct {
	podRef
	id int64
}

// podRef names a pod on the node that it has. Its id can be given to another pod later, which has
// another serial; a pod that lost its node and got one again has another assignment.
type podRef struct {
	pod        cluster.PodID
	assignment int32
	serial     int64
}

// timeline is virtual time and the events to come.
type timeline struct {
	horizon        clock.Time // nothing is scheduled after it
	queue          clock.Queue[task]
	now            clock.Time
	pendingChanges int // events to come that can change the cluster
}

// push schedules an event, unless at is clock.Forever or after the horizon.
func (t *timeline) push(at clock.Time, kind uint8, about task) {
	if at == clock.Forever || at > t.horizon {
		return
	}
	if changesCluster(kind) {
		t.pendingChanges++
	}
	t.queue.Push(at, kind, about)
}

// advance moves time to an event that has been taken off the queue.
func (t *timeline) advance(e clock.Event[task]) {
	t.now = e.At
	if changesCluster(e.Kind) {
		t.pendingChanges--
	}
}
