// Package steady measures a run in which pods come and go: the means over a window that
// begins when the empty fleet of the beginning is forgotten, and how long the jobs that
// arrive in the window wait. It compares policies by such measures, seed by seed.
package steady

import (
	"errors"
	"fmt"

	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Kind is a kind of jobs. A job is a pod, or a gang.
type Kind string

// The kinds, by what the pods ask of devices.
const (
	NoDevices Kind = "none"    // nothing
	Part      Kind = "part"    // a part of one
	One       Kind = "one"     // a whole one
	Several   Kind = "several" // more than one, on one node
	Gangs     Kind = "gang"    // whatever the pods of a gang ask for
	All       Kind = "all"     // jobs of any kind
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{NoDevices, Part, One, Several, Gangs, All} }

// Follower measures a window of a run while it reads the record log.
type Follower struct {
	from, to clock.Time
	devices  *devices.Usage
	classes  map[int32]class
	gangs    map[int64]*job
	life     *lifecycle.Lifecycle[pod]
	halves   [2]sums
	now      level
	at       clock.Time
	waits    map[Kind]*waits
	fault    error
}

// class is what pods of a class ask of devices.
type class struct {
	kind  Kind
	milli int64
}

// job is a pod or a gang; arrived is the time of its first pod.
type job struct {
	arrived clock.Time
	kind    Kind
	missing int // members that are not bound
}

// pod is what a follower knows of a pod besides its life.
type pod struct {
	job   *job
	milli int64
}

// level is what changes over time. Amounts are in thousandths of devices.
type level struct {
	bound        int64 // held by pods that are bound
	pending      int64 // pods that are not
	pendingMilli int64 // what they ask for
}

// NewFollower returns a follower of a window. It has seen no record.
func NewFollower(from, to clock.Time) *Follower {
	f := &Follower{
		from: from, to: to, devices: devices.NewUsage(), classes: map[int32]class{},
		gangs: map[int64]*job{}, life: lifecycle.New[pod](), waits: map[Kind]*waits{},
	}
	for _, k := range Kinds() {
		f.waits[k] = &waits{}
	}
	return f
}

// Observe takes in the next record. It keeps nothing of it.
func (f *Follower) Observe(r *record.Record) {
	f.advance(r.Time)
	change, ok := f.life.Observe(r)
	if !ok {
		return
	}
	if bad := f.devices.Observe(r, change.Move(r)); bad != "" {
		f.life.Violate(r, "%s", bad)
	}
	switch r.Kind {
	case record.DeclareClass:
		f.classes[r.Class] = classOf(r.Devices)
	case record.DeclareGroup:
		f.gangs[r.Group] = &job{arrived: -1, kind: Gangs, missing: r.Count}
	case record.PodArrived:
		f.arrive(r, change.Pod)
	case record.PodBound:
		f.bind(change.Pod.Data)
	case record.PodCompleted:
		f.now.bound -= change.Pod.Data.milli
	case record.PodEvicted, record.PodGone:
		f.fault = errors.New("a pod was evicted or dropped: waits are measured of pods that run until they complete")
	}
}

// classOf is what is asked for; nil: nothing.
func classOf(d *record.DeviceRequest) class {
	switch {
	case d == nil:
		return class{kind: NoDevices}
	case d.Count > 1:
		return class{Several, int64(d.Count) * int64(d.Milli)}
	case d.Milli < fragment.Whole:
		return class{Part, int64(d.Milli)}
	default:
		return class{One, int64(d.Milli)}
	}
}

func (f *Follower) arrive(r *record.Record, present *lifecycle.Pod[pod]) {
	c := f.classes[r.Class]
	j := f.gangs[r.Group]
	if j == nil {
		j = &job{arrived: -1, kind: c.kind, missing: 1}
	}
	if j.arrived < 0 {
		j.arrived = r.Time
	}
	present.Data = pod{job: j, milli: c.milli}
	f.now.pending++
	f.now.pendingMilli += c.milli
}

// bind counts a pod that was bound; the last one ends the wait of its job.
func (f *Follower) bind(p pod) {
	f.now.pending--
	f.now.pendingMilli -= p.milli
	f.now.bound += p.milli
	if p.job.missing--; p.job.missing == 0 {
		f.wait(p.job, f.at, false)
	}
}

// wait notes how long a job has waited, if it came in the window.
func (f *Follower) wait(j *job, until clock.Time, pending bool) {
	if j.arrived < f.from || j.arrived >= f.to {
		return
	}
	for _, k := range []Kind{j.kind, All} {
		f.waits[k].add((until - j.arrived).Seconds(), pending)
	}
}

// advance adds up what there was since the last record, in both halves of the window.
func (f *Follower) advance(now clock.Time) {
	middle := f.from + (f.to-f.from)/2
	d := f.devices
	for i, half := range [2][2]clock.Time{{f.from, middle}, {middle, f.to}} {
		if span := min(now, half[1]) - max(f.at, half[0]); span > 0 {
			f.halves[i].add(span.Seconds(), f.now, d.Capacity(), d.Used(), d.Fragmented())
		}
	}
	f.at = now
}

// Result is what the window showed. The run must have ended.
func (f *Follower) Result() (*Result, error) {
	if f.fault != nil {
		return nil, f.fault
	}
	if err := f.life.Err(); err != nil {
		return nil, fmt.Errorf("the record log violates an invariant; this is a bug in berth, please report it: %w", err)
	}
	if f.at < f.to {
		return nil, fmt.Errorf("the run ended at %v, before its window did at %v", f.at, f.to)
	}
	if f.devices.Capacity() == 0 {
		return nil, errors.New("the fleet has no devices")
	}
	waiting := map[*job]bool{}
	for p := range f.life.Pods() {
		if j := p.Data.job; j.missing > 0 && !waiting[j] {
			waiting[j] = true
			f.wait(j, f.to, true)
		}
	}
	whole := f.halves[0]
	whole.join(f.halves[1])
	r := &Result{Means: whole.means(), Halves: [2]Means{f.halves[0].means(), f.halves[1].means()}, Waits: map[Kind]Wait{}}
	for kind, w := range f.waits {
		if len(w.seconds) > 0 {
			r.Waits[kind] = w.result()
		}
	}
	return r, nil
}
