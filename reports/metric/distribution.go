package metric

import (
	"math"
	"math/bits"
	"slices"

	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/reports/quantile"
)

// Limits of a distribution. Up to exactLimit values it keeps every value; beyond, it
// counts them in buckets: one for each integer below 2×bucketsPerOctave, then
// bucketsPerOctave of equal width between two powers of two. The middle of a bucket
// is at most 1/(2×bucketsPerOctave) = 0.098 % off any value in it.
const (
	exactLimit       = 16384
	bucketsPerOctave = 512
	octaveBits       = 10 // bits of 2×bucketsPerOctave - 1
)

// distribution is a multiset of whole numbers ≥ 0, in bounded memory.
type distribution struct {
	exact    []int64
	octaves  [][]int64 // nil while exact; octaves[s][v>>s]
	n        int64
	sum      float64
	min, max int64
}

func (d *distribution) observe(v int64) {
	v = max(v, 0)
	if d.n == 0 {
		d.min = v
	}
	d.n++
	d.sum += float64(v)
	d.min, d.max = min(d.min, v), max(d.max, v)
	if d.octaves != nil {
		d.count(v)
		return
	}
	d.exact = append(d.exact, v)
	if len(d.exact) > exactLimit {
		d.octaves = [][]int64{}
		for _, v := range d.exact {
			d.count(v)
		}
		d.exact = nil
	}
}

func (d *distribution) count(v int64) {
	shift := max(bits.Len64(uint64(v))-octaveBits, 0)
	for len(d.octaves) <= shift {
		d.octaves = append(d.octaves, nil)
	}
	if d.octaves[shift] == nil {
		d.octaves[shift] = make([]int64, 2*bucketsPerOctave)
	}
	d.octaves[shift][v>>shift]++
}

func (d *distribution) mean() float64 { return gauge.Ratio(d.sum, float64(d.n)) }

// quantile is the smallest value that at least permille/1000 of the values do not
// exceed; no value when there are none.
func (d *distribution) quantile(permille int64) float64 {
	if d.n == 0 {
		return math.NaN()
	}
	rank := quantile.Rank(d.n, permille)
	if d.octaves == nil {
		slices.Sort(d.exact)
		return float64(d.exact[rank-1])
	}
	for shift, octave := range d.octaves {
		for i, count := range octave {
			if rank -= count; rank <= 0 {
				middle := int64(i)<<shift + (int64(1)<<shift)/2
				return float64(min(max(middle, d.min), d.max))
			}
		}
	}
	return float64(d.max)
}

// Statistics are the labels under which a distribution is reported, in order.
var Statistics = []string{"mean", "p50", "p90", "p99", "max"}

// each emits the statistics, each divided by the scale.
func (d *distribution) each(scale float64, emit func(label string, value float64)) {
	if d.n == 0 {
		for _, name := range Statistics {
			emit(name, math.NaN())
		}
		return
	}
	emit("mean", d.mean()/scale)
	emit("p50", d.quantile(500)/scale)
	emit("p90", d.quantile(900)/scale)
	emit("p99", d.quantile(990)/scale)
	emit("max", float64(d.max)/scale)
}
