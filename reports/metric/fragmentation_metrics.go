package metric

import (
	"math"

	"github.com/berth-sim/berth/reports/gauge"
)

const (
	sourceBorg = "Verma et al., Large-scale cluster management at Google with Borg, EuroSys 2015"
	sourceFGD  = "Weng et al., Beware of Fragmentation, USENIX ATC 2023, generalized from GPUs to any resource"
	sourceLAVA = "Ling et al., LAVA: Lifetime-Aware VM Allocation, MLSys 2025"
)

var fragmentationMetrics = []Declaration{
	{
		Name: "fragmentation.free", Title: "free", Column: "free", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Formula: "free / allocatable over all nodes, at the last instant where fragmentation was sampled, as all that follow",
		values:  perSampled(func(f *fragmentation, i int) float64 { return gauge.Ratio(float64(f.free[i]), float64(f.whole[i])) }),
	}, {
		Name: "fragmentation.stranded", Title: "stranded", Column: "stranded", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "free on nodes on which no class of the workload's mix fits / allocatable; this and all that is about the mix " +
			"has no value as long as no pod has arrived",
		Source: sourceBorg,
		values: perMix(func(f *fragmentation, i int) float64 { return gauge.Ratio(float64(f.stranded[i]), float64(f.whole[i])) }),
	}, {
		Name: "fragmentation.strandedMean", Title: "stranded, mean", Column: "stranded avg", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun,
		Better: Lower, More: "strands {} more of the {label}", Less: "strands {} less of the {label}",
		Matters: points,
		Formula: "mean of fragmentation.stranded, time-weighted over the sampling instants",
		values:  overSamples("fragmentation.stranded", timeWeighted),
	}, {
		Name: "fragmentation.strandedOfFree", Title: "stranded, of what is free", Column: "of free", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample,
		Better:  Lower,
		Matters: twoPoints,
		Formula: "free on nodes on which no class of the workload's mix fits / free",
		Source:  sourceBorg,
		values:  perMix(func(f *fragmentation, i int) float64 { return gauge.Ratio(float64(f.stranded[i]), float64(f.free[i])) }),
	}, {
		Name: "fragmentation.unusable", Title: "unusable", Column: "unusable", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "F / allocatable; F = Σ over classes m of share of m in the mix × amount that is free but unusable for m: " +
			"on nodes on which m does not fit, or all of it where m does not ask for the resource",
		Source: sourceFGD,
		values: perMix(func(f *fragmentation, i int) float64 { return gauge.Ratio(f.unusable(i), float64(f.whole[i])) }),
	}, {
		Name: "fragmentation.unusableMean", Title: "unusable, mean", Column: "unusable avg", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "mean of fragmentation.unusable, time-weighted over the sampling instants",
		values:  overSamples("fragmentation.unusable", timeWeighted),
	}, {
		Name: "fragmentation.unusableOfFree", Title: "unusable, of what is free", Column: "of free", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: twoPoints,
		Formula: "F / free, F as in fragmentation.unusable",
		Source:  sourceFGD,
		values:  perMix(func(f *fragmentation, i int) float64 { return gauge.Ratio(f.unusable(i), float64(f.free[i])) }),
	}, {
		Name: "fragmentation.inflated", Title: "stranded by inflation", Column: "inflated", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: points,
		Formula: "free / allocatable after pods drawn from the mix were placed, on a copy, until none fits; only where asked for",
		Source:  sourceLAVA,
		values: perSampled(func(f *fragmentation, i int) float64 {
			if f.inflated == nil {
				return noValue
			}
			return gauge.Ratio(float64(f.inflated[i]), float64(f.whole[i]))
		}),
	}, {
		Name: "fragmentation.inflatedMean", Title: "stranded by inflation, mean", Column: "inflated avg", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun,
		Better: Lower, More: "leaves {} more of the {label} that nothing fits into", Less: "leaves {} less of the {label} that nothing fits into",
		Matters: points,
		Formula: "mean of fragmentation.inflated, time-weighted over the sampling instants where it has a value",
		values:  overSamples("fragmentation.inflated", timeWeighted),
	}, {
		Name: "fragmentation.largest", Title: "largest request that fits", Column: "largest", Unit: UnitAmount,
		Label: ByResource, Scopes: ScopeRun | ScopePool | ScopeSample, Headline: ScopeRun,
		Better:  Higher,
		Matters: Effect{Relative: 0.1},
		Formula: "max over schedulable nodes of what is free of the resource, at the end",
		values:  perResource(largest),
	}, {
		Name: "fragmentation.mixShare", Title: "share of the mix", Column: "of the mix", Unit: UnitShare,
		Label: ByClass, Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "pods of the class that have arrived / those of all classes of the mix; the mix is the most frequent classes that " +
			"the sample was told to cover",
		values: perClass(func(_ *view, f *fragmentation, i int) float64 { return f.mix[i].Weight }),
	}, {
		Name: "fragmentation.fits", Title: "pods that still fit", Column: "still fit", Unit: UnitPods,
		Label: ByClass, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Higher,
		Matters: Effect{1, 0.05},
		Formula: "how many more pods of the class fit, node by node",
		values:  perClass(func(_ *view, f *fragmentation, i int) float64 { return float64(f.mix[i].Fits) }),
	}, {
		Name: "fragmentation.ideal", Title: "pods that would fit if pooled", Column: "if pooled", Unit: UnitPods,
		Label: ByClass, Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "min over the resources that the class requests of ⌊free over all nodes / request⌋, a limit on pods per node included",
		values:  perClass(pooled),
	}, {
		Name: "fragmentation.external", Title: "lost to fragmentation", Column: "lost", Unit: UnitShare,
		Label: ByClass, Scopes: ScopeRun | ScopeSample, Headline: ScopeRun,
		Better:  Lower,
		Matters: twoPoints,
		Formula: "1 − fragmentation.fits / fragmentation.ideal; no value where not one pod would fit if pooled",
		values: perClass(func(v *view, f *fragmentation, i int) float64 {
			return 1 - gauge.Ratio(float64(f.mix[i].Fits), pooled(v, f, i))
		}),
	},
}

// perSampled declares one value for each resource of a sample of fragmentation.
func perSampled(value func(f *fragmentation, i int) float64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		if v.frag == nil {
			return
		}
		for _, resource := range v.resources() {
			for i, sampled := range v.frag.resources {
				if sampled == resource {
					emit(v.l.resources.names[resource], value(v.frag, i))
				}
			}
		}
	}
}

// perMix is perSampled for what is about the workload's mix: there is no value as long as no
// pod has arrived.
func perMix(value func(f *fragmentation, i int) float64) func(*view, emitter) {
	return perSampled(func(f *fragmentation, i int) float64 {
		if len(f.mix) == 0 {
			return noValue
		}
		return value(f, i)
	})
}

// perClass declares one value for each class of the mix.
func perClass(value func(v *view, f *fragmentation, i int) float64) func(*view, emitter) {
	return func(v *view, emit emitter) {
		if v.frag == nil {
			return
		}
		for i, m := range v.frag.mix {
			emit(v.l.classes[m.Class].label, value(v, v.frag, i))
		}
	}
}

// unusable is F of the i-th resource, in its base unit.
func (f *fragmentation) unusable(i int) float64 {
	sum := 0.0
	for _, m := range f.mix {
		sum += float64(m.Weight * float64(m.Unusable[i]))
	}
	return sum
}

// pooled is how many pods of the i-th class of the mix would fit if all that is free
// were on one node.
func pooled(v *view, f *fragmentation, i int) float64 {
	least := f.freePods
	for _, q := range v.l.classes[f.mix[i].Class].requests {
		for j, resource := range f.resources {
			if resource == q.resource && q.value > 0 {
				least = min(least, f.free[j]/q.value)
			}
		}
	}
	if least == math.MaxInt64 {
		return noValue
	}
	return float64(least)
}

func largest(v *view, r int) float64 {
	most := noValue
	for i := range v.l.nodes {
		n := &v.l.nodes[i]
		if n.unschedulable || !v.hasNode(n) || element(n.allocatable, r) == 0 {
			continue
		}
		if free := float64(n.free(r)); math.IsNaN(most) || free > most {
			most = free
		}
	}
	return most
}
