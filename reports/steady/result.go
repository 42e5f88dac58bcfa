package steady

import (
	"slices"

	"github.com/berth-sim/berth/reports/quantile"
)

// Result holds the measures of a window of a run.
type Result struct {
	Means
	Halves [2]Means      `json:"halves"` // the same of the first half of the window, and of the second
	Waits  map[Kind]Wait `json:"waits"`  // of the jobs that arrived in it; kinds without jobs are not there
}

// Means are over time. All but Pods are shares of all devices.
type Means struct {
	Allocated  float64 `json:"allocated"`  // held by pods that are bound
	Held       float64 `json:"held"`       // held by pods that are not bound yet: they wait in Permit, or go to be bound
	Fragmented float64 `json:"fragmented"` // F: free but unusable for the target workload
	Demand     float64 `json:"demand"`     // what pods that are not bound ask for
	Pods       float64 `json:"pods"`       // pods that are not bound
}

// Wait is how long jobs took from their arrival to being bound; of a gang until the last of
// minMember pods was. Jobs that still wait at the end count with what they have waited by then.
type Wait struct {
	Jobs    int     `json:"jobs"`
	Pending int     `json:"pending"` // of them, those that still wait
	Mean    float64 `json:"mean"`    // in seconds, as the others
	P50     float64 `json:"p50"`
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
}

// sums are integrals over a part of a window.
type sums struct {
	seconds, capacity, bound, used, fragmented, demand, pods float64
}

func (s *sums) add(seconds float64, l level, capacity, used int64, fragmented float64) {
	s.seconds += seconds
	s.capacity += float64(seconds * float64(capacity))
	s.bound += float64(seconds * float64(l.bound))
	s.used += float64(seconds * float64(used))
	s.fragmented += float64(seconds * fragmented)
	s.demand += float64(seconds * float64(l.pendingMilli))
	s.pods += float64(seconds * float64(l.pending))
}

// join adds the integrals of another part.
func (s *sums) join(o sums) {
	s.seconds += o.seconds
	s.capacity += o.capacity
	s.bound += o.bound
	s.used += o.used
	s.fragmented += o.fragmented
	s.demand += o.demand
	s.pods += o.pods
}

func (s *sums) means() Means {
	return Means{
		Allocated: s.bound / s.capacity, Held: (s.used - s.bound) / s.capacity, Fragmented: s.fragmented / s.capacity,
		Demand: s.demand / s.capacity, Pods: s.pods / s.seconds,
	}
}

// waits collects the waits of a kind.
type waits struct {
	seconds []float64
	pending int
}

func (w *waits) add(seconds float64, pending bool) {
	w.seconds = append(w.seconds, seconds)
	if pending {
		w.pending++
	}
}

func (w *waits) result() Wait {
	slices.Sort(w.seconds)
	n := len(w.seconds)
	sum := 0.0
	for _, s := range w.seconds {
		sum += s
	}
	return Wait{Jobs: n, Pending: w.pending, Mean: sum / float64(n), P50: quantile.Percentile(w.seconds, 50), P99: quantile.Percentile(w.seconds, 99), Max: w.seconds[n-1]}
}
