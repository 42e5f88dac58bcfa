package arrival

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/portable"
)

// Rate is an arrival rate that changes with time.
type Rate interface {
	// At is the rate at t in arrivals per second: zero or positive.
	At(t clock.Time) float64
	// Bound is a rate that At does not exceed from t up to, but not including,
	// until, which is later than t.
	Bound(t clock.Time) (perSecond float64, until clock.Time)
}

// Day is the period of a rate curve that names none.
const Day = 24 * clock.Hour

// A period of at least minPeriod keeps the search for the next arrival short
// when the rate is so low that many periods pass without one; up to maxPeriod,
// two periods fit into a clock.Time.
const (
	minPeriod = clock.Minute
	maxPeriod = 1_000_000 * clock.Hour
)

// RatePoint is a corner of a rate curve.
type RatePoint struct {
	Offset    clock.Time // since the beginning of the period
	PerSecond float64    // arrivals per second
}

type curve struct {
	points []RatePoint // the last repeats the first, one period later
	period clock.Time
}

// Curve returns a periodic rate, linear between its points and from the last one to the first one
// of the next period. A period of zero is a day. It is an error when there is no point, when
// offsets do not rise strictly within [0, period), when a rate is negative or not finite, when all
// rates are zero, or when the period is not between a minute and a million hours.
func Curve(points []RatePoint, period clock.Time) (Rate, error) {
	period = cmp.Or(period, Day)
	if err := checkPeriod(period); err != nil {
		return nil, err
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("the rate curve has no points")
	}
	var peak float64
	for i, p := range points {
		if p.Offset < 0 || p.Offset >= period {
			return nil, fmt.Errorf("point %d is at %v, it must lie within the period of %v", i+1, p.Offset, period)
		}
		if i > 0 && p.Offset <= points[i-1].Offset {
			return nil, fmt.Errorf("point %d is at %v, it must come after point %d at %v", i+1, p.Offset, i, points[i-1].Offset)
		}
		if err := checkNonNegative(fmt.Sprintf("the rate of point %d", i+1), p.PerSecond); err != nil {
			return nil, err
		}
		peak = max(peak, p.PerSecond)
	}
	if peak == 0 {
		return nil, fmt.Errorf("the rate curve is zero everywhere")
	}
	closed := append(make([]RatePoint, 0, len(points)+1), points...)
	closed = append(closed, RatePoint{points[0].Offset + period, points[0].PerSecond})
	return &curve{closed, period}, nil
}

// segment finds the two corners around t, and how far after the first one t is.
func (c *curve) segment(t clock.Time) (from, to RatePoint, since clock.Time) {
	phase := t % c.period
	if phase < c.points[0].Offset {
		phase += c.period
	}
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].Offset > phase })
	return c.points[i-1], c.points[i], phase - c.points[i-1].Offset
}

func (c *curve) At(t clock.Time) float64 {
	from, to, since := c.segment(t)
	x := float64(since) / float64(to.Offset-from.Offset)
	return float64(from.PerSecond*(1-x)) + float64(to.PerSecond*x)
}

func (c *curve) Bound(t clock.Time) (float64, clock.Time) {
	from, to, since := c.segment(t)
	return max(from.PerSecond, to.PerSecond), t.Add(to.Offset - from.Offset - since)
}

// Sine describes Sinusoid.
type Sine struct {
	Base      float64    // mean arrivals per second
	Amplitude float64    // arrivals per second above and below the mean, at most Base
	Peak      clock.Time // when the rate is highest
	Period    clock.Time // zero: a day
}

// Sinusoid returns the rate base + amplitude x cos(2π(t-peak)/period). It is an error when the base
// is not positive, the amplitude is negative or above the base, or the period is not between a
// minute and a million hours.
func Sinusoid(s Sine) (Rate, error) {
	s.Period = cmp.Or(s.Period, Day)
	err := cmp.Or(checkPeriod(s.Period), checkPositive("the base rate", s.Base),
		checkNonNegative("the amplitude", s.Amplitude), checkInstant("the peak", s.Peak),
		checkPositive("base plus amplitude", s.Base+s.Amplitude))
	if err != nil {
		return nil, err
	}
	if s.Amplitude > s.Base {
		return nil, fmt.Errorf("the amplitude is %v, it must not exceed the base rate %v: a rate cannot be negative", s.Amplitude, s.Base)
	}
	return sinusoid(s), nil
}

type sinusoid Sine

func (s sinusoid) At(t clock.Time) float64 {
	phase := float64((t%s.Period-s.Peak%s.Period)%s.Period) / float64(s.Period)
	return max(0, s.Base+float64(s.Amplitude*portable.Cos(2*math.Pi*phase)))
}

func (s sinusoid) Bound(clock.Time) (float64, clock.Time) {
	return s.Base + s.Amplitude, clock.Forever
}

func checkPeriod(period clock.Time) error {
	if period < minPeriod || period > maxPeriod {
		return fmt.Errorf("the period is %v, it must be between %v and %v", period, minPeriod, maxPeriod)
	}
	return nil
}

type diurnal struct {
	rate Rate
	rnd  *rand.Rand
	now  instant
	end  bool
}

// Diurnal returns a Poisson process whose rate changes with time, by thinning: candidates come at
// the bound of the rate, and each is kept with the chance rate/bound (P. A. W. Lewis and G. S.
// Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", Naval Research Logistics
// Quarterly 26, 1979). With the bounds of Curve and Sinusoid at least half of them are kept in the
// mean.
func Diurnal(rate Rate, src rand.Source) (Process, error) {
	if rate == nil {
		return nil, fmt.Errorf("there is no rate")
	}
	if err := checkSource(src); err != nil {
		return nil, err
	}
	return &diurnal{rate: rate, rnd: rand.New(src)}, nil
}

func (p *diurnal) Next() (clock.Time, bool) {
	for !p.end {
		bound, until := p.rate.Bound(p.now.whole)
		next, ok := instant{}, false
		if bound > 0 {
			next, ok = p.now.plus(exponential(p.rnd) / bound)
		}
		if !ok || next.whole >= until {
			// The process has no memory: from the end of the bound it starts anew.
			p.now, p.end = instant{whole: until}, until == clock.Forever
			continue
		}
		p.now = next
		if p.rnd.Float64()*bound < p.rate.At(next.whole) {
			return next.whole, true
		}
	}
	return 0, false
}
