package explain

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// maxExplainedAtOnce is how many attempts of a pod are explained as they come. A pod that is tried
// more often has its last attempt explained in a second run, which is the same.
const maxExplainedAtOnce = 3

// Tracker follows a run, or a one-shot placement, for the last attempt of a pod. It is
// passed everything that happens, and reports when it knows enough.
type Tracker struct {
	Scheduler *scheduler.Scheduler
	Cluster   *cluster.Cluster
	World     *world.World // nil: there is no clock
	Options   Options
	// Until is the instant to explain: what comes later does not count.
	Until clock.Time

	names names
	now   clock.Time
	pods  map[string]*followed
	life  *lifecycle.Lifecycle[*followed] // of all pods of a run; those of other names have no data
	ended string                          // how the run ended by itself
	// placedDaemons are the pods of DaemonSets of a one-shot placement, which has no records, by number.
	placedDaemons map[int64]bool
	repeat        *repeat
	looked        bool // at what the pods wait for at Until
	// oneShot: it is a placement without a clock.
	oneShot bool
}

// repeat is which attempt the second run is to explain.
type repeat struct {
	pod     string
	ordinal int
	later   []Event
	wait    *Wait
}

// followed is what is known of the pods of one name, one after the other. It outlives each of them, and holds what only the
// scheduler's attempts tell: so it is beside the Lifecycle, which knows the pods that are present.
type followed struct {
	name      string
	arrived   clock.Time
	recreated clock.Time // when the last of them arrived; 0: there was but one
	since     clock.Time // of state
	state     string
	text      string
	node      string
	pod       cluster.PodID // of the last attempt
	number    int64         // of its arrival
	attempts  int           // of all of them
	explained int           // the ordinal of the attempt that out explains
	out       *Explanation
	err       error       // of explaining it
	room      *Preemption // the last one for the pod
	later     []Event     // since the last attempt
	wait      *Wait
	devices   *Devices // of a pod that came with a node
}

// NewTracker follows the pod that is wanted.
func NewTracker(w PodName, until clock.Time, o Options) *Tracker {
	t := &Tracker{Options: o, Until: until, names: names{PodName: w}}
	t.Options.IsDaemon = func(pod cluster.PodID) bool { return t.isDaemon(t.Cluster.Pod(pod).Serial) }
	t.reset()
	return t
}

func (t *Tracker) reset() {
	t.pods, t.life, t.now, t.ended = map[string]*followed{}, lifecycle.New[*followed](), 0, ""
	t.placedDaemons, t.looked = map[int64]bool{}, false
}

// isDaemon reports whether the pod of that number belongs to a DaemonSet.
func (t *Tracker) isDaemon(number int64) bool {
	if t.oneShot {
		return t.placedDaemons[number]
	}
	p := t.life.Pod(number)
	return p != nil && p.Daemon
}

// Attempted takes an attempt in a run, before anything else happens in the cluster.
func (t *Tracker) Attempted(a *scheduler.Attempt, now clock.Time) {
	if now > t.Until {
		return
	}
	f := t.followed(a.Pod)
	if f == nil {
		return
	}
	f.attempted(t.Cluster, a)
	if t.repeat == nil && f.attempts > maxExplainedAtOnce || t.repeat != nil && (t.repeat.pod != f.name || t.repeat.ordinal != f.attempts) {
		return
	}
	t.explain(f, a)
	f.out.At, f.out.Clock = now, true
}

func (t *Tracker) explain(f *followed, a *scheduler.Attempt) {
	f.out, f.err = Attempt(t.Scheduler, t.Cluster, a, t.Options)
	f.out.Recreated = f.recreated
	f.explained = f.attempts
	if f.room != nil && f.room.Node == f.out.Node {
		f.out.EarlierPreemption = f.room
	}
}

func (f *followed) attempted(c *cluster.Cluster, a *scheduler.Attempt) {
	f.attempts++
	f.pod, f.number, f.later = a.Pod, c.Pod(a.Pod).Serial, nil
	if p := preemption(c, a); p != nil {
		f.room = p
	}
}

// followed is nil for a pod of a name that was not asked for.
func (t *Tracker) followed(pod cluster.PodID) *followed {
	if t.Cluster.Pod(pod).Name != t.names.name {
		return nil
	}
	return t.pods[podName(t.Cluster, pod)]
}

// BeforeAdvance takes the next instant of a run, when all before it has happened.
func (t *Tracker) BeforeAdvance(next clock.Time) {
	if next > t.Until {
		t.look()
	}
}

// Record takes what happens in a run. It returns false when the rest of the run
// cannot matter.
func (t *Tracker) Record(r *record.Record) bool {
	t.now = r.Time
	switch {
	case r.Kind == record.RunEnded:
		t.ended = r.Text
		t.look()
		return false
	case r.Time > t.Until && len(t.pods) > 0:
		return false // the run may go on for a little, which must not matter
	}
	switch change, _ := t.life.Observe(r); {
	case change == nil:
	case r.Kind == record.PodArrived:
		change.Pod.Data = t.arrive(r)
	case change.Pod.Data != nil:
		t.happened(change.Pod.Data, r)
	}
	if t.repeat != nil {
		f := t.pods[t.repeat.pod]
		return f == nil || f.explained != t.repeat.ordinal
	}
	return true
}

// arrive returns what is followed under the pod's name, nil if that is not wanted.
func (t *Tracker) arrive(r *record.Record) *followed {
	if t.repeat == nil {
		t.names.add(r.Text)
	}
	if !t.names.may(r.Text) {
		return nil
	}
	f := t.pods[r.Text]
	if f == nil {
		f = &followed{name: r.Text, arrived: r.Time}
		t.pods[r.Text] = f
	} else {
		f.recreated = r.Time
		if f.attempts > 0 {
			f.later = append(f.later, Event{What: "re-created", At: r.Time})
		}
	}
	f.state, f.since, f.text, f.node, f.room = Queued, r.Time, "", "", nil
	if r.Node >= 0 {
		node, _ := t.Cluster.NodeBySerial(int64(r.Node)) // the pod runs on it
		f.state, f.node = Running, t.Cluster.Node(node).Name
	}
	return f
}

// happened notes what has become of the pod since its last attempt.
func (t *Tracker) happened(f *followed, r *record.Record) {
	what := ""
	switch r.Kind {
	case record.PodGated:
		f.state, f.since, f.text, what = Gated, r.Time, r.Text, "gated: "+r.Text
	case record.PodUngated:
		f.state, f.since, f.text, what = Queued, r.Time, "", "no longer gated"
	case record.PodAllowed:
		what = "allowed to bind"
	case record.PodRolledBack:
		what = fmt.Sprintf("lost its node: %s", r.Cause)
		if r.Text != "" {
			what += ": " + r.Text
		}
	case record.PodBound:
		what = "bound"
	case record.PodStarted:
		what = "running"
	case record.PodCompleted:
		what = "completed"
	case record.PodEvictionBlocked:
		what = "kept from being drained: " + r.Text
	case record.PodEvicted:
		what = fmt.Sprintf("evicted: %s", r.Cause)
	case record.PodGone:
		what = "gone"
	default:
		return
	}
	ranAlready := f.attempts == 0 && f.state == Running
	if f.attempts > 0 || ranAlready && r.Kind != record.PodBound && r.Kind != record.PodStarted {
		f.later = append(f.later, Event{What: what, At: r.Time})
	}
}

// Result returns the explanation. Where the run has to be repeated for it, it is nil: the caller
// runs the same again with the Tracker, whose Scheduler and Cluster are to be those of the new run.
// The error says that there is no such pod, or that it is not there at that time.
func (t *Tracker) Result() (*Explanation, error) {
	name, err := t.names.resolve()
	if err != nil {
		for _, a := range t.Options.ExcludedPods {
			if t.names.may(a.Pod) {
				return nil, fmt.Errorf("pod %s %s: it takes no part", a.Pod, a.Why)
			}
		}
		return nil, err
	}
	f := t.pods[name]
	switch {
	case f.arrived > t.Until:
		return nil, fmt.Errorf("pod %s arrives at %s, which is after %s", name, f.arrived, t.Until)
	case t.repeat != nil && f.explained == t.repeat.ordinal:
		f.later, f.wait = t.repeat.later, t.repeat.wait // the second run does not go on
	case t.ended != "" && t.Until != clock.Forever && t.now < t.Until:
		return nil, fmt.Errorf("the run ends at %s, which is before %s", t.now, t.Until)
	case f.attempts == 0:
		if err := t.Options.unanswered(name, f.state); err != nil {
			return nil, err
		}
		f.out = empty()
		f.out.Pod, f.out.State, f.out.At, f.out.Clock, f.out.Node, f.out.Message = name, f.state, f.since, !t.oneShot, f.node, f.text
		f.out.Devices = f.devices
	case f.explained != f.attempts:
		t.repeat = &repeat{name, f.attempts, f.later, f.wait}
		t.reset()
		return nil, nil
	}
	f.out.Later, f.out.Wait, f.out.Namesakes = f.later, f.wait, t.names.namesakes(name)
	switch w := f.wait; {
	case w == nil || w.Stage == "":
	case w.Stage == record.InPermit:
		f.out.State = Waiting
	default:
		f.out.State = Assumed
	}
	return f.out, f.err
}

// unanswered is an error where options ask about nodes, and no attempt looked at any.
func (o *Options) unanswered(pod, state string) error {
	flag := "--nodes"
	switch {
	case o.Node != "":
		flag = "--node"
	case !o.Nodes:
		return nil
	}
	return fmt.Errorf("%s: pod %s is %s: there is no attempt of it that looked at nodes", flag, pod, state)
}
