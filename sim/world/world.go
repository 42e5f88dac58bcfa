// Package world runs a scenario: it drives the scheduler and the controllers of a simulated
// cluster through virtual time, and records what happens.
package world

import (
	"context"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// World is a run under way. It takes one event after the other off its timeline and hands it to
// the part that it is for.
type World struct {
	*core
	arrivals   arrivals
	pods       podLifecycle
	scheduling scheduling
	nodes      nodeChanges
	sampler    sampler
}

// minStall bounds when a run without a horizon is stalled: when, for twice the longest lifetime
// of a pod and at least minStall, nothing arrived, completed or was changed by the scenario, however
// many pods were preempted and re-created, or waited in Permit in vain, meanwhile.
const minStall = 24 * clock.Hour

// interruptCheckInterval is how many events are handled between two looks at the context.
const interruptCheckInterval = 4096

// New returns a world at its beginning.
func New(cfg Config) *World {
	w := assemble(cfg)
	volumes := &volumeController{core: w.core, syncs: map[cluster.ClaimID]claimSync{}, claimOf: map[int64]cluster.ClaimID{}}
	disruptions := &disruptionController{core: w.core}
	w.scheduling.volumes = volumes
	w.controllers = [numRanks]controller{
		volumeRank:     volumes,
		workloadRank:   &workloadController{core: w.core, arrivals: &w.arrivals, pods: &w.pods},
		taintRank:      &taintController{core: w.core, pods: &w.pods, evictions: map[int64]taintEviction{}},
		disruptionRank: disruptions,
		drainRank:      &drainController{core: w.core, pods: &w.pods, disruptions: disruptions},
	}
	return w
}

// assemble connects the parts of a world. It has no controllers yet.
func assemble(cfg Config) *World {
	w := &World{core: &core{cfg: cfg, timeline: timeline{horizon: cfg.Horizon}, cluster: cfg.Cluster, scheduler: cfg.Scheduler}}
	w.pods = podLifecycle{core: w.core, scheduling: &w.scheduling, groups: map[*workloads.Group]*podGroup{}}
	w.scheduling = scheduling{core: w.core, pods: &w.pods, flushAt: clock.Forever}
	w.sampler = sampler{core: w.core, sampledAt: -1}
	w.arrivals = arrivals{core: w.core, pods: &w.pods, sampler: &w.sampler}
	w.nodes = nodeChanges{core: w.core, pods: &w.pods}
	return w
}

// Run runs the world to its end. It returns how it ended ("done", "stalled", "horizon"
// or "interrupted", the last when ctx is canceled), or a fault of the arrivals.
func (w *World) Run(ctx context.Context) (string, error) {
	w.begin(ctx)
	end := ""
	for steps := 0; end == "" && w.err == nil; steps++ {
		e, ok := w.queue.Peek()
		if end = w.endBefore(e, ok, steps); end == "" {
			w.queue.Pop()
			w.handle(e)
			w.scheduling.wake()
		}
	}
	if w.err != nil {
		return "", w.err
	}
	w.sampler.sample(true)
	w.emit(record.Record{Kind: record.RunEnded, Text: end})
	return end, nil
}

func (w *World) begin(ctx context.Context) {
	w.ctx = ctx
	w.scheduler.SetContext(ctx)
	w.scheduler.OnGate(w.pods.gateChanged)
	w.emit(record.Record{Kind: record.RunStarted, Text: w.cfg.Name})
	for i, name := range w.cfg.Workloads {
		w.emit(record.Record{Kind: record.DeclareWorkload, Workload: int32(i), Text: name})
	}
	w.nodes.begin()
	w.sampler.begin()
	w.notify(notice{kind: runBegins})
	w.arrivals.pull()
}

// endBefore is how the run ends before the event e, or at all if ok is false; empty when the run
// goes on with it. A run without a horizon ends when further attempts would end alike; one with a horizon goes on trying
// until then, and skips only the time in which nothing happens at all.
func (w *World) endBefore(e clock.Event[task], ok bool, steps int) string {
	untilDone := w.horizon == clock.Forever
	switch {
	case untilDone && (!ok || w.pendingChanges == 0 && w.scheduler.Stuck()):
		return "done"
	case !ok || w.pendingChanges == 0 && w.scheduler.Idle():
		w.sampler.skip(w.horizon)
		w.now = w.horizon
		return "horizon"
	case untilDone && !w.arrivals.more && e.At > w.progress.Add(max(minStall, w.arrivals.longest.Add(w.arrivals.longest))):
		return "stalled"
	case (steps%interruptCheckInterval == 0 || e.Kind == sample || w.scheduler.HasExtenders()) && w.interrupted():
		return "interrupted"
	}
	return ""
}

func (w *World) interrupted() bool {
	if w.cfg.Progress != nil {
		w.cfg.Progress(w.now, w.pods.serial, w.pods.completed)
	}
	return w.ctx.Err() != nil
}

// handle advances time to an event and hands it to the part that it is for.
func (w *World) handle(e clock.Event[task]) {
	if e.At != w.now {
		w.scheduling.cycles = 0
		if w.cfg.BeforeAdvance != nil {
			w.cfg.BeforeAdvance(e.At)
		}
	}
	w.advance(e)
	switch t := e.Payload; e.Kind {
	case completion:
		w.pods.complete(t.podRef)
	case termination:
		w.pods.finishTermination(t.podRef, false)
	case change:
		w.nodes.apply(&w.cfg.Changes[t.id])
	case arrival:
		w.arrivals.arrive()
	case started:
		w.pods.start(t.podRef)
	case permitTimer:
		w.scheduling.expire(t.podRef)
	case flushTimer:
		w.scheduling.flush()
	case preBindDone:
		w.scheduling.endPreBind(t.podRef)
	case bindingDone:
		w.scheduling.bind(t.podRef)
	case cycleDone:
		w.scheduling.finishCycle()
	case cycle:
		w.scheduling.startCycle()
	case sample:
		w.sampler.sampleOnTime()
	default:
		w.controllers[e.Kind-controllerTimer].fire(t.id)
	}
}
