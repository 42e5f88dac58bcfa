package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// lowerRequests asks for less of one resource, as much as some node has free that would
// do otherwise. Where that does not help it asks for less of all that a node lacks.
// The size of the change is the part of the request that is given up.
func lowerRequests(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckResources) {
		return
	}
	any := false
	for i, q := range x.class.Requests {
		most := int64(-1)
		x.eachFitting(x.variant(func(c *cluster.Class) { c.Requests = without(c.Requests, i) }), func(node cluster.NodeID) {
			most = max(most, x.free(q.Resource, node))
		})
		if most > 0 && most < q.Amount {
			any = x.tryRequests([]cluster.Quantity{{Resource: q.Resource, Amount: most}}) || any
		}
	}
	if !any && len(x.class.Requests) > 1 {
		if lower := x.lowerTogether(); len(lower) > 0 && x.givenUp(lower) < 1 {
			x.tryRequests(lower)
		}
	}
}

// lowerTogether is what the node has free of the resources that it lacks which asks the
// pod to give up the least.
func (x *analysis) lowerTogether() []cluster.Quantity {
	best, least := cluster.None, 2.0
	x.eachFitting(x.variant(func(c *cluster.Class) { c.Requests = nil }), func(node cluster.NodeID) {
		if given := x.givenUp(x.shortOn(node)); given < least {
			best, least = node, given
		}
	})
	if best == cluster.None {
		return nil
	}
	return x.shortOn(best)
}

// shortOn is what the node has free of the resources that it lacks for the pod.
func (x *analysis) shortOn(node cluster.NodeID) []cluster.Quantity {
	var out []cluster.Quantity
	for _, q := range x.class.Requests {
		if free := x.free(q.Resource, node); free < q.Amount {
			out = append(out, cluster.Quantity{Resource: q.Resource, Amount: max(free, 0)})
		}
	}
	return out
}

// givenUp is the largest part of a request that the pod would give up.
func (x *analysis) givenUp(lower []cluster.Quantity) float64 {
	most := 0.0
	for _, q := range lower {
		most = max(most, 1-float64(q.Amount)/float64(x.class.Request(q.Resource)))
	}
	return most
}

// tryRequests tries the pod with these requests in the place of its own.
func (x *analysis) tryRequests(lower []cluster.Quantity) bool {
	requests := slices.Clone(x.class.Requests)
	var texts []string
	for i, q := range lower {
		name := x.cluster.ResourceName(q.Resource)
		q.Amount = roundDown(name, q.Amount)
		lower[i] = q
		at := slices.IndexFunc(requests, func(r cluster.Quantity) bool { return r.Resource == q.Resource })
		before := requests[at].Amount
		requests[at].Amount = q.Amount
		texts = append(texts, fmt.Sprintf("the effective %s request by %s, from %s to %s",
			name, Quantity(name, before-q.Amount), Quantity(name, before), Quantity(name, q.Amount)))
	}
	requests = slices.DeleteFunc(requests, func(q cluster.Quantity) bool { return q.Amount == 0 })
	change := Change{Kind: "request", Text: "lower " + strings.Join(texts, ", and "), Size: x.givenUp(lower)}
	return x.try(change, func(c *cluster.Class) { c.Requests = requests })
}
