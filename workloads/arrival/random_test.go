package arrival_test

import (
	"math"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/workloads/arrival"
)

// near fails unless got lies within five standard errors of want: with the fixed
// seeds a pass is lasting, and a wrong formula is far outside.
func near(t *testing.T, what string, got, want, standardError float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= 5*standardError) {
		t.Errorf("%s is %v, want %v within %v", what, got, want, 5*standardError)
	}
}

func TestPoissonCountsAndGaps(t *testing.T) {
	for _, rate := range []float64{40.0 / 60, 1e3, 3e9} {
		const n = 200_000
		p := must(arrival.Poisson(rate, source(1)))
		got := take(must(arrival.Limit(p, n)), clock.Forever)
		near(t, "time of the last arrival", got[n-1].Seconds(), n/rate, math.Sqrt(n)/rate+1e-9)
		if rate > 1e6 {
			continue // gaps are shorter than a nanosecond
		}
		longer := 0
		for i := range n - 1 {
			if (got[i+1] - got[i]).Seconds() > 1/rate {
				longer++
			}
		}
		share := 1 / math.E
		near(t, "share of gaps above the mean", float64(longer)/n, share, math.Sqrt(share*(1-share)/n))
	}
}

// The number of arrivals in a stretch of a Poisson process has the integral of
// the rate over it as mean and variance.
func TestDiurnalFollowsItsRate(t *testing.T) {
	const h = clock.Hour
	curve := must(arrival.Curve([]arrival.RatePoint{
		{6 * h, 0}, {8 * h, 0}, {12 * h, 0.4}, {18 * h, 0.2}, {22 * h, 0.1},
	}, 0))
	sine := must(arrival.Sinusoid(arrival.Sine{Base: 0.2, Amplitude: 0.2, Peak: 15 * h}))
	fourHours := must(arrival.Curve([]arrival.RatePoint{{0, 0.1}, {h, 0.3}}, 4*h))
	for _, c := range []struct {
		name string
		rate arrival.Rate
	}{{"curve", curve}, {"sinusoid", sine}, {"curve of four hours", fourHours}} {
		const days = 50
		var byHour [24]float64
		for _, at := range take(must(arrival.Diurnal(c.rate, source(2))), days*arrival.Day) {
			byHour[at%arrival.Day/h]++
		}
		for hour := range byHour {
			mean, steps := 0.0, 3600
			for i := range steps {
				at := clock.Time(hour)*h + clock.Time(i)*clock.Second + clock.Second/2
				mean += c.rate.At(at) * days
			}
			near(t, c.name+": arrivals in an hour", byHour[hour], mean, math.Sqrt(mean)+1e-3)
		}
	}
}

func TestRates(t *testing.T) {
	const h = clock.Hour
	curve := must(arrival.Curve([]arrival.RatePoint{{6 * h, 2}, {12 * h, 8}}, 0))
	sine := must(arrival.Sinusoid(arrival.Sine{Base: 5, Amplitude: 3, Peak: 14 * h}))
	for _, c := range []struct {
		rate arrival.Rate
		at   clock.Time
		want float64
	}{
		{curve, 6 * h, 2}, {curve, 9 * h, 5}, {curve, 12 * h, 8}, {curve, 21 * h, 5}, {curve, 0, 4},
		{curve, 3 * h, 3}, {curve, 10*arrival.Day + 9*h, 5},
		{sine, 14 * h, 8}, {sine, 2 * h, 2}, {sine, 8 * h, 5}, {sine, arrival.Day + 14*h, 8},
	} {
		if got := c.rate.At(c.at); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("rate at %v is %v, want %v", c.at, got, c.want)
		}
		bound, until := c.rate.Bound(c.at)
		if bound < c.rate.At(c.at) || bound < c.rate.At(until-1)-1e-9 || until <= c.at {
			t.Errorf("the bound from %v is %v until %v", c.at, bound, until)
		}
	}
}

// A needle of a rate in an empty day must not cost a candidate per nanosecond.
func TestDiurnalSkipsWhatIsEmpty(t *testing.T) {
	curve := must(arrival.Curve([]arrival.RatePoint{{0, 0}, {clock.Second, 1e6}, {2 * clock.Second, 0}}, 0))
	got := take(must(arrival.Limit(must(arrival.Diurnal(curve, source(1))), 2_500_000)), clock.Forever)
	near(t, "days until the last arrival", float64(got[len(got)-1])/float64(arrival.Day), 2, 0.01)
}

func TestBurstSpreadIsUniform(t *testing.T) {
	const count, rounds, s = 7, 20_000, clock.Second
	b := arrival.Burst{Every: 100 * s, Count: count, Jitter: 30 * s, Spread: 40 * s}
	got := take(must(arrival.Bursts(b, source(3))), rounds*b.Every)
	if len(got) != count*rounds {
		t.Fatalf("%d arrivals, want %d", len(got), count*rounds)
	}
	var sum [count]float64
	for i, at := range got {
		into := at % b.Every
		if into > b.Jitter+b.Spread {
			t.Fatalf("arrival %v after its burst was due", into)
		}
		sum[i%count] += into.Seconds()
	}
	for k := range count {
		// The k-th least of n uniform numbers is k/(n+1) in the mean.
		want := 15 + 40*float64(k+1)/(count+1)
		near(t, "mean time of an arrival in its burst", sum[k]/rounds, want, 20/math.Sqrt(rounds))
	}
}

func TestDistributions(t *testing.T) {
	const n = 100_000
	normal75 := 0.6744897501960817 // the 75% quantile of the standard normal distribution
	for _, c := range []struct {
		name                   string
		of                     arrival.Distribution
		mean, p25, median, p75 float64
	}{
		{"uniform", must(arrival.Uniform(2, 6, source(1))), 4, 3, 4, 5},
		{"uniform of no width", must(arrival.Uniform(2, 2, source(1))), 2, 2, 2, 2},
		{"exponential", must(arrival.Exponential(9, source(1))), 9, 9 * math.Log(4.0/3), 9 * math.Ln2, 9 * math.Log(4)},
		{"lognormal", must(arrival.Lognormal(20, 1.1, source(1))), 20 * math.Exp(1.1*1.1/2),
			20 * math.Exp(-1.1*normal75), 20, 20 * math.Exp(1.1*normal75)},
		{"lognormal without spread", must(arrival.Lognormal(1, 0, source(1))), 1, 1, 1, 1},
		{"weibull", must(arrival.Weibull(5, 0.7, source(1))), 5 * math.Gamma(1+1/0.7),
			5 * math.Pow(math.Log(4.0/3), 1/0.7), 5 * math.Pow(math.Ln2, 1/0.7), 5 * math.Pow(math.Log(4), 1/0.7)},
	} {
		draws, sum, squares := make([]float64, n), 0.0, 0.0
		for i := range draws {
			draws[i] = c.of.Draw()
			sum += draws[i]
			squares += (draws[i] - c.mean) * (draws[i] - c.mean)
			if draws[i] < 0 {
				t.Fatalf("%s: drew %v", c.name, draws[i])
			}
		}
		near(t, c.name+": mean", sum/n, c.mean, math.Sqrt(squares)/n)
		for _, q := range []struct{ p, at float64 }{{0.25, c.p25}, {0.5, c.median}, {0.75, c.p75}} {
			below := 0
			for _, x := range draws {
				if x < q.at {
					below++
				}
			}
			if c.p25 < c.p75 {
				near(t, c.name+": share below a quantile", float64(below)/n, q.p, math.Sqrt(q.p*(1-q.p)/n))
			}
		}
	}
}

func TestEmpiricalDrawsByWeight(t *testing.T) {
	const n = 100_000
	of := must(arrival.EmpiricalWeighted([]arrival.Weighted{{9, 1}, {5, 0}, {2, 6}, {9, 1}, {4, 2}}, source(4)))
	count := map[float64]float64{}
	for range n {
		count[of.Draw()]++
	}
	for value, share := range map[float64]float64{2: 0.6, 4: 0.2, 9: 0.2, 5: 0} {
		near(t, "share of a value", count[value]/n, share, math.Sqrt(share*(1-share)/n))
	}
	forth := must(arrival.Empirical([]float64{1, 2, 3, 3}, source(5)))
	back := must(arrival.Empirical([]float64{3, 3, 2, 1}, source(5)))
	for range 1000 {
		if a, b := forth.Draw(), back.Draw(); a != b {
			t.Fatalf("drew %v and %v: the order of the values must not matter", a, b)
		}
	}
}

func TestLifetimes(t *testing.T) {
	if got := must(arrival.Fixed(30 * clock.Minute)).Draw(); got != 30*clock.Minute {
		t.Errorf("fixed: drew %v", got)
	}
	if got := arrival.Forever().Draw(); got != clock.Forever {
		t.Errorf("forever: drew %v", got)
	}
	if got := arrival.Seconds(must(arrival.Uniform(0.25, 0.25, source(1)))).Draw(); got != clock.Second/4 {
		t.Errorf("a quarter of a second: drew %v", got)
	}
	wide := arrival.Seconds(must(arrival.Lognormal(1e9, 50, source(1))))
	beyond := 0
	for range 1000 {
		d := wide.Draw()
		if d < 0 {
			t.Fatalf("drew %v", d)
		}
		if d == clock.Forever {
			beyond++
		}
	}
	near(t, "draws beyond the end of time", float64(beyond), 480, 16)
	if _, err := arrival.Fixed(-1); err == nil {
		t.Error("a negative lifetime was accepted")
	}
}

func TestBadDistributionsAreRefused(t *testing.T) {
	src, nan, inf := source(1), math.NaN(), math.Inf(1)
	fault := func(_ arrival.Distribution, err error) string {
		if err == nil {
			return "none"
		}
		return err.Error()
	}
	type pairs = []arrival.Weighted
	got := []string{
		fault(arrival.Uniform(-1, 1, src)), "the lower bound is -1, it must be zero or a positive number",
		fault(arrival.Uniform(0, inf, src)), "the upper bound is +Inf, it must be zero or a positive number",
		fault(arrival.Uniform(2, 1, src)), "the lower bound is 2, above the upper bound 1",
		fault(arrival.Exponential(0, src)), "the mean is 0, it must be a positive number",
		fault(arrival.Exponential(1e-320, src)), "one over the mean is +Inf, it must be a positive number",
		fault(arrival.Exponential(1, nil)), "there is no random source",
		fault(arrival.Lognormal(0, 1, src)), "the median is 0, it must be a positive number",
		fault(arrival.Lognormal(1, -1, src)), "sigma is -1, it must be zero or a positive number",
		fault(arrival.Lognormal(1, nan, src)), "sigma is NaN, it must be zero or a positive number",
		fault(arrival.Weibull(0, 1, src)), "the scale is 0, it must be a positive number",
		fault(arrival.Weibull(1, nan, src)), "the shape is NaN, it must be a positive number",
		fault(arrival.Empirical(nil, src)), "there are no values to draw from",
		fault(arrival.Empirical([]float64{1, -2}, src)), "value 2 is -2, it must be zero or a positive number",
		fault(arrival.Empirical([]float64{1}, nil)), "there is no random source",
		fault(arrival.EmpiricalWeighted(pairs{{1, nan}}, src)), "weight 1 is NaN, it must be zero or a positive number",
		fault(arrival.EmpiricalWeighted(pairs{{1, 0}}, src)), "the sum of the weights is 0, it must be a positive number",
	}
	for pair := range slices.Chunk(got, 2) {
		if pair[0] != pair[1] {
			t.Errorf("got %q, want %q", pair[0], pair[1])
		}
	}
}
