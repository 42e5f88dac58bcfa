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

// nodeTable holds the nodes: what the hot loops read in columns, the rest in rows.
type nodeTable struct {
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
	c.deviceFree = append(c.deviceFree, nil)
	c.version = append(c.version, 0)
	c.nonZero[0] = append(c.nonZero[0], 0)
	c.nonZero[1] = append(c.nonZero[1], 0)
	c.growColumns()
	c.alive++
	c.setSpec(id, spec)
	c.tree.add(id, c.zoneKey(spec.Labels))
	c.repartition(id)
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
	c.repartition(id)
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
	c.repartition(id)
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
	c.resetDevices(id)
	c.countSpec(n, 1)
	c.images.add(n)
}

func (c *Cluster) dropSpec(id NodeID) {
	n := &c.nodes[id]
	c.countSpec(n, -1)
	c.images.remove(n)
	n.Alive = false
}

func (c *Cluster) countSpec(n *Node, by int) {
	c.devices += by * n.Devices.Count
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

func (c *Cluster) internTaints(taints []Taint) int32 {
	id := c.taintSets.id(fmt.Sprint(taints))
	if int(id) == len(c.taints) {
		c.taints = append(c.taints, slices.Clone(taints))
	}
	return id
}

func (c *Cluster) internLabels(set LabelSet) int32 {
	return c.labelClasses.id(fmt.Sprint(set))
}

// growColumns gives every known resource a column over all nodes.
func (c *Cluster) growColumns() {
	for len(c.allocatable) < c.NumResources() {
		c.allocatable = append(c.allocatable, nil)
		c.requested = append(c.requested, nil)
	}
	for r := range c.allocatable {
		for len(c.allocatable[r]) < len(c.nodes) {
			c.allocatable[r] = append(c.allocatable[r], 0)
			c.requested[r] = append(c.requested[r], 0)
		}
	}
}

// Node is the node of an id, removed ones included. It must not be changed.
func (c *Cluster) Node(id NodeID) *Node { return &c.nodes[id] }

// NodeByName finds a node that exists now.
func (c *Cluster) NodeByName(name string) (NodeID, bool) {
	id, ok := c.byName[name]
	return id, ok
}

// NumNodes is how many nodes exist now.
func (c *Cluster) NumNodes() int { return c.alive }

// NodeIDs is one more than the largest id of a node that ever was: the length of
// the columns.
func (c *Cluster) NodeIDs() int { return len(c.nodes) }

// Allocatable is the column of a resource, by node, in base units. Callers read
// it only, and not past the next change of the cluster.
func (c *Cluster) Allocatable(r Resource) []int64 { c.growColumns(); return c.allocatable[r] }

// Requested is the column of what the pods on each node ask for.
func (c *Cluster) Requested(r Resource) []int64 { c.growColumns(); return c.requested[r] }

// NonZeroRequested is the column of what the pods on each node ask for, for CPU
// or Memory, where a container that asks for none counts with the default of the
// scores (100 milli, 200 MiB).
func (c *Cluster) NonZeroRequested(r Resource) []int64 { return c.nonZero[r] }

// PodsOn are the pods on a node, assumed ones included, in no meaningful order.
func (c *Cluster) PodsOn(id NodeID) []PodID { return c.pods[id] }

// PortsOn are the host ports taken on a node.
func (c *Cluster) PortsOn(id NodeID) []HostPort { return c.ports[id] }

// NumTaintSets is how many different lists of taints there are; Node.TaintID is
// below it.
func (c *Cluster) NumTaintSets() int { return len(c.taints) }

// TaintSet is the list of taints of that id.
func (c *Cluster) TaintSet(id int32) []Taint { return c.taints[id] }

// NumLabelClasses is how many values Node.LabelClass has.
func (c *Cluster) NumLabelClasses() int { return len(c.labelClasses) }

// AnyUnschedulable reports whether some node has spec.unschedulable.
func (c *Cluster) AnyUnschedulable() bool { return c.unschedulable > 0 }

// AnyHardTaint reports whether some node has a NoSchedule or NoExecute taint.
func (c *Cluster) AnyHardTaint() bool { return c.hardTainted > 0 }

// AnySoftTaint reports whether some node has a PreferNoSchedule taint.
func (c *Cluster) AnySoftTaint() bool { return c.softTainted > 0 }
