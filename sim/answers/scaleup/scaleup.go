// Package scaleup answers which new nodes the pending pods of a cluster need: of which shape, and how many.
package scaleup

import (
	"cmp"
	"context"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// Cluster is a cluster to ask about: its pods, and a placement of them that has not been run.
type Cluster struct {
	Placement *place.Placement
	Pods      []workloads.Arrival
	Daemons   func(cluster.NodeID) []workloads.Arrival // of a new node; nil: there are none
	// With makes another placement of the pods, on further nodes too, and returns its pods.
	With func(nodes []cluster.NodeSpec) (*place.Placement, []workloads.Arrival, error)
}

// Shape is what new nodes may look like.
type Shape struct {
	Pool   string
	Exist  int                                // nodes of the shape that the cluster has
	Price  float64                            // of a node per hour; NaN: unknown
	Node   func(name string) cluster.NodeSpec // makes one
	InList bool                               // the price list has it
}

// Result is what new nodes of each shape do for the pending pods.
type Result struct {
	Nodes   int
	Pending []string // pods that the scheduler finds no place for
	Gated   []string // pods that are kept from the queue: no node helps them
	Offers  []Offer  // by shape, in the order of the shapes
	Chosen  []Offer  // together they place what can be placed; those of later ones are what the earlier ones leave
	Unfit   []Unfit  // pods that fit a new node of no shape
	// Confirmed: with the nodes of Chosen, the scheduler places the pods that they take, and all that had a node before.
	Confirmed bool
	// Short are the pods that it leaves without a node; none if Confirmed.
	Short []string
}

// Offer is new nodes of one shape, and the pods that they place.
type Offer struct {
	Shape *Shape
	Nodes int
	Pods  []string
}

// Cost returns what the nodes cost per hour; NaN: unknown.
func (o *Offer) Cost() float64 { return float64(float64(o.Nodes) * o.Shape.Price) }

// Unfit is a pod that fits a new node of no shape, with the reasons by shape.
type Unfit struct {
	Pod string
	Why []Reason
}

// Reason is why pods do not fit the nodes of a shape.
type Reason struct{ Pool, Text string }

// Plan asks about the cluster, which it leaves as the placement of its pods does. It fails if that does, and when ctx is
// canceled.
//
// Pods are put on new nodes by the scheduler's filters, the largest first, each on the first new node that it fits. The
// scheduler, which scores nodes, may need more of them: the choice is confirmed by placing all pods again.
func Plan(ctx context.Context, c Cluster, shapes []Shape) (*Result, error) {
	c.Placement.DryRun = true
	if _, err := c.Placement.Run(c.Pods); err != nil {
		return nil, err
	}
	q := &question{ctx: ctx, cluster: c.Placement.Cluster, scheduler: c.Placement.Scheduler, daemons: c.Daemons}
	out := &Result{Nodes: q.cluster.NumNodes()}
	q.findPending(c, out)
	defer q.cluster.Rollback(q.cluster.Mark())
	pending := q.pending
	for i := range shapes {
		mark := q.cluster.Mark()
		offer, _ := q.offer(&shapes[i], pending)
		q.cluster.Rollback(mark)
		out.Offers = append(out.Offers, offer)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	found, err := q.choices(shapes, out)
	if err != nil {
		return nil, err
	}
	left := pending
	if len(found) > 0 {
		left = found[0].left
		if err := q.confirm(&c, found, out); err != nil {
			return nil, err
		}
	}
	for _, pod := range left {
		out.Unfit = append(out.Unfit, Unfit{q.name(pod), q.reasons(pod, shapes)})
	}
	return out, nil
}

// question is a question about the pending pods of a cluster.
type question struct {
	ctx       context.Context
	cluster   *cluster.Cluster
	scheduler *scheduler.Scheduler
	daemons   func(cluster.NodeID) []workloads.Arrival
	pending   []cluster.PodID
	waiting   []string // pods that wait in Permit
	added     int      // nodes so far
}

// findPending lists the pods that have no node after the placement.
func (q *question) findPending(c Cluster, out *Result) {
	gated := map[cluster.PodID]bool{}
	c.Placement.Gated(func(pod cluster.PodID, _ string) {
		gated[pod] = true
		out.Gated = append(out.Gated, q.name(pod))
	})
	c.Placement.EachUnbound(func(pod cluster.PodID) {
		switch {
		case gated[pod]:
		case q.cluster.Pod(pod).Phase == cluster.Assumed:
			q.waiting = append(q.waiting, q.name(pod))
		default:
			q.pending = append(q.pending, pod)
			out.Pending = append(out.Pending, q.name(pod))
		}
	})
}

// name returns namespace/name.
func (q *question) name(pod cluster.PodID) string { return fullName(q.cluster, pod) }

func fullName(c *cluster.Cluster, pod cluster.PodID) string {
	p := c.Pod(pod)
	return c.Text(p.Class.Namespace) + "/" + p.Name
}

// offer puts pods on new nodes of a shape, which it adds as they are needed, and returns the pods that fit none. It repeats
// as long as that places more: a pod may ask to be with one that came later.
func (q *question) offer(shape *Shape, pods []cluster.PodID) (Offer, []cluster.PodID) {
	out := Offer{Shape: shape}
	var nodes []cluster.NodeID
	left := q.largestFirst(pods, shape)
	for again := true; again && len(left) > 0 && q.ctx.Err() == nil; {
		again = false
		var rest []cluster.PodID
		for _, pod := range left {
			node := q.firstFit(pod, nodes)
			if node == cluster.None {
				if node = q.addFor(pod, shape); node == cluster.None {
					rest = append(rest, pod)
					continue
				}
				nodes = append(nodes, node)
			}
			q.cluster.TryPlace(pod, node)
			out.Pods = append(out.Pods, q.name(pod))
			again = true
		}
		left = rest
	}
	out.Nodes = len(nodes)
	return out, left
}

// largestFirst sorts pods by the largest share of a resource of the shape that they request.
func (q *question) largestFirst(pods []cluster.PodID, shape *Shape) []cluster.PodID {
	spec := shape.Node("")
	share := func(pod cluster.PodID) float64 {
		out := 0.0
		for _, has := range spec.Allocatable {
			if has.Amount > 0 {
				out = max(out, float64(q.cluster.Pod(pod).Class.Request(has.Resource))/float64(has.Amount))
			}
		}
		return out
	}
	out := slices.Clone(pods)
	slices.SortStableFunc(out, func(a, b cluster.PodID) int { return cmp.Compare(share(b), share(a)) })
	return out
}
