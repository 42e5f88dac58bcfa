package scheduler

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// ranks order the nodes for TieRank. Unlike lots that are drawn for every pod, they fill the
// same one of equal nodes until it is better or worse than the others.
type ranks struct {
	byName map[string]int
	byNode []int // those of byName, for the nodes up to now
	next   int   // that nobody has, nor any above it
	rand   *rand.Rand
}

func newRanks(given map[string]int, rnd *rand.Rand) ranks {
	r := ranks{byName: make(map[string]int, len(given)), rand: rnd}
	for name, rank := range given {
		r.byName[name] = rank
		r.next = max(r.next, rank+1)
	}
	return r
}

// smallest is the node of the smallest rank; of equal ranks, which only a caller can give,
// that of the smallest name.
func (r *ranks) smallest(cl *cluster.Cluster, nodes []cluster.NodeID) cluster.NodeID {
	r.take(cl)
	return slices.MinFunc(nodes, func(a, b cluster.NodeID) int {
		if r.byNode[a] != r.byNode[b] {
			return cmp.Compare(r.byNode[a], r.byNode[b])
		}
		return cmp.Compare(cl.Node(a).Name, cl.Node(b).Name)
	})
}

// take gives ranks to the nodes that have come: the next ones, in a random order that does not
// depend on the order in which they came. A node that comes back has its rank again.
func (r *ranks) take(cl *cluster.Cluster) {
	from := len(r.byNode)
	if from == cl.NodeIDs() {
		return
	}
	var names []string
	for id := from; id < cl.NodeIDs(); id++ {
		if name := cl.Node(cluster.NodeID(id)).Name; !r.has(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, rank := range r.rand.Perm(len(names)) {
		r.byName[names[i]] = r.next + rank
	}
	r.next += len(names)
	for id := from; id < cl.NodeIDs(); id++ {
		r.byNode = append(r.byNode, r.byName[cl.Node(cluster.NodeID(id)).Name])
	}
}

func (r *ranks) has(name string) bool {
	_, has := r.byName[name]
	return has
}
