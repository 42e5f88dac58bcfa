package arrival

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/portable"
)

// Distribution draws numbers that are zero or positive, in the unit of its
// parameters.
type Distribution interface {
	Draw() float64
}

// Lifetime draws how long pods run; clock.Forever is one that never completes.
type Lifetime interface {
	Draw() clock.Time
}

type fixed clock.Time

// Fixed returns the same lifetime for all. It is an error when it is negative.
func Fixed(d clock.Time) (Lifetime, error) {
	if d < 0 {
		return nil, fmt.Errorf("the lifetime is %v, it must not be negative", d)
	}
	return fixed(d), nil
}

// Forever returns the lifetime of pods that never complete.
func Forever() Lifetime { return fixed(clock.Forever) }

func (f fixed) Draw() clock.Time { return clock.Time(f) }

type seconds struct{ of Distribution }

// Seconds makes lifetimes of a distribution of seconds, rounded to the nearest
// nanosecond. A draw beyond the 292 years that clock.Time holds is
// clock.Forever.
func Seconds(of Distribution) Lifetime { return seconds{of} }

func (s seconds) Draw() clock.Time { return clock.FromSeconds(s.of.Draw()) }

type uniform struct {
	low, high float64
	rnd       *rand.Rand
}

// Uniform returns the uniform distribution over [low, high). It is an error when a bound is
// negative or not finite, or when low is above high.
func Uniform(low, high float64, src rand.Source) (Distribution, error) {
	err := cmp.Or(checkNonNegative("the lower bound", low), checkNonNegative("the upper bound", high), checkSource(src))
	if err != nil {
		return nil, err
	}
	if low > high {
		return nil, fmt.Errorf("the lower bound is %v, above the upper bound %v", low, high)
	}
	return uniform{low, high, rand.New(src)}, nil
}

func (d uniform) Draw() float64 { return d.low + float64(d.rnd.Float64()*(d.high-d.low)) }

type exponentialOf struct {
	rate float64
	rnd  *rand.Rand
}

// Exponential returns the exponential distribution with that mean. It is an error when the mean is
// not positive and finite.
func Exponential(mean float64, src rand.Source) (Distribution, error) {
	err := cmp.Or(checkPositive("the mean", mean), checkPositive("one over the mean", 1/mean), checkSource(src))
	if err != nil {
		return nil, err
	}
	return exponentialOf{1 / mean, rand.New(src)}, nil
}

func (d exponentialOf) Draw() float64 { return exponential(d.rnd) / d.rate }

type lognormal struct {
	mu, sigma float64 // mean and standard deviation of the logarithm
	rnd       *rand.Rand
}

// Lognormal returns the distribution whose logarithm is normal with standard deviation sigma; its
// mean is median x exp(sigma²/2). It is an error when the median is not positive and finite or
// sigma is negative or not finite.
func Lognormal(median, sigma float64, src rand.Source) (Distribution, error) {
	err := cmp.Or(checkPositive("the median", median), checkNonNegative("sigma", sigma), checkSource(src))
	if err != nil {
		return nil, err
	}
	return lognormal{portable.Log(median), sigma, rand.New(src)}, nil
}

func (d lognormal) Draw() float64 { return portable.Exp(float64(normal(d.rnd)*d.sigma) + d.mu) }

type weibull struct {
	scale, shape float64
	rnd          *rand.Rand
}

// Weibull returns the Weibull distribution, P(X > x) = exp(-(x/scale)^shape): a shape below 1 has
// many short and few very long ones, 1 is exponential. It is an error when scale or shape is not
// positive and finite.
func Weibull(scale, shape float64, src rand.Source) (Distribution, error) {
	err := cmp.Or(checkPositive("the scale", scale), checkPositive("the shape", shape), checkSource(src))
	if err != nil {
		return nil, err
	}
	return weibull{scale, shape, rand.New(src)}, nil
}

// Draw inverts the cumulative distribution.
func (d weibull) Draw() float64 {
	return d.scale * portable.Pow(-portable.Log(1-float64(d.rnd.Float64())), 1/d.shape)
}

// Weighted is a value and how often it occurs, relative to the others.
type Weighted struct {
	Value, Weight float64
}

type empirical struct {
	values     []float64 // ascending
	cumulative []float64 // weight up to and including each value
	rnd        *rand.Rand
}

// Empirical draws from the given values, each as often as any other. It is an
// error when there is none, or when one is negative or not finite.
func Empirical(values []float64, src rand.Source) (Distribution, error) {
	weighted := make([]Weighted, len(values))
	for i, v := range values {
		weighted[i] = Weighted{v, 1}
	}
	return EmpiricalWeighted(weighted, src)
}

// EmpiricalWeighted draws from the given values with the chance weight/total, by
// inverting their cumulative distribution: it does not matter in which order
// they are given. It is an error when a value or a weight is negative or not
// finite, or when the weights do not add up to a positive, finite number.
func EmpiricalWeighted(pairs []Weighted, src rand.Source) (Distribution, error) {
	if len(pairs) == 0 {
		return nil, fmt.Errorf("there are no values to draw from")
	}
	for i, p := range pairs {
		err := cmp.Or(checkNonNegative(fmt.Sprintf("value %d", i+1), p.Value),
			checkNonNegative(fmt.Sprintf("weight %d", i+1), p.Weight))
		if err != nil {
			return nil, err
		}
	}
	if err := checkSource(src); err != nil {
		return nil, err
	}
	// By weight too, so that sums are rounded alike whatever the order given.
	sorted := slices.SortedFunc(slices.Values(pairs), func(a, b Weighted) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Weight, b.Weight))
	})
	e := &empirical{rnd: rand.New(src)}
	total := 0.0
	for _, p := range sorted {
		if p.Weight > 0 {
			total += p.Weight
			e.values = append(e.values, p.Value)
			e.cumulative = append(e.cumulative, total)
		}
	}
	if err := checkPositive("the sum of the weights", total); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *empirical) Draw() float64 {
	last := len(e.values) - 1
	x := e.rnd.Float64() * e.cumulative[last]
	return e.values[sort.Search(last, func(i int) bool { return e.cumulative[i] > x })]
}
