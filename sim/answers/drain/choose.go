package drain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// candidate is a node that may be drained.
type candidate struct {
	node cluster.NodeID
	pods int     // that have to move
	load float64 // the largest share of a resource that these pods request
	size float64 // its share of the cluster, of the resource of which it has most
}

// orders are the orders in which nodes are tried: the least loaded first, those of the fewest pods first, the smallest first.
var orders = []func(a, b candidate) int{
	func(a, b candidate) int { return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.size, b.size)) },
	func(a, b candidate) int { return cmp.Or(cmp.Compare(a.pods, b.pods), cmp.Compare(a.load, b.load)) },
	func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.load*a.size, b.load*b.size), cmp.Compare(a.pods, b.pods))
	},
}

// choose returns for each order the nodes whose pods find a place on the others, all choices with the most nodes first. It
// leaves the cluster as it was.
func (t *today) choose(ctx context.Context) ([][]string, error) {
	var candidates []candidate
	for _, node := range t.cluster.ByCreation() {
		if _, kept := t.kept[t.cluster.Node(node).Name]; !kept {
			candidates = append(candidates, t.candidate(node))
		}
	}
	var out [][]string
	for i, order := range orders {
		sorted := slices.Clone(candidates)
		slices.SortStableFunc(sorted, order)
		nodes, err := t.chooseIn(ctx, sorted, i == 0)
		if err != nil {
			return nil, err
		}
		out = append(out, nodes)
	}
	slices.SortStableFunc(out, func(a, b []string) int { return cmp.Compare(len(b), len(a)) })
	return out, nil
}

func (t *today) candidate(node cluster.NodeID) candidate {
	out := candidate{node: node}
	total := map[cluster.Resource]int64{}
	for _, i := range t.moving(node) {
		out.pods++
		for _, q := range t.pods[i].Class.Requests {
			total[q.Resource] += q.Amount
		}
	}
	for _, q := range t.cluster.Node(node).Allocatable {
		if q.Amount > 0 {
			out.load = max(out.load, float64(total[q.Resource])/float64(q.Amount))
		}
	}
	for _, r := range []cluster.Resource{cluster.CPU, cluster.Memory} {
		sum := 0.0
		for _, amount := range t.cluster.Allocatable(r) {
			sum += float64(amount)
		}
		if sum > 0 {
			out.size = max(out.size, float64(t.cluster.Allocatable(r)[node])/sum)
		}
	}
	return out
}

// chooseIn takes nodes away in an order, in a trial, as long as their pods find a place.
func (t *today) chooseIn(ctx context.Context, sorted []candidate, explain bool) ([]string, error) {
	gone := make([]bool, t.cluster.NodeIDs())
	mark := t.cluster.Mark()
	defer t.cluster.Rollback(mark)
	var out []string
	for _, c := range sorted {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		name := t.cluster.Node(c.node).Name
		if len(out) == t.cluster.NumNodes()-1 {
			continue
		}
		inner := t.cluster.Mark()
		gone[c.node] = true
		if pod := t.relocate(c.node, gone); pod != "" {
			t.cluster.Rollback(inner)
			gone[c.node] = false
			if explain {
				t.kept[name] = why{text: fmt.Sprintf("pod %s finds no place on the nodes that stay", pod)}
			}
			continue
		}
		out = append(out, name)
	}
	return out, nil
}

// relocate moves the pods of a node to nodes that are not gone, the largest first, and returns the first pod that finds no
// place; empty: all do.
func (t *today) relocate(node cluster.NodeID, gone []bool) string {
	var pods []cluster.PodID
	for _, pod := range t.cluster.PodsOn(node) {
		if t.moves(&t.pods[t.at[t.cluster.Pod(pod).Serial]]) {
			pods = append(pods, pod)
		}
	}
	slices.SortStableFunc(pods, func(a, b cluster.PodID) int {
		return cmp.Or(cmp.Compare(t.share(b, node), t.share(a, node)), cmp.Compare(t.cluster.Pod(a).Serial, t.cluster.Pod(b).Serial))
	})
	for _, pod := range pods {
		t.cluster.TryRemove(pod)
	}
	for _, pod := range pods {
		a := &t.pods[t.at[t.cluster.Pod(pod).Serial]]
		to := t.fullest(pod, again(a), gone)
		if to == cluster.None {
			return t.name(a)
		}
		t.cluster.TryPlace(pod, to)
	}
	return ""
}

// share returns the largest share of a resource of a node that a pod requests.
func (t *today) share(pod cluster.PodID, node cluster.NodeID) float64 {
	out := 0.0
	for _, q := range t.cluster.Pod(pod).Class.Requests {
		if has := t.cluster.Allocatable(q.Resource)[node]; has > 0 {
			out = max(out, float64(q.Amount)/float64(has))
		}
	}
	return out
}

// fullest returns the node with the least left for others among those that pass the filters; None if there is none.
func (t *today) fullest(pod cluster.PodID, class *cluster.Class, gone []bool) cluster.NodeID {
	in := t.scheduler.Inspect(pod, class)
	best, least := cluster.None, math.Inf(1)
	for _, node := range t.cluster.ByCreation() {
		if gone[node] {
			continue
		}
		if left := t.left(class, node); left < least && in.Fits(node) {
			best, least = node, left
		}
	}
	return best
}

// left returns how much of a node is free: the shares of cpu, of memory, and of other resources that the class requests. A
// resource that it does not request counts as a whole, so that devices are kept for those who request them.
func (t *today) left(class *cluster.Class, node cluster.NodeID) float64 {
	out := 0.0
	for _, q := range t.cluster.Node(node).Allocatable {
		switch r := q.Resource; {
		case q.Amount <= 0 || r == cluster.EphemeralStorage || r == cluster.Pods:
		case r == cluster.CPU || r == cluster.Memory || class.Request(r) > 0:
			out += float64(q.Amount-t.cluster.Requested(r)[node]) / float64(q.Amount)
		default:
			out++
		}
	}
	return out
}
