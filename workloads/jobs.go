package workloads

import (
	"fmt"
	"io"
	"math"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/workloads/trace"
)

// Trace has the settings that all traces share.
type Trace struct {
	File     string // path; a gzip file is recognized by its content
	Workload int    // index in the scenario

	// Start and Until select the rows with times in [Start, Until) of the trace. A row at Start arrives at 0. Until 0 means
	// to the end. They must be 0 for a trace whose pods arrive at once.
	Start, Until clock.Time
	// TimeScale multiplies the times between arrivals, LifetimeScale the lifetimes. 0 means 1.
	TimeScale, LifetimeScale float64
	Limit                    int  // maximum number of rows; 0: all
	SkipBad                  bool // skip and count invalid lines

	Namespace       string // of the pods; empty: default
	PriorityClass   string
	SchedulerName   string
	ScheduleTimeout clock.Time // of gangs; 0: DefaultScheduleTimeout
}

// check returns an error that names the invalid field.
func (t *Trace) check() error {
	switch {
	case t.File == "":
		return fmt.Errorf("file: %q must not be empty", t.File)
	case t.Start < 0 || t.Start == clock.Forever:
		return fmt.Errorf("start: %v must be zero or positive", t.Start)
	case t.Until != 0 && t.Until <= t.Start:
		return fmt.Errorf("until: %v must be after start, which is %v", t.Until, t.Start)
	case !isScale(t.TimeScale):
		return fmt.Errorf("timeScale: %v must be a positive number", t.TimeScale)
	case !isScale(t.LifetimeScale):
		return fmt.Errorf("lifetimeScale: %v must be a positive number", t.LifetimeScale)
	case t.Limit < 0:
		return fmt.Errorf("limit: %d must not be negative", t.Limit)
	case t.ScheduleTimeout < 0:
		return fmt.Errorf("scheduleTimeout: %v must be positive", t.ScheduleTimeout)
	}
	return nil
}

// isScale reports whether x is a valid scale. 0 stands for 1.
func isScale(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// job is a row of a trace: pods of one shape that arrive together.
type job struct {
	line     int
	name     string
	at       clock.Time // in the trace's own time
	lifetime clock.Time
	pods     int // more than one form a gang
	shape    manifest.Shape
}

// jobs is a trace as a sequence of jobs in order of time.
type jobs interface {
	// next returns the next job, or false at the end. A job without pods is to be left out.
	next() (job, bool, error)
	skipped() (int, []error)
}

// TraceSource is a trace: Openb, SWF or Philly.
type TraceSource interface {
	trace() *Trace
	check() error
	// read starts reading. It does not close in.
	read(in io.Reader) (jobs, error)
}

// reader is the interface of trace.Reader.
type reader[Row any] interface {
	Next() (Row, bool, error)
	Skipped() int
	SkippedErrors() []error
}

// rows turns the rows of a trace into jobs.
type rows[Row any] struct {
	reader[Row]
	job func(Row) job
}

func (r rows[Row]) next() (job, bool, error) {
	row, more, err := r.Next()
	if !more || err != nil {
		return job{}, false, err
	}
	return r.job(row), true, nil
}

func (r rows[Row]) skipped() (int, []error) { return r.Skipped(), r.SkippedErrors() }

// selection is the selected part of a trace, with its scaled times.
type selection struct {
	Trace
	jobs
	taken   int
	leftOut int
}

func (s *selection) next() (job, bool, error) {
	for s.Limit == 0 || s.taken < s.Limit {
		j, more, err := s.jobs.next()
		if !more || err != nil {
			return job{}, false, err
		}
		if s.Until != 0 && j.at >= s.Until {
			break
		}
		if j.at < s.Start {
			continue
		}
		if j.pods == 0 {
			s.leftOut++
			continue
		}
		if err := validate.CheckName(j.name); err != nil {
			return job{}, false, fmt.Errorf("%s:%d:1: name: %q %w", s.File, j.line, j.name, err)
		}
		s.taken++
		j.at = scaled(j.at-s.Start, s.TimeScale)
		j.lifetime = scaled(j.lifetime, s.LifetimeScale)
		return j, true, nil
	}
	return job{}, false, nil
}

// scaled returns t times the scale, where 0 stands for 1.
func scaled(t clock.Time, scale float64) clock.Time {
	if scale == 0 || scale == 1 || t == clock.Forever {
		return t
	}
	return clock.FromSeconds(t.Seconds() * scale)
}

// member returns the name of the i-th pod of a job.
func (j *job) member(i int) string {
	if j.pods == 1 {
		return j.name
	}
	return numbered(j.name, int64(i))
}

func (t *Trace) scheduleTimeout() clock.Time {
	if t.ScheduleTimeout == 0 {
		return DefaultScheduleTimeout
	}
	return t.ScheduleTimeout
}

// shape returns the shape of a pod with these requests and the settings of the trace.
func (t *Trace) shape(requests ...manifest.ResourceAmount) manifest.Shape {
	s := manifest.Shape{Namespace: t.Namespace, PriorityClass: t.PriorityClass, SchedulerName: t.SchedulerName}
	if s.Namespace == "" {
		s.Namespace = "default"
	}
	for _, r := range requests {
		if r.Value != 0 {
			s.Requests = append(s.Requests, r)
		}
	}
	return s
}

func (t *Trace) options() trace.Options { return trace.Options{SkipBad: t.SkipBad} }

func seconds(s int64) clock.Time { return clock.Time(s) * clock.Second }

// gangOf returns the PodGroup of a job, or nil if it has only one pod.
func (t *Trace) gangOf(j *job, class *cluster.Class) *Group {
	if j.pods == 1 {
		return nil
	}
	return &Group{
		Name: j.name, Namespace: class.Namespace,
		MinMember: j.pods, Size: j.pods, ScheduleTimeout: t.scheduleTimeout(),
	}
}
