package explain

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

// maxRemovals bounds how many single pods are taken off their node for a trial.
const maxRemovals = 100_000

// removePod looks for one pod whose leaving would make room: of lowest priority, on the
// first node. Pods of one class on a node are alike. Where preemption has found room
// there is nothing to look for.
func removePod(x *analysis) {
	if x.out.Preemption != nil {
		return
	}
	in := x.scheduler.Inspect(x.attempt.Pod, x.class)
	best, nodes, tried := cluster.NoPod, 0, 0
	for i := range x.nodes {
		if !x.nodes[i].resolvable() {
			continue
		}
		helps := false
		seen := map[*cluster.Class]bool{}
		for _, pod := range x.cluster.PodsOn(x.nodes[i].id) {
			p := x.cluster.Pod(pod)
			if seen[p.Class] || x.options.IsDaemon != nil && x.options.IsDaemon(pod) {
				continue
			}
			seen[p.Class] = true
			if tried++; tried > maxRemovals {
				x.out.Untried = tooMany
				break
			}
			mark := x.cluster.Mark()
			x.cluster.TryRemove(pod)
			fits := in.Fits(x.nodes[i].id)
			x.cluster.Rollback(mark)
			if fits && (best == cluster.NoPod || p.Class.Priority < x.cluster.Pod(best).Class.Priority) {
				best = pod
			}
			helps = helps || fits
		}
		if helps {
			nodes++
		}
	}
	if best == cluster.NoPod {
		return
	}
	on := podOn(x.cluster, best)
	node := x.cluster.Node(x.cluster.Pod(best).Node).Name
	text := fmt.Sprintf("remove pod %s (priority %d) from %s", on.Pod, on.Priority, node) + x.orPreempt(&in, on.Priority)
	if x.cluster.Pod(best).Phase == cluster.Terminating {
		text = fmt.Sprintf("wait until pod %s has left %s, which it is about to", on.Pod, node)
	}
	x.out.Changes = append(x.out.Changes, Change{Kind: "removePod", Text: text, Size: 1, Nodes: nodes, Node: node})
}

// orPreempt says what would have the pod preempt one of that priority.
func (x *analysis) orPreempt(in *scheduler.Inspection, victim int32) string {
	can := false
	in.EachPostFilter(func(plugin string) { can = can || plugin == "DefaultPreemption" })
	switch {
	case !can:
		return ""
	case victim >= x.class.Priority && !x.class.NeverPreempt:
		return fmt.Sprintf("; a priority above %d would preempt it", victim)
	case victim < x.class.Priority && x.class.NeverPreempt:
		return "; without preemptionPolicy Never the pod would preempt it"
	}
	return ""
}
