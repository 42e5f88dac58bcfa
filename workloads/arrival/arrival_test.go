package arrival_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/workloads/arrival"
)

func source(seed uint64) rand.Source { return rand.NewPCG(seed, 0) }

// must is for arguments that are known to be good.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// take is the arrivals before until.
func take(p arrival.Process, until clock.Time) []clock.Time {
	var got []clock.Time
	for at, ok := p.Next(); ok && at < until; at, ok = p.Next() {
		got = append(got, at)
	}
	return got
}

func TestExactProcesses(t *testing.T) {
	const s = clock.Second
	burst := arrival.Burst{Every: 10 * s, Start: 5 * s, Count: 3}
	for _, c := range []struct {
		name string
		of   arrival.Process
		want []clock.Time
	}{
		{"constant", must(arrival.Constant(10*s, 5*s)), []clock.Time{5 * s, 15 * s, 25 * s}},
		{"constant up to the end of time", must(arrival.Constant(clock.Forever-1, 0)), []clock.Time{0}},
		{"at once", must(arrival.AtOnce(3, 7*s)), []clock.Time{7 * s, 7 * s, 7 * s}},
		{"times", must(arrival.Times([]clock.Time{0, 2, 2, 9})), []clock.Time{0, 2, 2, 9}},
		{"bursts", must(arrival.Bursts(burst, nil)),
			[]clock.Time{5 * s, 5 * s, 5 * s, 15 * s, 15 * s, 15 * s, 25 * s, 25 * s, 25 * s}},
		{"limit", must(arrival.Limit(must(arrival.Constant(s, 0)), 2)), []clock.Time{0, s}},
		{"limit above what comes", must(arrival.Limit(must(arrival.AtOnce(1, 0)), 5)), []clock.Time{0}},
		{"window", must(arrival.Window(must(arrival.Constant(s, 0)), 2*s, 4*s)), []clock.Time{2 * s, 3 * s}},
		{"window without end", must(arrival.Window(must(arrival.Constant(10*s, 0)), 15*s, clock.Forever)),
			[]clock.Time{20 * s}},
	} {
		if got := take(c.of, 30*s); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAnExhaustedProcessStaysSo(t *testing.T) {
	once := func() arrival.Process { return must(arrival.AtOnce(1, 0)) }
	for name, p := range map[string]arrival.Process{
		"at once":  once(),
		"times":    must(arrival.Times([]clock.Time{0})),
		"limit":    must(arrival.Limit(once(), 3)),
		"window":   must(arrival.Window(must(arrival.Constant(1, 0)), 0, 1)),
		"constant": must(arrival.Constant(clock.Forever, 0)),
		"bursts":   must(arrival.Bursts(arrival.Burst{Every: clock.Forever, Count: 1}, nil)),
		"poisson":  must(arrival.Window(must(arrival.Poisson(1e-300, source(1))), 0, clock.Forever)),
	} {
		for range 2 {
			p.Next()
		}
		for range 3 {
			if at, ok := p.Next(); ok {
				t.Errorf("%s: an arrival at %v after the last one", name, at)
			}
		}
	}
}

// randomProcess builds any of the random processes with parameters drawn from rnd.
func randomProcess(rnd *rand.Rand) arrival.Process {
	src := source(rnd.Uint64())
	switch rnd.IntN(4) {
	case 0:
		return must(arrival.Poisson(math.Exp(rnd.Float64()*30-22), src))
	case 1:
		every := clock.Millisecond + clock.Time(rnd.Int64N(int64(clock.Hour)))
		jitter := clock.Time(rnd.Int64N(int64(every)))
		spread := clock.Time(rnd.Int64N(int64(every - jitter)))
		return must(arrival.Bursts(arrival.Burst{
			Every: every, Start: clock.Time(rnd.Int64N(1000)), Count: 1 + rnd.IntN(20), Jitter: jitter, Spread: spread,
		}, src))
	case 2:
		points := []arrival.RatePoint{{Offset: 0, PerSecond: 1}}
		for offset := clock.Time(1); offset < arrival.Day; offset += 1 + clock.Time(rnd.Int64N(int64(arrival.Day))) {
			points = append(points, arrival.RatePoint{Offset: offset, PerSecond: float64(rnd.IntN(3))})
		}
		return must(arrival.Diurnal(must(arrival.Curve(points, 0)), src))
	default:
		base := 1e-3 + rnd.Float64()
		sine := arrival.Sine{Base: base, Amplitude: base * rnd.Float64(), Peak: clock.Time(rnd.Int64N(int64(arrival.Day)))}
		return must(arrival.Diurnal(must(arrival.Sinusoid(sine)), src))
	}
}

func TestTimesNeverDecreaseAndStayInTheWindow(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(source(seed))
		start := clock.Time(rnd.Int64N(int64(clock.Minute)))
		until := start + 1 + clock.Time(rnd.Int64N(int64(arrival.Day)))
		p := must(arrival.Limit(must(arrival.Window(randomProcess(rnd), start, until)), 1+rnd.IntN(500)))
		last := start
		for at, ok := p.Next(); ok; at, ok = p.Next() {
			if at < last || at >= until {
				t.Fatalf("seed %d: arrival at %v after one at %v in the window [%v, %v)", seed, at, last, start, until)
			}
			last = at
		}
	}
}

func TestTheSameSourceGivesTheSameArrivals(t *testing.T) {
	for seed := range uint64(50) {
		first := must(arrival.Limit(randomProcess(rand.New(source(seed))), 100))
		second := must(arrival.Limit(randomProcess(rand.New(source(seed))), 100))
		if !slices.Equal(take(first, clock.Forever), take(second, clock.Forever)) {
			t.Errorf("seed %d gave two different streams", seed)
		}
	}
}

func TestBadProcessesAreRefused(t *testing.T) {
	src, nan, inf := source(1), math.NaN(), math.Inf(1)
	one := must(arrival.AtOnce(1, 0))
	type bad struct {
		err  error
		want string
	}
	fault := func(_ any, err error) error { return err }
	burst := func(b arrival.Burst) error { return fault(arrival.Bursts(b, src)) }
	for _, c := range []bad{
		{fault(arrival.Constant(0, 0)), "the span between arrivals is 0s, it must be positive"},
		{fault(arrival.Constant(1, -1)), "start is -1ns"},
		{fault(arrival.Constant(1, clock.Forever)), "start is forever"},
		{fault(arrival.AtOnce(0, 0)), "the number of arrivals is 0, it must be positive"},
		{fault(arrival.AtOnce(1, -1)), "the instant is -1ns"},
		{fault(arrival.Times(nil)), "no arrival times"},
		{fault(arrival.Times([]clock.Time{0, -1})), "time 2 is -1ns"},
		{fault(arrival.Times([]clock.Time{5, 3})), "time 2 is 3ns, before the 5ns ahead of it"},
		{fault(arrival.Limit(one, 0)), "the limit is 0 arrivals"},
		{fault(arrival.Limit(nil, 1)), "no process"},
		{fault(arrival.Window(one, -1, 1)), "start is -1ns"},
		{fault(arrival.Window(one, 5, 5)), "start is 5ns, it must be before until"},
		{fault(arrival.Window(nil, 0, 1)), "no process"},
		{fault(arrival.Poisson(0, src)), "the rate is 0, it must be a positive number"},
		{fault(arrival.Poisson(-1, src)), "the rate is -1"},
		{fault(arrival.Poisson(nan, src)), "the rate is NaN"},
		{fault(arrival.Poisson(inf, src)), "the rate is +Inf"},
		{fault(arrival.Poisson(1, nil)), "no random source"},
		{burst(arrival.Burst{Count: 1}), "the span between bursts is 0s"},
		{burst(arrival.Burst{Every: 1}), "the number of arrivals in a burst is 0"},
		{burst(arrival.Burst{Every: 1, Count: 1, Start: -1}), "start is -1ns"},
		{burst(arrival.Burst{Every: 1, Count: 1, Jitter: -1}), "jitter is -1ns"},
		{burst(arrival.Burst{Every: 1, Count: 1, Spread: -1}), "spread is -1ns"},
		{burst(arrival.Burst{Every: 9, Count: 1, Jitter: 5, Spread: 5}), "are longer than the 9ns between bursts"},
		{fault(arrival.Bursts(arrival.Burst{Every: 9, Count: 1, Spread: 1}, nil)), "no random source"},
		{fault(arrival.Diurnal(nil, src)), "there is no rate"},
		{fault(arrival.Diurnal(must(arrival.Sinusoid(arrival.Sine{Base: 1})), nil)), "no random source"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", c.err, c.want)
		}
	}
}

func TestBadRatesAreRefused(t *testing.T) {
	type points = []arrival.RatePoint
	curve := func(period clock.Time, p points) error {
		_, err := arrival.Curve(p, period)
		return err
	}
	sine := func(s arrival.Sine) error {
		_, err := arrival.Sinusoid(s)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{curve(0, nil), "no points"},
		{curve(0, points{{0, 0}, {1, 0}}), "zero everywhere"},
		{curve(0, points{{0, -1}}), "the rate of point 1 is -1"},
		{curve(0, points{{0, 1}, {5, math.NaN()}}), "the rate of point 2 is NaN"},
		{curve(0, points{{-1, 1}}), "point 1 is at -1ns, it must lie within the period of 24h0m0s"},
		{curve(0, points{{arrival.Day, 1}}), "point 1 is at 24h0m0s"},
		{curve(0, points{{5, 1}, {5, 1}}), "point 2 is at 5ns, it must come after point 1 at 5ns"},
		{curve(1, points{{0, 1}}), "the period is 1ns, it must be between 1m0s and"},
		{curve(clock.Forever, points{{0, 1}}), "the period is forever"},
		{sine(arrival.Sine{}), "the base rate is 0"},
		{sine(arrival.Sine{Base: 1, Amplitude: -1}), "the amplitude is -1"},
		{sine(arrival.Sine{Base: 1, Amplitude: 2}), "the amplitude is 2, it must not exceed the base rate 1"},
		{sine(arrival.Sine{Base: 1, Peak: -1}), "the peak is -1ns"},
		{sine(arrival.Sine{Base: 1, Period: -1}), "the period is -1ns"},
		{sine(arrival.Sine{Base: math.MaxFloat64, Amplitude: math.MaxFloat64}), "base plus amplitude is +Inf"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", c.err, c.want)
		}
	}
}
