package reports

import (
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
	name, rest, labelled := strings.Cut(text, "[")
	label, closed := strings.CutSuffix(rest, "]")
	if labelled && (!closed || label == "") {
		return Key{}, fmt.Errorf("is no name of a metric: write name or name[label]")
	}
	m := MetricByName(name)
	switch {
	case m == nil:
		return Key{}, fmt.Errorf("is no metric%s; berth metrics lists all", document.Meant(name, runMetrics()))
	case m.Scopes&ScopeRun == 0:
		return Key{}, fmt.Errorf("is not a metric of a whole run, only of a %s", m.Scopes)
	case m.Label == NoLabel && labelled:
		return Key{}, fmt.Errorf("has no label: write %s", m.Name)
	case m.Label != NoLabel && !labelled:
		return Key{}, fmt.Errorf("needs a label: write %s", m.signature())
	case m.Label == ByStatistic && !slices.Contains(statistics, label):
		return Key{}, fmt.Errorf("has no statistic %s: there are %s", label, strings.Join(statistics, ", "))
	}
	return Key{m, label}, nil
}

// runMetrics are the names of the metrics of whole runs.
func runMetrics() []string {
	var names []string
	for i := range Metrics {
		if Metrics[i].Scopes&ScopeRun != 0 {
			names = append(names, Metrics[i].Name)
		}
	}
	return names
}

// Get is the value of the key in a run; NaN where there is none. Of reasons and causes that
// did not occur it is 0.
func (s *Summary) Get(k Key) float64 {
	return valuesOf([]*Summary{s}, Value{Metric: k.Metric, Label: k.Label})[0]
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

// Size words the size of a difference in the value, without its sign.
func (k Key) Size(difference float64) string { return size(k.Metric, k.Label, difference) }

// Text words a value.
func (k Key) Text(v float64) string { return human(k.Metric.Unit, k.Label, v) }

// Title names the value for people.
func (k Key) Title() string { return (&ContrastRow{Metric: k.Metric, Label: k.Label}).title() }
