// Package sim runs a scenario: it drives the scheduler of a simulated cluster through
// virtual time, and writes down what happens.
package world

import (
	"context"
	"fmt"

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
	// runs whose length is not known; 0: it stays as it is.
	SampleShare int
	// Probe measures fragmentation; nil: samples have none.
	Probe *Probe
	// Target is the target workload that fragmentation of devices is measured by; nil: it is
	// taken from what has arrived.
	Target *fragment.Target
	// Attempted is told of every attempt, before its victims are gone; nil: nobody is. It
	// must leave the cluster as it is.
	Attempted func(a *scheduler.Attempt, now clock.Time)
	// Passing is told of the next instant at which something happens, when all that comes
	// before has happened; nil: nobody is. It must leave the cluster as it is.
	Passing func(next clock.Time)
	// Record is told of everything that happens. It must not keep the record.
	Record func(*record.Record)
	// Progress is called now and then, with the virtual time and how many pods have
	// arrived and completed; nil: not at all.
	Progress func(now clock.Time, arrived, completed int64)
}

// The kinds of events. Their order is the order within one instant: what ends comes
// before what changes, what arrives and what times out, the scheduler comes last but
// for samples.
const (
	completion  uint8 = iota // a pod has done its work
	termination              // an evicted pod has left its node
	change                   // a timed event of the scenario
	arrival                  // the next pod of the stream
	started                  // a bound pod runs
	claimDone                // a claim gets its volume
	taintTimer               // a pod has borne a NoExecute taint for as long as it can
	drainTimer               // a drain tries again to evict what a budget protected
	permitTimer              // a pod may have waited in Permit for too long
	flushTimer               // backoff is over for some pod
	preBindDone              // a pod has waited for its volumes
	bindingDone
	cycleDone
	cycle // the scheduler takes the next pod
	sample
)

// task is what an event is about, a pod or a claim. serial tells whether the pod of that
// id is still the one that was meant, turn whether it is still on the node that was meant.
type task struct {
	pod    cluster.PodID
	turn   int32 // for change: the index of the change; for claimDone: that of the service
	serial int64
	claim  cluster.ClaimID // for claimDone
}

// World is a run under way.
type World struct {
	cfg       Config
	cluster   *cluster.Cluster
	scheduler *scheduler.Scheduler
	ctx       context.Context // of Run
	queue     clock.Queue[task]
	now       clock.Time

	disruptions disruptions

	lives  []life // by pod
	groups map[*workloads.Group]*gang

	claimsDue map[cluster.ClaimID]service // claims that are being served
	services  int32                       // that have begun
	next      workloads.Arrival           // the head of the stream
	more      bool
	live      int // events to come that can change the cluster
	busy      bool
	awake     bool       // a cycle event is in the queue
	flushAt   clock.Time // of the earliest flush event in the queue
	attempt   *scheduler.Attempt
	victims   []victim
	serial    int64
	gangs     int64
	completed int64
	progress  clock.Time // when something last came, completed or was changed
	longest   clock.Time // finite lifetime
	declared  int        // classes
	byClass   []int64
	arrived   *mix // nil: the target workload is given
	cycles    int  // at this instant
	sampledAt clock.Time
	samples   int
	rec       record.Record
	err       error
}

// life is what the world knows of a pod beside the cluster.
type life struct {
	workloads.Arrival
	turn    int32        // goes up whenever the pod gets or loses a node
	evictAt clock.Time   // when it cannot bear a taint of its node any more; 0: it can
	healthy bool         // it runs
	doom    record.Cause // why it is to be evicted once it is bound; empty: it is not
	doomBy  int64
	stage   Stage      // while it has a node and is not bound
	since   clock.Time // when that began
}

type victim struct {
	pod    cluster.PodID
	serial int64
}

type gang struct {
	id     cluster.GroupID
	serial int64
}

// A run without a horizon is stalled when, for twice the longest lifetime of a pod and
// at least minStall, nothing came, completed or was changed by the scenario, however
// many pods were preempted and re-created, or waited in Permit in vain, meanwhile.
const minStall = 24 * clock.Hour

// maxCyclesAtOnce is how many scheduling cycles may happen at one instant, beyond
// two for each pod: more means that the run does not get on.
const maxCyclesAtOnce = 1_000_000

// New returns a world at its beginning.
func New(cfg Config) *World {
	return &World{
		cfg: cfg, cluster: cfg.Cluster, scheduler: cfg.Scheduler,
		groups: map[*workloads.Group]*gang{}, claimsDue: map[cluster.ClaimID]service{}, flushAt: clock.Forever, sampledAt: -1,
	}
}

// Run runs the world to its end. It returns how it ended ("done", "stalled", "horizon"
// or "interrupted", the last when ctx is cancelled), or a fault of the arrivals.
func (w *World) Run(ctx context.Context) (string, error) {
	w.ctx = ctx
	w.scheduler.SetContext(ctx)
	w.begin()
	end := ""
	for steps := 0; end == "" && w.err == nil; steps++ {
		e, ok := w.queue.Peek()
		switch {
		case w.cfg.Horizon == clock.Forever && (!ok || w.live == 0 && w.scheduler.Stuck()):
			end = "done"
		case !ok:
			w.now, end = w.cfg.Horizon, "horizon"
		case e.At > w.cfg.Horizon:
			w.now, end = w.cfg.Horizon, "horizon"
		case e.At > w.progress.Add(max(minStall, w.longest.Add(w.longest))) && !w.more && w.cfg.Horizon == clock.Forever:
			end = "stalled"
		case (steps%4096 == 0 || e.Kind == sample || w.scheduler.Extended()) && w.interrupted():
			end = "interrupted"
		default:
			w.queue.Pop()
			w.handle(e)
		}
	}
	if w.err != nil {
		return "", w.err
	}
	w.takeSample(true)
	w.emit(record.Record{Kind: record.RunEnded, Text: end})
	return end, nil
}

func (w *World) interrupted() bool {
	if w.cfg.Progress != nil {
		w.cfg.Progress(w.now, w.serial, w.completed)
	}
	return w.ctx.Err() != nil
}

func (w *World) begin() {
	w.scheduler.OnGate(w.gateChanged)
	w.emit(record.Record{Kind: record.RunStarted, Text: w.cfg.Name})
	for i, name := range w.cfg.Workloads {
		w.emit(record.Record{Kind: record.DeclareLoad, Workload: int32(i), Text: name})
	}
	for id := range cluster.NodeID(w.cluster.NodeIDs()) {
		w.nodeAdded(id)
	}
	for i, c := range w.cfg.Changes {
		w.push(c.At, change, task{turn: int32(i)})
	}
	w.beginTarget()
	w.attendAll()
	w.pull()
	if w.cfg.SampleEvery > 0 {
		w.push(0, sample, task{})
	}
}

// push schedules an event.
func (w *World) push(at clock.Time, kind uint8, t task) {
	if at == clock.Forever {
		return
	}
	if isLive(kind) {
		w.live++
	}
	w.queue.Push(at, kind, t)
}

// isLive reports whether events of the kind can change the cluster by themselves.
func isLive(kind uint8) bool { return kind != flushTimer && kind != sample }

func (w *World) handle(e clock.Event[task]) {
	if e.At != w.now {
		w.cycles = 0
		if w.cfg.Passing != nil {
			w.cfg.Passing(e.At)
		}
	}
	w.now = e.At
	if isLive(e.Kind) {
		w.live--
	}
	switch t := e.Payload; e.Kind {
	case completion:
		w.complete(t)
	case termination:
		w.leave(t, false)
	case change:
		w.progress = w.now
		w.apply(&w.cfg.Changes[t.turn])
	case arrival:
		w.progress = w.now
		if l := w.next.Lifetime; l != clock.Forever {
			w.longest = max(w.longest, l)
		}
		w.come(w.next)
		w.pull()
	case started:
		w.start(t)
	case claimDone:
		w.finishClaim(t)
	case taintTimer:
		w.endBearing(t)
	case drainTimer:
		w.drainOn()
	case permitTimer:
		w.expire(t)
	case flushTimer:
		if w.now == w.flushAt { // else an earlier one has taken its place
			w.flushAt = clock.Forever
			w.scheduler.Flush(w.now)
		}
	case preBindDone:
		w.endPreBind(t)
	case bindingDone:
		w.bind(t)
	case cycleDone:
		w.finishCycle()
	case cycle:
		w.startCycle()
	case sample:
		if w.now < w.cfg.Horizon { // else the last sample is due
			w.takeSample(false)
		}
		w.push(w.now.Add(w.sampleInterval()), sample, task{})
	}
	w.wake()
}

// wake sees to it that the scheduler goes on when it has something to do.
func (w *World) wake() {
	if !w.busy && !w.awake && w.scheduler.HasNext() {
		w.awake = true
		w.push(w.now, cycle, task{})
	}
	if at := w.scheduler.NextFlush(); at < w.flushAt {
		w.flushAt = max(at, w.now)
		w.push(w.flushAt, flushTimer, task{})
	}
}

func (w *World) emit(r record.Record) {
	r.Time = w.now
	w.rec = r
	w.cfg.Record(&w.rec)
}

func (w *World) fault(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// same reports whether a task still means the pod that it was made for.
func (w *World) same(t task) bool {
	return w.cluster.Alive(t.pod, t.serial) && w.lives[t.pod].turn == t.turn
}

func (w *World) taskOf(pod cluster.PodID) task {
	return task{pod: pod, turn: w.lives[pod].turn, serial: w.cluster.Pod(pod).Serial}
}
