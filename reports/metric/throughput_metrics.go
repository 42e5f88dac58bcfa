package metric

import (
	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

var throughputMetrics = []Declaration{
	{
		Name: "throughput.scheduled", Title: "pods scheduled, mean rate", Column: "scheduled", Unit: UnitPerSecond,
		Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "pods scheduled / length of the run in virtual time",
		values:  overRun(func(l *Ledger) float64 { return float64(l.run.scheduled) }),
	}, {
		Name: "throughput.scheduledNow", Title: "pods scheduled, rate since the last instant", Column: "scheduled", Unit: UnitPerSecond,
		Scopes:  ScopeSample,
		Formula: "pods scheduled since the last sampling instant / time since it",
		values: sinceLast(func(v *view) float64 {
			return float64(v.totals.scheduled - v.l.previous.bound)
		}),
	}, {
		Name: "throughput.scheduledPeak", Title: "pods scheduled, peak rate", Column: "peak", Unit: UnitPerSecond,
		Scopes: ScopeRun, Headline: ScopeRun,
		Better:  Higher,
		Matters: Effect{Relative: 0.1},
		Formula: "the highest throughput.scheduledNow of any sampling instant",
		values:  overSamples("throughput.scheduledNow", highest),
	}, {
		Name: "throughput.attempts", Title: "attempts, mean rate", Column: "attempts", Unit: UnitPerSecond,
		Scopes: ScopeRun, Headline: ScopeRun,
		Better:  Lower,
		Matters: Effect{Relative: 0.1},
		Formula: "scheduling cycles / length of the run in virtual time",
		values:  overRun(func(l *Ledger) float64 { return float64(l.attempts) }),
	}, {
		Name: "throughput.attemptsNow", Title: "attempts, rate since the last instant", Column: "attempts", Unit: UnitPerSecond,
		Scopes:  ScopeSample,
		Formula: "scheduling cycles since the last sampling instant / time since it",
		values:  sinceLast(func(v *view) float64 { return float64(v.l.attempts - v.l.previous.attempts) }),
	}, {
		Name: "throughput.busy", Title: "scheduler busy", Column: "busy", Unit: UnitShare,
		Scopes: ScopeRun, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "Σ length of scheduling cycles / length of the run",
		values:  overRun(func(l *Ledger) float64 { return l.busySoFar().Seconds() }),
	}, {
		Name: "throughput.busyNow", Title: "scheduler busy since the last instant", Column: "busy", Unit: UnitShare,
		Scopes:  ScopeSample,
		Formula: "time in scheduling cycles since the last sampling instant / time since it",
		values:  sinceLast(func(v *view) float64 { return (v.l.busySoFar() - v.l.previous.busy).Seconds() }),
	}, {
		Name: "throughput.pendingMean", Title: "pending pods, mean", Column: "mean pending", Unit: UnitPods,
		Scopes: ofPods, Headline: ScopeRun,
		Better: Lower, More: "keeps {} more pods waiting at a time", Less: "keeps {} fewer pods waiting at a time",
		Matters: Effect{1, 0.05},
		Formula: "∫ number of pods without a node dt / length of the run",
		values:  number(func(v *view) float64 { return v.totals.states[lifecycle.Pending].MeanAt(v.now) }),
	}, {
		Name: "throughput.pendingMax", Title: "pending pods, most", Column: "most pending", Unit: UnitPods,
		Scopes: ofPods, Headline: ScopeRun,
		Better:  Lower,
		Matters: Effect{1, 0.05},
		Formula: "the highest number of pods without a node that lasted for any time",
		values:  number(func(v *view) float64 { return float64(v.totals.states[lifecycle.Pending].PeakAt(v.now)) }),
	}, {
		Name: "throughput.bindingMean", Title: "bindings in flight, mean", Column: "mean binding", Unit: UnitPods,
		Scopes: ofPodsAndPools, Formula: "∫ number of bindings in flight dt / length of the run",
		values: number(func(v *view) float64 { return v.totals.states[lifecycle.Binding].MeanAt(v.now) }),
	}, {
		Name: "throughput.bindingMax", Title: "bindings in flight, most", Column: "most binding", Unit: UnitPods,
		Scopes: ofPodsAndPools, Headline: ScopeRun,
		Formula: "the highest number of bindings in flight that lasted for any time",
		values:  number(func(v *view) float64 { return float64(v.totals.states[lifecycle.Binding].PeakAt(v.now)) }),
	}, {
		Name: "throughput.binding", Title: "bindings in flight", Column: "binding", Unit: UnitPods,
		Scopes: ScopeSample,
		Formula: "pods that have a node and go to be bound to it, from the decision (or the end of a wait in Permit) on; " +
			"the rest of the scheduling cycle is part of it",
		values: inState(lifecycle.Binding),
	}, {
		Name: "throughput.queue", Title: "queue depth", Column: "depth", Unit: UnitPods,
		Label: ByQueuePart, Scopes: ScopeSample,
		Formula: "pods in each part of the scheduling queue, and waiting in Permit",
		values:  queueDepth,
	}, {
		Name: "throughput.queueMean", Title: "queue depth, mean", Column: "mean", Unit: UnitPods,
		Label: ByQueuePart, Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "mean of throughput.queue, time-weighted over the sampling instants",
		values:  overSamples("throughput.queue", timeWeighted),
	}, {
		Name: "throughput.queueMax", Title: "queue depth, most", Column: "most", Unit: UnitPods,
		Label: ByQueuePart, Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "the highest throughput.queue of any sampling instant",
		values:  overSamples("throughput.queue", highest),
	}, {
		Name: "throughput.events", Title: "records, by kind", Column: "records", Unit: UnitCount,
		Label: ByKind, Scopes: ScopeRun,
		Formula: "records in the log, by kind",
		values:  eventCounts,
	},
}

// overRun declares something that is summed up over the run, per second of it; no
// value in a run without length.
func overRun(sum func(l *Ledger) float64) func(*view, emitter) {
	return number(func(v *view) float64 { return gauge.Ratio(sum(v.l), v.now.Seconds()) })
}

// sinceLast declares something that is summed up since the last sampling instant, per
// second of that time.
func sinceLast(sum func(v *view) float64) func(*view, emitter) {
	return number(func(v *view) float64 {
		span := (v.now - v.l.previous.time).Seconds()
		if span == 0 {
			return noValue
		}
		return sum(v) / span
	})
}

func queueDepth(v *view, emit emitter) {
	for _, part := range queueParts(v.sample.Queue) {
		emit(part.name, float64(part.pods))
	}
}

type queuePart struct {
	name string
	pods int
}

func queueParts(d record.Depth) []queuePart {
	return []queuePart{
		{"active", d.Active}, {"backoff", d.Backoff}, {"unschedulable", d.Unschedulable},
		{"gated", d.Gated}, {"waiting", d.Waiting},
	}
}

// kinds are all kinds of records, in the order in which they are reported.
var kinds = []record.Kind{
	record.RunStarted, record.DeclareClass, record.DeclareWorkload, record.DeclareGroup,
	record.NodeAdded, record.NodeChanged, record.NodeRemoved,
	record.PodArrived, record.PodGated, record.PodUngated, record.PodAttempted, record.PodAllowed, record.PodRolledBack, record.PodBound,
	record.PodStarted, record.PodCompleted, record.PodEvictionBlocked, record.PodEvicted, record.PodGone, record.Sampled, record.RunEnded,
}

func eventCounts(v *view, emit emitter) {
	for _, kind := range kinds {
		if n := v.l.events[kind]; n != 0 {
			emit(kind.String(), float64(n))
		}
	}
}
