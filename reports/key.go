package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/document"
)

// Key names one value of a metric for the whole run: "placement.waitToBind[p99]".
type Key struct {
	Metric *Metric
	Label  string
}

// String is the name.
func (k Key) String() string { return k.Metric.Key(k.Label) }

// ParseKey reads the name of a value. It says what is wrong with one that no run can have,
// and what may have been meant. Of resources, classes and reasons any is taken.
func ParseKey(text string) (Key, error) {
	name, rest, given := strings.Cut(text, "[")
	label, closed := strings.CutSuffix(rest, "]")
	if given && (!closed || label == "") {
		return Key{}, fmt.Errorf("is no name of a metric: write name or name[label]")
	}
	m, err := FindMetric(name)
	if err != nil {
		return Key{}, err
	}
	return Key{m, label}, m.CheckLabel(label, given)
}

// FindMetric is the metric of that name, if runs as a whole have it. The error reads on
// from the name, and says what may have been meant.
func FindMetric(name string) (*Metric, error) {
	var known []string
	for i := range Metrics {
		if Metrics[i].Scopes&ScopeRun != 0 {
			known = append(known, Metrics[i].Name)
		}
	}
	switch m := MetricByName(name); {
	case m == nil:
		return nil, fmt.Errorf("is no metric%s", meantMetric(name, known))
	case m.Scopes&ScopeRun == 0:
		return nil, fmt.Errorf("is a column of the time series only, a figure of the whole run is due%s", document.Meant(name+"Mean", known))
	default:
		return m, nil
	}
}

// meantMetric suggests the metric that a name may stand for, which may lack its group.
func meantMetric(name string, known []string) string {
	for _, full := range known {
		if strings.HasSuffix(full, "."+name) {
			return fmt.Sprintf("; did you mean %q?", full)
		}
	}
	return cmp.Or(document.Meant(name, known), "; berth metrics lists all")
}

// CheckLabel says what is wrong with a label of the metric, or with there being none. The
// error reads on from the name.
func (m *Metric) CheckLabel(label string, given bool) error {
	known := m.Label.Known()
	switch {
	case m.Label == NoLabel && given:
		return fmt.Errorf("has one value: leave [%s] out", label)
	case m.Label == NoLabel:
		return nil
	case !given && len(known) > 0:
		return fmt.Errorf("has a value for each %s: name one, as %s", m.Label, m.Key(known[len(known)/2]))
	case !given:
		return fmt.Errorf("has a value for each %s: name one, as %s", m.Label, m.Key("…"))
	case len(known) > 0 && !slices.Contains(known, label):
		return fmt.Errorf("has no %s %q%s; there are: %s", m.Label, label, document.Meant(label, known), strings.Join(known, ", "))
	}
	return nil
}

// Draw is the table for a terminal of that width.
func (t Table) Draw(width int) (string, error) {
	var b strings.Builder
	for _, part := range (grid{head: t.Head, rows: t.Rows}).fit(width).split(width) {
		drawn, err := part.block()
		if err != nil {
			return "", err
		}
		b.WriteString(strings.Join(drawn.lines, "\n") + "\n")
	}
	return b.String(), nil
}

// Keys are those of all values that any of the runs has.
func Keys(runs []*Summary) []Key {
	var keys []Key
	for _, v := range valueKeys(runs) {
		keys = append(keys, Key{v.Metric, v.Label})
	}
	return keys
}

// Judged are the keys that comparisons judge and that are to be looked at first, as far as
// any of the runs has them.
func Judged(runs []*Summary) []Key {
	var keys []Key
	for _, v := range valueKeys(runs) {
		if v.judged() && v.Metric.first() {
			keys = append(keys, Key{v.Metric, v.Label})
		}
	}
	return keys
}

// In is the value in a run; NaN where there is none. Of reasons and causes that did not occur
// it is 0.
func (k Key) In(s *Summary) float64 { return s.Reading(k.Metric, k.Label).Value }

// Size words the size of a difference in the value, without its sign.
func (k Key) Size(difference float64) string { return size(k.Metric, k.Label, difference) }

// Text words a value.
func (k Key) Text(v float64) string { return human(k.Metric.Unit, k.Label, v) }

// Title names the value for people.
func (k Key) Title() string { return (&ContrastRow{Metric: k.Metric, Label: k.Label}).title() }
