package plugins_test

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// plainPodAffinity looks at every pod on every node each time that it is asked, and counts
// by topology key and value in maps, as upstream does.
type plainPodAffinity struct {
	plain
	args   plugins.InterPodAffinityArgs
	empty  bool // a namespace without labels is matched too
	scores map[pair]int64
}

// pair is a topology key and a value.
type pair struct{ key, value cluster.Symbol }

func (p *plainPodAffinity) names(t *cluster.PodTerm, class *cluster.Class, resolved, none bool) bool {
	labels := p.cl.NamespaceLabels(class.Namespace)
	return (slices.Contains(t.Namespaces, class.Namespace) || resolved && t.NamespaceSelector.Matches(labels, &p.cl.Symbols) ||
		none && t.NamespaceSelector.Matches(nil, &p.cl.Symbols)) && t.Selector.Matches(class.Labels, &p.cl.Symbols)
}

// own reports whether a term of the pod that is being scheduled selects another.
func (p *plainPodAffinity) own(t *cluster.PodTerm, other *cluster.Class) bool {
	return p.names(t, other, true, p.empty)
}

// theirs reports whether a term of a pod that is there selects the one being scheduled.
func (p *plainPodAffinity) theirs(t *cluster.PodTerm, class *cluster.Class) bool {
	return p.names(t, class, true, false)
}

func (p *plainPodAffinity) allOwn(terms []*cluster.PodTerm, other *cluster.Class) bool {
	for _, t := range terms {
		if !p.own(t, other) {
			return false
		}
	}
	return len(terms) > 0
}

// each calls f for every pod that has a node.
func (p *plainPodAffinity) each(f func(other *cluster.Class, node cluster.LabelSet)) {
	for _, node := range p.cl.Order() {
		for _, pod := range p.cl.PodsOn(node) {
			f(p.cl.Pod(pod).Class, p.cl.Node(node).Labels)
		}
	}
}

func add(counts map[pair]int64, t *cluster.PodTerm, node cluster.LabelSet, n int64) {
	if value, has := node.Get(t.TopologyKey); has {
		counts[pair{t.TopologyKey, value}] += n
	}
}

// count is what upstream counts in PreFilter.
func (p *plainPodAffinity) count(class *cluster.Class) (near, apart, existingAntiAffinity map[pair]int64) {
	near, apart, existingAntiAffinity = map[pair]int64{}, map[pair]int64{}, map[pair]int64{}
	p.each(func(other *cluster.Class, node cluster.LabelSet) {
		if p.allOwn(class.Affinity, other) {
			for _, t := range class.Affinity {
				add(near, t, node, 1)
			}
		}
		for _, t := range class.AntiAffinity {
			if p.own(t, other) {
				add(apart, t, node, 1)
			}
		}
		for _, t := range other.AntiAffinity {
			if p.theirs(t, class) {
				add(existingAntiAffinity, t, node, 1)
			}
		}
	})
	return near, apart, existingAntiAffinity
}

func (p *plainPodAffinity) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	_, _, existingAntiAffinity := p.count(c.Class)
	return scheduler.PreFilterResult{Skip: len(existingAntiAffinity)+len(c.Class.Affinity)+len(c.Class.AntiAffinity) == 0}
}

func (*plainPodAffinity) Checks() scheduler.Checks { return scheduler.CheckPodAffinity }

func (p *plainPodAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	labels, class := p.cl.Node(node).Labels, c.Class
	near, apart, existingAntiAffinity := p.count(class)
	there := true
	for _, t := range class.Affinity {
		value, has := labels.Get(t.TopologyKey)
		if !has {
			return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
		}
		there = there && near[pair{t.TopologyKey, value}] > 0
	}
	if !there && (len(near) > 0 || !p.allOwn(class.Affinity, class)) {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
	}
	for _, t := range class.AntiAffinity {
		if value, has := labels.Get(t.TopologyKey); has && apart[pair{t.TopologyKey, value}] > 0 {
			return scheduler.NewRejection(scheduler.Unschedulable, 1)
		}
	}
	for _, l := range labels {
		if existingAntiAffinity[pair{l.Key, l.Value}] > 0 {
			return scheduler.NewRejection(scheduler.Unschedulable, 2)
		}
	}
	return scheduler.Fits
}

func (p *plainPodAffinity) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	return []string{[]string{
		"node(s) didn't match pod affinity rules", "node(s) didn't match pod anti-affinity rules",
		"node(s) didn't satisfy existing pods anti-affinity rules",
	}[v.Detail()]}
}

func (p *plainPodAffinity) PreScore(c *scheduler.Cycle) scheduler.Status {
	class := c.Class
	preferred := func(terms []cluster.WeightedPodTerm, sign int64, selects func(*cluster.PodTerm) bool, node cluster.LabelSet) {
		for _, t := range terms {
			if selects(t.Term) {
				add(p.scores, t.Term, node, sign*t.Weight)
			}
		}
	}
	p.scores = map[pair]int64{}
	if p.args.IgnorePreferredTermsOfExistingPods && len(class.PreferredAffinity)+len(class.PreferredAntiAffinity) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	p.each(func(other *cluster.Class, node cluster.LabelSet) {
		own := func(t *cluster.PodTerm) bool { return p.own(t, other) }
		theirs := func(t *cluster.PodTerm) bool { return p.theirs(t, class) }
		preferred(class.PreferredAffinity, 1, own, node)
		preferred(class.PreferredAntiAffinity, -1, own, node)
		for _, t := range other.Affinity {
			if p.args.HardPodAffinityWeight > 0 && theirs(t) {
				add(p.scores, t, node, p.args.HardPodAffinityWeight)
			}
		}
		preferred(other.PreferredAffinity, 1, theirs, node)
		preferred(other.PreferredAntiAffinity, -1, theirs, node)
	})
	if len(p.scores) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

func (p *plainPodAffinity) Score(_ *scheduler.Cycle, node cluster.NodeID) (sum int64) {
	for _, l := range p.cl.Node(node).Labels {
		sum += p.scores[pair{l.Key, l.Value}]
	}
	return sum
}

func (p *plainPodAffinity) NormalizeScore(_ *scheduler.Cycle, scores []int64) {
	lowest, highest := slices.Min(scores), slices.Max(scores)
	for i := range scores {
		ratio := 0.0
		if highest > lowest {
			ratio = float64(scores[i]-lowest) / float64(highest-lowest)
		}
		scores[i] = int64(100 * ratio)
	}
}
