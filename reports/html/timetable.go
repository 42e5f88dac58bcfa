package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
)

// maxTimes is how many spans the table of a figure over time has.
const maxTimes = 24

// aggregation is how the values within one row of such a table become one.
type aggregation uint8

const (
	asOfEnd aggregation = iota // the value at the end of the span
	highest
	mean
	total
)

// line is one curve of a figure over time.
type line struct {
	name string
	x, y []float64
	to   []float64 // ends of the spans that begin at x; nil where values are of instants
}

// timeTable returns a table with a row for each of up to maxTimes spans of time, and below them statistics of all
// values.
func (r *Report) timeTable(lines []line, kind string, by aggregation) table.Table {
	t := table.Table{Head: []string{"time"}}
	rows, end := 0, r.clockAxis().Max
	for _, l := range lines {
		t.Head = append(t.Head, l.name)
		rows = max(rows, min(len(l.x), maxTimes))
	}
	values := make([][]float64, len(lines))
	for i := range lines {
		values[i] = lines[i].aggregate(end, rows, by)
	}
	row := func(name string, of func(i int) float64) {
		cells := []string{name}
		for i := range lines {
			cells = append(cells, formatValue(kind, of(i)))
		}
		t.Rows = append(t.Rows, cells)
	}
	edge := func(k int) string { return shortTime(end * float64(k) / float64(rows)) }
	for k := range rows {
		name := edge(k + 1)
		if by != asOfEnd {
			name = edge(k) + " to " + name
		}
		row(name, func(i int) float64 { return values[i][k] })
	}
	if rows == 0 {
		return t
	}
	switch by {
	case asOfEnd, highest:
		row("lowest", func(i int) float64 { return lines[i].extreme(-1) })
		row("highest", func(i int) float64 { return lines[i].extreme(1) })
	case mean:
		row("mean", func(i int) float64 { return lines[i].aggregate(end, 1, mean)[0] })
	case total:
		row("in all", func(i int) float64 { return lines[i].aggregate(end, 1, total)[0] })
	}
	return t
}

// caption says how to read a table.
func (by aggregation) caption() string {
	switch by {
	case highest:
		return "Each row has the highest values of a span."
	case mean:
		return "Each row has the means over a span."
	case total:
		return "Each row has the sums of a span."
	}
	return "Each row has the values at a time."
}

// aggregate returns one value for each of so many spans of equal length up to the end; NaN where there is
// none. A value that has a span itself belongs to the row of the middle of its span.
func (l *line) aggregate(end float64, rows int, by aggregation) []float64 {
	sums, weights := make([]float64, rows), make([]float64, rows)
	width := end / float64(rows)
	for i, y := range l.y {
		at, weight := l.x[i], 1.0
		k := int(math.Ceil(at/width-1e-9)) - 1
		if l.to != nil {
			weight = l.to[i] - at
			k = int((at + l.to[i]) / 2 / width)
		}
		k = min(max(k, 0), rows-1)
		switch {
		case math.IsNaN(y):
			continue
		case by == mean:
			sums[k] += float64(y * weight)
			weights[k] += weight
			continue
		case by == total:
			sums[k] += y
		case by == asOfEnd, weights[k] == 0, y > sums[k]:
			sums[k] = y
		}
		weights[k] = 1
	}
	for k := range sums {
		switch {
		case weights[k] > 0:
			sums[k] /= weights[k]
		case by == asOfEnd:
			sums[k] = l.asOf(width * float64(k+1))
		default:
			sums[k] = math.NaN()
		}
	}
	return sums
}

// asOf returns the last value up to an instant; NaN before the first one and after the last.
func (l *line) asOf(at float64) float64 {
	if n := len(l.x); n == 0 || at > l.x[n-1]*(1+1e-9) {
		return math.NaN()
	}
	return valueAt(l.x, l.y, at)
}

// extreme returns the highest value, or for a negative sign the lowest; NaN where there is none.
func (l *line) extreme(sign float64) float64 {
	out := math.NaN()
	for _, y := range l.y {
		if math.IsNaN(out) || sign*y > sign*out {
			out = y
		}
	}
	return out
}

// valueAt returns the value of a line as of an instant; NaN before the first.
func valueAt(x, y []float64, at float64) float64 {
	i, exact := slices.BinarySearch(x, at)
	if !exact {
		i--
	}
	if i < 0 || i >= len(y) {
		return math.NaN()
	}
	return y[i]
}

// formatValue writes a value of a figure for people.
func formatValue(kind string, v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case kind == "share":
		return human.Share(v)
	case v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// shortTime writes a time without zeros at the end of its fraction, as the script does.
func shortTime(seconds float64) string {
	number, unit, _ := strings.Cut(human.Seconds(seconds), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}
