// Package gate decides whether placement has become worse: it holds runs against a stored
// baseline of the same scenario and seeds, under tolerances, and against limits. A gate
// trips on a difference that the seeds show, not on luck.
package gate

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports"
	"github.com/berth-sim/berth/sim/document"
)

// The header of a file of rules.
const (
	APIVersion = "berth/v1alpha1"
	Kind       = "Gate"
)

// Rules say what a gate looks at.
type Rules struct {
	Seeds      int // that runs are made with; 0: the file does not say
	Tolerances []Tolerance
	Limits     []Limit
}

// Tolerance is how much worse a value may be than in the baseline.
type Tolerance struct {
	reports.Key
	Amount   float64 // in the metric's unit, or as a share of the baseline's mean
	Relative bool
}

// Limit is what a value must be whatever the baseline says.
type Limit struct {
	reports.Key
	Min, Max float64 // infinite where there is none
}

// String words the tolerance.
func (t Tolerance) String() string {
	switch {
	case t.Amount == 0:
		return "none"
	case t.Relative:
		return strconv.FormatFloat(100*t.Amount, 'g', -1, 64) + " %"
	}
	return t.Size(t.Amount)
}

// String words the limit.
func (l Limit) String() string {
	switch {
	case math.IsInf(l.Min, -1):
		return "at most " + l.Text(l.Max)
	case math.IsInf(l.Max, 1):
		return "at least " + l.Text(l.Min)
	}
	return l.Text(l.Min) + " to " + l.Text(l.Max)
}

// Default are the rules where no file says some: nothing that matters may be shown to be
// worse. What has no value in the runs or in the baseline is left out.
func Default(runs []*reports.Summary, b *Baseline) Rules {
	var r Rules
	for _, key := range reports.Judged(runs) {
		before, _ := b.of(key)
		if slices.ContainsFunc(slices.Concat(before, values(key, runs)), isNumber) {
			r.Tolerances = append(r.Tolerances, Tolerance{Key: key})
		}
	}
	return r
}

// rulesFile is the form of a file of rules.
type rulesFile struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Seeds      *int           `json:"seeds"`
	Tolerances document.Value `json:"tolerances"`
	Limits     document.Value `json:"limits"`
}

// IsRules says whether a file calls itself the rules of a gate.
func IsRules(path string) bool {
	docs, err := document.ReadFile(path)
	return err == nil && len(docs) > 0 && docs[0].Root().Get("kind").Text() == Kind
}

// String says in a few words what there is.
func (r Rules) String() string {
	text := reports.Counted(int64(len(r.Limits)), "limit")
	switch len(r.Tolerances) {
	case 0:
	case 1:
		text = "1 tolerance, " + text
	default:
		text = fmt.Sprintf("%d tolerances, %s", len(r.Tolerances), text)
	}
	if r.Seeds > 0 {
		text += ", " + reports.Counted(int64(r.Seeds), "seed")
	}
	return text
}

// ReadRules reads a file of rules. The error lists every fault.
func ReadRules(path string) (Rules, error) {
	docs, err := document.ReadFile(path)
	if err != nil {
		return Rules{}, err
	}
	if len(docs) != 1 {
		return Rules{}, &document.Error{File: path, What: fmt.Sprintf("holds %d documents, the rules of a gate are one", len(docs))}
	}
	root := docs[0].Root()
	for _, field := range []struct{ name, want string }{{"kind", Kind}, {"apiVersion", APIVersion}} {
		if v := root.Get(field.name); v.Text() != field.want {
			return Rules{}, root.Errorf(field.name, "is not %s: the rules of a gate have kind: %s and apiVersion: %s", field.want, Kind, APIVersion)
		}
	}
	var file rulesFile
	var faults document.Errors
	faults.Append(document.Decode(root, &file))
	r := Rules{}
	if file.Seeds != nil {
		if r.Seeds = *file.Seeds; r.Seeds < 1 {
			faults.Add(root, "seeds", "must be at least 1")
		}
	}
	eachKey(file.Tolerances, &faults, func(key reports.Key, v document.Value) { r.tolerance(key, v, &faults) })
	eachKey(file.Limits, &faults, func(key reports.Key, v document.Value) { r.limit(key, v, &faults) })
	if len(faults) == 0 && len(r.Tolerances)+len(r.Limits) == 0 {
		faults.Add(root, "", "has neither tolerances nor limits: such a gate never trips")
	}
	return r, faults.Err()
}

// eachKey calls f for each entry of a mapping from metrics.
func eachKey(m document.Value, faults *document.Errors, f func(reports.Key, document.Value)) {
	if m.Exists() && m.Kind() != document.Map && m.Kind() != document.Null {
		faults.Add(m, "", "is not a mapping from metrics")
		return
	}
	for name, v := range m.Entries() {
		key, err := reports.ParseKey(name)
		if err != nil {
			*faults = append(*faults, &document.Error{File: v.File(), Line: v.Line(), Col: v.Col(), Path: v.Path(), What: err.Error()})
			continue
		}
		f(key, v)
	}
}

func (r *Rules) tolerance(key reports.Key, v document.Value, faults *document.Errors) {
	t := Tolerance{Key: key}
	text, relative := strings.CutSuffix(strings.TrimSpace(v.Text()), "%")
	amount, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case key.Metric.Better == reports.Neutral:
		faults.Add(v, "", "has no meaning for %s, of which no values are better than others: it can have limits", key)
	case err != nil || amount < 0 || math.IsInf(amount, 0) || math.IsNaN(amount):
		faults.Add(v, "", "must be a number from 0 up in the metric's unit (%s), or a share of the baseline such as 5%%", key.Metric.Unit.Of(key.Label))
	case relative:
		t.Amount, t.Relative = amount/100, true
		r.Tolerances = append(r.Tolerances, t)
	default:
		t.Amount = amount
		r.Tolerances = append(r.Tolerances, t)
	}
}

func (r *Rules) limit(key reports.Key, v document.Value, faults *document.Errors) {
	var bounds struct {
		Min *float64 `json:"min"`
		Max *float64 `json:"max"`
	}
	if err := document.Decode(v, &bounds); err != nil {
		faults.Append(err)
		return
	}
	l := Limit{Key: key, Min: math.Inf(-1), Max: math.Inf(1)}
	if bounds.Min != nil {
		l.Min = *bounds.Min
	}
	if bounds.Max != nil {
		l.Max = *bounds.Max
	}
	switch {
	case bounds.Min == nil && bounds.Max == nil:
		faults.Add(v, "", "needs min or max")
	case l.Min > l.Max:
		faults.Add(v, "", "min is above max")
	default:
		r.Limits = append(r.Limits, l)
	}
}

// save writes text to a file under a temporary name first, so that it is whole or not there.
func save(path string, text []byte) error {
	temporary := path + ".berth-unfinished"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		_ = os.Remove(temporary) // the first error says more
		return err
	}
	return nil
}
