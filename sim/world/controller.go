package world

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// controller is a control loop of the cluster beside the scheduler. It keeps its own state,
// observes what happens, and acts at once or when a timer fires that it has set with setTimer.
//
// A controller that is added gets a rank, a file, and a line in New.
type controller interface {
	// observe is called when something happens. What the controller does then happens at the same
	// instant, before the next controller observes the notice.
	observe(n notice)
	// fire is called when a timer is due, with the id that it was set with. The controller must
	// expect timers of what no longer exists: timers are not taken back.
	fire(id int64)
}

// The ranks of controllers: the order in which they observe what happens, and in which their
// timers fire within one instant. The claims of a pod are deleted before the workload controller
// re-creates it, since a claim of a pod's own is named after the pod.
const (
	volumeRank = iota
	workloadRank
	taintRank
	disruptionRank
	drainRank
	numRanks
)

// noticeKind is what a notice is about.
type noticeKind uint8

// What controllers observe.
const (
	runBegins      noticeKind = iota // the nodes, claims and budgets of the beginning exist
	nodeAdded                        // node
	nodeTainted                      // a taint of node was added or removed
	nodeDrained                      // node is cordoned, and its pods are to be evicted
	nodeUncordoned                   // node
	podAdded                         // pod exists, and has no node yet
	podFound                         // pod is on a node, where it was before it was added
	podBound                         // pod has been bound by the scheduler
	podRelabeled                     // pod has got labels from its node, and was of the class before
	podRunning                       // pod runs
	podStopped                       // pod no longer runs: it terminates
	podEnding                        // pod has completed or terminated or was deleted, and is removed next
	podRemoved                       // pod is being removed
	podSucceeded                     // a pod has completed and is removed; successor is what follows it
	budgetChanged                    // budget allows more or fewer evictions, or as many
)

// notice is something that happened. The fields that the kind does not name are not set.
type notice struct {
	kind   noticeKind
	node   cluster.NodeID
	pod    cluster.PodID
	budget cluster.BudgetID
	class  *cluster.Class
	// evicted and nodeRemoved say why a pod ends (podEnding): it was evicted, maybe since its node
	// is removed.
	evicted, nodeRemoved bool
	successor            func() (workloads.Arrival, bool)
}

// notify tells the controllers, in order of rank.
func (c *core) notify(n notice) {
	for _, controller := range c.controllers {
		if controller != nil {
			controller.observe(n)
		}
	}
}

// setTimer has the controller of that rank called with the id at that time.
func (c *core) setTimer(rank uint8, at clock.Time, id int64) {
	c.push(at, controllerTimer+rank, task{id: id})
}
