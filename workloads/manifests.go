package workloads

import (
	"fmt"
	"math"
	"time"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads/arrival"
)

// Manifests has the settings for expanding Kubernetes objects to pod arrivals: of pods that run already, of pending pods,
// and of pods that controllers create.
type Manifests struct {
	Workload int        // index in the scenario
	At       clock.Time // when pending pods arrive and controllers begin; running pods arrive at 0

	// JobLifetime is how long pods of Jobs and CronJobs run. It must be set if there are any.
	JobLifetime arrival.Lifetime
	// Lifetime is how long all other pods but daemons run; nil: forever.
	Lifetime arrival.Lifetime

	Epoch time.Time // when instant 0 is, for the schedules of CronJobs; zero: 2000-01-01T00:00Z
	// Until is when CronJobs stop creating Jobs. It must be set if there are any.
	Until clock.Time
	// GatedNominations: a gated pod holds resources of the node that it is nominated to.
	GatedNominations bool
}

// Expansion is the stream of pods that Kubernetes objects stand for. It must not be used for more than one run.
type Expansion struct {
	Stream
	// Warnings are sentences that say what differs from a cluster.
	Warnings []string

	daemons []*daemonSet
}

// Stream expands objects to pods: first running pods, those that hold given devices before the others, then pending
// pods, then the pods of controllers, each in the order of the objects. A controller creates only the pods that are
// missing: pods among the objects that it owns count. Errors in objects are of type document.Errors.
func (m Manifests) Stream(objects *manifest.Objects) (*Expansion, error) {
	switch {
	case m.At < 0 || m.At == clock.Forever:
		return nil, fmt.Errorf("at: %v must be zero or positive", m.At)
	case m.Until < 0:
		return nil, fmt.Errorf("until: %v must not be negative", m.Until)
	}
	if m.Lifetime == nil {
		m.Lifetime = arrival.Forever()
	}
	if m.Epoch.IsZero() {
		m.Epoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	x := &expander{
		Manifests: m, objects: objects,
		byOwner: podsByOwner(objects), groups: map[string]*Group{}, jobs: map[string]*jobRun{},
	}
	for i := range objects.PodGroups {
		g := &objects.PodGroups[i]
		x.groups[g.Namespace+"/"+g.Name] = &Group{
			Name: g.Name, MinMember: g.MinMember, ScheduleTimeout: clock.FromDuration(g.ScheduleTimeout),
		}
	}
	for i := range objects.Controllers {
		x.controller(&objects.Controllers[i])
	}
	x.pods()
	if err := x.faults.Err(); err != nil {
		return nil, err
	}
	for i := range objects.PodGroups {
		x.warnSmall(&objects.PodGroups[i])
	}
	x.warnSuspended()
	streams := []Stream{&listed{x.holding}, &listed{x.running}, &listed{x.pending}, &listed{x.made}}
	return &Expansion{Stream: Merge(append(streams, x.crons...)...), Warnings: x.warnings, daemons: x.daemons}, nil
}

// listed is a stream of arrivals that are all known beforehand.
type listed struct{ left []Arrival }

func (l *listed) Next() (Arrival, bool, error) {
	if len(l.left) == 0 {
		return Arrival{}, false, nil
	}
	a := l.left[0]
	l.left = l.left[1:]
	return a, true, nil
}

// expander turns objects into arrivals.
type expander struct {
	Manifests
	objects *manifest.Objects
	byOwner map[string]*ownedPods // by namespace/kind/name
	groups  map[string]*Group     // by namespace/name
	jobs    map[string]*jobRun    // by namespace/name

	holding                []Arrival // running pods that hold given devices
	running, pending, made []Arrival // made: by controllers
	crons                  []Stream
	daemons                []*daemonSet
	warnings               []string
	suspended              []*manifest.Controller // Jobs
	statefulSets           bool                   // whether there was a warning about them
	faults                 document.Errors
}

// endless is the size of a group whose members keep arriving until the run ends.
const endless = math.MaxInt

// join adds members to the group of that key and returns it, or nil if the key is empty.
func (x *expander) join(key string, class *cluster.Class, members int) *Group {
	if key == "" {
		return nil
	}
	g := x.groups[key]
	g.Namespace = class.Namespace
	if members > endless-g.Size {
		members = endless - g.Size
	}
	g.Size += members
	return g
}

// warnSmall warns of a group that has fewer pods than its minMember.
func (x *expander) warnSmall(object *manifest.PodGroup) {
	key := object.Namespace + "/" + object.Name
	if g := x.groups[key]; g.Size > 0 && g.Size < g.MinMember {
		x.warn(object.At, "PodGroup %s has %d pods, fewer than its minMember %d: none of them can be bound", key, g.Size, g.MinMember)
	}
}

func (x *expander) warn(at document.Value, format string, args ...any) {
	x.warnings = append(x.warnings, fmt.Sprintf("%s:%d:%d: ", at.File(), at.Line(), at.Col())+fmt.Sprintf(format, args...))
}

// pods adds the pods among the objects.
func (x *expander) pods() {
	latest := latestStart(x.objects.Pods)
	for i := range x.objects.Pods {
		p := &x.objects.Pods[i]
		if p.Finished || p.Absent || x.isInert(p) {
			continue
		}
		kind, name := split(p.Owner)
		a := Arrival{
			Name: p.Name, UID: p.UID, Class: p.Class, Workload: x.Workload, Lifetime: clock.Forever,
			Node: p.NodeName, Nominated: p.NominatedNodeName, Started: startOf(p, latest),
			Terminating: p.Terminating, Preempted: p.Preempted,
			Recreate: p.Owner != "" && !p.Terminating, RecreatedClass: p.Recreated, Daemon: kind == "DaemonSet",
		}
		if !a.Deleted() {
			a.Group = x.join(p.Group, p.Class, 1)
		}
		switch {
		case p.Terminating:
			a.Lifetime = p.Class.TerminationGrace
		case kind == "Job":
			a.Lifetime = x.jobLifetime(p.At, "the pod of Job "+name)
			if run := x.jobs[p.Namespace+"/"+name]; run != nil {
				a.Successor = run.next
			}
		case kind != "DaemonSet":
			a.Lifetime = x.Lifetime.Draw()
		}
		if p.NodeName == "" {
			a.At = x.At
			x.pending = append(x.pending, a)
			continue
		}
		if a.Devices = p.Devices; len(a.Devices) > 0 {
			x.holding = append(x.holding, a)
			continue
		}
		x.running = append(x.running, a)
	}
}

// isInert reports whether a pod without a node that is being deleted changes nothing: it is never
// scheduled, and holds no nomination. Scheduling gates keep a pod from holding one, up to 1.36.
func (m *Manifests) isInert(p *manifest.Pod) bool {
	return p.Terminating && p.NodeName == "" && (p.NominatedNodeName == "" || len(p.Class.Gates) > 0 && !m.GatedNominations)
}

// startOf returns when a pod with a node was started. The latest of these pods was started one second before the run
// begins: start times have whole seconds, and no pod of the run may tie with one of the objects. A pod without
// status.startTime counts as started after all others.
//
// Upstream: GetPodStartTime of pkg/scheduler/util/utils.go, v1.36.3, which returns the current time.
func startOf(p *manifest.Pod, latest time.Time) clock.Time {
	switch {
	case p.NodeName == "":
		return 0
	case p.StartTime.IsZero():
		return clock.Forever
	}
	return clock.FromDuration(p.StartTime.Sub(latest)) - clock.Second
}

// latestStart returns the latest start time of pods with a node.
func latestStart(pods []manifest.Pod) time.Time {
	var latest time.Time
	for i := range pods {
		if p := &pods[i]; !p.Finished && !p.Absent && p.NodeName != "" && p.StartTime.After(latest) {
			latest = p.StartTime
		}
	}
	return latest
}

// jobLifetime draws the lifetime of a pod of a Job. It is an error if there is no JobLifetime, since a Job must end.
func (x *expander) jobLifetime(at document.Value, whose string) clock.Time {
	if x.JobLifetime == nil {
		x.faults.Add(at, "", "a lifetime is needed for %s: a manifest does not say how long its work takes", whose)
		return clock.Forever
	}
	return x.JobLifetime.Draw()
}
