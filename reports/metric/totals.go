package metric

import (
	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// causes are all causes, in the order in which they are reported.
var causes = []record.Cause{
	record.ByPreemption, record.ByDrain, record.ByNodeRemoval, record.ByTaint,
	record.ByPermitTimeout, record.ByPermitReject, record.ByBindFailure,
}

// totals are the counters and distributions of the pods of one scope: the whole run,
// a workload, a priority, or a pool of nodes.
type totals struct {
	arrived, boundAtStart, scheduled, completed int64
	evicted, dropped                            int64 // pods that have gone
	states                                      [lifecycle.NumStates]gauge.Level
	gated, undrained                            int64 // now
	misplaced                                   int64 // pods put where the devices that they ask for are not

	attempts   distribution // by pods bound
	waitToBind distribution // ns
	waitToRun  distribution // ns

	preemptions, victims int64
	workLost             float64   // pod-seconds
	workLostOf           []float64 // by resource, base unit × seconds
	evictions, rollbacks map[record.Cause]int64

	gangs, gangsWhole int64
	gangTime          distribution // ns
	permitWaits       int64
	permitWait        distribution  // ns
	held              []gauge.Level // by resource
	heldInVain        []float64     // by resource, base unit × seconds
}

func newTotals() *totals {
	return &totals{evictions: map[record.Cause]int64{}, rollbacks: map[record.Cause]int64{}}
}

// addHeld adds what a pod in Permit holds of its node, or subtracts it with sign -1.
func (t *totals) addHeld(requests []amount, sign int64, now clock.Time) {
	for _, q := range requests {
		grow(&t.held, q.resource).Add(sign*q.value, now)
	}
}

// grow returns the element of a list that grows as numbers become known.
func grow[T any](column *[]T, i int) *T {
	for len(*column) <= i {
		var zero T
		*column = append(*column, zero)
	}
	return &(*column)[i]
}

// addSpan adds amount × seconds for each amount.
func addSpan(column *[]float64, requests []amount, span clock.Time) {
	for _, q := range requests {
		*grow(column, q.resource) += float64(float64(q.value) * span.Seconds())
	}
}
