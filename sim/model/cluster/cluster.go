// Package cluster is the state of a Kubernetes cluster as the scheduler sees it:
// nodes, pods, pod groups, images and volumes, as columns by dense id. It is the only code
// that mutates them. Names, labels and resources are interned once, on load, so
// that everything past loading compares small integers.
//
// Cluster itself has the operations that several parts of the state take part in: nodes and
// pods that are added, changed and removed, pods that get a node or lose it, trials and the
// checks. Everything else is a method of the part that it is about.
package cluster

// NodeID is the dense id of a node that exists now. It is used again once the node is removed,
// so that columns by node stay as long as the fleet; Node.Serial is what identifies a node over
// a whole run, and a NodeRef what to keep over time.
type NodeID int32

// PodID is the dense id of a pod that exists now. It is used again once the pod
// is gone; Pod.Serial is what identifies a pod over a whole run.
type PodID int32

// None is the id of no node.
const None NodeID = -1

// NoPod is the id of no pod.
const NoPod PodID = -1

// Cluster is the state. All of it is owned by one goroutine. What is read most, nodes and
// pods by id, is promoted: c.Node(id), c.Pod(id).
type Cluster struct {
	*Vocabulary `hash:"interned"`
	NodeTable
	PodTable
	Groups   Groups
	Images   Images
	Devices  Devices
	Budgets  Budgets
	Topology Topology
	Volumes  Volumes

	journal journal `hash:"part"`
}

// New returns an empty cluster whose interned words are those of v.
func New(v *Vocabulary) *Cluster {
	c := &Cluster{
		Vocabulary: v,
		NodeTable:  newNodeTable(v),
		Images:     Images{},
		Budgets:    Budgets{vocabulary: v},
	}
	c.NodeTable.journal, c.PodTable.journal, c.Groups.journal, c.Budgets.journal = &c.journal, &c.journal, &c.journal, &c.journal
	c.Devices = newDevices(c)
	c.Topology = newTopology(c)
	c.Volumes = newVolumes(c)
	return c
}
