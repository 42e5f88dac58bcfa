package arrival_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/workloads/arrival"
)

// TestDrawsHaveTheSameBits has hashes of many draws: they must be the same on every processor, whatever its
// instructions.
func TestDrawsHaveTheSameBits(t *testing.T) {
	const h, n = clock.Hour, 50_000
	day := must(arrival.Sinusoid(arrival.Sine{Base: 5, Amplitude: 3.3, Peak: 14 * h}))
	corners := must(arrival.Curve([]arrival.RatePoint{{6 * h, 0.3}, {12 * h, 7.7}, {19 * h, 1.1}}, 0))
	bursts := arrival.Burst{Every: h, Count: 7, Jitter: h / 7, Spread: h / 3}
	times := func(p arrival.Process) func() uint64 {
		return func() uint64 { at, _ := p.Next(); return uint64(at) }
	}
	draws := func(d arrival.Distribution) func() uint64 {
		return func() uint64 { return math.Float64bits(d.Draw()) }
	}
	for _, c := range []struct {
		name string
		next func() uint64
		want uint64
	}{
		{"poisson", times(must(arrival.Poisson(0.37, source(1)))), 0xd667f58efde50d08},
		{"sinusoid", times(must(arrival.Diurnal(day, source(1)))), 0x8674fc4d8c191e10},
		{"curve", times(must(arrival.Diurnal(corners, source(1)))), 0xfed03f56a3d008fb},
		{"bursts", times(must(arrival.Bursts(bursts, source(1)))), 0x2c303e6558a76b2},
		{"uniform", draws(must(arrival.Uniform(0.1, 7.3, source(1)))), 0x6e55297430b26a8a},
		{"exponential", draws(must(arrival.Exponential(1800, source(1)))), 0x34ad219ac6e4fe4},
		{"lognormal", draws(must(arrival.Lognormal(1200, 1.1, source(1)))), 0x5635224b87527878},
		{"weibull", draws(must(arrival.Weibull(3600, 0.7, source(1)))), 0x3fd2955df36aef67},
	} {
		sum := fnv.New64a()
		for range n {
			sum.Write(binary.LittleEndian.AppendUint64(nil, c.next()))
		}
		if got := sum.Sum64(); got != c.want {
			t.Errorf("%s: the hash of the draws is %#x, want %#x", c.name, got, c.want)
		}
	}
}

// TestDrawsAreThoseOfGonum: the same draws of a stream make the same numbers, except for the last bits.
func TestDrawsAreThoseOfGonum(t *testing.T) {
	for _, c := range []struct {
		name   string
		own    arrival.Distribution
		oracle interface{ Rand() float64 }
	}{
		{"uniform", must(arrival.Uniform(2, 6, source(1))), distuv.Uniform{Min: 2, Max: 6, Src: source(1)}},
		{"exponential", must(arrival.Exponential(9, source(1))), distuv.Exponential{Rate: 1.0 / 9, Src: source(1)}},
		{"lognormal", must(arrival.Lognormal(20, 1.1, source(1))), distuv.LogNormal{Mu: math.Log(20), Sigma: 1.1, Src: source(1)}},
		{"weibull", must(arrival.Weibull(5, 0.7, source(1))), distuv.Weibull{Lambda: 5, K: 0.7, Src: source(1)}},
	} {
		for i := range 100_000 {
			if got, want := c.own.Draw(), c.oracle.Rand(); math.Abs(got-want) > 1e-13*want {
				t.Fatalf("%s: draw %d is %v, want %v", c.name, i, got, want)
			}
		}
	}
}
