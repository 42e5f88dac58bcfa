package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
)

// Key names one value of a metric: "placement.waitToBind[p99]" of the whole run,
// "placement.waitToBind[p99]{workload=web}" of a part of it.
type Key struct {
	Metric *Declaration
	Label  string
	Part
}

// String returns the name.
func (k Key) String() string { return k.Metric.Key(k.Label) + k.Part.String() }

// ParseKey reads the name of a value. The error says what is wrong with a name that no run can have,
// and which name may have been meant. Names of resources, classes, reasons and parts are not
// checked, since they differ between runs.
func ParseKey(text string) (Key, error) {
	name, label, given := text, "", false
	part, err := Part{}, error(nil)
	if before, after, has := strings.Cut(text, partOpens); has && !strings.Contains(before, "[") {
		name = before
		part, err = ParsePart(partOpens + after)
	} else if at := strings.LastIndex(text, "]"+partOpens); at >= 0 {
		name = text[:at+1]
		part, err = ParsePart(text[at+1:])
	}
	if err != nil {
		return Key{}, err
	}
	name, label, given = strings.Cut(name, "[")
	label, closed := strings.CutSuffix(label, "]")
	if given && (!closed || label == "") {
		return Key{}, fmt.Errorf("is not a name of a metric: write name or name[label]")
	}
	return NewKey(name, label, given, part)
}

// NewKey returns the key of a name that was split; given reports whether there is a label. Errors are those of ParseKey.
func NewKey(name, label string, given bool, part Part) (Key, error) {
	m, err := findMetric(name)
	if err != nil {
		return Key{}, err
	}
	if err := m.checkLabel(label, given); err != nil {
		return Key{}, err
	}
	return Key{m, label, part}, m.checkPart(part)
}

// findMetric returns the metric of that name, if it is computed for whole runs. The error continues a sentence that begins
// with the name.
func findMetric(name string) (*Declaration, error) {
	var known []string
	for i := range All {
		if All[i].Scopes&ScopeRun != 0 {
			known = append(known, All[i].Name)
		}
	}
	switch m := Named(name); {
	case m == nil:
		return nil, fmt.Errorf("is not a metric%s", meantMetric(name, known))
	case m.Scopes&ScopeRun == 0:
		return nil, fmt.Errorf("is a column of the time series only; name a figure of the whole run%s", document.Meant(name+"Mean", known))
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

// checkLabel returns what is wrong with a label of the metric, or with a missing one. The
// error continues a sentence that begins with the name.
func (m *Declaration) checkLabel(label string, given bool) error {
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

// In returns the value in a run; NaN if the run has none. It is 0 for reasons and causes that did not occur.
func (k Key) In(s *Summary) float64 {
	part := s.part(k.Part)
	switch v, has := part.find(k); {
	case has:
		return v
	case part != nil:
		return k.Absent()
	}
	return noValue
}

// Absent returns the value in a run that has the part and not the label: 0 for reasons, causes and kinds of records,
// which did not occur, and NaN for all else.
func (k Key) Absent() float64 {
	switch k.Metric.Label {
	case ByReason, ByCauseOfLoss, ByKind:
		return 0
	}
	return noValue
}

// Grows reports whether the value never falls while a run goes on: a run in which it is too large can be ended.
func (k Key) Grows() bool {
	return k.Metric.Grows && (k.Metric.Label != ByStatistic || k.Label == "max")
}

// Has reports whether a run has the value, which may be NaN.
func (k Key) Has(s *Summary) bool {
	_, has := s.part(k.Part).find(k)
	return has
}

// find returns the value of the key in the scope, which may be nil, and whether there is one.
func (s *ScopeValues) find(k Key) (float64, bool) {
	if s != nil {
		for _, v := range s.Values {
			if v.Metric == k.Metric && v.Label == k.Label {
				return v.Value, true
			}
		}
	}
	return noValue, false
}

// Unknown returns an error if none of the runs has the part or the label of the key. The error lists those that
// exist.
func (k Key) Unknown(runs []*Summary) error {
	if err := k.Part.Unknown(runs); err != nil {
		return err
	}
	if k.Metric.Label != ByResource && k.Metric.Label != ByClass || slices.ContainsFunc(runs, k.Has) {
		return nil
	}
	var labels []string
	for _, s := range runs {
		if part := s.part(k.Part); part != nil {
			for _, v := range part.Values {
				if v.Metric == k.Metric && !slices.Contains(labels, v.Label) {
					labels = append(labels, v.Label)
				}
			}
		}
	}
	return unknown(string(k.Metric.Label), k.Label, labels)
}

// unknown is the error about a name that no run has. It says which name may have been meant, and lists all.
func unknown(kind, name string, known []string) error {
	return fmt.Errorf("there is no %s %q in the run%s; there are: %s", kind, name, document.Meant(name, known), strings.Join(known, ", "))
}

// Text writes a value for people, with its unit.
func (k Key) Text(v float64) string { return k.Metric.Unit.Text(k.Label, v) }

// Title returns the name of the value for people.
func (k Key) Title() string {
	title := k.Metric.Title
	if k.Label != "" {
		title += ", " + k.Label
	}
	if k.Part != (Part{}) {
		title += ", " + k.Scope.String() + " " + k.Name
	}
	return title
}

// Column returns the name of the value as the heading of a column.
func (k Key) Column() string {
	head := k.Metric.Column + " " + k.Label
	if k.Metric.Label == ByResource {
		head = k.Label + " " + k.Metric.Column
		if k.Metric.Name == "utilization.allocated" {
			head = k.Label
		}
	}
	head = strings.TrimSpace(head)
	if k.Part != (Part{}) {
		head += ", " + k.Name
	}
	return head
}

// Size writes the size of a difference in the value, without its sign; that of shares is in percentage points.
func (k Key) Size(difference float64) string {
	v := math.Abs(difference)
	switch unit := k.Metric.Unit; unit {
	case UnitShare:
		return human.Percent(v) + " points"
	case UnitPods, UnitNodes, UnitGangs, UnitDevices:
		if text := human.Short(v); text != "1" {
			return text + " " + string(unit)
		}
		return "1 " + strings.TrimSuffix(string(unit), "s")
	case UnitPerSecond:
		return human.ThreeDigits(v) + " /s"
	}
	return k.Metric.Unit.Text(k.Label, v)
}

// SizeBeside is like Size, in the unit in which the larger one of the two values is written.
func (k Key) SizeBeside(difference, larger float64) string {
	if k.Metric.Unit == UnitPerSecond {
		return human.RateBeside(math.Abs(difference), larger)
	}
	return k.Size(difference)
}
