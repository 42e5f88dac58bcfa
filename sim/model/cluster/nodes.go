package cluster

import (
	"cmp"
	"fmt"
	"slices"
)

// NodeImage is one name of an image that a node has pulled.
type NodeImage struct {
	Name Symbol
	Size int64 // bytes
}

// NodeSpec is what a node is: everything about it but the pods on it.
type NodeSpec struct {
	Name             string
	Labels           LabelSet
	Taints           []Taint
	Unschedulable    bool
	Allocatable      []Quantity
	Images           []NodeImage // each name once
	Conditions       NodeConditions
	Features         FeatureSet // that the kubelet declares and pods can need
	PreferAvoidPods  []Symbol   // controllers in the annotation preferAvoidPods, as Class.Controller
	ZeroAttachLimits []Resource // kinds of volumes of which its allocatable says 0
	Devices          DeviceSpec
	// Object is what else the node says, as an API object in JSON; nil unless it is needed.
	Object       []byte
	Pool         string
	PricePerHour float64
}

// Node is a node of the cluster.
type Node struct {
	NodeSpec
	Serial  int64  // how many nodes were added before it: its number in records, unique over a run
	Symbol  Symbol // the name, interned
	Exists  bool   // false once the node is removed
	TaintID int32
	// LabelClass is equal for nodes whose labels are equal except for
	// kubernetes.io/hostname: what a selector says of one it says of all, unless
	// it asks for the host name.
	LabelClass int32
}

// NodeTable holds the nodes: what the hot loops read in columns, the rest in rows.
type NodeTable struct {
	vocabulary *Vocabulary `hash:"part"`
	journal    *journal    `hash:"part"`

	nodes      []Node
	byName     map[string]NodeID
	free       []NodeID // ids of removed nodes, to be used again
	byCreation []NodeID // of the nodes that exist
	added      int64    // how many nodes were ever added: the next Serial
	retireIDs  bool     // see RetireNodeIDs

	allocatable [][]int64 // by resource, then node, in base units
	requested   [][]int64 // by resource, then node: sum over the pods on it
	nonZero     [2][]int64
	pods        [][]PodID    // by node
	ports       [][]HostPort `hash:"unordered"` // by node, one entry for each pod that takes it

	unschedulable int       // nodes alive with spec.unschedulable
	taintSets     interner  `hash:"interned"`
	taints        [][]Taint `hash:"interned"` // by taint set
	hardTainted   int       // nodes alive with a NoSchedule or NoExecute taint
	softTainted   int       // nodes alive with a PreferNoSchedule taint
	labelClasses  interner  `hash:"interned"`
	version       []uint32  `hash:"stamp"` // by node
	changes       uint32    `hash:"stamp"` // how many there were: the version of the node that changed last
	tree          nodeTree
	log           ChangeLog
}

func newNodeTable(v *Vocabulary) NodeTable {
	return NodeTable{vocabulary: v, byName: map[string]NodeID{}, taintSets: interner{}, labelClasses: interner{}}
}

// interner gives equal keys equal ids.
type interner map[string]int32

func (m interner) id(key string) int32 {
	id, ok := m[key]
	if !ok {
		id = int32(len(m))
		m[key] = id
	}
	return id
}

func (t *NodeTable) internTaints(taints []Taint) int32 {
	id := t.taintSets.id(fmt.Sprint(taints))
	if int(id) == len(t.taints) {
		t.taints = append(t.taints, slices.Clone(taints))
	}
	return id
}

func (t *NodeTable) internLabels(set LabelSet) int32 {
	return t.labelClasses.id(fmt.Sprint(set))
}

// growColumns gives every known resource a column over all nodes.
func (t *NodeTable) growColumns() {
	for len(t.allocatable) < t.vocabulary.NumResources() {
		t.allocatable = append(t.allocatable, nil)
		t.requested = append(t.requested, nil)
	}
	for r := range t.allocatable {
		for len(t.allocatable[r]) < len(t.nodes) {
			t.allocatable[r] = append(t.allocatable[r], 0)
			t.requested[r] = append(t.requested[r], 0)
		}
	}
}

// Node returns the node of an id. Until its id is used again, a removed node can still be read; it
// does not exist. The node must not be changed.
func (t *NodeTable) Node(id NodeID) *Node { return &t.nodes[id] }

// NodeByName finds a node that exists now.
func (t *NodeTable) NodeByName(name string) (NodeID, bool) {
	id, ok := t.byName[name]
	return id, ok
}

// NodeRef identifies a node over time: an id alone may belong to another node later. The zero
// value is no node's.
type NodeRef struct {
	id     NodeID
	number int64 // Serial + 1
}

// Ref returns a reference to a node that exists; the reference to None is to no node.
func (t *NodeTable) Ref(id NodeID) NodeRef {
	if id == None {
		return NodeRef{}
	}
	return NodeRef{id, t.nodes[id].Serial + 1}
}

// Resolve returns the id of a node, or None if it does not exist any more.
func (t *NodeTable) Resolve(r NodeRef) NodeID {
	if r.number == 0 || int(r.id) >= len(t.nodes) || !t.nodes[r.id].Exists || t.nodes[r.id].Serial != r.number-1 {
		return None
	}
	return r.id
}

// SerialOf returns the number of a node in records, -1 for None.
func (t *NodeTable) SerialOf(id NodeID) int64 {
	if id == None {
		return -1
	}
	return t.nodes[id].Serial
}

// NodeBySerial finds a node that exists now.
func (t *NodeTable) NodeBySerial(serial int64) (NodeID, bool) {
	i, found := t.creationIndex(serial)
	if !found {
		return None, false
	}
	return t.byCreation[i], true
}

// creationIndex is where the node of that serial is in byCreation, or would be.
func (t *NodeTable) creationIndex(serial int64) (int, bool) {
	return slices.BinarySearchFunc(t.byCreation, serial, func(id NodeID, serial int64) int {
		return cmp.Compare(t.nodes[id].Serial, serial)
	})
}

// NumNodes returns the number of nodes that exist now.
func (t *NodeTable) NumNodes() int { return len(t.byCreation) }

// ByCreation lists the nodes that exist in the order in which they were added, which ids need
// not have. It must not be changed.
func (t *NodeTable) ByCreation() []NodeID { return t.byCreation }

// RetireNodeIDs keeps the ids of removed nodes from being used again. It is for tests: nothing that
// happens may depend on which id a node has.
func (t *NodeTable) RetireNodeIDs() { t.retireIDs = true }

// NodeIDs returns the length of the columns by node: ids are below it. Some of them may belong to
// no node.
func (t *NodeTable) NodeIDs() int { return len(t.nodes) }

// Allocatable returns the column of a resource, by node, in base units. Callers read it only, and
// not past the next change of the cluster.
func (t *NodeTable) Allocatable(r Resource) []int64 { t.growColumns(); return t.allocatable[r] }

// Requested returns the column of a resource, by node, that the pods on each node request.
func (t *NodeTable) Requested(r Resource) []int64 { t.growColumns(); return t.requested[r] }

// NonZeroRequested returns the column of Requested for CPU or Memory in which a container without a
// request counts with the default of the scores (100 milli, 200 MiB).
func (t *NodeTable) NonZeroRequested(r Resource) []int64 { return t.nonZero[r] }

// PodsOn returns the pods on a node, assumed ones included, in no meaningful order.
func (t *NodeTable) PodsOn(id NodeID) []PodID { return t.pods[id] }

// PortsOn returns the host ports in use on a node.
func (t *NodeTable) PortsOn(id NodeID) []HostPort { return t.ports[id] }

// Version changes with every change of a node or of what is on it, for a trial too: whoever
// keeps an answer about one node alone keeps its version with it.
// A rollback and a removal do not take it back, so that it never stands for two states.
func (t *NodeTable) Version(id NodeID) uint32 { return t.version[id] }

func (t *NodeTable) touch(id NodeID) {
	t.changes++
	t.version[id] = t.changes
}

// NumTaintSets returns the number of different lists of taints; Node.TaintID is below it.
func (t *NodeTable) NumTaintSets() int { return len(t.taints) }

// TaintSet returns the list of taints of that id.
func (t *NodeTable) TaintSet(id int32) []Taint { return t.taints[id] }

// NumLabelClasses returns the number of values that Node.LabelClass has.
func (t *NodeTable) NumLabelClasses() int { return len(t.labelClasses) }

// AnyUnschedulable reports whether some node has spec.unschedulable.
func (t *NodeTable) AnyUnschedulable() bool { return t.unschedulable > 0 }

// AnyHardTaint reports whether some node has a NoSchedule or NoExecute taint.
func (t *NodeTable) AnyHardTaint() bool { return t.hardTainted > 0 }

// AnySoftTaint reports whether some node has a PreferNoSchedule taint.
func (t *NodeTable) AnySoftTaint() bool { return t.softTainted > 0 }
