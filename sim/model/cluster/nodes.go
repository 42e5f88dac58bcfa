package cluster

import (
	"fmt"
	"slices"
)

// NodeImage is one name of an image that a node has pulled.
type NodeImage struct {
	Name Sym
	Size int64 // bytes
}

// NodeSpec is what a node is: everything about it but the pods on it.
type NodeSpec struct {
	Name            string
	Labels          LabelSet
	Taints          []Taint
	Unschedulable   bool
	Allocatable     []Quantity
	Images          []NodeImage // each name once
	Conditions      NodeConditions
	Features        FeatureSet // that the kubelet declares and pods can need
	PreferAvoidPods []Sym      // controllers whose pods it would rather not have, as Class.Controller
	AttachesNone    []Resource // kinds of volumes of which its allocatable says 0
	Devices         DeviceSpec
	// Object is what else the node says, as an API object in JSON; nil unless somebody needs it.
	Object       []byte
	Pool         string
	PricePerHour float64
}

// Node is a node of the cluster.
type Node struct {
	NodeSpec
	Sym     Sym  // the name, interned
	Alive   bool // false once the node is removed
	TaintID int32
	// LabelClass is equal for nodes whose labels are equal but for
	// kubernetes.io/hostname: what a selector says of one it says of all, unless
	// it asks for the host name.
	LabelClass int32
}

// NodeTable holds the nodes: what the hot loops read in columns, the rest in rows.
type NodeTable struct {
	vocabulary *Vocabulary

	nodes  []Node
	byName map[string]NodeID
	alive  int

	allocatable [][]int64 // by resource, then node, in base units
	requested   [][]int64 // by resource, then node: sum over the pods on it
	nonZero     [2][]int64
	pods        [][]PodID    // by node
	ports       [][]HostPort // by node, one entry for each pod that takes it

	unschedulable int // nodes alive with spec.unschedulable
	taintSets     interner
	taints        [][]Taint // by taint set
	hardTainted   int       // nodes alive with a NoSchedule or NoExecute taint
	softTainted   int       // nodes alive with a PreferNoSchedule taint
	labelClasses  interner
	version       []uint32 // by node
	tree          nodeTree
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

// AddNode adds a node without pods. It fails when a node of that name exists.
func (c *Cluster) AddNode(spec NodeSpec) (NodeID, error) {
	if _, exists := c.byName[spec.Name]; exists {
		return None, fmt.Errorf("node %q exists already", spec.Name)
	}
	id := NodeID(len(c.nodes))
	c.byName[spec.Name] = id
	c.nodes = append(c.nodes, Node{Sym: c.Sym(spec.Name)})
	c.pods = append(c.pods, nil)
	c.ports = append(c.ports, nil)
	c.Devices.free = append(c.Devices.free, nil)
	c.version = append(c.version, 0)
	c.nonZero[0] = append(c.nonZero[0], 0)
	c.nonZero[1] = append(c.nonZero[1], 0)
	c.growColumns()
	c.alive++
	c.setSpec(id, spec)
	c.tree.add(id, c.zoneKey(spec.Labels))
	c.Topology.moveNode(id)
	return id, nil
}

// UpdateNode replaces what a node is, pods stay. The name must not change.
func (c *Cluster) UpdateNode(id NodeID, spec NodeSpec) {
	if spec.Name != c.nodes[id].Name {
		panic(fmt.Sprintf("cluster: node %q cannot be renamed to %q", c.nodes[id].Name, spec.Name))
	}
	c.dropSpec(id)
	c.setSpec(id, spec)
	c.tree.move(id, c.zoneKey(spec.Labels))
	c.Topology.moveNode(id)
}

// RemoveNode takes a node away. Its pods must be gone before.
func (c *Cluster) RemoveNode(id NodeID) {
	if len(c.pods[id]) != 0 {
		panic(fmt.Sprintf("cluster: node %q is removed with %d pods on it", c.nodes[id].Name, len(c.pods[id])))
	}
	c.dropSpec(id)
	for r := range c.allocatable {
		c.allocatable[r][id] = 0
	}
	delete(c.byName, c.nodes[id].Name)
	c.alive--
	c.tree.remove(id)
	c.Topology.moveNode(id)
}

func (c *Cluster) setSpec(id NodeID, spec NodeSpec) {
	n := &c.nodes[id]
	n.NodeSpec, n.Alive = spec, true
	n.TaintID = c.internTaints(spec.Taints)
	n.LabelClass = c.internLabels(spec.Labels.Without(c.Hostname))
	for r := range c.allocatable {
		c.allocatable[r][id] = 0
	}
	for _, q := range spec.Allocatable {
		c.growColumns()
		c.allocatable[q.Resource][id] = q.Amount
	}
	c.Devices.reset(id)
	c.countSpec(n, 1)
	c.Images.add(n)
}

func (c *Cluster) dropSpec(id NodeID) {
	n := &c.nodes[id]
	c.countSpec(n, -1)
	c.Images.remove(n)
	n.Alive = false
}

func (c *Cluster) countSpec(n *Node, by int) {
	c.Devices.total += by * n.Devices.Count
	if n.Unschedulable {
		c.unschedulable += by
	}
	if slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect != PreferNoSchedule }) {
		c.hardTainted += by
	}
	if slices.ContainsFunc(n.Taints, func(t Taint) bool { return t.Effect == PreferNoSchedule }) {
		c.softTainted += by
	}
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

// Node is the node of an id, removed ones included. It must not be changed.
func (t *NodeTable) Node(id NodeID) *Node { return &t.nodes[id] }

// NodeByName finds a node that exists now.
func (t *NodeTable) NodeByName(name string) (NodeID, bool) {
	id, ok := t.byName[name]
	return id, ok
}

// NumNodes is how many nodes exist now.
func (t *NodeTable) NumNodes() int { return t.alive }

// NodeIDs is one more than the largest id of a node that ever was: the length of
// the columns.
func (t *NodeTable) NodeIDs() int { return len(t.nodes) }

// Allocatable is the column of a resource, by node, in base units. Callers read
// it only, and not past the next change of the cluster.
func (t *NodeTable) Allocatable(r Resource) []int64 { t.growColumns(); return t.allocatable[r] }

// Requested is the column of what the pods on each node ask for.
func (t *NodeTable) Requested(r Resource) []int64 { t.growColumns(); return t.requested[r] }

// NonZeroRequested is the column of what the pods on each node ask for, for CPU
// or Memory, where a container that asks for none counts with the default of the
// scores (100 milli, 200 MiB).
func (t *NodeTable) NonZeroRequested(r Resource) []int64 { return t.nonZero[r] }

// PodsOn are the pods on a node, assumed ones included, in no meaningful order.
func (t *NodeTable) PodsOn(id NodeID) []PodID { return t.pods[id] }

// PortsOn are the host ports taken on a node.
func (t *NodeTable) PortsOn(id NodeID) []HostPort { return t.ports[id] }

// Version changes with every change of a node or of what is on it, for a trial too: whoever
// keeps an answer about one node alone keeps its version with it.
func (t *NodeTable) Version(id NodeID) uint32 { return t.version[id] }

// NumTaintSets is how many different lists of taints there are; Node.TaintID is
// below it.
func (t *NodeTable) NumTaintSets() int { return len(t.taints) }

// TaintSet is the list of taints of that id.
func (t *NodeTable) TaintSet(id int32) []Taint { return t.taints[id] }

// NumLabelClasses is how many values Node.LabelClass has.
func (t *NodeTable) NumLabelClasses() int { return len(t.labelClasses) }

// AnyUnschedulable reports whether some node has spec.unschedulable.
func (t *NodeTable) AnyUnschedulable() bool { return t.unschedulable > 0 }

// AnyHardTaint reports whether some node has a NoSchedule or NoExecute taint.
func (t *NodeTable) AnyHardTaint() bool { return t.hardTainted > 0 }

// AnySoftTaint reports whether some node has a PreferNoSchedule taint.
func (t *NodeTable) AnySoftTaint() bool { return t.softTainted > 0 }
