package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// Config is everything that a world is made from.
type Config struct {
	Name      string
	Cluster   *cluster.Cluster
	Scheduler *scheduler.Scheduler
	Arrivals  workloads.Stream
	Workloads []string // names, by Arrival.Workload
	// Daemons makes the pods that a new node brings with it; nil: none.
	Daemons func(node cluster.NodeID) []workloads.Arrival
	Latency Latency
	Changes []Change // in order of time
	// TaintCordoned gives nodes that are cordoned the taint node.kubernetes.io/unschedulable.
	TaintCordoned bool
	// Horizon is when the run ends at the latest; clock.Forever: when all is done, or
	// stalled.
	Horizon clock.Time
	// SampleEvery is the interval of samples; 0: one sample, at the end.
	SampleEvery clock.Time
	// SampleShare lengthens the interval to that part of the time that has passed, for
	// runs whose length is not known; 0: the interval is constant.
	SampleShare int
	// FragmentationMeter measures fragmentation; nil: samples have none.
	FragmentationMeter *FragmentationMeter
	// Target is the target workload that fragmentation of devices is measured by; nil: it is
	// taken from what has arrived.
	Target *fragment.Target
	// Attempted is called with every attempt, before its victims are evicted; nil: not at all.
	// It must leave the cluster as it is.
	Attempted func(a *scheduler.Attempt, now clock.Time)
	// RolledBack is called with every pod that lost its node in Permit or in its binding cycle,
	// except by its own eviction; nil: not at all. It must leave the cluster as it is.
	RolledBack func(r scheduler.RolledBack, cause record.Cause)
	// BeforeAdvance is called with the next instant at which something happens, when all that
	// comes before has happened; nil: not at all. It must leave the cluster as it is.
	BeforeAdvance func(next clock.Time)
	// Record is called with everything that happens; nil: not at all. It must not keep the
	// record.
	Record func(*record.Record)
	// Progress is called now and then, with the virtual time and how many pods have
	// arrived and completed; nil: not at all.
	Progress func(now clock.Time, arrived, completed int64)
}
