package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// zoneWeighting is how much of the score the zone makes, the rest being the node's.
const zoneWeighting float64 = 2.0 / 3.0

// selectorSpread prefers nodes, and zones, with few pods that belong together with the pod:
// those that every Service selects which selects it, and its ReplicationController,
// ReplicaSet or StatefulSet. The zones are compared by the feasible nodes alone.
//
// Upstream: pkg/scheduler/algorithm/priorities/selector_spreading.go, v1.16.15.
// Differs: the controller is the owner of the pod, there any whose selector matches; zones
// are told by topology.kubernetes.io labels too, as from 1.17 on. 1.12 and 1.13 count pods
// that any one of the selectors matches.
type selectorSpread struct {
	named
	counter
	selector func(*cluster.Class) cluster.LabelSelector
	zones    scheduler.Slot[[]int64] // pods on feasible nodes, by the symbol of the zone
}

func newSelectorSpread(h *scheduler.Handle) (scheduler.Plugin, error) {
	selector := func(class *cluster.Class) cluster.LabelSelector { return class.SpreadSelector }
	return newSpread(h, "SelectorSpreadPriority", selector), nil
}

// newServiceSpreading honors Services only.
func newServiceSpreading(h *scheduler.Handle) (scheduler.Plugin, error) {
	return newSpread(h, "ServiceSpreadingPriority", allServices), nil
}

func newSpread(h *scheduler.Handle, name string, selector func(*cluster.Class) cluster.LabelSelector) *selectorSpread {
	return &selectorSpread{named(name), newCounter(h), selector, scheduler.NewSlot[[]int64](h)}
}

// allServices selects what every Service of the pod selects.
func allServices(class *cluster.Class) cluster.LabelSelector {
	var all cluster.LabelSelector
	for _, s := range class.Services {
		all.Requirements = append(all.Requirements, s.Requirements...)
	}
	return all
}

func (p *selectorSpread) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodePods | scheduler.DomainPods
}

func (p *selectorSpread) PrepareScore(c *scheduler.Cycle) bool {
	p.prepare(c, p.selector)
	return false
}

func (p *selectorSpread) Score(c *scheduler.Cycle, node cluster.NodeID) int64 { return p.on(c, node) }

// NormalizeScore turns counts of pods into scores.
func (p *selectorSpread) NormalizeScore(c *scheduler.Cycle, scores []int64) {
	byZone := p.emptyZones(c)
	var most, mostInZone int64 // of a node, of a zone
	for i, node := range c.Feasible() {
		most = max(most, scores[i])
		if zone := c.Cluster.ZoneKey(node); zone != 0 {
			byZone[zone] += scores[i]
			mostInZone = max(mostInZone, byZone[zone])
		}
	}
	for i, node := range c.Feasible() {
		score := fewness(scores[i], most)
		if zone := c.Cluster.ZoneKey(node); zone != 0 {
			// The conversions keep processors that could from rounding once for both.
			score = float64(score*(1.0-zoneWeighting)) + float64(zoneWeighting*fewness(byZone[zone], mostInZone))
		}
		scores[i] = int64(score)
	}
}

// emptyZones is a column by zone with a 0 for each zone of a feasible node.
func (p *selectorSpread) emptyZones(c *scheduler.Cycle) []int64 {
	byZone := p.zones.In(c)
	for _, node := range c.Feasible() {
		zone := int(c.Cluster.ZoneKey(node))
		if missing := zone + 1 - len(*byZone); missing > 0 {
			*byZone = append(*byZone, make([]int64, missing)...)
		}
		(*byZone)[zone] = 0
	}
	return *byZone
}

// fewness is 10 for no pods and 0 for the most that there are.
func fewness(pods, most int64) float64 {
	if most == 0 {
		return scheduler.MaxLegacyScore
	}
	return scheduler.MaxLegacyScore * (float64(most-pods) / float64(most))
}

// counter counts the pods on each node that belong together with the pod of the cycle.
// Those that terminate do not count.
type counter struct{ state scheduler.Slot[counterState] }

type counterState struct {
	sets   []*cluster.PodSet     // by class, where known
	counts *cluster.DomainCounts // nil: none
}

func newCounter(h *scheduler.Handle) counter { return counter{scheduler.NewSlot[counterState](h)} }

// prepare finds the pods to count: those of the namespace that the selector selects; none
// where it is empty.
func (p *counter) prepare(c *scheduler.Cycle, selector func(*cluster.Class) cluster.LabelSelector) {
	s, id := p.state.In(c), int(c.Class.ID)
	s.counts = nil
	for len(s.sets) <= id {
		s.sets = append(s.sets, nil)
	}
	if s.sets[id] == nil {
		which := selector(c.Class)
		if which.IsEmpty() {
			return
		}
		s.sets[id] = c.Cluster.ActivePods(c.Class.Namespace, which)
	}
	s.counts = c.Cluster.Topology.Counts(c.Cluster.Topology.EachNode(), s.sets[id])
}

func (p *counter) on(c *scheduler.Cycle, node cluster.NodeID) int64 {
	if s := p.state.In(c); s.counts != nil {
		return s.counts.On(node)
	}
	return 0
}
