package scheduler

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// ranks order the nodes for TieRank. Unlike lots that are drawn for every pod, they fill the
// same one of equal nodes until it is better or worse than the others. The rank of a node depends
// on the seed and its name only: which other nodes there are, or were asked about, changes nothing.
type ranks struct {
	given map[string]int
	key   uint64 // drawn from the seed
	known []knownRank
}

// rank compares by whether it is given first: nodes that are not named come after those that are.
type rank struct {
	hashed bool
	value  uint64
}

// knownRank is the rank of the node that had an id when it was last asked for.
type knownRank struct {
	node cluster.NodeRef
	rank rank
}

func newRanks(given map[string]int, rnd *rand.Rand) ranks {
	return ranks{given: given, key: rnd.Uint64()}
}

// smallest is the node of the smallest rank; of equal ranks that of the smallest name.
func (r *ranks) smallest(cl *cluster.Cluster, nodes []cluster.NodeID) cluster.NodeID {
	if more := cl.NodeIDs() - len(r.known); more > 0 {
		r.known = append(r.known, make([]knownRank, more)...)
	}
	return slices.MinFunc(nodes, func(a, b cluster.NodeID) int {
		x, y := r.of(cl, a), r.of(cl, b)
		return cmp.Or(x.compare(y), cmp.Compare(cl.Node(a).Name, cl.Node(b).Name))
	})
}

func (r *ranks) of(cl *cluster.Cluster, id cluster.NodeID) rank {
	k := &r.known[id]
	if ref := cl.Ref(id); k.node != ref {
		*k = knownRank{ref, r.named(cl.Node(id).Name)}
	}
	return k.rank
}

// named is the rank of the node of that name.
func (r *ranks) named(name string) rank {
	if given, is := r.given[name]; is {
		return rank{value: uint64(given)}
	}
	h := fnv.New64a()
	var key [8]byte
	binary.LittleEndian.PutUint64(key[:], r.key)
	_, _ = h.Write(key[:]) // never fails
	_, _ = h.Write([]byte(name))
	return rank{hashed: true, value: mix(h.Sum64())}
}

// mix spreads a hash over all bits: names that differ in their last byte alone have hashes of
// FNV that differ little. It is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (r rank) compare(other rank) int {
	if r.hashed != other.hashed {
		if r.hashed {
			return 1
		}
		return -1
	}
	return cmp.Compare(r.value, other.value)
}
