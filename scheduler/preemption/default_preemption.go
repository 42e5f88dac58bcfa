// Package preemption is the plugin DefaultPreemption.
package preemption

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const (
	reasonNoVictims         = "No preemption victims found for incoming pod"
	reasonNotHelpful        = "Preemption is not helpful for scheduling"
	messagePreempting       = "waiting for the preemption for this pod to be finished"
	messageNeverPreempts    = "preemption: not eligible due to preemptionPolicy=Never."
	messageVictimsTerminate = "preemption: not eligible due to a terminating pod on the nominated node."
)

// Args are the arguments of DefaultPreemption: how many candidate nodes
// are enough.
type Args struct{ MinCandidateNodesPercentage, MinCandidateNodesAbsolute int }

// DefaultArgs returns kube-scheduler's defaults: 10 percent of the nodes, at least 100.
func DefaultArgs() Args { return Args{10, 100} }

// defaultPreemption finds a node that the pod would fit if pods of lower priority
// left it, and the fewest and least important pods that must, of which as few as can be
// are protected by PodDisruptionBudgets.
//
// Upstream: framework/plugins/defaultpreemption/default_preemption.go and
// framework/preemption/*.go, v1.36.3 and v1.37.2.
// Differs: of candidates that are equal in everything the first by name is taken unless ties are random, upstream takes
// the first in the order of a map; victims that started together are ordered by name, upstream at random; the search begins
// at offset 0 unless ties are random.
type defaultPreemption struct {
	h       *scheduler.Handle
	cluster *cluster.Cluster
	args    Args
	rules   *release.Rules
	work    scheduler.Slot[work]
}

// work is the work space of one node after the other.
type work struct {
	lower, rest []cluster.PodID
	onNode      []cluster.PodID // those of lower, in the order of the node
	spent       []int32         // by budget: evictions so far
}

// New returns the plugin DefaultPreemption.
func New(h *scheduler.Handle, a Args) (scheduler.Plugin, error) {
	return &defaultPreemption{h, h.Cluster(), a, h.Rules(), scheduler.NewSlot[work](h)}, nil
}

func (p *defaultPreemption) Name() string { return "DefaultPreemption" }

func (p *defaultPreemption) DependsOn() scheduler.Dependencies { return scheduler.DeletedPods }

// QueueingHint leaves it to the plugins that rejected the pod when it is tried again.
func (p *defaultPreemption) QueueingHint(cluster.PodID, scheduler.ClusterEvent) bool { return false }

// PreEnqueue gates a pod whose victims are being evicted.
func (p *defaultPreemption) PreEnqueue(pod cluster.PodID) string {
	if p.h.IsPreempting(pod) {
		return messagePreempting
	}
	return ""
}

func (p *defaultPreemption) PostFilter(c *scheduler.Cycle) scheduler.PostFilterResult {
	if message := p.mayNotPreempt(c); message != "" {
		return scheduler.PostFilterResult{Status: scheduler.Status{Code: scheduler.Unschedulable, Message: message}}
	}
	candidates, status := p.candidates(c)
	if len(candidates) == 0 {
		return scheduler.PostFilterResult{
			Status: status, SetNomination: status.Code == scheduler.Unschedulable, Nominated: cluster.None,
		}
	}
	if p.h.HasPreemptExtenders() {
		if candidates, status = p.narrow(c, candidates); len(candidates) == 0 {
			return scheduler.PostFilterResult{Status: status}
		}
	}
	best := p.best(candidates)
	return scheduler.PostFilterResult{
		Status: scheduler.Status{Message: p.found(best)}, SetNomination: true, Nominated: best.node, Victims: p.toEvict(best.victims),
	}
}

// found returns what the message of the pod says of the node that is to be freed.
//
// Upstream: Evaluator.Preempt, framework/preemption/preemption.go, v1.37.2; v1.36.3 says nothing.
func (p *defaultPreemption) found(c candidate) string {
	if !p.rules.NominationMessage {
		return ""
	}
	return fmt.Sprintf("preemption: found a potential placement for pod on node %s, preempting %d victims",
		p.cluster.Node(c.node).Name, len(c.victims))
}

// toEvict are the victims except for those that are left alone since they terminate already. An extender may name
// a pod several times, which the choice of the node counts as several; it goes but once.
//
// Upstream: prepareCandidateAsync, framework/preemption/preemption.go, v1.34.4 and v1.35.4.
func (p *defaultPreemption) toEvict(victims []cluster.PodID) []cluster.PodID {
	var out []cluster.PodID
	for _, pod := range victims {
		alone := p.cluster.Pod(pod).Phase == cluster.Terminating && !p.h.Rules().TerminatingEvictedAgain
		if !alone && !slices.Contains(out, pod) {
			out = append(out, pod)
		}
	}
	return out
}

// mayNotPreempt returns why the pod must not preempt now, or the empty string.
func (p *defaultPreemption) mayNotPreempt(c *scheduler.Cycle) string {
	if c.Class.NeverPreempt {
		return messageNeverPreempts
	}
	node := p.h.Nominated(c.Pod)
	if node == cluster.None || c.CodeOf(node) == scheduler.UnschedulableAndUnresolvable || !p.cluster.Node(node).Exists {
		return ""
	}
	for _, pod := range p.cluster.PodsOn(node) {
		on := p.cluster.Pod(pod)
		if on.Phase == cluster.Terminating && on.Preempted && on.Class.Priority < c.Class.Priority {
			return messageVictimsTerminate
		}
	}
	return ""
}

// candidates tries the nodes on which preemption may help until there are enough.
// Without any it says why, node by node.
func (p *defaultPreemption) candidates(c *scheduler.Cycle) ([]candidate, scheduler.Status) {
	n := c.CountOf(scheduler.Unschedulable)
	reasons := map[string]int{}
	if rest := p.cluster.NumNodes() - n; rest > 0 {
		reasons[reasonNotHelpful] = rest
	}
	if n == 0 {
		return nil, p.noCandidates(reasons)
	}
	if !p.cluster.AnyPlacedBelow(c.Class.Priority) {
		reasons[reasonNoVictims] = n // as selectVictims would find on each of them
		return nil, p.noCandidates(reasons)
	}
	helpful := make([]cluster.NodeID, 0, n)
	for _, node := range p.cluster.Order() {
		if c.CodeOf(node) == scheduler.Unschedulable {
			helpful = append(helpful, node)
		}
	}
	found, faults := p.dryRun(c, helpful, reasons)
	if len(faults) > 0 {
		return found, scheduler.Status{Code: scheduler.Error, Message: "preemption: " + inOneText(faults)}
	}
	return found, p.noCandidates(reasons)
}

// dryRun tries nodes until there are enough candidates. It counts the reasons of those that are
// none. A node that is feasible without evictions was rejected by a plugin that does not depend on
// the pods of the node; preemption cannot tell which, and reports a fault.
//
// Upstream: DryRunPreemption, framework/preemption/preemption.go, v1.36.3.
func (p *defaultPreemption) dryRun(c *scheduler.Cycle, nodes []cluster.NodeID, reasons map[string]int) ([]candidate, []string) {
	found := shortlist{enough: p.enough(len(nodes))}
	var faults []string
	offset := p.h.CandidateOffset(len(nodes))
	for i := range nodes {
		candidate, why := p.selectVictims(c, nodes[(offset+i)%len(nodes)])
		for _, reason := range why {
			reasons[reason]++
		}
		switch {
		case len(candidate.victims) > 0:
			if found.add(candidate); found.complete() {
				return found.all(), nil
			}
		case len(why) == 0:
			faults = append(faults, fmt.Sprintf("expected at least one victim pod on node %q", p.cluster.Node(candidate.node).Name))
		}
	}
	return found.all(), faults
}

// inOneText joins messages as upstream joins errors.
func inOneText(messages []string) string {
	if len(messages) == 1 {
		return messages[0]
	}
	return "[" + strings.Join(messages, ", ") + "]"
}

func (p *defaultPreemption) noCandidates(reasons map[string]int) scheduler.Status {
	message := "preemption: " + scheduler.FormatFitError(p.cluster.NumNodes(), scheduler.CountReasons(reasons), "")
	return scheduler.Status{Code: scheduler.Unschedulable, Message: message}
}

func (p *defaultPreemption) enough(nodes int) int {
	return min(max(nodes*p.args.MinCandidateNodesPercentage/100, p.args.MinCandidateNodesAbsolute), nodes)
}
