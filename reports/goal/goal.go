// Package goal reads goals: conditions on the figures of a run, such as
//
//	placement.pending == 0 && placement.waitToBind[p99] < 30s
//
// and says of a run which of them hold. A goal is a conjunction of terms. Metrics are called
// as `berth metrics` lists them, labels need no quotes, and numbers may carry a unit that
// suits the metric: 30s, 5m, 60%, 8Gi. What a term may say is an expression of
// github.com/expr-lang/expr without its functions and collections.
package goal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/sim/document"
)

// Goal is what a run must reach: all of its terms.
type Goal struct {
	Text  string
	Terms []*Term
}

// Term is one of the conditions of a goal.
type Term struct {
	Text string
	Keys []reports.Key // that it reads, each once, in the order of the text
	// wants is what the goal wants of the one metric of a plain term: "0", "< 30s"; empty: the
	// term is not plain.
	wants   string
	program *vm.Program
}

// Outcome is how a term fares in a run.
type Outcome struct {
	Holds  bool
	Values []reports.Value // of the keys of the term; NaN where there is none
}

// Error is a fault of a goal.
type Error struct {
	Column int // in characters, from 1
	What   string
}

// Error says where and what.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.What) }

// Parse reads a goal. The error joins every *Error of it.
func Parse(text string) (*Goal, error) {
	g := &Goal{Text: strings.TrimSpace(text)}
	if g.Text == "" {
		return nil, &Error{1, "nothing is there: a goal is a condition, such as placement.pending == 0"}
	}
	var faults []error
	for _, part := range conjuncts([]rune(text), 0) {
		t, err := parseTerm(part)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		g.Terms = append(g.Terms, t)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return g, nil
}

// Judge is how the terms of the goal fare in a run, in their order.
func (g *Goal) Judge(s *reports.Summary) []Outcome {
	out := make([]Outcome, len(g.Terms))
	for i, t := range g.Terms {
		out[i] = t.judge(s)
	}
	return out
}

// judge evaluates the term. One that reads a value that is not there does not hold.
func (t *Term) judge(s *reports.Summary) Outcome {
	var o Outcome
	figures := map[string]any{}
	whole := true
	for _, k := range t.Keys {
		v := s.Reading(k.Metric, k.Label)
		o.Values = append(o.Values, v)
		whole = whole && !math.IsNaN(v.Value)
		put(k, figures, v.Value)
	}
	if !whole {
		return o
	}
	holds, err := expr.Run(t.program, figures)
	o.Holds = err == nil && holds == true
	return o
}

// put stores the value where the compiled term looks for it.
func put(k reports.Key, figures map[string]any, v float64) {
	group, name, _ := strings.Cut(k.Metric.Name, ".")
	of, _ := figures[group].(map[string]any)
	if of == nil {
		of = map[string]any{}
		figures[group] = of
	}
	if k.Metric.Label == reports.NoLabel {
		of[name] = v
		return
	}
	labels, _ := of[name].(map[string]float64)
	if labels == nil {
		labels = map[string]float64{}
		of[name] = labels
	}
	labels[k.Label] = v
}

// Explain says what values a term has, and what the goal wants:
// "placement.pending is 12, the goal wants 0".
func (t *Term) Explain(values []reports.Value) string {
	is := make([]string, len(values))
	for i, v := range values {
		is[i] = t.Keys[i].String() + " is " + v.Text()
		if math.IsNaN(v.Value) {
			is[i] = t.Keys[i].String() + " has no value"
		}
	}
	wants := t.wants
	if wants == "" {
		wants = t.Text
	}
	return strings.Join(is, ", ") + ", the goal wants " + wants
}

// Check says which labels of the goal a run does not know. Which resources there are is
// known only when there is a run.
func (g *Goal) Check(s *reports.Summary) error {
	var faults []error
	for _, t := range g.Terms {
		for _, k := range t.Keys {
			labels := s.LabelsOf(k.Metric)
			if k.Metric.Label != reports.ByResource && k.Metric.Label != reports.ByClass || slices.Contains(labels, k.Label) {
				continue
			}
			faults = append(faults, fmt.Errorf("%s: there is no %s %q in the run%s; there are: %s", k, k.Metric.Label, k.Label,
				document.Meant(k.Label, labels), strings.Join(labels, ", ")))
		}
	}
	return errors.Join(faults...)
}
