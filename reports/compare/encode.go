package compare

import (
	"math"
	"slices"
	"strconv"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
)

// Schema names the form of a comparison's JSON.
const Schema = "berth/comparison/v1"

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
	Policy    string                `json:"policy"`
	Answer    string                `json:"answer"`
	Headlines []string              `json:"headlines"` // the metrics to look at first
	Metrics   []contrastValueObject `json:"metrics"`
}

type contrastValueObject struct {
	Metric     string         `json:"metric"` // "utilization.allocated[cpu]"
	Unit       string         `json:"unit"`
	Baseline   output.Number  `json:"baseline"`
	Mean       output.Number  `json:"mean"`
	Difference output.Number  `json:"difference"`
	Least      output.Number  `json:"least"` // of the pairs
	Most       output.Number  `json:"most"`
	Low        output.Number  `json:"low"`
	High       output.Number  `json:"high"`
	Pairs      int            `json:"pairs"`
	P          output.Number  `json:"p"`
	Adjusted   output.Number  `json:"pAdjusted"` // of the rows judged
	Effect     output.Number  `json:"matters"`   // the smallest difference of interest
	Equal      output.Number  `json:"pEqual"`    // of the two one-sided tests of less than it
	Verdict    metric.Verdict `json:"verdict,omitempty"`
	SameAs     string         `json:"sameAs,omitempty"` // a row of the same values, which alone counts
}

func (c *Comparison) object() comparisonObject {
	out := comparisonObject{
		Schema: Schema, Scenario: c.Scenario, Seeds: c.Seeds, Policies: c.Policies, Baseline: c.Policies[c.Baseline],
		Exact: c.Exact,
	}
	for i := range c.Contrasts {
		contrast := &c.Contrasts[i]
		object := contrastObject{Policy: c.Policies[contrast.Policy], Answer: c.answer(contrast), Headlines: []string{}}
		for _, row := range contrast.headlines() {
			object.Headlines = append(object.Headlines, row.key().String())
		}
		for k := range contrast.Rows {
			object.Metrics = append(object.Metrics, contrast.Rows[k].object())
		}
		out.Contrasts = append(out.Contrasts, object)
	}
	return out
}

func (r *Row) object() contrastValueObject {
	out := contrastValueObject{
		Metric: r.Metric.Key(r.Label), Unit: r.Metric.Unit.Of(r.Label),
		Baseline: output.Number(r.Baseline), Mean: output.Number(r.Mean), Difference: output.Number(r.Difference.Mean),
		Least: output.Number(r.Least), Most: output.Number(r.Most), Low: output.Number(r.Low), High: output.Number(r.High), Pairs: r.Pairs, P: output.Number(r.P),
		Adjusted: output.Number(math.NaN()), Verdict: r.Verdict(),
	}
	out.Effect, out.Equal = out.Adjusted, out.Adjusted
	if r.Judged {
		out.Adjusted, out.Effect, out.Equal = output.Number(r.Adjusted), output.Number(r.Effect), output.Number(max(r.PLess, r.PMore))
	}
	if r.SameAs != "" {
		out.SameAs = r.Metric.Key(r.SameAs)
	}
	return out
}

// csv has a row for each difference.
func (c *Comparison) csv() [][]string {
	rows := [][]string{{
		"policy", "baseline", "metric", "unit", "baselineMean", "mean", "difference", "least", "most", "low", "high", "pairs", "p",
		"pAdjusted", "matters", "pEqual", "verdict", "sameAs", "headline",
	}}
	for k := range c.Contrasts {
		contrast := &c.Contrasts[k]
		headlines := contrast.headlines()
		for i := range contrast.Rows {
			row := &contrast.Rows[i]
			o := row.object()
			rows = append(rows, []string{
				c.Policies[contrast.Policy], c.Policies[c.Baseline], o.Metric, o.Unit, o.Baseline.String(), o.Mean.String(), o.Difference.String(),
				o.Least.String(), o.Most.String(), o.Low.String(), o.High.String(), strconv.Itoa(o.Pairs), o.P.String(), o.Adjusted.String(), o.Effect.String(), o.Equal.String(),
				string(o.Verdict), o.SameAs, strconv.FormatBool(slices.Contains(headlines, row)),
			})
		}
	}
	return rows
}
