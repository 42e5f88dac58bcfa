package scenarios

import (
	"errors"
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/workloads/arrival"
)

// foreverText is the lifetime of pods that do not complete.
const foreverText = "forever"

// distributionReader reads distributions of spans of time, and arrival processes.
type distributionReader struct{ *buildState }

// duration returns the distribution of durations that a scenario gives: a duration, the word forever, or a random
// distribution, for which it calls src.
func (b distributionReader) duration(v document.Value, src func() rand.Source) arrival.Lifetime {
	if !v.Exists() {
		return nil
	}
	if v.Kind() != document.Map {
		if v.Text() == foreverText {
			return arrival.Forever()
		}
		var d Duration
		if err := document.Decode(v, &d); err != nil {
			b.faults.Append(err)
			return nil
		}
		return b.fixed(v, d)
	}
	var law DurationDistribution
	if err := document.Decode(v, &law); err != nil {
		b.faults.Append(err)
		return nil
	}
	one(&b.faults, v, "a span of time", "fixed", "exponential", "lognormal", "weibull", "uniform", "empirical")
	if law.Fixed != nil {
		return b.fixed(v.Get("fixed"), *law.Fixed)
	}
	if !b.check(v, &law) {
		return nil
	}
	dist, at, err := b.distribution(v, &law, src)
	var lines document.Errors // of a file, which have places of their own
	switch {
	case errors.As(err, &lines):
		b.faults = append(b.faults, lines...)
	case err != nil:
		b.faults.Add(at, "", "%v", err)
	case dist != nil:
		return arrival.Seconds(dist)
	}
	return nil
}

func (b distributionReader) fixed(at document.Value, d Duration) arrival.Lifetime {
	if d < 0 {
		b.faults.Add(at, "", "must not be negative")
		return nil
	}
	return fixed(d.Time())
}

// check reports whether durations are valid. It adds errors that name them as they are written.
func (b distributionReader) check(v document.Value, law *DurationDistribution) bool {
	before := len(b.faults)
	positive := func(path string, d *Duration) {
		if *d <= 0 {
			b.faults.Add(v, path, "must be positive")
		}
	}
	if l := law.Exponential; l != nil {
		positive("exponential.mean", l.Mean)
	}
	if l := law.Lognormal; l != nil {
		positive("lognormal.median", l.Median)
	}
	if l := law.Weibull; l != nil {
		positive("weibull.scale", l.Scale)
	}
	if l := law.Uniform; l != nil && l.Min < 0 {
		b.faults.Add(v, "uniform.min", "must not be negative")
	} else if l != nil && *l.Max < l.Min {
		b.faults.Add(v, "uniform.max", "must not be below min")
	}
	if l := law.Empirical; l != nil {
		for i, d := range l.Values {
			if d < 0 {
				b.faults.Add(v.Find("empirical.values").Index(i), "", "must not be negative")
			}
		}
	}
	return len(b.faults) == before
}

// distribution returns a random distribution of seconds.
func (b distributionReader) distribution(v document.Value, law *DurationDistribution, src func() rand.Source) (arrival.Distribution, document.Value, error) {
	seconds := func(d *Duration) float64 { return d.Time().Seconds() }
	switch {
	case law.Exponential != nil:
		d, err := arrival.Exponential(seconds(law.Exponential.Mean), src())
		return d, v.Get("exponential"), err
	case law.Lognormal != nil:
		d, err := arrival.Lognormal(seconds(law.Lognormal.Median), law.Lognormal.Sigma, src())
		return d, v.Get("lognormal"), err
	case law.Weibull != nil:
		d, err := arrival.Weibull(seconds(law.Weibull.Scale), law.Weibull.Shape, src())
		return d, v.Get("weibull"), err
	case law.Uniform != nil:
		d, err := arrival.Uniform(law.Uniform.Min.Time().Seconds(), seconds(law.Uniform.Max), src())
		return d, v.Get("uniform"), err
	case law.Empirical != nil:
		values, err := b.empirical(law.Empirical)
		if err != nil {
			return nil, v.Get("empirical"), err
		}
		d, err := arrival.Empirical(values, src())
		return d, v.Get("empirical"), err
	}
	return nil, v, nil
}

// process returns the arrival process of a workload.
func (b distributionReader) process(at document.Value, a *Arrivals, src func() rand.Source) arrival.Process {
	p, where, err := b.baseProcess(at, a, src)
	if err != nil {
		b.faults.Add(where, "", "%v", err)
		return nil
	}
	if p == nil {
		return nil // one has reported it
	}
	if a.Until != nil || a.Start != nil && a.Every == nil {
		start, until := clock.Time(0), clock.Forever
		if a.Start != nil && a.Every == nil {
			start = a.Start.Time()
		}
		if a.Until != nil {
			until = a.Until.Time()
		}
		if p, err = arrival.Window(p, start, until); err != nil {
			b.faults.Add(at, "until", "%v", err)
			return nil
		}
	}
	if a.Limit != nil {
		if p, err = arrival.Limit(p, *a.Limit); err != nil {
			b.faults.Add(at, "limit", "%v", err)
		}
	}
	return p
}

func (b distributionReader) baseProcess(at document.Value, a *Arrivals, src func() rand.Source) (arrival.Process, document.Value, error) {
	switch {
	case a.Every != nil:
		start := clock.Time(0)
		if a.Start != nil {
			start = a.Start.Time()
		}
		p, err := arrival.Constant(a.Every.Time(), start)
		return p, at.Get("every"), err
	case a.Poisson != nil:
		p, err := arrival.Poisson(float64(*a.Poisson.Rate), src())
		return p, at.Get("poisson"), err
	case a.Bursts != nil:
		p, err := arrival.Bursts(arrival.Burst{
			Every: a.Bursts.Every.Time(), Count: a.Bursts.Size,
			Jitter: a.Bursts.Jitter.Time(), Spread: a.Bursts.Spread.Time(),
		}, src())
		return p, at.Get("bursts"), err
	case a.Diurnal != nil:
		p, err := diurnal(a.Diurnal, src)
		return p, at.Get("diurnal"), err
	case a.AtOnce != nil:
		p, err := arrival.AtOnce(a.AtOnce.Count, a.AtOnce.At.Time())
		return p, at.Get("atOnce"), err
	case a.Times != nil:
		times := make([]clock.Time, len(a.Times))
		for i, t := range a.Times {
			times[i] = t.Time()
		}
		p, err := arrival.Times(times)
		return p, at.Get("times"), err
	}
	return nil, at, nil
}

func diurnal(d *Diurnal, src func() rand.Source) (arrival.Process, error) {
	var period clock.Time
	if d.Period != nil {
		period = d.Period.Time()
	}
	if len(d.Points) > 0 {
		points := make([]arrival.RatePoint, len(d.Points))
		for i, p := range d.Points {
			points[i] = arrival.RatePoint{Offset: p.At.Time(), PerSecond: float64(p.Rate)}
		}
		rate, err := arrival.Curve(points, period)
		if err != nil {
			return nil, err
		}
		return arrival.Diurnal(rate, src())
	}
	if period == 0 {
		period = arrival.Day
	}
	base, amplitude := float64(*d.Low+*d.High)/2, float64(*d.High-*d.Low)/2
	rate, err := arrival.Sinusoid(arrival.Sine{Base: base, Amplitude: amplitude, Peak: d.PeakAt.Time(), Period: period})
	if err != nil {
		return nil, err
	}
	return arrival.Diurnal(rate, src())
}
