package world

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// startCycle has the scheduler decide on its next pod. The decision holds from now
// on; the scheduler is busy with it for as long as the latency says.
func (w *World) startCycle() {
	w.awake = false
	pod, ok := w.scheduler.Next(w.now)
	if !ok {
		return
	}
	if w.lives[pod].Deleted() {
		w.drop(pod)
		return
	}
	if w.cycles++; w.cycles > maxCyclesAtOnce+2*w.cluster.NumPods() {
		w.fault("no progress: %d scheduling cycles at the instant %s; a scheduling cycle that takes time (latency) would end this", w.cycles, w.now)
		return
	}
	a := w.scheduler.Schedule(pod, w.now)
	if w.scheduler.Interrupted() {
		return // the run ends before this: nobody has decided
	}
	if w.cfg.Attempted != nil {
		w.cfg.Attempted(a, w.now)
	}
	w.attempt, w.busy = a, true
	w.victims = w.victims[:0]
	for _, v := range a.Victims {
		w.victims = append(w.victims, victim{v, w.cluster.Pod(v).Serial})
	}
	if a.Node != cluster.None {
		w.lives[pod].turn++
		w.lives[pod].doom = ""
		w.enter(pod, InCycle)
	}
	span := w.cfg.Latency.cycle(a, w.cluster.NumNodes())
	info := record.AttemptInfo{
		Outcome: a.Outcome.String(), Node: int32(a.Node), Feasible: a.Feasible, Evaluated: a.Evaluated,
		Busy: span, Nominated: int32(a.Nominated), Victims: len(a.Victims), Reasons: a.Reasons(),
	}
	if a.Node != cluster.None {
		info.Held = w.cluster.Devices.Of(pod)
	}
	w.emit(record.Record{Kind: record.PodAttempted, Pod: w.cluster.Pod(pod).Serial, Node: -1, Group: -1, Count: a.Number, Attempt: &info, Text: a.Err})
	w.push(w.now.Add(span), cycleDone, task{})
}

// finishCycle acts on the decision: the pod binds or waits in Permit or is queued
// again, victims are evicted.
func (w *World) finishCycle() {
	a := w.attempt
	w.busy = false
	w.scheduler.EndAttempt(a, w.now)
	if a.Node != cluster.None && w.cluster.Pod(a.Pod).Phase == cluster.Assumed {
		if until, waits := w.scheduler.WaitDeadline(a.Pod); waits {
			w.enter(a.Pod, InPermit)
			w.push(until, permitTimer, w.taskOf(a.Pod))
		} else if a.Outcome == scheduler.Scheduled {
			w.startBinding(a.Pod)
		}
	}
	w.takeAllowed()
	w.takeRejected()
	by := w.cluster.Pod(a.Pod).Serial
	for _, v := range w.victims {
		if w.cluster.Alive(v.pod, v.serial) {
			w.evict(v.pod, record.ByPreemption, by)
		}
	}
}
