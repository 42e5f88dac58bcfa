package cluster

// Topology divides the nodes into domains, and counts pods by domain: what pod affinity and
// topology spread are decided by. It keeps the partitions and the counts that somebody asked
// for up to date.
type Topology struct {
	vocabulary *Vocabulary
	nodes      *NodeTable
	pods       *PodTable
	journal    *journal

	byPartitionKey map[string]*Partition
	partitions     []*Partition
	topologies     map[Sym]*topology

	byKey   map[countsKey]*DomainCounts
	list    []*DomainCounts
	byClass [][]countedIn // which counts include the pods of a class
	times   []int64       // scratch: by class, how often the new counts include its pods
	sweepAt int
	age     uint64 // increases with every pod that is added or removed, gets a node or loses it

	declared    map[DeclaredTerm]int // index in terms
	terms       []declaredCount
	withoutPods int
	version     uint64
}

func newTopology(c *Cluster) Topology {
	return Topology{
		vocabulary: c.Vocabulary, nodes: &c.NodeTable, pods: &c.PodTable, journal: &c.journal,
		byPartitionKey: map[string]*Partition{}, topologies: map[Sym]*topology{},
		byKey: map[countsKey]*DomainCounts{}, declared: map[DeclaredTerm]int{},
	}
}
