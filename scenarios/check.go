package scenarios

import (
	"fmt"
	"math"

	"github.com/berth-sim/berth/sim/document"
)

// maxPool bounds the nodes of one pool, maxReplicas the pods of one arrival: beyond
// them a number is a slip of the keyboard.
const (
	maxPool     = 1_000_000
	maxReplicas = 1_000_000
)

// check finds the faults that the types of the schema do not, in what the file itself
// says.
func (s *Scenario) check(faults *document.Errors) {
	if len(s.File.Fleet) == 0 {
		faults.Add(s.root, "fleet", "is empty: a scenario needs nodes")
	}
	pools := map[string]bool{}
	for i := range s.File.Fleet {
		s.checkFleet(faults, s.root.Get("fleet").Index(i), &s.File.Fleet[i], pools)
	}
	names := map[string]bool{}
	for i := range s.File.Workloads {
		s.checkWorkload(faults, s.root.Get("workloads").Index(i), &s.File.Workloads[i], names)
	}
	for i := range s.File.Events {
		s.checkEvent(faults, s.root.Get("events").Index(i), &s.File.Events[i], pools)
	}
	s.checkCollect(faults)
}

// one adds a fault unless exactly one of the fields is given.
func one(faults *document.Errors, at document.Value, what string, fields ...string) {
	given := 0
	for _, f := range fields {
		if at.Get(f).Exists() {
			given++
		}
	}
	if given != 1 {
		faults.Add(at, "", "%s needs exactly one of %v, has %d", what, fields, given)
	}
}

func (s *Scenario) checkFleet(faults *document.Errors, at document.Value, f *Fleet, pools map[string]bool) {
	one(faults, at, "an entry of the fleet", "pool", "manifests", "trace")
	if f.Pool == "" {
		for _, field := range []string{"count", "zones", "namePattern", "jitter", "template"} {
			if at.Get(field).Exists() {
				faults.Add(at, field, "belongs to a pool")
			}
		}
		if f.Trace != nil {
			one(faults, at.Get("trace"), "a trace of nodes", "openb")
		}
		return
	}
	if pools[f.Pool] {
		faults.Add(at, "pool", "is the name of another pool too")
	}
	pools[f.Pool] = true
	if f.Count < 1 || f.Count > maxPool {
		faults.Add(at, "count", "must be between 1 and %d", maxPool)
	}
	if !f.Template.Exists() {
		faults.Add(at, "template", "is required: what the nodes of the pool are")
	}
	if f.PricePerHour < 0 || math.IsInf(f.PricePerHour, 0) || math.IsNaN(f.PricePerHour) {
		faults.Add(at, "pricePerHour", "must be zero or positive")
	}
	zones := map[string]bool{}
	for i, z := range f.Zones {
		if z == "" || zones[z] {
			faults.Add(at, fmt.Sprintf("zones[%d]", i), "must be a name that no other zone of the pool has")
		}
		zones[z] = true
	}
	for name, share := range f.Jitter {
		if !(share >= 0 && share < 1) {
			faults.Add(at, document.Path("jitter", name), "must be at least 0 and below 1")
		}
	}
}

func (s *Scenario) checkWorkload(faults *document.Errors, at document.Value, w *Workload, names map[string]bool) {
	if w.Name == "" {
		faults.Add(at, "name", "is required: metrics are given by workload")
	} else if names[w.Name] {
		faults.Add(at, "name", "is the name of another workload too")
	}
	names[w.Name] = true
	one(faults, at, "a workload", "template", "templates", "manifests", "trace")
	synthetic := w.Template.Exists() || len(w.Templates) > 0
	if synthetic && w.Arrivals == nil {
		faults.Add(at, "arrivals", "is required: when the pods come")
	}
	if !synthetic {
		for _, field := range []string{"arrivals", "replicas", "gang", "onEviction"} {
			if at.Get(field).Exists() {
				faults.Add(at, field, "belongs to a workload that is made from a template")
			}
		}
	}
	if w.Manifests != nil && (w.PriorityClassName != "" || w.SchedulerName != "") {
		faults.Add(at, "", "the pods of manifests name their own priority class and scheduler")
	}
	if w.Replicas != nil && (*w.Replicas < 1 || *w.Replicas > maxReplicas) {
		faults.Add(at, "replicas", "must be between 1 and %d", maxReplicas)
	}
	if w.Gang != nil {
		s.checkGang(faults, at, w)
	}
	if w.Arrivals != nil {
		one(faults, at.Get("arrivals"), "arrivals", "every", "poisson", "bursts", "diurnal", "atOnce", "times")
	}
	if w.Trace != nil {
		one(faults, at.Get("trace"), "a trace", "openb", "swf", "philly")
	}
}

func (s *Scenario) checkGang(faults *document.Errors, at document.Value, w *Workload) {
	replicas := 1
	if w.Replicas != nil {
		replicas = *w.Replicas
	}
	if w.Gang.MinMember < 0 || w.Gang.MinMember > replicas {
		faults.Add(at, "gang.minMember", "must be between 1 and the %d replicas of an arrival", replicas)
	}
	if t := w.Gang.ScheduleTimeout; t != nil && *t <= 0 {
		faults.Add(at, "gang.scheduleTimeout", "must be positive")
	}
}

func (s *Scenario) checkEvent(faults *document.Errors, at document.Value, e *EventFile, pools map[string]bool) {
	one(faults, at, "an event", "add", "remove", "drain", "cordon", "uncordon", "taint", "untaint")
	if e.At != nil && *e.At < 0 {
		faults.Add(at, "at", "must be zero or positive")
	}
	kind, sel := e.selection()
	if sel == nil {
		return
	}
	one(faults, at.Get(string(kind)), "a choice of nodes", "pool", "nodes")
	path := func(field string) string { return document.Path(string(kind), field) }
	if sel.Pool != "" && !pools[sel.Pool] {
		faults.Add(at, path("pool"), "is no pool of the fleet")
	}
	if sel.Count < 0 || sel.Count > maxPool {
		faults.Add(at, path("count"), "must be between 0 (all of them) and %d", maxPool)
	}
	s.checkTaint(faults, at, e, path)
	if e.Add != nil && (sel.Pool == "" || sel.Count == 0) {
		faults.Add(at, "add", "needs a pool, whose template the new nodes have, and a count")
	}
	if len(sel.Nodes) > 0 && sel.Count > 0 {
		faults.Add(at, path("count"), "has no meaning beside nodes")
	}
}

func (s *Scenario) checkTaint(faults *document.Errors, at document.Value, e *EventFile, path func(string) string) {
	_, sel := e.selection()
	if e.Taint == nil && e.Untaint == nil {
		if sel.Key != "" || sel.Value != "" || sel.Effect != "" {
			faults.Add(at, path("key"), "and value and effect belong to taint and untaint")
		}
		return
	}
	if sel.Key == "" {
		faults.Add(at, path("key"), "is required: the key of the taint")
	}
	if sel.Effect == "" {
		faults.Add(at, path("effect"), "is required: NoSchedule, PreferNoSchedule or NoExecute")
	}
}

func (s *Scenario) checkCollect(faults *document.Errors) {
	at, c := s.root.Get("collect"), s.File.Collect
	if c.Every != nil && *c.Every <= 0 {
		faults.Add(at, "every", "must be positive")
	}
	f := c.Fragmentation
	if f == nil {
		return
	}
	if f.Share != nil && !(*f.Share > 0 && *f.Share <= 1) {
		faults.Add(at, "fragmentation.share", "must be above 0 and at most 1")
	}
	if f.MaxClasses != nil && *f.MaxClasses < 1 {
		faults.Add(at, "fragmentation.maxClasses", "must be positive")
	}
}
