package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// AntiAffinityArgs are the arguments of ServiceAntiAffinityPriority.
type AntiAffinityArgs struct {
	Name  string // of the rule; empty: its own
	Label string // whose values divide the nodes into groups
}

// serviceAntiAffinity prefers nodes in groups, by the value of a label, in which few of the
// pods of the pod's first Service are. Nodes without the label get 0. The groups are
// compared by the feasible nodes alone.
//
// Upstream: ServiceAntiAffinity, pkg/scheduler/algorithm/priorities/selector_spreading.go, v1.16.15.
// Differs: the first Service is that of the objects, there that of a cache.
type serviceAntiAffinity struct {
	named
	counter
	key    cluster.Symbol
	groups scheduler.Slot[map[cluster.Symbol]int64]
}

func newServiceAntiAffinity(h *scheduler.Handle, a AntiAffinityArgs) (scheduler.Plugin, error) {
	if a.Name == "" {
		a.Name = ServiceAntiAffinityPriority
	}
	return &serviceAntiAffinity{
		named(a.Name), newCounter(h), h.Cluster().Symbol(a.Label), scheduler.NewSlot[map[cluster.Symbol]int64](h),
	}, nil
}

func (p *serviceAntiAffinity) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodePods | scheduler.DomainPods
}

func (p *serviceAntiAffinity) PrepareScore(c *scheduler.Cycle) bool {
	p.prepare(c, func(class *cluster.Class) cluster.LabelSelector {
		if len(class.Services) == 0 {
			return cluster.LabelSelector{}
		}
		return class.Services[0]
	})
	return false
}

func (p *serviceAntiAffinity) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	return p.on(c, node)
}

// NormalizeScore turns counts of pods into scores.
func (p *serviceAntiAffinity) NormalizeScore(c *scheduler.Cycle, scores []int64) {
	byGroup := p.groups.In(c)
	if *byGroup == nil {
		*byGroup = map[cluster.Symbol]int64{}
	}
	clear(*byGroup)
	var all int64
	for i, node := range c.Feasible() {
		all += scores[i]
		if group, has := c.Cluster.Node(node).Labels.Get(p.key); has {
			(*byGroup)[group] += scores[i]
		}
	}
	for i, node := range c.Feasible() {
		scores[i] = 0
		if group, has := c.Cluster.Node(node).Labels.Get(p.key); has {
			scores[i] = int64(fewness((*byGroup)[group], all))
		}
	}
}

const reasonServiceAffinity = "node(s) didn't match service affinity"

// ServiceAffinityArgs are the arguments of CheckServiceAffinity.
type ServiceAffinityArgs struct {
	Name   string // of the rule; empty: its own
	Labels []string
}

// serviceAffinity keeps the pods of a Service on nodes with equal values of some labels. The
// values are those of the pod's node selector and, where that does not say, those of the
// node of the first pod that has all labels of the pod; a pod without a Service, or the
// first one of its kind, may go anywhere.
//
// Upstream: ServiceAffinity, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: the first pod is the one that came first, there that of a cache.
type serviceAffinity struct {
	named
	cluster *cluster.Cluster
	keys    []cluster.Symbol
	state   scheduler.Slot[serviceAffinityState]
}

type serviceAffinityState struct {
	own   []cluster.Label // that the pod's node selector gives
	asked bool            // whether a pod must be looked for
	first joining
	trial joining // with the pods that a trial has left
}

// joining is what a node must have for the pod to join another one.
type joining struct {
	pod    cluster.PodID // the other one, or NoPod
	wanted []cluster.Label
}

func newServiceAffinity(h *scheduler.Handle, a ServiceAffinityArgs) (scheduler.Plugin, error) {
	if a.Name == "" {
		a.Name = CheckServiceAffinity
	}
	p := &serviceAffinity{named: named(a.Name), cluster: h.Cluster(), state: scheduler.NewSlot[serviceAffinityState](h)}
	for _, label := range a.Labels {
		p.keys = append(p.keys, p.cluster.Symbol(label))
	}
	return p, nil
}

func (p *serviceAffinity) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.NodePods | scheduler.Nominations | scheduler.DomainPods
}

func (p *serviceAffinity) Checks() scheduler.Checks { return scheduler.CheckOther }

func (p *serviceAffinity) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.own = s.own[:0]
	for _, want := range c.Class.NodeSelector {
		if slices.Contains(p.keys, want.Key) {
			s.own = append(s.own, want)
		}
	}
	s.asked = len(s.own) < len(p.keys) && len(c.Class.Services) > 0
	p.find(&s.first, c)
	return len(s.first.wanted) > 0
}

// find looks for the pod that the pod must join, and notes the labels that a node must have.
func (p *serviceAffinity) find(j *joining, c *scheduler.Cycle) {
	s := p.state.In(c)
	j.pod, j.wanted = cluster.NoPod, append(j.wanted[:0], s.own...)
	if !s.asked {
		return
	}
	for _, node := range p.cluster.Order() {
		for _, id := range p.cluster.PodsOn(node) {
			earlier := j.pod == cluster.NoPod || p.cluster.Pod(id).Serial < p.cluster.Pod(j.pod).Serial
			if earlier && alike(p.cluster.Pod(id).Class, c.Class) {
				j.pod = id
			}
		}
	}
	if j.pod == cluster.NoPod {
		return
	}
	labels := p.cluster.Node(p.cluster.Pod(j.pod).Node).Labels
	for _, key := range p.keys {
		given := slices.ContainsFunc(s.own, func(l cluster.Label) bool { return l.Key == key })
		if value, has := labels.Get(key); has && !given {
			j.wanted = append(j.wanted, cluster.Label{Key: key, Value: value})
		}
	}
}

// alike reports whether a pod has all labels of another one, in one namespace.
func alike(class, other *cluster.Class) bool {
	return class.Namespace == other.Namespace && !slices.ContainsFunc(other.Labels, func(l cluster.Label) bool {
		value, has := class.Labels.Get(l.Key)
		return !has || value != l.Value
	})
}

func (p *serviceAffinity) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	j := &s.first
	if j.pod != cluster.NoPod && p.cluster.Pod(j.pod).Node == cluster.None {
		j = &s.trial
		p.find(j, c)
	}
	labels := p.cluster.Node(node).Labels
	for _, want := range j.wanted {
		if value, has := labels.Get(want.Key); !has || value != want.Value {
			return scheduler.NewRejection(scheduler.Unschedulable, 0)
		}
	}
	return scheduler.Fits
}

func (p *serviceAffinity) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonServiceAffinity}
}
