// Package gate decides whether placement has become worse. It compares runs with a stored baseline of the same scenario
// and seeds, under tolerances, and checks them against limits. A gate fails on a difference that is significant over the
// seeds.
package gate

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/files/document"
)

// The apiVersion and kind of a file of rules.
const (
	APIVersion = "berth/v1alpha1"
	Kind       = "Gate"
)

var header = document.Header{Holds: "the rules of a gate", Kind: Kind, APIVersion: APIVersion}

// Rules are the tolerances and limits of a gate.
type Rules struct {
	Seeds      int // number of seeds; 0: not given
	NotShown   WhenNotShown
	Tolerances []Tolerance
	Limits     []Limit

	patterns []pattern
}

// WhenNotShown is the result of a gate with an inconclusive check.
type WhenNotShown string

// The choices.
const (
	NotShownPasses WhenNotShown = "pass" // with a warning; also the zero value
	NotShownFails  WhenNotShown = "fail"
)

// Tolerance is by how much a value may be worse than in the baseline: the smallest difference that counts.
type Tolerance struct {
	metric.Key
	Effect metric.Effect
	at     document.Value // in the file of rules
}

// Limit is the range in which a value must be, whatever the baseline is.
type Limit struct {
	metric.Key
	Min, Max float64 // infinite: no limit
	at       document.Value
}

// String returns the tolerance as text, such as "1 pod and 5 %".
func (t Tolerance) String() string { return t.EffectText(t.Effect) }

// String returns the limit as text, such as "at most 3".
func (l Limit) String() string {
	switch {
	case math.IsInf(l.Min, -1):
		return "at most " + l.Text(l.Max)
	case math.IsInf(l.Max, 1):
		return "at least " + l.Text(l.Min)
	}
	return l.Text(l.Min) + " to " + l.Text(l.Max)
}

// Default returns the rules that apply without a file: no primary metric may be worse by the smallest difference that it
// declares to matter. Metrics without a value in both the runs and the baseline are left out.
func Default(runs []*metric.Summary, b *Baseline) Rules {
	var r Rules
	for _, key := range metric.PrimaryKeys(runs) {
		before, _ := b.of(key)
		if slices.ContainsFunc(slices.Concat(before, values(key, runs)), isNumber) {
			r.Tolerances = append(r.Tolerances, Tolerance{Key: key, Effect: key.Metric.Matters})
		}
	}
	return r
}

// RulesType is the type that a file of rules is decoded into. The JSON Schema of the file is made from it.
var RulesType = reflect.TypeFor[rulesFile]()

// rulesFile is a file of rules.
type rulesFile struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Seeds      *int           `json:"seeds"`
	NotShown   document.Value `json:"notShown"`
	Tolerances document.Value `json:"tolerances"`
	Limits     document.Value `json:"limits"`
}

// IsRules reports whether a file has the kind of a file of rules.
func IsRules(path string) bool { return header.Is(path) }

// String returns the numbers of tolerances, limits and seeds as text.
func (r Rules) String() string {
	text := human.Counted(len(r.Limits), "limit")
	switch n := len(r.Tolerances) + len(r.patterns); n {
	case 0:
	case 1:
		text = "1 tolerance, " + text
	default:
		text = fmt.Sprintf("%d tolerances, %s", n, text)
	}
	if r.Seeds > 0 {
		text += ", " + human.Counted(r.Seeds, "seed")
	}
	return text
}

// ReadRules reads a file of rules. The error lists every fault.
func ReadRules(path string) (Rules, error) {
	root, err := header.Read(path)
	if err != nil {
		return Rules{}, err
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
	r.whenNotShown(file.NotShown, &faults)
	r.readPatterns(file.Tolerances, &faults)
	eachKey(file.Tolerances, &faults, func(key metric.Key, v document.Value) { r.tolerance(key, v, &faults) })
	eachKey(file.Limits, &faults, func(key metric.Key, v document.Value) { r.limit(key, v, &faults) })
	if len(faults) == 0 && len(r.Tolerances)+len(r.Limits)+len(r.patterns) == 0 {
		faults.Add(root, "", "has neither tolerances nor limits: such a gate never trips")
	}
	return r, faults.Err()
}

// eachKey calls f for each entry of a mapping from metrics.
func eachKey(m document.Value, faults *document.Errors, f func(metric.Key, document.Value)) {
	if m.Exists() && m.Kind() != document.Map && m.Kind() != document.Null {
		faults.Add(m, "", "is not a mapping from metrics")
		return
	}
	lines := map[metric.Key]int{}
	for name, v := range m.Entries() {
		if m.Path() == tolerancesField && isPattern(name) {
			continue
		}
		key, err := metric.ParseKey(name)
		if err != nil {
			*faults = append(*faults, faultOf(v, err))
			continue
		}
		if first, twice := lines[key]; twice {
			*faults = append(*faults, faultOf(v, fmt.Errorf("is set twice, first on line %d", first)))
			continue
		}
		lines[key] = v.Line()
		f(key, v)
	}
}

func (r *Rules) tolerance(key metric.Key, v document.Value, faults *document.Errors) {
	effect, err := readEffect(&key, v.Text())
	switch {
	case key.Metric.Better == metric.Neutral:
		faults.Add(v, "", "has no meaning for %s, of which no values are better than others: it can have limits", key)
	case err != nil:
		addFault(v, err, faults)
	default:
		r.Tolerances = append(r.Tolerances, Tolerance{Key: key, Effect: effect, at: v})
	}
}

func (r *Rules) limit(key metric.Key, v document.Value, faults *document.Errors) {
	var bounds struct {
		Min document.Value `json:"min"`
		Max document.Value `json:"max"`
	}
	if err := document.Decode(v, &bounds); err != nil {
		faults.Append(err)
		return
	}
	l := Limit{Key: key, at: v, Min: math.Inf(-1), Max: math.Inf(1)}
	before := len(*faults)
	hasMin := bound(key, bounds.Min, &l.Min, faults)
	hasMax := bound(key, bounds.Max, &l.Max, faults)
	switch {
	case len(*faults) > before:
	case !hasMin && !hasMax:
		faults.Add(v, "", "needs min or max")
	case l.Min > l.Max:
		faults.Add(v, "", "min is above max")
	default:
		r.Limits = append(r.Limits, l)
	}
}

// bound reads one end of a limit, and reports whether it is given.
func bound(key metric.Key, v document.Value, into *float64, faults *document.Errors) bool {
	if !v.Exists() || v.Kind() == document.Null {
		return false
	}
	amount, err := goal.Amount(key, v.Text())
	switch {
	case v.Text() == "":
		faults.Add(v, "", "must be an amount")
	case err != nil:
		*faults = append(*faults, faultOf(v, err))
	case math.IsInf(amount, 0) || math.IsNaN(amount):
		faults.Add(v, "", "must be a finite number")
	}
	*into = amount
	return true
}

// Check returns an error that lists the rules of parts, resources and classes that none of the runs has.
func (r Rules) Check(runs []*metric.Summary) error {
	var faults document.Errors
	check := func(key metric.Key, at document.Value) {
		if err := key.Unknown(runs); err != nil {
			faults = append(faults, faultOf(at, err))
		}
	}
	for _, t := range r.Tolerances {
		check(t.Key, t.at)
	}
	for _, l := range r.Limits {
		check(l.Key, l.at)
	}
	return faults.Err()
}

// CheckWithoutBaseline returns an error that lists the rules that need a baseline.
func (r Rules) CheckWithoutBaseline() error {
	var faults document.Errors
	alone := errors.New("is a tolerance, which needs --baseline FILE to be held against")
	for _, p := range r.patterns {
		faults = append(faults, faultOf(p.at, alone))
	}
	for _, t := range r.Tolerances {
		faults = append(faults, faultOf(t.at, alone))
	}
	return faults.Err()
}

// faultOf returns an error at the key of the value.
func faultOf(v document.Value, err error) *document.Error {
	return &document.Error{File: v.File(), Line: v.Line(), Col: v.Col(), Path: v.Path(), What: err.Error()}
}
