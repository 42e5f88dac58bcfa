package metric

import (
	"github.com/berth-sim/berth/reports/devices"
	"github.com/berth-sim/berth/reports/gauge"
	"github.com/berth-sim/berth/sim/model/fragment"
)

const sourceDevices = "Weng et al., Beware of Fragmentation, USENIX ATC 2023"

var deviceMetrics = []Declaration{
	{
		Name: "devices.count", Title: "devices at the end", Column: "devices", Unit: UnitDevices,
		Scopes: ofNodes, Headline: ofNodes,
		Formula: "GPUs and the like of all nodes, at the end; this group has values only where nodes have devices",
		values:  ofDevices(func(_ *view, s *devices.Sums) float64 { return float64(s.Count()) }),
	}, {
		Name: "devices.allocated", Title: "devices allocated, mean", Column: "devices allocated", Unit: UnitShare,
		Scopes: ofNodes, Headline: ofNodes,
		Better:  Higher,
		Matters: points,
		Formula: "∫ what pods hold of devices dt / ∫ devices dt",
		values:  ofDevices(func(v *view, s *devices.Sums) float64 { return s.MeanUsed(v.now) }),
	}, {
		Name: "devices.allocatedNow", Title: "devices allocated at the end", Column: "devices at end", Unit: UnitShare,
		Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Formula: "what pods hold of devices / devices, at the end",
		values:  ofDevices(func(_ *view, s *devices.Sums) float64 { return s.UsedShare() }),
	}, {
		Name: "devices.touched", Title: "devices touched at the end", Column: "touched", Unit: UnitShare,
		Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Formula: "devices of which some pod holds all or a part / devices, at the end",
		values:  ofDevices(func(_ *view, s *devices.Sums) float64 { return s.TouchedShare() }),
	}, {
		Name: "devices.arrived", Title: "demand for devices that has arrived", Column: "arrived", Unit: UnitShare,
		Scopes: ScopeRun | ScopeSample,
		Formula: "what all pods that have arrived ask for of devices, whether or not they got it, and have gone or not / devices, at the " +
			"end; it may be above 1",
		values: ofDevices(func(v *view, s *devices.Sums) float64 {
			return gauge.Ratio(float64(v.l.devices.Arrived()), float64(s.Capacity()))
		}),
	}, {
		Name: "devices.fragmented", Title: "unusable devices at the end", Column: "unusable at end", Unit: UnitShare,
		Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "F / devices, at the end; F = Σ over classes m of share of m in the target workload × what is free of devices but " +
			"unusable for m: all parts of devices.idle but usable; no value as long as there is no target workload",
		Source: sourceDevices,
		values: ofFragments(func(_ *view, s *devices.Sums) float64 { return gauge.Ratio(s.Fragmented(), float64(s.Capacity())) }),
	}, {
		Name: "devices.fragmentedMean", Title: "unusable devices, mean", Column: "unusable", Unit: UnitShare,
		Scopes: ofNodes, Headline: ofNodes,
		Better: Lower, More: "leaves {} more of the devices free but unusable", Less: "leaves {} less of the devices free but unusable",
		Matters: points,
		Formula: "∫ F dt / ∫ devices dt while there is a target workload, F as in devices.fragmented",
		values:  ofFragments(func(v *view, s *devices.Sums) float64 { return s.MeanFragmented(v.now) }),
	}, {
		Name: "devices.fragmentedOfIdle", Title: "unusable, of free devices at the end", Column: "of free", Unit: UnitShare,
		Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "F / what is free of devices, at the end, F as in devices.fragmented",
		Source:  sourceDevices,
		values: ofFragments(func(_ *view, s *devices.Sums) float64 {
			return gauge.Ratio(s.Fragmented(), float64(s.Capacity()-s.Used()))
		}),
	}, {
		Name: "devices.idle", Title: "devices free at the end", Column: "free at end", Unit: UnitShare,
		Label: ByUse, Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Formula: "what is free of devices / devices, at the end, by what a pod of the target workload can make of it, in the mean: " +
			"lacksBoth (Q1): there are neither cpu nor devices enough for it; lacksDevices (Q2): there are not devices enough, or this one " +
			"has too little; usable (Q3); lacksCPU (Q4): there is not cpu enough; noDevices (XL): it asks for none, and there is cpu enough; " +
			"noDevicesLacksCPU (XR): nor is there cpu enough; noAccess: it does not accept the model",
		Source: sourceDevices,
		values: perUse,
	}, {
		Name: "devices.misplaced", Title: "without the devices they ask for", Column: "misplaced", Unit: UnitPods,
		Scopes: ofPods | ScopePool, Headline: ScopeRun, Rare: true,
		Better: Lower, More: "puts {} more pods where the devices they ask for are not", Less: "puts {} fewer pods where the devices they ask for are not",
		Matters: Effect{Absolute: 1},
		Formula: "pods that were given a node without the devices that they ask for, since the policy does not look at single devices; " +
			"they hold none, and a kubelet would refuse them",
		values: func(v *view, emit emitter) {
			if v.l.devices.Any() {
				emit("", float64(v.totals.misplaced))
			}
		},
	},
}

// devices returns the sums over the devices of the nodes of the scope; nil if these have never had
// any.
func (v *view) devices() *devices.Sums {
	s := &v.l.devices.Sums
	if v.fleet != v.l.fleet {
		s = v.l.devices.PoolNamed(v.fleet.name)
	}
	if s == nil || !s.Any() {
		return nil
	}
	return s
}

// ofDevices declares one value, if nodes have had devices.
func ofDevices(f func(v *view, s *devices.Sums) float64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		if s := v.devices(); s != nil {
			emit("", f(v, s))
		}
	}
}

// ofFragments is ofDevices for a metric that has no value without a target workload.
func ofFragments(f func(v *view, s *devices.Sums) float64) func(*view, emitter) {
	return ofDevices(func(v *view, s *devices.Sums) float64 {
		if !s.HasTarget() {
			return noValue
		}
		return f(v, s)
	})
}

// perUse emits one value for each part of what is free.
func perUse(v *view, emit emitter) {
	s := v.devices()
	if s == nil || !s.HasTarget() {
		return
	}
	for part := range fragment.NumParts {
		emit(part.String(), gauge.Ratio(s.Part(part), float64(s.Capacity())))
	}
}
