package scenarios

import (
	"slices"

	"github.com/berth-sim/berth/sim/files/document"

	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

func (c *checker) workload(at document.Value, w *Workload) {
	switch {
	case w.Name == "":
		c.Add(at, "name", "is required: metrics are given by workload")
	case c.names[w.Name]:
		c.Add(at, "name", "is the name of another workload too")
	}
	c.names[w.Name] = true
	one(&c.Errors, at, "a workload", "template", "templates", "manifests", "trace")
	switch {
	case at.Get("manifests").Exists():
		c.notEmpty(at, "manifests")
		c.without(at, "belongs to a workload that is made from a template", ofTemplates...)
		c.without(at, "has no meaning here: the pods of manifests name their own", "priorityClassName", "schedulerName")
	case at.Get("trace").Exists():
		c.without(at, "belongs to a workload that is made from a template", ofTemplates...)
		if w.Trace != nil {
			c.trace(at, w)
		}
	default:
		c.synthetic(at, w)
	}
}

// ofTemplates are the fields that only workloads made from templates have.
var ofTemplates = []string{"arrivals", "replicas", "gang", "onEviction", "devices"}

func (c *checker) synthetic(at document.Value, w *Workload) {
	if w.Name != "" {
		if err := validate.CheckName(w.Name + "-0"); err != nil {
			c.Add(at, "name", "makes pod names like %q: %v", w.Name+"-0", err)
		}
	}
	if !at.Get("arrivals").Exists() {
		c.Add(at, "arrivals", "is required: when the pods come")
	}
	if w.Arrivals != nil {
		c.arrivals(at.Get("arrivals"), w.Arrivals)
	}
	replicas := 1
	if w.Replicas != nil {
		replicas = *w.Replicas
	}
	if replicas < 1 || replicas > maxReplicas {
		c.Add(at, "replicas", "must be between 1 and %d", maxReplicas)
	} else if g := w.Gang; g != nil && at.Find("gang.minMember").Exists() && (g.MinMember < 1 || g.MinMember > replicas) {
		c.Add(at, "gang.minMember", "must be between 1 and the %d replicas of an arrival", replicas)
	}
	if g := w.Gang; g != nil && g.ScheduleTimeout != nil && *g.ScheduleTimeout <= 0 {
		c.Add(at, "gang.scheduleTimeout", "must be positive")
	}
	if w.Devices != nil {
		c.podDevices(at.Get("devices"), w.Devices)
	}
	c.notEmpty(at, "templates")
	total := 0.0
	for i, t := range w.Templates {
		if t.Weight < 0 {
			c.Add(at.Get("templates").Index(i), "weight", "must be zero or a positive number")
		}
		total += max(t.Weight, 0)
	}
	if len(w.Templates) > 0 && total == 0 {
		c.Add(at, "templates", "have no weight above 0, so that none can be drawn")
	}
}

func (c *checker) arrivals(at document.Value, a *Arrivals) {
	one(&c.Errors, at, "arrivals", "every", "poisson", "bursts", "diurnal", "atOnce", "times")
	if a.Every != nil && a.Every.Time() < minBetween {
		c.Add(at, "every", "must be at least %v", minBetween)
	}
	if a.Poisson != nil && a.Poisson.Rate != nil && *a.Poisson.Rate <= 0 {
		c.Add(at, "poisson.rate", "must be positive")
	}
	if a.Diurnal != nil {
		c.diurnal(at.Get("diurnal"), a.Diurnal)
	}
	if a.AtOnce != nil && a.Start != nil {
		c.Add(at, "start", "has no meaning beside atOnce, which has a time of its own: at")
	}
	switch {
	case a.Start != nil && *a.Start < 0:
		c.Add(at, "start", "must be zero or positive")
	case a.Start != nil && a.Until != nil && *a.Until <= *a.Start:
		c.Add(at, "until", "must be after start")
	case a.Until != nil && *a.Until <= 0:
		c.Add(at, "until", "must be positive")
	}
	if a.Limit != nil && *a.Limit < 1 {
		c.Add(at, "limit", "must be positive")
	}
}

func (c *checker) diurnal(at document.Value, d *Diurnal) {
	if at.Get("points").Exists() {
		c.notEmpty(at, "points")
		c.without(at, "has no meaning beside points", "low", "high", "peakAt")
		return
	}
	if !at.Get("low").Exists() || !at.Get("high").Exists() {
		c.Add(at, "", "needs low and high, or points")
	}
	switch {
	case d.Low == nil || d.High == nil:
	case *d.Low < 0:
		c.Add(at, "low", "must be zero or positive")
	case *d.High <= 0:
		c.Add(at, "high", "must be positive")
	case *d.Low > *d.High:
		c.Add(at, "high", "must not be below low")
	}
}

func (c *checker) trace(at document.Value, w *Workload) {
	one(&c.Errors, at.Get("trace"), "a trace", "openb", "swf", "philly")
	switch t := w.Trace; {
	case t.Openb != nil:
		openb := at.Find("trace.openb")
		c.traceOptions(openb, &t.Openb.TraceOptions)
		c.openbOrder(openb, t.Openb)
		c.without(openb, "has no meaning: pods of openb are in no gang", "gangScheduleTimeout")
		if t.Openb.Times == "atOnce" {
			c.without(openb, "has no meaning for pods that arrive at once", "start", "until", "timeScale")
		} else {
			c.without(at, "has no meaning here: pods run as long as the trace says, unless times is atOnce", "lifetime")
		}
	case t.SWF != nil:
		c.traceOptions(at.Find("trace.swf"), &t.SWF.TraceOptions)
		for i, status := range t.SWF.Statuses {
			if !slices.Contains([]int{-1, 0, 1, 5}, status) {
				c.Add(at.Find("trace.swf.statuses").Index(i), "", "must be 1 (completed), 0 (failed), 5 (canceled) or -1 (unknown)")
			}
		}
		c.without(at, "has no meaning here: jobs run as long as the trace says", "lifetime")
	case t.Philly != nil:
		c.traceOptions(at.Find("trace.philly"), &t.Philly.TraceOptions)
		c.without(at, "has no meaning here: jobs run as long as the trace says", "lifetime")
	}
}

func (c *checker) traceOptions(at document.Value, o *TraceOptions) {
	for _, scale := range []struct {
		field string
		value float64
	}{{"timeScale", o.TimeScale}, {"lifetimeScale", o.LifetimeScale}} {
		if at.Get(scale.field).Exists() && !(scale.value > 0) {
			c.Add(at, scale.field, "must be positive")
		}
	}
	if o.Start < 0 {
		c.Add(at, "start", "must be zero or positive")
	}
	if at.Get("until").Exists() && o.Until <= o.Start {
		c.Add(at, "until", "must be after start")
	}
	if o.Namespace != "" {
		if err := validate.CheckName(o.Namespace); err != nil {
			c.Add(at, "namespace", "%v", err)
		}
	}
	if o.Limit < 0 {
		c.Add(at, "limit", "must be positive, or 0 for all")
	}
	if at.Get("gangScheduleTimeout").Exists() && o.GangScheduleTimeout <= 0 {
		c.Add(at, "gangScheduleTimeout", "must be positive")
	}
}
