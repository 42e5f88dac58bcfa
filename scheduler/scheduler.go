package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// TieBreak chooses among the nodes of the highest total score.
type TieBreak string

// The tie-breaks.
const (
	TieRandom   TieBreak = "random"   // uniformly, from the stream "tiebreak"
	TieFirst    TieBreak = "first"    // the smallest name
	TieUpstream TieBreak = "upstream" // the node that selectHost of the release selects with one worker
	TieRank     TieBreak = "rank"     // the lowest rank; the rank of a node never changes
)

// Config is everything that a scheduler is made from.
type Config struct {
	Profiles []ProfileConfig
	Registry Registry
	Tie      TieBreak
	// Rules are those of a Kubernetes release; nil: of the newest.
	Rules *release.Rules
	// Ranks of nodes by name, for TieRank. Nodes that are not named come after them.
	Ranks map[string]int
	// Extenders are shared by all profiles.
	Extenders []Extender
	// InitialBackoff and MaxBackoff bound the wait after a failed attempt: it
	// doubles from the one to the other. A MaxBackoff of 0 means no wait.
	InitialBackoff, MaxBackoff clock.Time
	Streams                    clock.Streams
}

// The default backoff of kube-scheduler.
const (
	DefaultInitialBackoff = 1 * clock.Second
	DefaultMaxBackoff     = 10 * clock.Second
)

// Scheduler schedules pods onto the nodes of a cluster, one cycle at a time.
type Scheduler struct {
	cluster   *cluster.Cluster
	profiles  map[string]*profile
	queue     *queue
	nominator nominator
	waiting   waitingPods
	slots     []func() any       // make what plugins keep in a cycle
	extenders []*countedExtender // as they are called
	ctx       context.Context    // of their calls
	cycle     *Cycle
	probe     *Cycle // for questions beside the cycles
	now       clock.Time

	rules      release.Rules
	tie        TieBreak
	tieRand    *rand.Rand
	draw       func(ties []cluster.NodeID) cluster.NodeID // instead of tieRand; nil: none
	ranks      ranks
	streams    clock.Streams
	offsetRand *rand.Rand
	equalRand  *rand.Rand // among equal candidates of preemption
	startIndex int

	states    map[cluster.PodID]*CycleState // of assumed pods, where a plugin keeps something
	stateKeys int
}

// New returns a scheduler without pods.
func New(cl *cluster.Cluster, cfg Config) (*Scheduler, error) {
	s := &Scheduler{
		cluster:    cl,
		profiles:   map[string]*profile{},
		extenders:  inCallOrder(cfg.Extenders),
		ctx:        context.Background(),
		rules:      release.OrNewest(cfg.Rules),
		tie:        cfg.Tie,
		tieRand:    cfg.Streams.Rand("tiebreak"),
		ranks:      newRanks(cfg.Ranks, cfg.Streams.Rand("rank")),
		streams:    cfg.Streams,
		offsetRand: cfg.Streams.Rand("preemption"),
		equalRand:  cfg.Streams.Rand("preemption/equal"),
	}
	s.nominator.of = map[cluster.NodeRef][]cluster.PodID{}
	s.waiting.pods = map[cluster.PodID]*waitingPod{}
	s.states = map[cluster.PodID]*CycleState{}
	for _, pc := range cfg.Profiles {
		if _, twice := s.profiles[pc.SchedulerName]; twice {
			return nil, fmt.Errorf("two profiles are named %q", pc.SchedulerName)
		}
		p, err := newProfile(pc, cfg.Registry, &Handle{s: s})
		if err != nil {
			return nil, err
		}
		s.profiles[pc.SchedulerName] = p
		if s.queue == nil {
			s.queue = newQueue(s, p.queueSort, cfg.InitialBackoff, cfg.MaxBackoff)
		}
	}
	if s.queue == nil {
		return nil, fmt.Errorf("a scheduler needs a profile")
	}
	s.cycle, s.probe = s.newCycle(), s.newCycle()
	return s, nil
}

func (s *Scheduler) newCycle() *Cycle {
	c := &Cycle{s: s, Cluster: s.cluster}
	for _, make := range s.slots {
		c.slots = append(c.slots, make())
	}
	return c
}

// Rules returns the rules of the Kubernetes release that the scheduler follows. They must not be changed.
func (s *Scheduler) Rules() *release.Rules { return &s.rules }

// Responsible reports whether a profile has the name that the class asks for.
func (s *Scheduler) Responsible(class *cluster.Class) bool {
	return s.profiles[class.SchedulerName] != nil
}

func (s *Scheduler) profileOf(pod cluster.PodID) *profile {
	return s.profiles[s.cluster.Pod(pod).Class.SchedulerName]
}

// StartIndex returns the index in the order of nodes at which the next search for feasible nodes
// begins.
func (s *Scheduler) StartIndex() int { return s.startIndex }

// Handle is what plugins see of the scheduler.
type Handle struct {
	s     *Scheduler
	rules *release.Rules // instead of those of the scheduler
}

// WithRules returns a handle for a plugin that follows other rules than the scheduler.
func (h *Handle) WithRules(rules *release.Rules) *Handle { return &Handle{h.s, rules} }

// Cluster returns the state of the cluster. Plugins read it, and try moves on it that they roll
// back.
func (h *Handle) Cluster() *cluster.Cluster { return h.s.cluster }

// Rules returns the rules of the Kubernetes release that the plugin follows. They are those of the scheduler unless the
// handle is one WithRules.
func (h *Handle) Rules() *release.Rules {
	if h.rules != nil {
		return h.rules
	}
	return &h.s.rules
}

// Rand returns the random stream of that name, from its beginning.
func (h *Handle) Rand(name string) *rand.Rand { return h.s.streams.Rand(name) }

// Allow lets a pod that waits in Permit go on as far as one plugin is concerned.
func (h *Handle) Allow(pod cluster.PodID, plugin string) { h.s.waiting.allow(pod, plugin) }

// IsPreempting reports whether a pod waits for its victims to be evicted.
func (h *Handle) IsPreempting(pod cluster.PodID) bool { return h.s.queue.held == pod }

// Reject ends the wait of a pod in Permit; it loses its node and is queued again.
func (h *Handle) Reject(pod cluster.PodID, plugin, message string) {
	h.s.waiting.reject(rejection{pod: pod, plugin: plugin, message: message})
}

// Activate moves a pod that is not waiting for a reason of its own to the active
// queue.
func (h *Handle) Activate(pod cluster.PodID) { h.s.queue.activate(pod) }

// Observe tells the queue of a change that a plugin made, after it happened.
func (h *Handle) Observe(e ClusterEvent) { h.s.queue.observe(e, cluster.NoPod) }

// HasPodsOutsideActiveQueue reports whether some pod waits elsewhere than in the active queue.
func (h *Handle) HasPodsOutsideActiveQueue() bool { return h.s.queue.anyBehindActive() }

// Nominated returns the node that the pod is nominated to, or None.
func (h *Handle) Nominated(pod cluster.PodID) cluster.NodeID { return h.s.Nominated(pod) }

// NumNominated returns how many pods are nominated to the node, pods that are in their cycle included.
func (h *Handle) NumNominated(node cluster.NodeID) int {
	return len(h.s.nominator.of[h.s.cluster.Ref(node)])
}

// PassesFilters runs the filters for the pod of the cycle on one node of the cluster as it is now,
// trial moves included, first with the pods nominated to the node, then without them.
func (h *Handle) PassesFilters(c *Cycle, node cluster.NodeID) Verdict {
	return h.s.filterWithNominated(c, node)
}

// CandidateOffset returns the index at which preemption starts among k candidates: random with TieRandom, as
// upstream's GetOffsetAndNumCandidates, else 0.
func (h *Handle) CandidateOffset(k int) int {
	if h.s.tie != TieRandom {
		return 0
	}
	return h.s.offsetRand.IntN(k)
}

// BreaksTiesAtRandom reports whether preemption selects at random among candidates that no rule prefers, as it does with
// TieRandom. Upstream selects by map order.
func (h *Handle) BreaksTiesAtRandom() bool { return h.s.tie == TieRandom }

// SelectAmongEqual returns which of k candidates that no rule of preemption prefers is taken: the first, or a random one with random
// tie-breaks.
func (h *Handle) SelectAmongEqual(k int) int {
	if k == 1 || !h.BreaksTiesAtRandom() {
		return 0
	}
	return h.s.equalRand.IntN(k)
}
