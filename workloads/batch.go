package workloads

import (
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// jobRun is a Job that creates its next pod whenever one of its pods completes. The lifetimes of its pods are drawn
// beforehand, so that they do not depend on the order in which pods of several Jobs complete.
type jobRun struct {
	pod       Arrival // template of the pods, without name and lifetime
	prefix    string
	first     int // number of the first pod
	made      int
	lifetimes []clock.Time // of all pods that it creates
}

// next creates the next pod.
func (j *jobRun) next() (Arrival, bool) {
	if j.made == len(j.lifetimes) {
		return Arrival{}, false
	}
	a := j.pod
	a.Name, a.Lifetime = numbered(j.prefix, int64(j.first+j.made)), j.lifetimes[j.made]
	a.Successor = j.next
	j.made++
	return a, true
}

// begin creates the first pods, at most count.
func (j *jobRun) begin(count int) []Arrival {
	count = min(count, len(j.lifetimes))
	out := make([]Arrival, 0, count)
	for range count {
		if a, more := j.next(); more {
			out = append(out, a)
		}
	}
	return out
}

// maxCompletions limits how many pods a Job may create, since their lifetimes are drawn beforehand.
const maxCompletions = 1_000_000

// job adds a Job: as many pods as its parallelism, and another one whenever one completes, up to its completions. A Job
// without completions gets no further pods, since the first success ends its work.
//
// Upstream: manageJob of pkg/controller/job/job_controller.go, v1.36.3.
func (x *expander) job(c *manifest.Controller) {
	if c.Suspended {
		x.suspended = append(x.suspended, c)
		return
	}
	f := x.owned(c)
	total := c.Completions
	if total == 0 && f.finished == 0 {
		total = c.Parallelism
	}
	missing := max(0, total-f.finished-f.active)
	if !x.checkJob(c, missing) {
		return
	}
	run := x.newRun(c, c.Name, missing, x.join(c.Template.Group, c.Template.Class, missing))
	run.first = f.finished + f.active
	run.pod.At, run.pod.Started = x.At, x.At
	x.jobs[c.Namespace+"/"+c.Name] = run
	x.made = append(x.made, run.begin(max(0, c.Parallelism-f.active))...)
}

// warnSuspended warns of Jobs that create no pods, since a person or a queue such as Kueue's has suspended them.
func (x *expander) warnSuspended() {
	if len(x.suspended) == 0 {
		return
	}
	first, more := x.suspended[0], ""
	if n := len(x.suspended) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more Jobs are", n)
	}
	x.warn(first.At, "Job %s/%s is suspended%s: no pods are created; spec.suspend: false creates them", first.Namespace, first.Name, more)
}

// checkJob checks a Job or CronJob, and reports whether it creates pods.
func (x *expander) checkJob(c *manifest.Controller, pods int) bool {
	before := len(x.faults)
	if pods > maxCompletions {
		x.faults.Add(c.At, "spec.completions", "asks for more than %d pods, which is not supported", maxCompletions)
	}
	if x.JobLifetime == nil && pods > 0 {
		x.jobLifetime(c.At, c.Kind+" "+c.Name)
	}
	return len(x.faults) == before && c.Parallelism > 0
}

// newRun returns a Job that creates so many pods.
func (x *expander) newRun(c *manifest.Controller, name string, pods int, group *Group) *jobRun {
	run := &jobRun{prefix: name, lifetimes: make([]clock.Time, pods), pod: Arrival{
		Class: c.Template.Class, Workload: x.Workload, Group: group, Node: c.Template.Class.NodeName, Recreate: true,
	}}
	for i := range run.lifetimes {
		run.lifetimes[i] = x.JobLifetime.Draw()
	}
	return run
}

// schedule parses the schedule of a CronJob with the parser of Kubernetes.
//
// Upstream: validateScheduleFormat of pkg/apis/batch/validation, v1.36.3.
func (x *expander) schedule(c *manifest.Controller) cron.Schedule {
	if strings.Contains(c.Schedule, "TZ") { // the parser panics on some of these
		x.faults.Add(c.At, "spec.schedule", "must not name a time zone: that is for spec.timeZone")
		return nil
	}
	schedule, err := cron.ParseStandard(c.Schedule)
	if err != nil {
		x.faults.Add(c.At, "spec.schedule", "is not a cron schedule: %v", err)
	}
	return schedule
}

// CronJobLacks returns what berth does not support of a CronJob with these fields, or an empty string.
func CronJobLacks(timeZone, concurrencyPolicy string) string {
	switch {
	case !isUTC(timeZone):
		return "a time zone"
	case !isAllow(concurrencyPolicy):
		return "concurrencyPolicy " + concurrencyPolicy
	}
	return ""
}

func isUTC(timeZone string) bool { return timeZone == "" || timeZone == "UTC" || timeZone == "Etc/UTC" }

func isAllow(concurrencyPolicy string) bool {
	return concurrencyPolicy == "" || concurrencyPolicy == "Allow"
}

// cronJob adds a CronJob.
func (x *expander) cronJob(c *manifest.Controller) {
	if c.Suspended {
		return
	}
	pods := c.Completions
	if pods == 0 {
		pods = c.Parallelism
	}
	before := len(x.faults)
	x.checkJob(c, pods)
	schedule := x.schedule(c)
	if !isAllow(c.ConcurrencyPolicy) {
		x.faults.Add(c.At, "spec.concurrencyPolicy", "is not supported yet; supported is Allow")
	}
	if !isUTC(c.TimeZone) {
		x.faults.Add(c.At, "spec.timeZone", "is not supported yet; supported is Etc/UTC")
	}
	if x.Until == 0 || x.Until == clock.Forever {
		x.faults.Add(c.At, "", "CronJob %s has no end: the run needs a horizon", c.Name)
	}
	if len(x.faults) > before || c.Parallelism == 0 {
		return
	}
	x.crons = append(x.crons, &cronRun{
		expander: x, controller: c, schedule: schedule, pods: pods, group: x.join(c.Template.Group, c.Template.Class, endless),
		last: x.Epoch.UTC().Add(time.Duration(x.At)),
	})
}

// cronRun is the stream of the first pods of the Jobs of a CronJob.
type cronRun struct {
	*expander
	controller *manifest.Controller
	schedule   cron.Schedule
	pods       int
	group      *Group
	last       time.Time // when the last Job was due
	serial     int64
	left       []Arrival
}

func (r *cronRun) Next() (Arrival, bool, error) {
	if len(r.left) == 0 {
		r.last = r.schedule.Next(r.last)
		at := clock.FromDuration(r.last.Sub(r.Epoch))
		if r.last.IsZero() || at >= r.Until { // zero: the schedule never comes due
			r.last = r.Epoch.Add(time.Duration(r.Until))
			return Arrival{}, false, nil
		}
		run := r.newRun(r.controller, numbered(r.controller.Name, r.serial), r.pods, r.group)
		run.pod.At, run.pod.Started = at, at
		r.serial++
		r.left = run.begin(r.controller.Parallelism)
	}
	a := r.left[0]
	r.left = r.left[1:]
	return a, true, nil
}
