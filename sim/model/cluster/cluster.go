// Package cluster is the state of a Kubernetes cluster as the scheduler sees it:
// nodes, pods, pod groups, images and volumes, as columns by dense id. It is the only code
// that mutates them. Names, labels and resources are interned once, on load, so
// that everything past the loading floor compares small integers.
package cluster

import "github.com/berth-sim/berth/sim/model/fragment"

// NodeID is the dense id of a node. Ids of removed nodes are not used again.
type NodeID int32

// PodID is the dense id of a pod that exists now. It is used again once the pod
// is gone; Pod.Serial is what identifies a pod over a whole run.
type PodID int32

// None is the id of no node.
const None NodeID = -1

// NoPod is the id of no pod.
const NoPod PodID = -1

// Cluster is the state. All of it is owned by one goroutine.
type Cluster struct {
	*Vocabulary
	nodeTable
	podTable
	deviceTable
	groups     groupTable
	images     imageTable
	tree       nodeTree
	journal    journal
	partitions partitions
	counts     countsTable
	budgets    budgetTable
	storage    storageTable
}

// New returns an empty cluster that speaks the words of v.
func New(v *Vocabulary) *Cluster {
	return &Cluster{
		Vocabulary:  v,
		nodeTable:   nodeTable{byName: map[string]NodeID{}, taintSets: interner{}, labelClasses: interner{}},
		podTable:    podTable{placed: map[int32]int{}},
		images:      imageTable{},
		deviceTable: deviceTable{target: &fragment.Target{}, models: newModelTable()},
		partitions:  partitions{byKey: map[string]*Partition{}, topologies: map[Sym]*topology{}},
		counts:      countsTable{byKey: map[countsKey]*DomainCounts{}, declared: map[DeclaredTerm]int{}},
		storage:     newStorageTable(),
	}
}
