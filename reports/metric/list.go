package metric

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// WriteList writes the declarations of all metrics: name, unit, scopes, formula.
func WriteList(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return metricList(width), nil },
		Markdown: metricReference,
		JSON:     func() any { return metricObjects() },
		CSV:      metricRows,
	})
}

// signature is the name with the kind of its labels: "utilization.allocated[resource]".
func (m *Declaration) signature() string { return m.Key(string(m.Label)) }

// eachMetric calls f for each metric; first says that it is the first of its group.
func eachMetric(f func(m *Declaration, first bool)) {
	for i := range All {
		f(&All[i], i == 0 || All[i-1].Group() != All[i].Group())
	}
}

// metricList has a paragraph for each metric.
func metricList(width int) string {
	const indent = "    "
	var b strings.Builder
	eachMetric(func(m *Declaration, first bool) {
		if first {
			b.WriteString(strings.Repeat("\n", min(b.Len(), 1)) + strings.ToUpper(m.Group()) + "\n\n")
		}
		fmt.Fprintf(&b, "%s  %s\n", m.signature(), m.Unit)
		for _, line := range table.Wrap(m.Formula, width-len(indent)) {
			b.WriteString(indent + line + "\n")
		}
	})
	return b.String()
}

// matters returns the smallest difference of interest as text; "" for a metric without a direction.
func (m *Declaration) matters() string {
	if m.Better == Neutral {
		return ""
	}
	return Key{Metric: m}.EffectText(m.Matters)
}

func metricRows() [][]string {
	rows := [][]string{{"metric", "label", "unit", "scopes", "formula", "source", "matters"}}
	eachMetric(func(m *Declaration, _ bool) {
		rows = append(rows, []string{m.Name, string(m.Label), string(m.Unit), m.Scopes.String(), m.Formula, m.Source, m.matters()})
	})
	return rows
}

type metricObject struct {
	Name    string    `json:"name"`
	Title   string    `json:"title"`
	Label   LabelKind `json:"label,omitempty"`
	Unit    Unit      `json:"unit"`
	Scopes  []string  `json:"scopes"`
	Formula string    `json:"formula"`
	Source  string    `json:"source,omitempty"`
	Matters string    `json:"matters,omitempty"`
}

func metricObjects() []metricObject {
	var list []metricObject
	eachMetric(func(m *Declaration, _ bool) {
		list = append(list, metricObject{m.Name, m.Title, m.Label, m.Unit, strings.Split(m.Scopes.String(), ", "), m.Formula, m.Source, m.matters()})
	})
	return list
}

// referenceHead is the beginning of the metric reference.
const referenceHead = `# Metrics

Every number that berth reports is computed from the record log of a run, by one of the declarations below. This page is
made from them; ` + "`berth metrics`" + ` prints the same list.

- A name in brackets is a label: ` + "`utilization.allocated[cpu]`" + ` is one value, there is one for each resource.
- **Scopes**: *run*: the whole run; *workload*, *priority*: its pods; *pool*: its nodes and the pods on them; *sample*: a
  column of ` + "`timeseries.csv`" + `, as of the sampling instant. "At the end" means there: at that instant. Goals and gates
  name a part in braces: ` + "`placement.pending{workload=web}`, `placement.waitToBind[p99]{priority=1000}`" + `.
- **Units**: a *share* is between 0 and 1; an *amount* is in the base unit of its resource: cpu in milli, memory, storage and
  huge pages in bytes, all else in units; *amount-s* is that times seconds; a *price* is in the currency of ` + "`pricePerHour`" + `.
- **Matters**: the smallest difference of interest, for metrics of which some values are better than others. A difference matters if
  it is at least the amount *and* at least the share of the baseline's mean. ` + "[`compare`](compare.md) and [`check`](check.md)" + ` give no
  verdict on less; a gate can set other amounts.
- **Means** of what changes over time are integrals where the formula has one, and otherwise *time-weighted over the sampling
  instants*: each instant counts for the time since the one before, the first for the time since the start of the run. A
  sample at time 0 so counts for nothing; where there is no other, it is the mean. A peak counts only what lasted for some time.
- **Quantiles** (p50, p90, p99) are the smallest value that at least that part of all values does not exceed. They are exact up to
  16,384 values; beyond, values are counted in buckets and the quantile is at most 0.1 % off. Mean and max are always
  exact.
- Where a metric has no value (nothing to divide by, nothing sampled) it is null in JSON, empty in CSV, and – in tables.
`

func metricReference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	eachMetric(func(m *Declaration, first bool) {
		if group := m.Group(); first {
			b.WriteString("\n## " + strings.ToUpper(group[:1]) + group[1:] + "\n\n| metric | unit | matters | scopes | formula |\n| --- | --- | --- | --- | --- |\n")
		}
		formula := strings.ReplaceAll(m.Formula, "|", `\|`)
		if m.Source != "" {
			formula += " (" + m.Source + ")"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.signature(), m.Unit, m.matters(), m.Scopes, formula)
	})
	return b.String()
}
