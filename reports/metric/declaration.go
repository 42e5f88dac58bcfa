package metric

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// Scopes is a set of scopes, which are the parts of a run that a metric can be computed for.
type Scopes uint8

// The scopes.
const (
	ScopeRun      Scopes = 1 << iota // the whole run
	ScopeWorkload                    // the pods of one workload
	ScopePriority                    // the pods of one priority
	ScopePool                        // the nodes of one pool, and the pods on them
	ScopeSample                      // the whole run at a sampling instant: a column of the time series
)

const (
	ofPods  = ScopeRun | ScopeWorkload | ScopePriority
	ofNodes = ScopeRun | ScopePool
)

// scopeNames are the names of the scopes in summaries, in order.
var scopeNames = []struct {
	scope Scopes
	name  string
}{
	{ScopeRun, "run"}, {ScopeWorkload, "workload"}, {ScopePriority, "priority"}, {ScopePool, "pool"}, {ScopeSample, "sample"},
}

// String lists the scopes, separated by ", ".
func (s Scopes) String() string {
	var names []string
	for _, known := range scopeNames {
		if s&known.scope != 0 {
			names = append(names, known.name)
		}
	}
	return strings.Join(names, ", ")
}

// LabelKind is what the labels of a metric's values mean.
type LabelKind string

// The kinds of labels.
const (
	NoLabel       LabelKind = ""          // the metric has one value
	ByResource    LabelKind = "resource"  // cpu, memory, …
	ByStatistic   LabelKind = "statistic" // mean, p50, p90, p99, max
	ByReason      LabelKind = "reason"    // "plugin: reason", by falling value
	ByCauseOfLoss LabelKind = "cause"     // why pods lost their nodes
	ByClass       LabelKind = "class"     // what pods of the class request
	ByQueuePart   LabelKind = "part"      // active, backoff, unschedulable, gated, waiting
	ByKind        LabelKind = "record"    // kind of record
	ByUse         LabelKind = "use"       // whether pods of the target workload can use what is free of devices
)

// Known returns the labels of a kind whose labels are the same in all runs; nil for other kinds.
func (k LabelKind) Known() []string {
	switch k {
	case ByStatistic:
		return slices.Clone(Statistics)
	case ByCauseOfLoss:
		out := make([]string, len(causes))
		for i, cause := range causes {
			out[i] = string(cause)
		}
		return out
	case ByQueuePart:
		var out []string
		for _, part := range queueParts(record.Depth{}) {
			out = append(out, part.name)
		}
		return out
	case ByUse:
		var out []string
		for part := range fragment.NumParts {
			out = append(out, part.String())
		}
		return out
	}
	return nil
}

// Direction is which values of a metric are better.
type Direction int8

// The directions.
const (
	Neutral Direction = 0 // neither, or it depends on what a policy is for
	Lower   Direction = -1
	Higher  Direction = 1
)

// Declaration declares one metric, which has one value, or one for each label. Everything that is
// reported, in whatever form, is read from such a declaration.
type Declaration struct {
	Name     string    // group and name: "placement.pending"
	Title    string    // heading of a row
	Column   string    // short heading of a column
	Unit     Unit      // of its values
	Label    LabelKind // what the labels of its values mean
	Scopes   Scopes    // the scopes that it is computed for
	Headline Scopes    // the scopes whose tables show it by default
	Rare     bool      // tables omit it by default if it is zero everywhere
	Relative bool      // to what is allocated: tables omit its value by default if next to nothing is
	Formula  string    // how it is computed, for people
	Source   string    // the publication that it comes from, if any
	Grows    bool      // its value never falls while a run goes on; of a metric by statistic: its max
	Better   Direction // which of its values are better
	Matters  Effect    // the smallest difference of interest, of a metric that has a direction
	// More and Less say of a policy that its value is higher, or lower, than another's: {} is the
	// difference, {label} the label. Metrics that have them are the primary ones.
	More, Less string

	values func(v *view, emit emitter)
}

// emitter takes the values of a metric, with their labels; NaN where there is none.
type emitter func(label string, value float64)

// Group returns the part of the name before the dot.
func (m *Declaration) Group() string {
	group, _, _ := strings.Cut(m.Name, ".")
	return group
}

// Key returns the name of one value of the metric: "utilization.allocated[cpu]".
func (m *Declaration) Key(label string) string {
	if label == "" {
		return m.Name
	}
	return m.Name + "[" + label + "]"
}

// All are the declarations of all metrics, in the order in which they are
// reported.
var All = slices.Concat(placementMetrics, utilizationMetrics, fragmentationMetrics, deviceMetrics, throughputMetrics)

// Named returns the metric of that name, or nil.
func Named(name string) *Declaration {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// view is what a metric is computed from: the part of the ledger that belongs to one scope, at one
// instant.
type view struct {
	l        *Ledger
	scope    Scopes
	totals   *totals
	fleet    *fleet          // nil for workloads and priorities
	contains func(*pod) bool // whether the scope has the pod; nil: all
	now      clock.Time
	sample   *record.Sample // of a sampling instant
	frag     *fragmentation // nil where none was sampled
	resource []int
}

// resources are the ids of all resources, in the order of reports.
func (v *view) resources() []int {
	if v.resource == nil {
		v.resource = v.l.resources.ordered()
	}
	return v.resource
}

// hasNode reports whether the node is alive and of the scope's fleet.
func (v *view) hasNode(n *node) bool {
	return n.alive && (v.fleet == v.l.fleet || v.fleet == n.pool)
}

// eachPending calls f for each pod of the scope that is pending.
func (v *view) eachPending(f func(p *pod)) {
	for p := range v.l.life.Pods() {
		if p.State == lifecycle.Pending && (v.contains == nil || v.contains(p)) {
			f(p)
		}
	}
}

// number declares a metric of one value.
func number(f func(v *view) float64) func(*view, emitter) {
	return func(v *view, emit emitter) { emit("", f(v)) }
}

// count declares a metric of one counter of the scope's pods.
func count(f func(t *totals) int64) func(*view, emitter) {
	return number(func(v *view) float64 { return float64(f(v.totals)) })
}

// inState declares how many pods of the scope are in one of the states.
func inState(states ...lifecycle.State) func(*view, emitter) {
	return number(func(v *view) float64 {
		sum := int64(0)
		for _, s := range states {
			sum += v.totals.states[s].Now()
		}
		return float64(sum)
	})
}

// quantiles declares the statistics of a distribution, divided by the scale.
func quantiles(scale float64, f func(t *totals) *distribution) func(*view, emitter) {
	return func(v *view, emit emitter) { f(v.totals).each(scale, emit) }
}

// perResource declares one value for each resource.
func perResource(f func(v *view, resource int) float64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		for _, resource := range v.resources() {
			emit(v.l.resources.names[resource], f(v, resource))
		}
	}
}

// perCause declares one value for each cause that occurred.
func perCause(f func(t *totals) map[record.Cause]int64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		counts := f(v.totals)
		for _, cause := range causes {
			if counts[cause] != 0 {
				emit(string(cause), float64(counts[cause]))
			}
		}
	}
}

// overSamples declares a statistic of another metric's column in the time series.
func overSamples(name string, statistic func(column []reading) float64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		v.l.series.eachColumn(name, func(label string, column []reading) { emit(label, statistic(column)) })
	}
}
