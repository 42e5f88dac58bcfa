package arrival

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/portable"
)

// instant is a time with the fraction of a nanosecond that clock.Time has no
// room for. Without it the rounding of every gap would add up to a wrong rate
// where arrivals are only nanoseconds apart.
type instant struct {
	whole    clock.Time
	fraction float64
}

// plus is the instant so many seconds later, false at or after clock.Forever.
func (t instant) plus(seconds float64) (instant, bool) {
	whole, fraction := math.Modf(float64(seconds * float64(clock.Second)))
	fraction += t.fraction
	if fraction >= 1 {
		whole, fraction = whole+1, fraction-1
	}
	if whole >= float64(clock.Forever-t.whole) {
		return instant{}, false
	}
	return instant{t.whole + clock.Time(whole), fraction}, true
}

type poisson struct {
	perSecond float64
	rnd       *rand.Rand
	now       instant
	end       bool
}

// Poisson returns a homogeneous Poisson process from the start of the run with that many arrivals
// per second in the mean. It is an error when the rate is not positive and finite.
func Poisson(perSecond float64, src rand.Source) (Process, error) {
	if err := cmp.Or(checkPositive("the rate", perSecond), checkSource(src)); err != nil {
		return nil, err
	}
	return &poisson{perSecond: perSecond, rnd: rand.New(src)}, nil
}

func (p *poisson) Next() (clock.Time, bool) {
	if p.end {
		return 0, false
	}
	next, ok := p.now.plus(exponential(p.rnd) / p.perSecond)
	p.now, p.end = next, !ok
	return next.whole, ok
}

// Burst describes Bursts.
type Burst struct {
	Every clock.Time // from one burst to the next
	Start clock.Time // of the first burst
	Count int        // arrivals in each burst

	// Jitter delays each whole burst by a random span, uniform in [0, Jitter].
	Jitter clock.Time
	// Spread scatters the arrivals of a burst, each uniform in [0, Spread] after
	// the burst has begun. Zero: all come in one instant.
	Spread clock.Time
}

type bursts struct {
	Burst
	rnd   *rand.Rand // nil where nothing is drawn
	nth   clock.Time // when the next burst is due, before jitter
	began clock.Time // when the current burst began
	left  int        // arrivals to come in the current burst
	done  float64    // share of the spread behind us
}

// Bursts returns a process with a burst of arrivals every so often. The source may be nil when
// neither jitter nor spread is asked for. It is an error when Every or Count is not positive, when
// a time is negative, or when jitter and spread together are longer than Every: bursts do not
// overlap.
func Bursts(b Burst, src rand.Source) (Process, error) {
	if b.Every <= 0 {
		return nil, fmt.Errorf("the span between bursts is %v, it must be positive", b.Every)
	}
	if b.Count <= 0 {
		return nil, fmt.Errorf("the number of arrivals in a burst is %d, it must be positive", b.Count)
	}
	err := cmp.Or(checkInstant("start", b.Start), checkInstant("jitter", b.Jitter), checkInstant("spread", b.Spread))
	if err != nil {
		return nil, err
	}
	if b.Jitter.Add(b.Spread) > b.Every {
		return nil, fmt.Errorf("jitter %v and spread %v together are longer than the %v between bursts", b.Jitter, b.Spread, b.Every)
	}
	p := &bursts{Burst: b, nth: b.Start}
	if b.Jitter > 0 || b.Spread > 0 {
		if err := checkSource(src); err != nil {
			return nil, err
		}
		p.rnd = rand.New(src)
	}
	return p, nil
}

func (p *bursts) Next() (clock.Time, bool) {
	if p.left == 0 {
		if p.nth == clock.Forever {
			return 0, false
		}
		p.began = p.nth
		if p.Jitter > 0 {
			p.began = p.nth.Add(share(p.Jitter, p.rnd.Float64()))
		}
		p.nth, p.left, p.done = p.nth.Add(p.Every), p.Count, 0
	}
	at := p.began
	if p.Spread > 0 {
		at = at.Add(share(p.Spread, p.nextShare()))
	}
	p.left--
	if at == clock.Forever {
		p.left, p.nth = 0, clock.Forever
		return 0, false
	}
	return at, true
}

// nextShare draws the next of Count sorted uniform numbers without keeping the
// others: the least of k uniform numbers above x is x+(1-x)(1-u^(1/k)).
func (p *bursts) nextShare() float64 {
	step := 1 - portable.Pow(p.rnd.Float64(), 1/float64(p.left))
	p.done = min(1, p.done+float64((1-p.done)*step))
	return p.done
}

// share returns the part x, in [0, 1], of a span. A product of 2⁶³ must not be converted: what comes of that depends on
// the processor.
func share(of clock.Time, x float64) clock.Time {
	if at := float64(of) * x; at < float64(of) {
		return clock.Time(at)
	}
	return of
}
