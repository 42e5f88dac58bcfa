package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// Stepper is a world that a caller drives by hand, one scheduling attempt after the other. It has no
// latencies: what an attempt leads to has happened when Attempt returns. There are no timers: pods
// do not complete, and waits in Permit and backoffs do not expire. No controller acts, except that
// claims are bound at once where a volume is there, and that PodDisruptionBudgets without a status
// get one before the first attempt.
//
//	NewSteps ──▶ Add … Add ──▶ Begin ──▶ Attempt, Add …
type Stepper struct{ w *World }

// tick is how much time passes between two pods that are added, and in an attempt: enough to
// distinguish them, not enough for a backoff to end.
const tick = clock.Microsecond

type constantDelay clock.Time

func (d constantDelay) Draw() clock.Time { return clock.Time(d) }

// NewStepper returns a world without pods that have arrived. Of the configuration it reads Cluster,
// Scheduler, Attempted, RolledBack and Record.
func NewStepper(cfg Config) *Stepper {
	cfg.Latency, cfg.Horizon = Latency{Cycle: constantDelay(tick)}, clock.Forever
	w := assemble(cfg)
	w.oneShot = true
	w.controllers[volumeRank] = &instantVolumes{core: w.core}
	w.controllers[disruptionRank] = &disruptionController{core: w.core, keepStatus: true}
	return &Stepper{w}
}

// Add adds a pod: to the queue, or to the node that it names. The serial must not be that of
// another pod. It fails if the node does not exist, or if no profile has the pod's scheduler name.
func (s *Stepper) Add(serial int64, a workloads.Arrival) (cluster.PodID, error) {
	a.Lifetime = clock.Forever
	s.w.pods.serial = serial
	pod := s.w.pods.create(a)
	if a.Node == "" {
		s.w.now += tick
	}
	return pod, s.w.err
}

// Begin ends the part in which PodDisruptionBudgets get their status.
func (s *Stepper) Begin() { s.w.controllers[disruptionRank] = nil }

// Now returns the instant of the next attempt.
func (s *Stepper) Now() clock.Time { return s.w.now }

// Attempt has the scheduler decide on a pod that was taken off its queue, and carries the decision
// out: the pod is bound or waits in Permit, and victims are evicted, unless it is a dryRun. It
// returns nil if the scheduler was interrupted, or if the pod is being deleted.
func (s *Stepper) Attempt(pod cluster.PodID, dryRun bool) *scheduler.Attempt {
	s.w.scheduling.dryRun = dryRun
	a := s.w.scheduling.schedule(pod)
	if a != nil {
		s.handleUntil(s.w.now + tick)
	}
	return a
}

// Evict ends a pod that is bound. It is gone when Evict returns, and nothing re-creates it.
func (s *Stepper) Evict(pod cluster.PodID) {
	s.w.pods.evict(pod, record.ByDrain, -1)
	s.handleUntil(s.w.now)
}

// Cordon makes a node unschedulable.
func (s *Stepper) Cordon(node cluster.NodeID) { s.w.nodes.cordon(node, true) }

// RemoveNode removes a node with the pods on it.
func (s *Stepper) RemoveNode(node cluster.NodeID) { s.w.nodes.remove(node) }

// handleUntil handles the events up to an instant, and those that they lead to.
func (s *Stepper) handleUntil(at clock.Time) {
	for e, ok := s.w.queue.Peek(); ok && e.At <= at; e, ok = s.w.queue.Peek() {
		s.w.queue.Pop()
		s.w.handle(e)
	}
}

// instantVolumes makes and deletes the claims that belong to pods, and binds those that need not
// wait for a pod, in no time. Those that wait are bound by PreBind.
type instantVolumes struct{ *core }

func (v *instantVolumes) observe(n notice) {
	switch n.kind {
	case podAdded:
		if len(v.cluster.Pod(n.pod).Class.Volumes) == 0 {
			return
		}
		for _, claim := range v.cluster.Volumes.CreateClaims(n.pod) {
			v.cluster.Volumes.SyncClaim(claim)
		}
	case podEnding:
		v.cluster.Volumes.DeleteOwnClaims(n.pod)
	}
}

func (v *instantVolumes) fire(int64) {} // it sets no timers
