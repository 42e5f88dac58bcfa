package gate

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/sim/files/document"
)

// DefaultTolerance stands in a file of rules for the smallest difference of interest that a metric declares.
const DefaultTolerance = "default"

// tolerancesField is the field that may have patterns for keys.
const tolerancesField = "tolerances"

// pattern is a tolerance for every value of whole runs whose name matches.
type pattern struct {
	match string         // as path.Match reads it, without its classes
	text  string         // of the tolerance
	at    document.Value // in the file of rules
}

func isPattern(name string) bool { return strings.Contains(name, "*") }

// matches reports whether the name of a value or of its metric matches. Brackets are no classes but part of names.
func (p *pattern) matches(key metric.Key) bool {
	literal := strings.NewReplacer("[", `\[`, "]", `\]`, "?", `\?`)
	whole := strings.ReplaceAll(key.String(), "/", ".") // labels may have a slash, which * does not match
	for _, name := range []string{whole, key.Metric.Name} {
		if ok, err := path.Match(strings.ReplaceAll(literal.Replace(p.match), "/", "."), name); err == nil && ok {
			return true
		}
	}
	return false
}

// readPatterns reads the tolerances whose names have an asterisk.
func (r *Rules) readPatterns(m document.Value, faults *document.Errors) {
	if m.Kind() != document.Map {
		return
	}
	for name, v := range m.Entries() {
		if !isPattern(name) {
			continue
		}
		if _, err := readEffect(nil, v.Text()); err != nil {
			addFault(v, err, faults)
			continue
		}
		r.patterns = append(r.patterns, pattern{name, v.Text(), v})
	}
}

// For returns the rules with a tolerance for each value of the runs that a pattern matches and compare judges. A name takes
// precedence over a pattern, and a pattern over those below it. The error lists the patterns that match nothing.
func (r Rules) For(runs []*metric.Summary) (Rules, error) {
	var faults document.Errors
	r.Tolerances = slices.Clone(r.Tolerances)
	for _, p := range r.patterns {
		matched := false
		for _, key := range metric.Keys(runs) {
			if !key.Judged() || !p.matches(key) {
				continue
			}
			matched = true
			if slices.ContainsFunc(r.Tolerances, func(t Tolerance) bool { return t.Key == key }) {
				continue
			}
			effect, err := readEffect(&key, p.text)
			if err != nil {
				faults = append(faults, faultOf(p.at, err))
			}
			r.Tolerances = append(r.Tolerances, Tolerance{Key: key, Effect: effect, at: p.at})
		}
		if !matched {
			faults = append(faults, faultOf(p.at, errors.New("matches no metric of the runs that can be better or worse: run berth metrics for the names")))
		}
	}
	r.patterns = nil
	return r, faults.Err()
}

// addFault adds what is wrong with a tolerance; an error that does not quote the value gets it in front.
func addFault(v document.Value, err error, faults *document.Errors) {
	if strings.HasPrefix(err.Error(), `"`) {
		*faults = append(*faults, faultOf(v, err))
		return
	}
	faults.Add(v, "", "%s", err)
}

// whenNotShown reads what becomes of values of which nothing is shown.
func (r *Rules) whenNotShown(v document.Value, faults *document.Errors) {
	if !v.Exists() {
		return
	}
	if r.NotShown = WhenNotShown(v.Text()); r.NotShown != NotShownPasses && r.NotShown != NotShownFails {
		faults.Add(v, "", "must be %s or %s", NotShownPasses, NotShownFails)
	}
}

// readEffect reads a tolerance: an amount in the metric's unit, a share of the baseline, both joined by "and", or the
// default. Without a key it is that of a pattern, which has no unit.
func readEffect(key *metric.Key, text string) (metric.Effect, error) {
	if strings.TrimSpace(text) == DefaultTolerance {
		if key == nil {
			return metric.Effect{}, nil
		}
		return key.Metric.Matters, nil
	}
	var e metric.Effect
	parts := strings.Split(text, " and ")
	if len(parts) > 2 {
		return e, errors.New("must be one amount and one share at most, such as 1 and 5%")
	}
	for i, part := range parts {
		into := &e.Absolute
		share, relative := strings.CutSuffix(strings.TrimSpace(part), "%")
		if relative {
			into = &e.Relative
		}
		amount, err := readPart(key, strings.TrimSpace(part), strings.TrimSpace(share), relative)
		switch {
		case err != nil:
			return e, err
		case !(amount >= 0) || math.IsInf(amount, 0):
			return e, errors.New("must be a number from 0 up")
		case i > 0 && relative == strings.HasSuffix(strings.TrimSpace(parts[0]), "%"):
			return e, errors.New("must be one amount and one share at most, such as 1 and 5%")
		}
		*into = amount
	}
	return e, nil
}

// readPart reads an amount, or the number of a share.
func readPart(key *metric.Key, text, share string, relative bool) (float64, error) {
	const forms = "must be an amount, a share of the baseline such as 5%, both such as 1 and 5%, or default"
	if relative {
		amount, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return 0, errors.New(forms)
		}
		return amount / 100, nil
	}
	switch {
	case text == "":
		return 0, errors.New(forms)
	case key == nil:
		return 0, errors.New("must be default or a share of the baseline such as 5%: the metrics of a pattern have different units")
	}
	amount, err := goal.Amount(*key, text)
	if err != nil {
		return 0, fmt.Errorf("%w; a share of the baseline is written as 5%%", err)
	}
	return amount, nil
}
