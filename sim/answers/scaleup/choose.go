package scaleup

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxFirst is how many shapes are tried as the first of a choice.
const maxFirst = 8

// choice is nodes of several shapes, and the pods that they do not take.
type choice struct {
	offers []Offer
	left   []cluster.PodID
}

// choices finds nodes of several shapes that together place what can be placed. It begins with each of the shapes that cost
// least for a pod, and goes on with the shape that places the most of the pods that are left. The choices that place most
// come first, and of these the cheapest.
func (q *question) choices(shapes []Shape, out *Result) ([]choice, error) {
	var first []int
	for i := range shapes {
		if len(out.Offers[i].Pods) > 0 {
			first = append(first, i)
		}
	}
	slices.SortStableFunc(first, func(a, b int) int { return cmp.Compare(perPod(&out.Offers[a]), perPod(&out.Offers[b])) })
	var found []choice
	for _, i := range first[:min(len(first), maxFirst)] {
		mark := q.cluster.Mark()
		chosen, left := q.beginWith(i, shapes)
		q.cluster.Rollback(mark)
		found = append(found, choice{chosen, left})
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(found, func(a, b choice) int {
		return cmp.Or(cmp.Compare(len(a.left), len(b.left)), compareCost(a.offers, b.offers))
	})
	return found, nil
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

// compareCost compares what two choices cost or, where a price is unknown, their numbers of nodes.
func compareCost(a, b []Offer) int {
	sum := func(offers []Offer) (cost float64, nodes int) {
		for i := range offers {
			cost, nodes = cost+offers[i].rank(), nodes+offers[i].Nodes
		}
		return cost, nodes
	}
	costA, nodesA := sum(a)
	costB, nodesB := sum(b)
	return cmp.Or(cmp.Compare(costA, costB), cmp.Compare(nodesA, nodesB), cmp.Compare(len(a), len(b)))
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
