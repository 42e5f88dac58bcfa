package explain

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxRemovals bounds how many single pods are taken off their node for a trial.
const maxRemovals = 100_000

// removePod looks for one pod whose leaving would make room: of lowest priority, and rather
// on the node itself than elsewhere in its domain. Where preemption has found room there is
// nothing to look for.
func removePod(x *analysis) {
	if x.out.Preemption != nil {
		return
	}
	r := &removal{analysis: x, in: x.scheduler.Inspect(x.attempt.Pod, x.class), best: cluster.NoPod}
	r.onNodes()
	for i := range x.rules {
		r.around(&x.rules[i])
	}
	r.claims()
	if r.best == cluster.NoPod {
		return
	}
	on, p := podOn(x.cluster, r.best), x.cluster.Pod(r.best)
	node := x.cluster.Node(p.Node).Name
	text := fmt.Sprintf("remove pod %s (priority %d) from %s", on.Pod, on.Priority, node)
	if r.there {
		text += x.orPreempt(&r.in, on.Priority)
	}
	if p.Phase == cluster.Terminating {
		text = fmt.Sprintf("wait until pod %s has left %s, which it is about to", on.Pod, node)
	}
	mark := x.cluster.Mark()
	x.cluster.TryDelete(r.best)
	x.note(Change{Kind: "removePod", Text: text, Size: 1}, x.class)
	x.cluster.Rollback(mark)
}

// removal is the search for a pod to remove.
type removal struct {
	*analysis
	in    scheduler.Inspection
	best  cluster.PodID
	there bool // its own node is one on which the pod would fit then
	tried int
}

// alike are pods of which one is as good to remove as another.
type alike struct {
	class       *cluster.Class
	terminating bool
	domain      int32
}

// onNodes tries the pods on each node for the node itself.
func (r *removal) onNodes() {
	seen := map[alike]bool{}
	for i := range r.nodes {
		if j := &r.nodes[i]; j.resolvable() {
			clear(seen)
			r.each(j.id, 0, seen, func(pod cluster.PodID) { r.try(pod, []cluster.NodeID{j.id}) })
		}
	}
}

// around tries the pods that a rule about topology domains counts, for the nodes that
// only such rules reject: of the same domain or, where the pod would be
// the first of those that want each other, of all.
func (r *removal) around(of *rule) {
	everywhere := of.Kind == scheduler.AffinityRule
	if everywhere && of.Counts.Total() != 1 {
		return
	}
	domain := func(node cluster.NodeID) int32 {
		if everywhere {
			return 0
		}
		return of.Domains[node]
	}
	reach := map[int32][]cluster.NodeID{}
	for i := range r.nodes {
		if j := &r.nodes[i]; of.Breaks(j.id) && domain(j.id) != cluster.NoDomain && j.onlyBy(aboutPods) {
			reach[domain(j.id)] = append(reach[domain(j.id)], j.id)
		}
	}
	seen := map[alike]bool{}
	for _, node := range r.cluster.Order() {
		if d := domain(node); len(reach[d]) > 0 {
			r.each(node, d, seen, func(pod cluster.PodID) {
				if r.cluster.Topology.Includes(of.Counts, pod) {
					r.try(pod, reach[d])
				}
			})
		}
	}
}

// aboutPods are the checks of filters that may pass once a pod elsewhere is gone.
const aboutPods = scheduler.CheckSpread | scheduler.CheckPodAffinity | scheduler.CheckSharedVolume

// claims tries the pods that have a claim of the pod, which only one may have.
func (r *removal) claims() {
	if !r.rejectedNodesBy(scheduler.CheckSharedVolume) {
		return
	}
	var reach []cluster.NodeID
	for i := range r.nodes {
		if j := &r.nodes[i]; j.onlyBy(aboutPods) {
			reach = append(reach, j.id)
		}
	}
	for _, node := range r.cluster.Order() {
		r.each(node, int32(node), map[alike]bool{}, func(pod cluster.PodID) {
			if r.sharesClaim(r.cluster.Pod(pod).Class) {
				r.try(pod, reach)
			}
		})
	}
}

func (r *removal) sharesClaim(other *cluster.Class) bool {
	return other.Namespace == r.class.Namespace && slices.ContainsFunc(other.Volumes, func(v cluster.PodVolume) bool {
		return slices.ContainsFunc(r.class.Volumes, func(own cluster.PodVolume) bool {
			return v.Kind == cluster.ClaimVolume && own.Kind == v.Kind && own.Name == v.Name
		})
	})
}

// each calls f for the pods on a node that are of lower priority than the best so far, one
// of those that are alike. Pods of DaemonSets would come again.
func (r *removal) each(node cluster.NodeID, domain int32, seen map[alike]bool, f func(cluster.PodID)) {
	for _, pod := range r.cluster.PodsOn(node) {
		p := r.cluster.Pod(pod)
		key := alike{p.Class, p.Phase == cluster.Terminating, domain}
		if r.best != cluster.NoPod && p.Class.Priority >= r.cluster.Pod(r.best).Class.Priority ||
			seen[key] || r.options.IsDaemon != nil && r.options.IsDaemon(pod) {
			continue
		}
		seen[key] = true
		f(pod)
	}
}

// try takes a pod off its node and looks whether one of the nodes will do then.
func (r *removal) try(pod cluster.PodID, nodes []cluster.NodeID) {
	if r.tried++; r.tried > maxRemovals {
		r.out.Untried = tooMany
		return
	}
	node := r.cluster.Pod(pod).Node
	mark := r.cluster.Mark()
	r.cluster.TryDelete(pod)
	if len(r.class.Volumes) > 0 { // who has a claim is found out before any node is looked at
		r.in = r.scheduler.Inspect(r.attempt.Pod, r.class)
	}
	if slices.ContainsFunc(nodes, r.in.Fits) {
		r.best, r.there = pod, r.in.Fits(node)
	}
	r.cluster.Rollback(mark)
}

// orPreempt says what would have the pod preempt one of that priority.
func (x *analysis) orPreempt(in *scheduler.Inspection, victim int32) string {
	can := false
	in.EachPostFilter(func(plugin string) { can = can || plugin == "DefaultPreemption" })
	switch {
	case !can:
		return ""
	case victim >= x.class.Priority && !x.class.NeverPreempt:
		return fmt.Sprintf("; preemption could take it for a priority above %d", victim)
	case victim < x.class.Priority && x.class.NeverPreempt:
		return "; preemption could take it without preemptionPolicy Never"
	}
	return ""
}
