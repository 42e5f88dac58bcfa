package metric

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

const (
	ofPodsAndPools = ofPods | ScopePool
	perSecond      = float64(clock.Second)
)

var placementMetrics = slices.Concat(podMetrics, waitMetrics, lossMetrics, gangMetrics)

var podMetrics = []Declaration{
	{
		Name: "placement.arrived", Title: "arrived", Column: "arrived", Unit: UnitPods,
		Scopes: ofPods | ScopeSample, Headline: ofPods,
		Grows: true,
		Formula: "pods that have arrived, those on a node from the start included; a pod that is re-created after an eviction " +
			"counts again, as a pod that arrives",
		values: count(func(t *totals) int64 { return t.arrived }),
	}, {
		Name: "placement.found", Title: "on a node from the start", Column: "from start", Unit: UnitPods,
		Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Grows:   true,
		Formula: "pods that were bound without an attempt, because they were on a node when the run began",
		values:  count(func(t *totals) int64 { return t.boundAtStart }),
	}, {
		Name: "placement.scheduled", Title: "scheduled", Column: "scheduled", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ofPodsAndPools,
		Grows:   true,
		Formula: "pods that were bound to a node after at least one attempt",
		values:  count(func(t *totals) int64 { return t.scheduled }),
	}, {
		Name: "placement.running", Title: "running at the end", Column: "running", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ofPods,
		Formula: "pods that have started and not completed, been evicted or gone, at the end",
		values:  inState(lifecycle.Running),
	}, {
		Name: "placement.completed", Title: "completed", Column: "completed", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ofPods,
		Better: Higher, More: "completes {} more pods", Less: "completes {} fewer pods",
		Matters: Effect{1, 0.01},
		Grows:   true,
		Formula: "pods that ran until their work was done",
		values:  count(func(t *totals) int64 { return t.completed }),
	}, {
		Name: "placement.pending", Title: "pending at the end", Column: "pending", Unit: UnitPods,
		Scopes: ofPods | ScopeSample, Headline: ofPods,
		Better: Lower, More: "leaves {} more pods pending", Less: "leaves {} fewer pods pending",
		Matters: Effect{1, 0.05},
		Formula: "pods present without a node, gated ones included, at the end",
		values:  inState(lifecycle.Pending),
	}, {
		Name: "placement.gated", Title: "of these gated", Column: "gated", Unit: UnitPods,
		Scopes: ofPods | ScopeSample, Headline: ScopeRun, Rare: true,
		Formula: "pending pods that a scheduling gate keeps from being tried, at the end",
		values:  count(func(t *totals) int64 { return t.gated }),
	}, {
		Name: "placement.waiting", Title: "waiting in Permit at the end", Column: "in Permit", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ScopeRun, Rare: true,
		Formula: "pods assumed on a node that wait in Permit, at the end",
		values:  inState(lifecycle.Waiting),
	}, {
		Name: "placement.starting", Title: "on their way to run at the end", Column: "starting", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ScopeRun, Rare: true,
		Formula: "pods being bound, or bound and not yet running, at the end",
		values:  inState(lifecycle.Binding, lifecycle.Starting),
	}, {
		Name: "placement.terminating", Title: "terminating at the end", Column: "terminating", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ScopeRun, Rare: true,
		Formula: "evicted pods that are still on their node, at the end",
		values:  inState(lifecycle.Terminating),
	}, {
		Name: "placement.undrained", Title: "held by budgets at the end", Column: "undrained", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ScopeRun, Rare: true,
		Better: Lower, More: "leaves {} more pods on nodes to be drained", Less: "leaves {} fewer pods on nodes to be drained",
		Matters: Effect{1, 0.05},
		Formula: "running pods that a drain could not evict, because disruption budgets protect them, and whose node " +
			"is still cordoned, at the end",
		values: count(func(t *totals) int64 { return t.undrained }),
	}, {
		Name: "placement.evicted", Title: "evicted", Column: "evicted", Unit: UnitPods,
		Scopes: ofPodsAndPools | ScopeSample, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: evictedPods,
		Grows:   true,
		Formula: "pods that have left their node because they were evicted",
		values:  count(func(t *totals) int64 { return t.evicted }),
	}, {
		Name: "placement.dropped", Title: "dropped while pending", Column: "dropped", Unit: UnitPods,
		Scopes: ofPods | ScopeSample, Headline: ScopeRun, Rare: true,
		Grows:   true,
		Formula: "pods that were deleted while they had no node",
		values:  count(func(t *totals) int64 { return t.dropped }),
	}, {
		Name: "placement.pendingMainReason", Title: "pending, by main reason", Column: "main reason of", Unit: UnitPods,
		Label: ByReason, Scopes: ofPods, Headline: ScopeRun,
		Formula: "pods pending at the end, each counted once: under the reason that rejected the most nodes in its last attempt, " +
			"the first by name among equals; or under what else keeps it pending: gated, error, rolled back, not tried yet",
		values: countPending(func(of *reasonSet) []string { return []string{of.main} }),
	}, {
		Name: "placement.pendingReason", Title: "pending, by reason", Column: "met by", Unit: UnitPods,
		Label: ByReason, Scopes: ofPods, Headline: ScopeRun,
		Formula: "pods pending at the end whose last attempt met the reason on at least one node; " +
			"a pod counts once under each of its reasons",
		values: countPending(func(of *reasonSet) []string { return of.labels }),
	},
}

var waitMetrics = []Declaration{
	{
		Name: "placement.waitToBind", Title: "arrival to bound", Column: "wait", Unit: UnitSeconds,
		Label: ByStatistic, Scopes: ofPodsAndPools, Headline: ofPods,
		Better: Lower, More: "binds {label} {} later", Less: "binds {label} {} sooner",
		Matters: wait,
		Grows:   true,
		Formula: "time from a pod's arrival to its binding, over the pods that were bound after at least one attempt; for those still " +
			"pending see placement.pendingAge",
		values: quantiles(perSecond, func(t *totals) *distribution { return &t.waitToBind }),
	}, {
		Name: "placement.waitToRun", Title: "arrival to running", Column: "wait to run", Unit: UnitSeconds,
		Label: ByStatistic, Scopes: ofPodsAndPools, Headline: ScopeRun,
		Better:  Lower,
		Matters: wait,
		Grows:   true,
		Formula: "time from a pod's arrival to its start, over the pods that were bound after at least one attempt and have " +
			"started; for those still pending see placement.pendingAge",
		values: quantiles(perSecond, func(t *totals) *distribution { return &t.waitToRun }),
	}, {
		Name: "placement.attempts", Title: "attempts until bound", Column: "attempts", Unit: UnitCount,
		Label: ByStatistic, Scopes: ofPodsAndPools, Headline: ScopeRun,
		Better:  Lower,
		Matters: Effect{1, 0.1},
		Grows:   true,
		Formula: "scheduling cycles that a pod took until it was bound, over the pods that were bound after at least one attempt; for " +
			"those still pending see placement.pendingAttempts",
		values: quantiles(1, func(t *totals) *distribution { return &t.attempts }),
	}, {
		Name: "placement.pendingAttempts", Title: "attempts, still pending", Column: "attempts pending", Unit: UnitCount,
		Label: ByStatistic, Scopes: ofPods, Headline: ScopeRun,
		Formula: "scheduling cycles that a pod has taken, over the pods pending at the end, gated ones included",
		values:  overPending(1, func(p *pod, _ clock.Time) int64 { return int64(p.Attempts) }),
	}, {
		Name: "placement.pendingAge", Title: "age, still pending", Column: "age pending", Unit: UnitSeconds,
		Label: ByStatistic, Scopes: ofPods, Headline: ScopeRun,
		Better:  Lower,
		Matters: wait,
		Formula: "time since a pod's arrival, over the pods pending at the end, gated ones included",
		values:  overPending(perSecond, func(p *pod, now clock.Time) int64 { return int64(now - p.Arrived) }),
	},
}

// overPending declares the statistics of something of the scope's pending pods.
func overPending(scale float64, of func(p *pod, now clock.Time) int64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		var d distribution
		v.eachPending(func(p *pod) { d.observe(of(p, v.now)) })
		d.each(scale, emit)
	}
}

var lossMetrics = []Declaration{
	{
		Name: "placement.preemptions", Title: "preemptions", Column: "preemptions", Unit: UnitCount,
		Scopes: ofPods, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: evictedPods,
		Grows:   true,
		Formula: "attempts that chose victims, counted for the pod that needed the room",
		values:  count(func(t *totals) int64 { return t.preemptions }),
	}, {
		Name: "placement.victims", Title: "victims", Column: "victims", Unit: UnitPods,
		Scopes: ofPodsAndPools, Headline: ofPods, Rare: true,
		Better: Lower, More: "preempts {} more pods", Less: "preempts {} fewer pods",
		Matters: evictedPods,
		Grows:   true,
		Formula: "pods evicted, or taken off their node while they wait in Permit or PreBind, to make room for a pod of higher priority",
		values:  count(func(t *totals) int64 { return t.victims }),
	}, {
		Name: "placement.workLost", Title: "work lost by victims", Column: "work lost", Unit: UnitPodSeconds,
		Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Better: Lower, More: "loses {} more work", Less: "loses {} less work",
		Matters: Effect{60, 0.2},
		Grows:   true,
		Formula: "Σ over victims of preemption: time from start to eviction",
		values:  number(func(v *view) float64 { return v.totals.workLost }),
	}, {
		Name: "placement.workLostOf", Title: "work lost by victims", Column: "work lost", Unit: UnitAmountSeconds,
		Label: ByResource, Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: Effect{Relative: 0.2},
		Grows:   true,
		Formula: "Σ over victims of preemption: requested amount × time from start to eviction",
		values:  perResource(func(v *view, r int) float64 { return *grow(&v.totals.workLostOf, r) }),
	}, {
		Name: "placement.evictions", Title: "evictions, by cause", Column: "evicted", Unit: UnitPods,
		Label: ByCauseOfLoss, Scopes: ofPodsAndPools, Headline: ScopeRun,
		Better:  Lower,
		Matters: evictedPods,
		Grows:   true,
		Formula: "pods that began to terminate, by cause",
		values:  perCause(func(t *totals) map[record.Cause]int64 { return t.evictions }),
	}, {
		Name: "placement.rollbacks", Title: "rollbacks, by cause", Column: "rolled back", Unit: UnitCount,
		Label: ByCauseOfLoss, Scopes: ofPodsAndPools, Headline: ScopeRun,
		Better:  Lower,
		Matters: evictedPods,
		Grows:   true,
		Formula: "times that a pod lost the node it was assumed on before it was bound, by cause",
		values:  perCause(func(t *totals) map[record.Cause]int64 { return t.rollbacks }),
	},
}

var gangMetrics = []Declaration{
	{
		Name: "placement.gangs", Title: "gangs", Column: "gangs", Unit: UnitGangs,
		Scopes: ofPods, Headline: ScopeRun, Rare: true,
		Grows:   true,
		Formula: "pod groups declared; under a priority those whose first pod has it",
		values:  count(func(t *totals) int64 { return t.gangs }),
	}, {
		Name: "placement.gangsWhole", Title: "gangs that became whole", Column: "whole gangs", Unit: UnitGangs,
		Scopes: ofPods, Headline: ScopeRun | ScopeWorkload, Rare: true,
		Better: Higher, More: "makes {} more gangs whole", Less: "makes {} fewer gangs whole",
		Matters: Effect{1, 0.05},
		Grows:   true,
		Formula: "pod groups of which minMember pods were bound at the same time, at least once",
		values:  count(func(t *totals) int64 { return t.gangsWhole }),
	}, {
		Name: "placement.gangTime", Title: "first arrival to whole gang", Column: "whole gang", Unit: UnitSeconds,
		Label: ByStatistic, Scopes: ofPods, Headline: ScopeRun,
		Better: Lower, More: "makes {label} whole {} later", Less: "makes {label} whole {} sooner",
		Matters: wait,
		Grows:   true,
		Formula: "time from the arrival of a gang's first pod to the binding that makes it whole",
		values:  quantiles(perSecond, func(t *totals) *distribution { return &t.gangTime }),
	}, {
		Name: "placement.permitWaits", Title: "waits in Permit", Column: "waits in Permit", Unit: UnitCount,
		Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Grows:   true,
		Formula: "attempts that ended with the pod waiting in Permit",
		values:  count(func(t *totals) int64 { return t.permitWaits }),
	}, {
		Name: "placement.permitWait", Title: "wait in Permit", Column: "in Permit", Unit: UnitSeconds,
		Label: ByStatistic, Scopes: ofPodsAndPools, Headline: ScopeRun,
		Better:  Lower,
		Matters: wait,
		Grows:   true,
		Formula: "time from the attempt to the pod being allowed, rolled back or evicted, over the waits that have ended",
		values:  quantiles(perSecond, func(t *totals) *distribution { return &t.permitWait }),
	}, {
		Name: "placement.permitTimeouts", Title: "timeouts in Permit", Column: "timeouts", Unit: UnitCount,
		Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: evictedPods,
		Grows:   true,
		Formula: "waits in Permit that ended because they had lasted too long; the members that are rejected " +
			"along with the pod that timed out count as rollbacks for permitReject",
		values: count(func(t *totals) int64 { return t.rollbacks[record.ByPermitTimeout] }),
	}, {
		Name: "placement.held", Title: "held in Permit", Column: "held in Permit", Unit: UnitAmountSeconds,
		Label: ByResource, Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: Effect{Relative: 0.1},
		Grows:   true,
		Formula: "∫ amount requested by the pods that wait in Permit dt",
		values:  perResource(func(v *view, r int) float64 { return grow(&v.totals.held, r).AreaAt(v.now) }),
	}, {
		Name: "placement.heldInVain", Title: "held in vain", Column: "held in vain", Unit: UnitAmountSeconds,
		Label: ByResource, Scopes: ofPodsAndPools, Headline: ScopeRun, Rare: true,
		Better:  Lower,
		Matters: Effect{Relative: 0.1},
		Grows:   true,
		Formula: "the part of placement.held that belongs to waits that ended without the pod being allowed",
		values:  perResource(func(v *view, r int) float64 { return *grow(&v.totals.heldInVain, r) }),
	},
}

// noValue is what a metric has where it does not apply.
var noValue = math.NaN()
