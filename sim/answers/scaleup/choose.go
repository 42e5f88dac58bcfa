package scaleup

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxFirst is how many shapes are tried as the first of a choice.
const maxFirst = 8

// choose finds nodes of several shapes that together place what can be placed. It begins with each of the shapes that cost
// least for a pod, goes on with the shape that places the most of the pods that are left, and takes the cheapest choice.
func (q *question) choose(shapes []Shape, out *Result) error {
	var first []int
	for i := range shapes {
		if len(out.Offers[i].Pods) > 0 {
			first = append(first, i)
		}
	}
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(perPod(&out.Offers[a]), perPod(&out.Offers[b])) })
	left := q.pending
	for n, i := range first {
		if n == maxFirst {
			break
		}
		mark := q.cluster.Mark()
		chosen, rest := q.beginWith(i, shapes)
		q.cluster.Rollback(mark)
		if out.Chosen == nil || len(rest) < len(left) || len(rest) == len(left) && cheaper(chosen, out.Chosen) {
			out.Chosen, left = chosen, rest
		}
		if err := q.ctx.Err(); err != nil {
			return err
		}
	}
	for _, pod := range left {
		out.Unfit = append(out.Unfit, Unfit{q.name(pod), q.reasons(pod, shapes)})
	}
	return nil
}

// beginWith takes the offer of one shape, and then those that place the most of the pods that are left. It returns the pods
// that no offer places.
func (q *question) beginWith(first int, shapes []Shape) (chosen []Offer, left []cluster.PodID) {
	offer, left := q.offer(&shapes[first], q.pending)
	chosen = append(chosen, offer)
	for len(left) > 0 && q.ctx.Err() == nil {
		best, at := Offer{}, -1
		for i := range shapes {
			mark := q.cluster.Mark()
			offer, _ := q.offer(&shapes[i], left)
			q.cluster.Rollback(mark)
			if len(offer.Pods) > 0 && (at < 0 || better(&offer, &best)) {
				best, at = offer, i
			}
		}
		if at < 0 {
			break
		}
		best, left = q.offer(&shapes[at], left)
		chosen = append(chosen, best)
	}
	return chosen, left
}

// better reports whether offer a places more pods than b or, if they place the same number, costs less.
func better(a, b *Offer) bool {
	return cmp.Or(cmp.Compare(len(b.Pods), len(a.Pods)), cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Nodes, b.Nodes)) < 0
}

// cheaper reports whether choice a costs less than b or, where a price is unknown, has fewer nodes.
func cheaper(a, b []Offer) bool {
	sum := func(offers []Offer) (cost float64, nodes int) {
		for i := range offers {
			cost, nodes = cost+offers[i].rank(), nodes+offers[i].Nodes
		}
		return cost, nodes
	}
	costA, nodesA := sum(a)
	costB, nodesB := sum(b)
	return cmp.Or(cmp.Compare(costA, costB), cmp.Compare(nodesA, nodesB), cmp.Compare(len(a), len(b))) < 0
}

// rank is the cost of an offer. One without a price comes after all others.
func (o *Offer) rank() float64 {
	if math.IsNaN(o.Shape.Price) {
		return math.Inf(1)
	}
	return o.Cost()
}

// perPod is what an offer costs for each pod or, without a price, how many nodes it takes.
func perPod(o *Offer) float64 {
	if math.IsNaN(o.Shape.Price) {
		const afterPrices = 1e12
		return afterPrices + float64(o.Nodes)/float64(len(o.Pods))
	}
	return o.Cost() / float64(len(o.Pods))
}
