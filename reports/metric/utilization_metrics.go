package metric

import (
	"math"
	"slices"

	"github.com/berth-sim/berth/reports/gauge"
)

var utilizationMetrics = []Declaration{
	{
		Name: "utilization.allocated", Title: "allocated, mean", Column: "mean", Unit: UnitShare,
		Label: ByResource, Scopes: ofNodes, Headline: ofNodes,
		Better: Higher, More: "allocates {} more of the {label}", Less: "allocates {} less of the {label}",
		Matters: points,
		Formula: "∫ requested by the pods on nodes dt / ∫ allocatable dt",
		values: perResource(func(v *view, r int) float64 {
			return grow(&v.fleet.shares, r).MeanAt(v.now)
		}),
	}, {
		Name: "utilization.allocatedPeak", Title: "allocated, peak", Column: "peak", Unit: UnitShare,
		Label: ByResource, Scopes: ofNodes, Headline: ScopeRun,
		Formula: "the highest requested / allocatable that lasted for any time",
		values: perResource(func(v *view, r int) float64 {
			s := grow(&v.fleet.shares, r)
			if s.Whole.PeakAt(v.now) == 0 {
				return noValue
			}
			return s.PeakAt(v.now)
		}),
	}, {
		Name: "utilization.allocatedNow", Title: "allocated at the end", Column: "at end", Unit: UnitShare,
		Label: ByResource, Scopes: ofNodes | ScopeSample, Headline: ScopeRun,
		Formula: "requested / allocatable, at the end",
		values:  perResource(func(v *view, r int) float64 { return grow(&v.fleet.shares, r).Now() }),
	}, {
		Name: "utilization.imbalanceSD", Title: "imbalance at the end, standard deviation", Column: "sd at end", Unit: UnitShare,
		Label: ByResource, Scopes: ofNodes | ScopeSample,
		Formula: "standard deviation of u over the nodes that have the resource, at the end; " +
			"u = requested / allocatable of a node; nodes are the whole population",
		values: overNodes(func(u []float64) float64 { _, sd := meanAndDeviation(u); return sd }),
	}, {
		Name: "utilization.imbalanceCV", Title: "imbalance at the end, coefficient of variation", Column: "CV at end", Unit: UnitRatio,
		Label: ByResource, Scopes: ofNodes | ScopeSample,
		Formula: "imbalanceSD / mean of u; no value where nothing is requested",
		values: overNodes(func(u []float64) float64 {
			mean, sd := meanAndDeviation(u)
			return gauge.Ratio(sd, mean)
		}),
	}, {
		Name: "utilization.imbalanceGini", Title: "imbalance at the end, Gini", Column: "Gini at end", Unit: UnitRatio,
		Label: ByResource, Scopes: ofNodes | ScopeSample,
		Formula: "Σ_i Σ_j |u_i − u_j| / (2 n² mean of u), at the end; 0: all nodes alike; no value where nothing is requested",
		Source:  "Gini, Variabilità e mutabilità, 1912",
		values:  overNodes(gini),
	}, {
		Name: "utilization.imbalanceSDMean", Title: "imbalance, standard deviation", Column: "sd", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun,
		Formula: "mean of utilization.imbalanceSD, time-weighted over the sampling instants",
		values:  overSamples("utilization.imbalanceSD", timeWeighted),
	}, {
		Name: "utilization.imbalanceCVMean", Title: "imbalance, coefficient of variation", Column: "CV", Unit: UnitRatio,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun, Relative: true,
		Formula: "mean of utilization.imbalanceCV, time-weighted over the sampling instants where it has a value; tables show it " +
			"only where at least 1 % is allocated in the mean, unless asked for all metrics",
		values: overSamples("utilization.imbalanceCV", timeWeighted),
	}, {
		Name: "utilization.imbalanceGiniMean", Title: "imbalance, Gini", Column: "Gini", Unit: UnitRatio,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun, Relative: true,
		Formula: "mean of utilization.imbalanceGini, time-weighted over the sampling instants where it has a value; tables show it " +
			"only where at least 1 % is allocated in the mean, unless asked for all metrics",
		values: overSamples("utilization.imbalanceGini", timeWeighted),
	}, {
		Name: "utilization.zoneSkew", Title: "zone skew at the end", Column: "skew at end", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun | ScopeSample,
		Formula: "max − min over zones of requested / allocatable of the zone, at the end; no value below two zones",
		values:  perResource(zoneSkew),
	}, {
		Name: "utilization.zoneSkewMean", Title: "zone skew", Column: "zone skew", Unit: UnitShare,
		Label: ByResource, Scopes: ScopeRun, Headline: ScopeRun, Rare: true,
		Formula: "mean of utilization.zoneSkew, time-weighted over the sampling instants where it has a value",
		values:  overSamples("utilization.zoneSkew", timeWeighted),
	}, {
		Name: "utilization.nodes", Title: "nodes at the end", Column: "nodes", Unit: UnitNodes,
		Scopes: ofNodes | ScopeSample, Headline: ofNodes,
		Formula: "nodes, at the end",
		values:  number(func(v *view) float64 { return float64(v.fleet.nodes.Now()) }),
	}, {
		Name: "utilization.nodeHours", Title: "node-hours", Column: "node-hours", Unit: UnitNodeHours,
		Scopes: ofNodes, Headline: ofNodes,
		Better: Lower, More: "takes {} more node-hours", Less: "takes {} fewer node-hours",
		Matters: Effect{Relative: 0.01},
		Formula: "∫ number of nodes dt, in hours",
		values:  number(func(v *view) float64 { return v.fleet.nodes.AreaAt(v.now) / 3600 }),
	}, {
		Name: "utilization.cost", Title: "cost", Column: "cost", Unit: UnitCost,
		Scopes: ofNodes, Headline: ofNodes, Rare: true,
		Better: Lower, More: "costs {} more", Less: "costs {} less",
		Matters: Effect{Relative: 0.01},
		Formula: "Σ over nodes: pricePerHour × hours that the node was there",
		values:  number(cost),
	}, {
		Name: "utilization.emptyNodes", Title: "empty nodes at the end", Column: "empty", Unit: UnitNodes,
		Scopes: ofNodes | ScopeSample, Headline: ofNodes,
		Formula: "nodes without a pod, at the end; pods of DaemonSets do not count",
		Source:  "Ling et al., LAVA, MLSys 2025",
		values:  number(func(v *view) float64 { return float64(v.fleet.empty.Now()) }),
	}, {
		Name: "utilization.emptyNodesMean", Title: "empty nodes, mean", Column: "mean empty", Unit: UnitNodes,
		Scopes: ofNodes, Headline: ScopeRun,
		Better: Higher, More: "keeps {} more nodes empty", Less: "keeps {} fewer nodes empty",
		Matters: Effect{0.5, 0.05},
		Formula: "∫ number of empty nodes dt / length of the run",
		values:  number(func(v *view) float64 { return v.fleet.empty.MeanAt(v.now) }),
	},
}

// overNodes declares a statistic of the utilization of the scope's nodes.
func overNodes(statistic func(u []float64) float64) func(*view, emitter) {
	return perResource(func(v *view, r int) float64 {
		var u []float64
		for i := range v.l.nodes {
			n := &v.l.nodes[i]
			if whole := element(n.allocatable, r); whole > 0 && v.hasNode(n) {
				u = append(u, float64(element(n.requested, r))/float64(whole))
			}
		}
		if len(u) == 0 {
			return noValue
		}
		return statistic(u)
	})
}

// gini is the Gini coefficient, by the sorted form of its double sum.
func gini(u []float64) float64 {
	slices.Sort(u)
	weighted, sum := 0.0, 0.0
	for i, x := range u {
		sum += x
		weighted += float64(float64(2*(i+1)-len(u)-1) * x)
	}
	return gauge.Ratio(weighted, float64(len(u))*sum)
}

func zoneSkew(v *view, r int) float64 {
	type sums struct{ requested, allocatable int64 }
	zones := map[string]sums{}
	for i := range v.l.nodes {
		n := &v.l.nodes[i]
		if n.zone == "" || !v.hasNode(n) || element(n.allocatable, r) == 0 {
			continue
		}
		z := zones[n.zone]
		zones[n.zone] = sums{z.requested + element(n.requested, r), z.allocatable + element(n.allocatable, r)}
	}
	if len(zones) < 2 {
		return noValue
	}
	lowest, highest := math.Inf(1), math.Inf(-1)
	for _, z := range zones {
		u := float64(z.requested) / float64(z.allocatable)
		lowest, highest = min(lowest, u), max(highest, u)
	}
	return highest - lowest
}

func cost(v *view) float64 {
	sum := v.fleet.cost
	for i := range v.l.nodes {
		if n := &v.l.nodes[i]; v.hasNode(n) {
			sum += n.costAt(v.now)
		}
	}
	return sum
}
