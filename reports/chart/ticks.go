package chart

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"github.com/berth-sim/berth/sim/model/portable"
)

// ticker puts ticks on an axis.
type ticker struct {
	axis Axis
	most int // how many there is room for
}

// Ticks implements plot.Ticker.
func (t ticker) Ticks(low, high float64) []plot.Tick {
	switch t.axis.Scale {
	case Rows:
		return t.rows()
	case LogTime:
		return t.times(low, high)
	case Clock:
		return even(low, high, clockStep(high-low, t.most), func(v, step float64) string { return clockLabel(v, step) })
	case Share:
		return even(low, high, niceStep(high-low, t.most), func(v, step float64) string {
			return strconv.FormatFloat(100*v, 'f', decimals(100*step), 64) + " %"
		})
	}
	return even(low, high, niceStep(high-low, t.most), countLabel)
}

// even puts a tick at each multiple of the step.
func even(low, high, step float64, label func(v, step float64) string) []plot.Tick {
	var ticks []plot.Tick
	for i := math.Ceil(low/step-1e-9) + 0; i*step <= high+float64(1e-9*step); i++ {
		ticks = append(ticks, plot.Tick{Value: i * step, Label: label(i*step, step)})
	}
	return ticks
}

// niceStep is the least of 1, 2 and 5 times a power of ten that gives at most so many
// steps.
func niceStep(span float64, most int) float64 {
	power := portable.Pow(10, math.Floor(portable.Log10(span/float64(most))))
	for _, factor := range []float64{1, 2, 5} {
		if span/(factor*power) <= float64(most) {
			return factor * power
		}
	}
	return 10 * power
}

// niceTop is the limit above a value at which an axis ends with a tick.
func niceTop(v float64, most int) float64 {
	step := niceStep(v, most)
	return math.Ceil(v/step-1e-9) * step
}

// decimals is how many digits after the point distinguish multiples of the step.
func decimals(step float64) int { return max(0, int(math.Ceil(float64(-portable.Log10(step))-1e-9))) }

func countLabel(v, step float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= unit.size {
			return strconv.FormatFloat(v/unit.size, 'f', -1, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'f', decimals(step), 64)
}

const (
	minute = 60.0
	hour   = 60 * minute
	day    = 24 * hour
)

// clockSteps are the steps of an axis of time below a day.
var clockSteps = []float64{
	1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
	hour, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 12 * hour, day, 2 * day, 3 * day, 7 * day, 14 * day, 28 * day,
}

func clockStep(span float64, most int) float64 {
	if span < 1 {
		return niceStep(span, most)
	}
	for _, step := range clockSteps {
		if span/step <= float64(most) {
			return step
		}
	}
	return niceStep(span/day, most) * day
}

// clockUnit is the unit of labels that are a step apart.
func clockUnit(step float64) (unit float64, name string) {
	switch {
	case step >= day:
		return day, "d"
	case step >= hour:
		return hour, "h"
	case step >= minute:
		return minute, "min"
	}
	return 1, "s"
}

// clockLabel writes an instant in the unit of the step.
func clockLabel(v, step float64) string {
	unit, name := clockUnit(step)
	return strconv.FormatFloat(v/unit, 'f', decimals(step/unit), 64) + " " + name
}

// landmarks are the ticks of a logarithmic axis of time.
var landmarks = []struct {
	seconds float64
	name    string
}{
	{1e-6, "1 µs"}, {1e-5, "10 µs"}, {1e-4, "100 µs"}, {1e-3, "1 ms"}, {1e-2, "10 ms"}, {0.1, "100 ms"},
	{1, "1 s"}, {10, "10 s"}, {minute, "1 min"}, {10 * minute, "10 min"}, {hour, "1 h"}, {10 * hour, "10 h"},
	{4 * day, "4 d"}, {40 * day, "40 d"},
}

// times puts ticks at the landmarks, as many as there is room for.
func (t ticker) times(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for _, l := range landmarks {
		if l.seconds >= low*(1-1e-9) && l.seconds <= high*(1+1e-9) {
			ticks = append(ticks, plot.Tick{Value: l.seconds, Label: l.name})
		}
	}
	stride := (len(ticks) + t.most - 1) / t.most
	var shown []plot.Tick
	for i := 0; i < len(ticks); i += stride {
		shown = append(shown, ticks[i])
	}
	return shown
}

// longestName is the most characters of the name of a row that are shown.
const longestName = 22

// rows puts the names in the middle of their rows.
func (t ticker) rows() []plot.Tick {
	var ticks []plot.Tick
	for i, name := range t.axis.Names {
		ticks = append(ticks, plot.Tick{Value: t.axis.middle(i), Label: shorten(name)})
	}
	return ticks
}

// middle is where a row is on its axis, which runs upwards.
func (a Axis) middle(row int) float64 { return float64(len(a.Names)-row) - 0.5 }

// shorten cuts the middle out of a name that is too long: its ends distinguish it.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) <= longestName {
		return name
	}
	const tail = longestName / 2
	return strings.TrimRight(string(runes[:longestName-tail-1]), "-. ") + "…" + string(runes[len(runes)-tail:])
}

// NiceTop is a round number at or above v, for the end of an axis.
func NiceTop(v float64) float64 { return niceTop(v, 4) }

// ClockLabels are labels as those of a clock axis, for the ends of so many equal parts of a time.
func ClockLabels(seconds float64, parts int) []string {
	step := max(seconds, leastTime) / float64(parts)
	unit, name := clockUnit(step)
	digit := portable.Pow(10, float64(1+decimals(step/unit))) // one more, where the step is not round
	var labels []string
	for i := range parts + 1 {
		v := math.Round(seconds/float64(parts)*float64(i)/unit*digit) / digit
		labels = append(labels, strconv.FormatFloat(v, 'f', -1, 64)+" "+name)
	}
	return labels
}
