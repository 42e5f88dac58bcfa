package scaleup

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxPlacements is how many placements confirm the choices at most.
const maxPlacements = 12

// confirm takes the cheapest of the choices that place most, if the whole scheduler confirms it: it places all pods again, on
// the nodes of the cluster and those of the choice. It scores nodes, preempts, and places the members of a gang together,
// which the filters alone do not. As long as it leaves pods without a node that were to get one, or had one, the choice gets
// more nodes, and another one may be cheaper then. If none is confirmed, the first stays as it was, and Short has its pods.
func (q *question) confirm(c *Cluster, found []choice, out *Result) error {
	out.Chosen = found[0].offers
	most := len(found[0].left)
	open := slices.Clone(found)
	for range maxPlacements {
		at := 0
		for i := range open {
			if len(open[i].left) == most && compareCost(open[i].offers, open[at].offers) < 0 {
				at = i
			}
		}
		short, err := q.short(c, open[at].offers, out)
		if err != nil {
			return err
		}
		if len(short) == 0 {
			out.Chosen, out.Confirmed, out.Short = open[at].offers, true, nil
			return nil
		}
		if out.Short == nil {
			out.Short = short
		}
		open[at].offers = grown(open[at].offers, short)
	}
	return nil
}

// short places all pods with the nodes of a choice, and returns the names of those without a node that were to get one or
// had one.
func (q *question) short(c *Cluster, chosen []Offer, out *Result) ([]string, error) {
	var nodes []cluster.NodeSpec
	for i := range chosen {
		for range chosen[i].Nodes {
			q.added++
			nodes = append(nodes, chosen[i].Shape.Node(newName(chosen[i].Shape, q.added)))
		}
	}
	placement, pods, err := c.With(nodes)
	if err != nil {
		return nil, err
	}
	if _, err := placement.Run(pods); err != nil {
		return nil, err
	}
	expected := map[string]bool{} // to be without a node
	for _, name := range slices.Concat(out.Pending, out.Gated, q.waiting) {
		expected[name] = true
	}
	for i := range chosen {
		for _, name := range chosen[i].Pods {
			expected[name] = false
		}
	}
	var short []string
	placement.EachUnbound(func(pod cluster.PodID) {
		if name := fullName(placement.Cluster, pod); !expected[name] {
			short = append(short, name)
		}
	})
	return short, nil
}

// grown returns the offers with more nodes for the pods that are short: of the shape that was to take most of them, as many
// as they would fill.
func grown(offers []Offer, short []string) []Offer {
	of := make([]int, len(offers))
	for i := range offers {
		for _, name := range offers[i].Pods {
			if slices.Contains(short, name) {
				of[i]++
			}
		}
	}
	most := slices.Index(of, slices.Max(of))
	out := slices.Clone(offers)
	o := &out[most]
	o.Nodes += max(1, of[most]*o.Nodes/len(o.Pods))
	return out
}
