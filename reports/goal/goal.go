// Package goal reads goals: conditions on the figures of a run, such as
//
//	placement.pending == 0 && placement.waitToBind[p99] < 30s
//
// and says of a run which of them hold. A goal is a conjunction of terms. Metrics are called
// as `berth metrics` lists them, labels need no quotes, a part of the run stands in braces, as
// placement.pending{workload=web}, and numbers may carry a unit that suits the metric: 30s, 5m, 60%, 8Gi. What a term may say is an expression of
// github.com/expr-lang/expr without its functions and collections.
package goal

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"github.com/berth-sim/berth/reports/metric"
)

// Goal is what a run must reach: all of its terms.
type Goal struct {
	Text  string
	Terms []*Term
}

// Term is one of the conditions of a goal.
type Term struct {
	Text string
	Keys []metric.Key // that it reads, each once, in the order of the text
	// wants is what the goal wants of the one metric of a plain term: "0", "< 30s"; empty: the
	// term is not plain.
	wants       string
	most        *ceiling // of its one metric; nil: none is known
	alternative bool     // joined by ||
	program     *vm.Program
	// divides reports whether nothing is divided by 0; nil: nothing is divided.
	divides *vm.Program
}

// Outcome is the result of a term in a run.
type Outcome struct {
	Holds  bool
	Values []float64 // of the keys of the term; NaN where there is none
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

// All is the goal that holds where all of the goals do.
func All(goals ...*Goal) *Goal {
	all := &Goal{}
	texts := make([]string, len(goals))
	for i, g := range goals {
		texts[i] = g.Text
		if len(goals) > 1 && len(g.Terms) == 1 {
			texts[i] = g.Terms[0].text()
		}
		all.Terms = append(all.Terms, g.Terms...)
	}
	all.Text = strings.Join(texts, " && ")
	return all
}

// text is the term as it may stand beside others: in brackets if it is an alternative.
func (t *Term) text() string {
	if t.alternative {
		return "(" + t.Text + ")"
	}
	return t.Text
}

// Judge returns the outcomes of the terms of the goal in a run, in their order.
func (g *Goal) Judge(s *metric.Summary) []Outcome {
	out := make([]Outcome, len(g.Terms))
	for i, t := range g.Terms {
		out[i] = t.judge(s)
	}
	return out
}

// judge evaluates the term. One that reads a value that is not there does not hold, nor does one
// that divides by 0: its quotient has no value.
func (t *Term) judge(s *metric.Summary) Outcome {
	var o Outcome
	figures := map[string]any{}
	whole := true
	for i, k := range t.Keys {
		v := k.In(s)
		o.Values = append(o.Values, v)
		whole = whole && !math.IsNaN(v)
		figures[figureName(i)] = v
	}
	is := func(p *vm.Program) bool {
		truth, err := expr.Run(p, figures)
		return err == nil && truth == true
	}
	o.Holds = whole && (t.divides == nil || is(t.divides)) && is(t.program)
	return o
}

// figureName is the variable that stands for the i-th key in the compiled term.
func figureName(i int) string { return "figure" + strconv.Itoa(i) }

// Explain says what values a term has, and what the goal wants:
// "placement.pending is 12, the goal wants 0".
func (t *Term) Explain(values []float64) string {
	is := make([]string, len(values))
	for i, v := range values {
		is[i] = t.Keys[i].String() + " is " + t.Keys[i].Text(v)
		if math.IsNaN(v) {
			is[i] = t.Keys[i].String() + " has no value"
		}
	}
	wants := t.wants
	if wants == "" {
		wants = t.Text
	}
	return strings.Join(is, ", ") + ", the goal wants " + wants
}

// Check says which labels and parts of the goal none of the runs knows. Which resources and
// priorities there are is known only when there is a run.
func (g *Goal) Check(runs []*metric.Summary) error {
	var faults []error
	for _, t := range g.Terms {
		for _, k := range t.Keys {
			if err := k.Unknown(runs); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", k, err))
			}
		}
	}
	return errors.Join(faults...)
}
