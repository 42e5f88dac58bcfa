package metric

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// SummarySchema names the form of a summary's JSON.
const SummarySchema = "berth/summary/v1"

// Facts are the properties of a run that its log does not hold.
type Facts struct {
	Scenario string // empty: the name in the log
	Policy   string
	// Kubernetes is the release whose rules the run followed, with the gates and rules that are not its defaults.
	Kubernetes string
	Seed       uint64
}

// Run describes the run of a summary.
type Run struct {
	Facts
	Ended          string  // "done", "horizon", "interrupted", or empty for a log without end
	Partial        bool    // the run did not come to its end
	VirtualSeconds float64 // its length
}

// Value is one value of a metric; NaN where there is none.
type Value struct {
	Metric *Declaration
	Label  string
	Value  float64
}

// ScopeValues are the values of all metrics of one scope, in the order of All.
type ScopeValues struct {
	Scope  Scopes // one
	Name   string // the workload, the priority or the pool; empty for the run
	Values []Value
}

// Summary is everything that is reported of a run but the time series. The first of
// its scopes is the run; workloads (in order of declaration), priorities (from high to
// low) and pools (in order of appearance) follow.
type Summary struct {
	Run    Run
	Scopes []ScopeValues
}

// Summary computes all metrics as of the last record. The run may go on after it.
func (l *Ledger) Summary(facts Facts) *Summary {
	if facts.Scenario == "" {
		facts.Scenario = l.name
	}
	s := &Summary{Run: Run{
		Facts:          facts,
		Ended:          l.life.Ended(),
		Partial:        l.life.Ended() == "" || l.life.Ended() == "interrupted",
		VirtualSeconds: l.now.Seconds(),
	}}
	s.add("", view{l: l, scope: ScopeRun, totals: l.run, fleet: l.fleet, frag: l.lastFrag})
	for i, w := range l.workloads {
		if w.declared {
			contains := func(p *pod) bool { return p.Workload == int32(i) }
			s.add(w.name, view{l: l, scope: ScopeWorkload, totals: w.totals, contains: contains})
		}
	}
	priorities := slices.SortedFunc(maps.Keys(l.priorities), func(a, b int32) int { return cmp.Compare(b, a) })
	for _, priority := range priorities {
		if l.priorities[priority].arrived == 0 {
			continue
		}
		contains := func(p *pod) bool { return l.classes[p.Class].priority == priority }
		s.add(strconv.Itoa(int(priority)), view{l: l, scope: ScopePriority, totals: l.priorities[priority], contains: contains})
	}
	for _, f := range l.pools {
		s.add(f.name, view{l: l, scope: ScopePool, totals: f.pods, fleet: f})
	}
	return s
}

func (s *Summary) add(name string, v view) {
	v.now = v.l.now
	out := ScopeValues{Scope: v.scope, Name: name}
	for i := range All {
		m := &All[i]
		if m.Scopes&v.scope != 0 {
			m.values(&v, func(label string, value float64) {
				out.Values = append(out.Values, Value{m, label, value})
			})
		}
	}
	s.Scopes = append(s.Scopes, out)
}

// Value returns the value of a metric for the whole run, and whether there is one of that
// name and label.
func (s *Summary) Value(metric, label string) (float64, bool) {
	for _, v := range s.Scopes[0].Values {
		if v.Metric.Name == metric && v.Label == label {
			return v.Value, true
		}
	}
	return 0, false
}

// ScopesOf returns the values of all scopes of one kind.
func (s *Summary) ScopesOf(scope Scopes) []ScopeValues {
	var out []ScopeValues
	for _, values := range s.Scopes {
		if values.Scope == scope {
			out = append(out, values)
		}
	}
	return out
}
