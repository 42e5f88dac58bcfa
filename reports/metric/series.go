package metric

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/clock"
)

// series is the time series: a row for each sampling instant, a column for each value
// of a metric. A column is added when its label first occurs.
type series struct {
	times   []clock.Time
	columns []seriesColumn
	index   map[seriesKey]int
}

type seriesKey struct {
	metric *Declaration
	label  string
}

type seriesColumn struct {
	seriesKey
	order  int       // the metric's place in All
	values []float64 // of the first rows; the rest have no value
}

// add computes a row.
func (s *series) add(v *view) {
	if s.index == nil {
		s.index = map[seriesKey]int{}
	}
	row := len(s.times)
	s.times = append(s.times, v.now)
	for order := range All {
		m := &All[order]
		if m.Scopes&ScopeSample == 0 {
			continue
		}
		m.values(v, func(label string, value float64) {
			c := s.column(seriesKey{m, label}, order)
			for len(c.values) < row {
				c.values = append(c.values, math.NaN())
			}
			c.values = append(c.values, value)
		})
	}
}

func (s *series) column(key seriesKey, order int) *seriesColumn {
	i, ok := s.index[key]
	if !ok {
		i = len(s.columns)
		s.index[key] = i
		s.columns = append(s.columns, seriesColumn{seriesKey: key, order: order})
	}
	return &s.columns[i]
}

// reading is a value of a column, and the time that it counts for: the time since the previous
// sampling instant, or since the start of the run.
type reading struct {
	value float64
	span  clock.Time
}

// eachColumn calls f for each column of a metric, with its values that are not NaN.
func (s *series) eachColumn(metric string, f func(label string, column []reading)) {
	for _, c := range s.ordered() {
		if c.metric.Name != metric {
			continue
		}
		var column []reading
		previous := clock.Time(0)
		for i, value := range c.values {
			if !math.IsNaN(value) {
				column = append(column, reading{value, s.times[i] - previous})
			}
			previous = s.times[i]
		}
		f(c.label, column)
	}
}

// ordered returns the columns in the order of the declarations. Labels are in order of first
// appearance, except for resources, which CompareResources orders.
func (s *series) ordered() []seriesColumn {
	columns := slices.Clone(s.columns)
	slices.SortStableFunc(columns, func(a, b seriesColumn) int {
		if a.metric != b.metric || a.metric.Label != ByResource {
			return cmp.Compare(a.order, b.order)
		}
		return CompareResources(a.label, b.label)
	})
	return columns
}

// timeWeighted returns the mean of a column weighted by the spans of its values; if
// all spans are 0, the last value.
func timeWeighted(column []reading) float64 {
	if len(column) == 0 {
		return math.NaN()
	}
	sum, whole := 0.0, 0.0
	for _, r := range column {
		sum += float64(r.value * r.span.Seconds())
		whole += r.span.Seconds()
	}
	if whole == 0 {
		return column[len(column)-1].value
	}
	return sum / whole
}

// mean returns the mean of the values; NaN if there are none.
func mean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// meanAndDeviation returns the mean and the standard deviation of a whole population. It and
// mean do not use gonum, which sums in an order that depends on the
// processor, and so does the last digit.
func meanAndDeviation(values []float64) (m, deviation float64) {
	m = mean(values)
	squares := 0.0
	for _, v := range values {
		squares += float64((v - m) * (v - m))
	}
	return m, math.Sqrt(squares / float64(len(values)))
}

// highest returns the highest value of a column; NaN if it has none.
func highest(column []reading) float64 {
	most := math.NaN()
	for _, r := range column {
		if math.IsNaN(most) || r.value > most {
			most = r.value
		}
	}
	return most
}

// Column is a column of the time series.
type Column struct {
	Metric *Declaration
	Label  string
	Values []float64 // one for each sampling instant; NaN where there is none
}

// Series returns the time series: the sampling instants in seconds, and the columns in order.
func (l *Ledger) Series() (seconds []float64, columns []Column) {
	for _, t := range l.series.times {
		seconds = append(seconds, t.Seconds())
	}
	for _, c := range l.series.ordered() {
		values := slices.Clone(c.values)
		for len(values) < len(seconds) {
			values = append(values, math.NaN())
		}
		columns = append(columns, Column{c.metric, c.label, values})
	}
	return seconds, columns
}

// WriteSeries writes the time series as CSV: one row for each sampling instant with the
// time in seconds, one column for each value of a metric of the scope "sample". A cell
// is empty where there is no value.
func (l *Ledger) WriteSeries(w io.Writer) error {
	columns := l.series.ordered()
	out := csv.NewWriter(w)
	row := []string{"seconds"}
	for _, c := range columns {
		row = append(row, c.metric.Key(c.label))
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for i, t := range l.series.times {
		row = append(row[:0], output.FormatNumber(t.Seconds()))
		for _, c := range columns {
			cell := ""
			if i < len(c.values) && !math.IsNaN(c.values[i]) {
				cell = output.FormatNumber(c.values[i])
			}
			row = append(row, cell)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
