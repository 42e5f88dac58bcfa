package reports

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// ComparisonSchema names the form of a comparison's JSON.
const ComparisonSchema = "berth/comparison/v1"

// jsonNumber is a value in JSON: null where there is none.
type jsonNumber float64

// MarshalJSON writes the number.
func (n jsonNumber) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return []byte(formatNumber(v)), nil
	}
	return []byte("null"), nil
}

type comparisonObject struct {
	Schema    string           `json:"schema"`
	Scenario  string           `json:"scenario"`
	Seeds     []uint64         `json:"seeds"`
	Policies  []string         `json:"policies"`
	Baseline  string           `json:"baseline"`
	Exact     bool             `json:"exact"` // all seeds give the same figures
	Contrasts []contrastObject `json:"contrasts"`
}

type contrastObject struct {
	Policy  string                `json:"policy"`
	Answer  string                `json:"answer"`
	Metrics []contrastValueObject `json:"metrics"`
}

type contrastValueObject struct {
	Metric     string     `json:"metric"` // "utilisation.allocated[cpu]"
	Unit       string     `json:"unit"`
	Baseline   jsonNumber `json:"baseline"`
	Mean       jsonNumber `json:"mean"`
	Difference jsonNumber `json:"difference"`
	Least      jsonNumber `json:"least"` // of the pairs
	Most       jsonNumber `json:"most"`
	Low        jsonNumber `json:"low"`
	High       jsonNumber `json:"high"`
	Pairs      int        `json:"pairs"`
	P          jsonNumber `json:"p"`
	Adjusted   jsonNumber `json:"pAdjusted"` // of the rows judged
	Verdict    Verdict    `json:"verdict,omitempty"`
	SameAs     string     `json:"sameAs,omitempty"` // a row of the same values, which alone counts
}

func (c *Comparison) writeJSON(w io.Writer) error {
	out := comparisonObject{
		Schema: ComparisonSchema, Scenario: c.Scenario, Seeds: c.Seeds, Policies: c.Policies, Baseline: c.Policies[c.Baseline],
		Exact: c.Exact,
	}
	for i := range c.Contrasts {
		contrast := &c.Contrasts[i]
		object := contrastObject{Policy: c.Policies[contrast.Policy], Answer: c.answer(contrast)}
		for k := range contrast.Rows {
			object.Metrics = append(object.Metrics, contrast.Rows[k].object())
		}
		out.Contrasts = append(out.Contrasts, object)
	}
	return WriteJSON(w, out)
}

func (r *ContrastRow) object() contrastValueObject {
	out := contrastValueObject{
		Metric: r.Metric.Key(r.Label), Unit: r.Metric.Unit.Of(r.Label),
		Baseline: jsonNumber(r.Baseline), Mean: jsonNumber(r.Mean), Difference: jsonNumber(r.Difference.Mean),
		Least: jsonNumber(r.Least), Most: jsonNumber(r.Most), Low: jsonNumber(r.Low), High: jsonNumber(r.High), Pairs: r.Pairs, P: jsonNumber(r.P),
		Adjusted: jsonNumber(math.NaN()), Verdict: r.Verdict(),
	}
	if r.Judged {
		out.Adjusted = jsonNumber(r.Adjusted)
	}
	if r.SameAs != "" {
		out.SameAs = r.Metric.Key(r.SameAs)
	}
	return out
}

func (c *Comparison) writeCSV(w io.Writer) error {
	rows := [][]string{{
		"policy", "baseline", "metric", "unit", "baselineMean", "mean", "difference", "least", "most", "low", "high", "pairs", "p",
		"pAdjusted", "verdict", "sameAs",
	}}
	text := func(n jsonNumber) string {
		if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return formatNumber(v)
		}
		return ""
	}
	for _, contrast := range c.Contrasts {
		for i := range contrast.Rows {
			o := contrast.Rows[i].object()
			rows = append(rows, []string{
				c.Policies[contrast.Policy], c.Policies[c.Baseline], o.Metric, o.Unit, text(o.Baseline), text(o.Mean), text(o.Difference),
				text(o.Least), text(o.Most), text(o.Low), text(o.High), strconv.Itoa(o.Pairs), text(o.P), text(o.Adjusted),
				string(o.Verdict), o.SameAs,
			})
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
