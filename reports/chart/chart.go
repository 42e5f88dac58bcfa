// Package chart draws what a report shows as pictures: lines, areas and spans over axes of
// time, shares or counts. It is the one door to gonum/plot. A chart is drawn for a page,
// as SVG whose colors are classes that the page's style gives a value, light or dark; or
// for slides, as an SVG or PNG file that stands alone.
package chart

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/sim/model/portable"
)

// Chart is a picture of marks over two axes.
type Chart struct {
	Title string // shown in files; a page has its own heading
	X, Y  Axis
	Marks []Mark // in order of drawing
}

// Scale is what an axis measures.
type Scale uint8

// The scales.
const (
	Count   Scale = iota // of anything, from 0 up
	Share                // 0 to 1, written in percent
	Clock                // time since the start of the run, in seconds
	LogTime              // a length of time in seconds, on a logarithmic scale
	Rows                 // things by name, each a row; the first is at the top
)

// Axis is one of the axes. Limits that are equal are taken from the marks.
type Axis struct {
	Scale    Scale
	Min, Max float64
	Names    []string // of rows
}

// Kind is how a mark is drawn.
type Kind uint8

// The kinds of marks.
const (
	Line  Kind = iota // through the points (X, Y); NaN breaks it
	Area              // between (X, Base) and (X, Y)
	Spans             // from X to To in row Y, one for each element
	Ticks             // a short upright line at X in row Y
)

// Mark is one thing that a chart shows.
type Mark struct {
	Name  string // in the legend; empty: it has no entry
	Kind  Kind
	Ink   Ink
	Dash  Dash // of a line
	X, Y  []float64
	Base  []float64 // of an area; nil: 0
	To    []float64 // of spans
	Faint bool      // drawn lightly: context to other marks
}

// Steps turns values that hold from one edge to the next into points that draw steps.
// There is one edge more than there are values.
func Steps(edges, values []float64) (x, y []float64) {
	for i, v := range values {
		x = append(x, edges[i], edges[i+1])
		y = append(y, v, v)
	}
	return x, y
}

// Stack puts rows of values on top of each other: the base and the top of each.
func Stack(rows [][]float64) (bases, tops [][]float64) {
	var base []float64
	for i, row := range rows {
		if i == 0 {
			base = make([]float64, len(row))
		}
		top := slices.Clone(base)
		for j, v := range row {
			if !math.IsNaN(v) {
				top[j] += v
			}
		}
		bases, tops = append(bases, base), append(tops, top)
		base = top
	}
	return bases, tops
}

// Thin keeps of a line what can be seen of it in a number of spans of equal width: the
// first, lowest, highest and last point in each.
func Thin(x, y []float64, spans int) (thinX, thinY []float64) {
	if len(x) <= 4*spans {
		return x, y
	}
	from, width := x[0], (x[len(x)-1]-x[0])/float64(spans)
	for i := 0; i < len(x); {
		end := i + 1
		for end < len(x) && math.Floor((x[end]-from)/width) == math.Floor((x[i]-from)/width) {
			end++
		}
		for _, k := range extremes(y, i, end) {
			thinX, thinY = append(thinX, x[k]), append(thinY, y[k])
		}
		i = end
	}
	return thinX, thinY
}

// extremes are the first, lowest, highest and last of a part of a line, each once, in
// order.
func extremes(y []float64, from, end int) []int {
	low, high := from, from
	for i := from; i < end; i++ {
		if y[i] < y[low] || math.IsNaN(y[low]) {
			low = i
		}
		if y[i] > y[high] || math.IsNaN(y[high]) {
			high = i
		}
	}
	keep := []int{from, low, high, end - 1}
	slices.Sort(keep)
	return slices.Compact(keep)
}

// limits are the limits of an axis: those that are set, or those of the marks.
func (c *Chart) limits(a Axis, horizontal bool) (low, high float64) {
	if a.Scale == Rows {
		return 0, float64(len(a.Names))
	}
	if a.Min != a.Max {
		return a.Min, a.Max
	}
	low, high = math.Inf(1), math.Inf(-1)
	for _, m := range c.Marks {
		lists := [][]float64{m.Y, m.Base}
		if horizontal {
			lists = [][]float64{m.X, m.To}
		}
		for _, v := range slices.Concat(lists...) {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high {
		low, high = 1, 1 // there are no marks
	}
	switch a.Scale {
	case LogTime:
		low = portable.Pow(10, math.Floor(portable.Log10(max(low, leastTime))))
		high = max(high, 10*low)
		return low, portable.Pow(10, math.Ceil(portable.Log10(high)))
	case Count, Share:
		low = min(low, 0)
	}
	if low == high {
		return low, low + 1
	}
	return low, high
}

// leastTime is the shortest time that a logarithmic axis shows, in seconds.
const leastTime = 1e-6
