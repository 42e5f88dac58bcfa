// Package capacity computes how many more replicas of a pod fit into a snapshot of a cluster, what
// rejects the next one on each node, and how many there could be without fragmentation.
// The replicas are placed by the scheduler itself, one after the other, so what it honors counts:
// affinity, spread, taints, volumes, images, the order in which it takes nodes.
package capacity

import (
	"context"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
)

// Cluster is a snapshot on which nothing has been placed yet.
type Cluster struct {
	Placement *place.Placement
	Pods      []workloads.Arrival // those that run, and those that are pending
	// Daemons makes the pods that a new node would bring with it; nil: none.
	Daemons func(cluster.NodeID) []workloads.Arrival
}

// Options say how to fill a cluster.
type Options struct {
	// Ratio is how many replicas of each template make a set, of which as many are placed as
	// fit; nil: each template is placed alone, on the same snapshot.
	Ratio []int
	// Max is at most how many replicas are placed or, with a Ratio, sets.
	Max int
	// Pending has the pending pods of the snapshot placed before; else they are left out.
	Pending bool
	// Preempt lets replicas preempt pods of lower priority. It must not be set with a Ratio.
	Preempt bool
	// Progress is called now and then with how many replicas have been placed; nil: not at all.
	Progress func(placed int)
}

// Result is how many more replicas fit.
type Result struct {
	Nodes   int  `json:"nodes"`
	Running int  `json:"running"` // pods that have a node in the snapshot
	Pending int  `json:"pending"` // pods that have none
	First   bool `json:"pendingFirst"`
	// Placed is how many of the pending pods got a node, and Victims how many pods were
	// evicted for them.
	Placed  int  `json:"pendingPlaced"`
	Victims int  `json:"pendingVictims"`
	Preempt bool `json:"preempt"`
	// Fillings has one for each template or, with a ratio, one for all.
	Fillings []Filling `json:"fillings"`
}

// Filling is a snapshot filled with replicas.
type Filling struct {
	Parts []Part `json:"templates"`
	// Sets is how many times the replicas of a set were placed, all of them. A template alone
	// is a set of one.
	Sets int `json:"sets"`
	// Stopped is the part of which the next replica found no node; -1: Max is reached.
	Stopped int `json:"-"`
	// Gate is why that replica was not even tried; empty: it was.
	Gate string `json:"gate,omitempty"`
	// Stop explains the attempt that found no node; nil: there was no such attempt.
	Stop    *explain.Explanation `json:"stop"`
	Victims int                  `json:"victims"` // pods that were evicted for replicas
	// Room is what there was for sets before; nil with preemption, which makes its own.
	Room  *Room  `json:"room"`
	Nodes []Node `json:"nodes,omitempty"`
}

// Part is one of the templates of a filling.
type Part struct {
	Template string `json:"template"` // namespace/name
	Kind     string `json:"kind"`
	Ratio    int    `json:"perSet"`
	Replicas int    `json:"replicas"` // that fit; those of a set that is not complete included
	// Misplaced is how many of the replicas are on a node without the devices that they ask for.
	Misplaced int      `json:"misplaced"`
	Requests  []Amount `json:"requests"` // of one replica
}

// Amount is how much there is of a resource, in its base unit.
type Amount struct {
	Resource string `json:"resource"`
	Amount   int64  `json:"amount"`
}

// Room is the number of sets that fit by free amounts alone. Each figure is at most the one before,
// and at least Filling.Sets.
type Room struct {
	AsOneNode int `json:"pooled"` // if all nodes were one
	Usable    int `json:"usable"` // if those were one that a replica may be on by the node's own rules
	// PerNode is what fits node by node; -1 where a set is of several templates.
	PerNode int `json:"split"`
}

// Node is a node after the filling.
type Node struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Replicas []int  `json:"replicas"` // by part
	// Plugin and Reasons are what rejected the next replica; empty where Max was reached.
	Plugin  string   `json:"plugin"`
	Reasons []string `json:"reasons"`
	// Left is what is free of the resources that a set asks for.
	Left []Amount `json:"left"`
}

// Measure fills clusters with replicas of the templates. Each call of fresh must make the same
// cluster. It fails where the cluster cannot be made, and when ctx is canceled.
func Measure(ctx context.Context, fresh func() (Cluster, error), templates []manifest.Replica, o Options) (*Result, error) {
	r := &Result{First: o.Pending, Preempt: o.Preempt}
	sets := [][]manifest.Replica{templates}
	if o.Ratio == nil {
		sets = nil
		for i := range templates {
			sets = append(sets, templates[i:i+1])
		}
	}
	for _, set := range sets {
		c, err := fresh()
		if err != nil {
			return nil, err
		}
		f := newFiller(c, set, o)
		if err := f.begin(r); err != nil {
			return nil, err
		}
		if err := f.fill(ctx); err != nil {
			return nil, err
		}
		r.Fillings = append(r.Fillings, f.out)
	}
	return r, nil
}

// Full reports whether a replica found no node; else Max was reached.
func (f *Filling) Full() bool { return f.Stopped >= 0 }

// Why returns kube-scheduler's message for the next replica, without the part about preemption; ""
// if the replica got a node.
func (f *Filling) Why() string {
	e := f.Stop
	switch {
	case e == nil:
		return f.Gate
	case e.State == explain.Failed:
		return e.Message
	}
	perReason, parts := map[string]int{}, []string{}
	for _, r := range e.Reasons {
		perReason[r.Reason] += r.Nodes
		parts = append(parts, r.Reason)
	}
	if e.Search.Evaluated > 0 {
		parts = scheduler.CountReasons(perReason)
	}
	return scheduler.FormatFitError(e.Search.Nodes, parts, "")
}

// Sets returns the replicas of the part in the complete sets of its filling.
func (p *Part) Sets(f *Filling) int { return f.Sets * p.Ratio }
