// Package scheduler is the kube-scheduler of a simulated cluster: the extension
// points of the scheduling framework, the scheduling cycle, the queue, nominated
// pods, and waiting in Permit. It decides; it does not know of arrivals, latencies
// or records, which belong to the world that drives it.
//
// It follows kube-scheduler v1.36.3 (k8s.io/kubernetes/pkg/scheduler) with one
// worker.
package scheduler

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// MaxNodeScore is the highest score of a plugin after normalization, before its
// weight. The lowest is 0.
const MaxNodeScore = 100

// Plugin is one rule of the scheduler. It keeps configuration only; what it works
// out for one pod goes into a Slot of the cycle. It takes part in the extension
// points whose interfaces it implements.
type Plugin interface {
	// Name is the name in configuration files.
	Name() string
	// DependsOn declares everything that the plugin's answers can change with. It
	// tells the queue which events can help a pod that the plugin rejected, and an
	// index which cached answers a change makes stale.
	DependsOn() Dependencies
}

// PreEnqueuePlugin keeps pods out of the active queue.
type PreEnqueuePlugin interface {
	Plugin
	// PreEnqueue returns why the pod must stay gated, or the empty string.
	PreEnqueue(pod cluster.PodID) string
}

// QueueSortPlugin orders the active queue. A profile has exactly one.
type QueueSortPlugin interface {
	Plugin
	Less(a, b *QueuedPod) bool
}

// PreFilterPlugin prepares the filtering of one pod.
type PreFilterPlugin interface {
	Plugin
	PreFilter(c *Cycle) PreFilterResult
}

// PreFilterResult is the answer of PreFilter; the zero value lets all nodes through.
type PreFilterResult struct {
	// Skip leaves out the plugin's Filter for this pod.
	Skip bool
	// Restrict limits the search to the nodes of these Names, which may be none, or
	// name nodes that do not exist.
	Restrict bool
	Names    []cluster.Symbol
	// Status rejects the pod when it is not Success.
	Status Status
}

// FilterPlugin decides whether a pod can run on a node.
type FilterPlugin interface {
	CheckingPlugin
	// Filter returns Fits, or a rejection with a detail of the plugin's own.
	Filter(c *Cycle, node cluster.NodeID) Verdict
	// Reasons are the texts of a rejection. They are asked for only when a caller
	// reads them.
	Reasons(c *Cycle, v Verdict) []string
}

// FilterPreparer is a filter plugin that works something out once for all nodes.
// It is not an extension point: configurations do not name it.
type FilterPreparer interface {
	FilterPlugin
	// PrepareFilter returns false when every node would pass: Filter is then not
	// asked for this pod.
	PrepareFilter(c *Cycle) bool
}

// PostFilterPlugin acts when no node is feasible.
type PostFilterPlugin interface {
	Plugin
	PostFilter(c *Cycle) PostFilterResult
}

// PostFilterResult is the answer of PostFilter.
type PostFilterResult struct {
	Status Status
	// SetNomination replaces the pod's nominated node by Nominated; else it stays.
	SetNomination bool
	Nominated     cluster.NodeID
	Victims       []cluster.PodID // to be evicted, by falling importance
}

// PreScorePlugin prepares the scoring of one pod.
type PreScorePlugin interface {
	Plugin
	// PreScore returns Success, Skip (which leaves out the plugin's Score) or Error.
	PreScore(c *Cycle) Status
}

// ScorePlugin ranks a feasible node.
type ScorePlugin interface {
	Plugin
	Score(c *Cycle, node cluster.NodeID) int64
}

// ScorePreparer is a score plugin that works something out once for all nodes. It is
// not an extension point: configurations do not name it.
type ScorePreparer interface {
	ScorePlugin
	// PrepareScore returns true when Score gives every node the same: it is then
	// asked about one node only.
	PrepareScore(c *Cycle) (uniform bool)
}

// ScoreManyPlugin is the fast form of a score plugin: ScoreMany fills out with what
// Score gives for each of the nodes. It is not an extension point either.
type ScoreManyPlugin interface {
	ScorePlugin
	ScoreMany(c *Cycle, nodes []cluster.NodeID, out []int64)
}

// DeviceChooser is a score plugin that also chooses the devices of the node for the pod. If a
// profile has several, the first one chooses. Where there is none, the pod takes what
// cluster.Devices.Pick does. It is not an extension point either.
type DeviceChooser interface {
	ScorePlugin
	// ChooseDevices is asked when the node is known and before the pod is assumed there, only for pods
	// that ask for devices. What it returns is read at once. An empty list means the default choice.
	ChooseDevices(c *Cycle, node cluster.NodeID) []int32
}

// NormalizeScorePlugin brings the scores of all feasible nodes to 0..MaxNodeScore by a function of its own: an index
// cannot do this for it. If one of the Normalizations is equal to it, implement NormalizedScorePlugin instead.
type NormalizeScorePlugin interface {
	ScorePlugin
	NormalizeScore(c *Cycle, scores []int64)
}

// ReservePlugin keeps state of its own for pods that have a node.
type ReservePlugin interface {
	Plugin
	// Reserve is called when the pod has been assumed. What it keeps in the state is there for Unreserve.
	Reserve(state *CycleState, pod cluster.PodID, node cluster.NodeID) Status
	// Unreserve is called when an assumed pod loses its node before it is bound. It may be called though Reserve
	// was not, and must then do nothing.
	Unreserve(state *CycleState, pod cluster.PodID, node cluster.NodeID)
}

// PermitPlugin lets a pod bind, rejects it, or makes it wait.
type PermitPlugin interface {
	Plugin
	// Permit returns Success, Wait with the longest wait, or a rejection.
	Permit(pod cluster.PodID, node cluster.NodeID) (Status, clock.Time)
}

// PreBindPlugin does what must be done before a pod is bound.
type PreBindPlugin interface {
	Plugin
	PreBind(pod cluster.PodID, node cluster.NodeID) Status
}

// WaitingPreBindPlugin is a PreBind plugin that waits for what others do. The caller lets the
// controllers act before it calls Bind, and calls Bind no later than the plugin's timeout.
type WaitingPreBindPlugin interface {
	PreBindPlugin
	PreBindTimeout() clock.Time
}

// BindPlugin binds the pod, or leaves it to the next bind plugin with Skip.
type BindPlugin interface {
	Plugin
	Bind(pod cluster.PodID, node cluster.NodeID) Status
}

// PostBindPlugin is told of every pod that has been bound.
type PostBindPlugin interface {
	Plugin
	PostBind(pod cluster.PodID, node cluster.NodeID)
}

// QueueingHintPlugin refines DependsOn: whether one event may make a pod schedulable that
// the plugin rejected. It is asked only about events that DependsOn covers.
//
// Upstream: QueueingHintFn.
type QueueingHintPlugin interface {
	Plugin
	QueueingHint(pod cluster.PodID, e ClusterEvent) bool
}

// Slot is a typed place in the cycle where a plugin keeps what it worked out for
// the pod at hand.
type Slot[T any] struct{ index int }

// NewSlot reserves a place in every cycle of the scheduler.
func NewSlot[T any](h *Handle) Slot[T] {
	h.s.slots = append(h.s.slots, func() any { return new(T) })
	return Slot[T]{len(h.s.slots) - 1}
}

// In returns the content of the slot. It is not cleared between pods.
func (s Slot[T]) In(c *Cycle) *T { return c.slots[s.index].(*T) }
