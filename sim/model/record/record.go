// Package record holds the records of a run: what happened, in order, as values that need nothing else to be
// understood. The world writes them, reports read them.
package record

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
)

// Kind is what happened. The zero Kind is none.
type Kind uint8

// The kinds of records. Declarations come before their first use, so that a log can be read on its own. Which fields
// a record of each kind has is written at recordFields.
const (
	RunStarted Kind = iota + 1
	DeclareClass
	DeclareWorkload
	DeclareTarget // the classes that fragmentation of devices is measured by from now on
	DeclareGroup
	NodeAdded
	NodeChanged
	NodeRemoved
	PodArrived // Node: where it runs already, or -1
	PodGated
	PodUngated
	PodAttempted
	PodAllowed    // its wait in Permit is over
	PodRolledBack // it lost the node it was assumed on
	PodBound      // Held: where it was on its node when it arrived
	PodStarted
	PodCompleted
	PodEvictionBlocked // a drain may not evict the pod now
	PodEvicted         // it begins to terminate
	PodGone            // an evicted pod has left its node, or a pending one was dropped
	Sampled
	RunEnded // Text: "done", "stalled", "horizon" or "interrupted"
	numKinds = iota + 1
)

// Cause is why a pod lost its node.
type Cause string

// The causes.
const (
	ByPreemption    Cause = "preemption"
	ByDrain         Cause = "drain"
	ByNodeRemoval   Cause = "nodeRemoval"
	ByTaint         Cause = "taint"
	ByPermitTimeout Cause = "permitTimeout"
	ByPermitReject  Cause = "permitReject"
	ByBindFailure   Cause = "bindFailure"
)

// The outcomes of attempts.
const (
	Scheduled     = "scheduled"     // assumed on a node, ready to bind
	Waiting       = "waiting"       // assumed on a node, waits in Permit
	Unschedulable = "unschedulable" // no node, or rejected by Reserve or Permit
	Failed        = "error"         // a plugin failed
)

// Record is one thing that happened. Which fields have a meaning depends on Kind;
// Pod, Node and Group are -1 where they have none.
type Record struct {
	Time     clock.Time
	Kind     Kind
	Pod      int64 // number of arrival of the pod, from 0
	Node     int32
	Group    int64 // number of arrival of the pod group, from 0
	Class    int32
	Workload int32
	Count    int
	Priority int32
	By       int64 // PodEvicted by preemption: the pod that needed the room
	Cause    Cause
	Text     string
	Daemon   bool // PodArrived: the pod is one of a DaemonSet
	Amounts  []Amount
	Devices  *DeviceRequest // DeclareClass: nil where pods of the class ask for none
	Held     []int32        // devices that the pod holds on its node
	Target   []TargetClass
	NodeInfo *NodeInfo
	Attempt  *AttemptInfo
	Sample   *Sample
}

// DeviceRequest is what a pod asks of the devices of its node: Milli thousandths of each of
// Count of them.
type DeviceRequest struct {
	Kind   string // the resource that counts them
	Count  int
	Milli  int32
	Models []string // that will do; none: any
}

// TargetClass is a class of pods of the target workload.
type TargetClass struct {
	Pods     int64
	MilliCPU int64
	Count    int // of devices; 0: none
	Milli    int32
	Models   []string
}

// Amount is an amount of a resource in its base unit: cpu in milli, memory and
// storage in bytes, all else in units.
type Amount struct {
	Resource string
	Value    int64
}

// NodeInfo is what a record says of a node.
type NodeInfo struct {
	Name          string
	Pool          string
	Zone          string
	PricePerHour  float64
	Unschedulable bool
	Allocatable   []Amount
	Labels        []Label // by key; the label of the host name is left out, for it is the name
	Devices       int     // how many it has
	DeviceKind    string  // the resource that counts them
	Model         string  // of its devices; empty: it does not say
}

// Label is a label of a node.
type Label struct{ Key, Value string }

// AttemptInfo is what a record says of a scheduling cycle.
type AttemptInfo struct {
	Outcome   string  // one of the outcomes of attempts
	Node      int32   // the node assumed on, or -1
	Held      []int32 // devices that the pod holds there
	Feasible  int
	Evaluated int
	Busy      clock.Time // how long the cycle takes; Record.Time is its beginning
	Nominated int32      // the node freed by preemption, or -1
	Victims   int
	Reasons   []ReasonCount // for unschedulable
}

// Sample is the state at a sampling instant, as far as it does not follow from the
// other records.
type Sample struct {
	Queue         Depth
	Fragmentation *Fragmentation
}

// Fragmentation is what of the free capacity the workload's own mix of pods could
// use. All amounts are in base units; lists of amounts are parallel to Resources.
type Fragmentation struct {
	Resources []string
	Free      []int64 // over all nodes that accept pods or not
	// Stranded is what is free on nodes on which no class of the mix fits.
	Stranded []int64
	Mix      []MixShare
	// Inflated is what is still free after pods of the mix were placed until none
	// fits any more; nil unless asked for.
	Inflated []int64
}

// MixShare is one class of the mix.
type MixShare struct {
	Class  int32
	Weight float64 // its share of the pods that have arrived; all shares sum to 1
	Fits   int64   // how many more pods of the class fit, node by node
	// Unusable is what is free on nodes on which a pod of the class does not fit; all
	// that is free where the class does not ask for the resource.
	Unusable []int64
}

// Depth is how many pods wait in each part of the queue.
type Depth struct{ Active, Backoff, Unschedulable, Gated, Waiting int }

// ReasonCount is how many nodes a plugin rejected for one reason. Nodes that
// PreFilter left out, or all of them when it rejected the pod, count under its
// plugin too.
type ReasonCount struct {
	Plugin string
	Reason string
	Nodes  int
}

// MainReason returns the reason that rejected the most nodes, the first by plugin and reason among equals. There must be
// at least one.
func MainReason(reasons []ReasonCount) ReasonCount {
	return slices.MinFunc(reasons, func(a, b ReasonCount) int {
		return cmp.Or(cmp.Compare(b.Nodes, a.Nodes), strings.Compare(a.Plugin, b.Plugin), strings.Compare(a.Reason, b.Reason))
	})
}
