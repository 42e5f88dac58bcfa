package cluster

// Topology divides the nodes into domains, and counts pods by domain: what pod affinity and
// topology spread are decided by. It keeps the partitions and the counts that plugins asked
// for up to date.
type Topology struct {
	vocabulary *Vocabulary `hash:"part"`
	nodes      *NodeTable  `hash:"part"`
	pods       *PodTable   `hash:"part"`
	journal    *journal    `hash:"part"`

	byPartitionKey map[string]*Partition `hash:"kept"`
	partitions     []*Partition          `hash:"kept"`
	topologies     map[Symbol]*topology  `hash:"kept"`

	byKey   map[countsKey]*DomainCounts `hash:"kept"`
	list    []*DomainCounts             `hash:"kept"`
	byClass [][]countedIn               `hash:"kept"` // which counts include the pods of a class
	times   []int64                     `hash:"kept"` // scratch: by class, how often the new counts include its pods
	sweepAt int                         `hash:"kept"`
	age     uint64                      `hash:"stamp"` // increases with every pod that is added or removed, gets a node or loses it

	declared    map[DeclaredTerm]int // index in terms
	terms       []declaredCount
	withoutPods int
	version     uint64 `hash:"stamp"`
}

func newTopology(c *Cluster) Topology {
	return Topology{
		vocabulary: c.Vocabulary, nodes: &c.NodeTable, pods: &c.PodTable, journal: &c.journal,
		byPartitionKey: map[string]*Partition{}, topologies: map[Symbol]*topology{},
		byKey: map[countsKey]*DomainCounts{}, declared: map[DeclaredTerm]int{},
	}
}
