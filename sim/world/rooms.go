package world

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// rooms caches, for each pod class and node, how many more pods of the class fit. The filters are asked again only
// about nodes that have changed since the last sample, by the log of the cluster's changes. A class whose filters
// depend on other nodes is not cached: see sampler.measure.
type rooms struct {
	since     cluster.Position
	resources []cluster.Resource
	free      [][]int64 // by resource, then node: what was free at the last sample
	fitting   []int32   // by node: the classes kept that fit on it
	byClass   map[cluster.ClassID]*classRoom

	changed, asked []cluster.NodeID // scratch
}

// classRoom is the room for the pods of one class.
type classRoom struct {
	onNode []int64 // 1 more than the pods that have room; 0: none fits
	pods   int64   // that have room in all
	free   []int64 // by resource: what is free on the nodes that one fits on
}

// roomChanges are the changes of a node that its room can follow from. EachFeasible ignores nominations.
const roomChanges = cluster.AllChanges &^ cluster.NominationsChanged

// refresh brings the room for the classes of a mix up to date, and forgets all others.
func (t *rooms) refresh(c *core, resources []cluster.Resource, mix []frequentClass) {
	if !slices.Equal(t.resources, resources) {
		*t = rooms{resources: resources, free: make([][]int64, len(resources)), byClass: map[cluster.ClassID]*classRoom{}}
	}
	t.findChanged(c.cluster)
	for id, room := range t.byClass {
		if slices.ContainsFunc(mix, func(c frequentClass) bool { return c.ID == id }) {
			t.clear(room, t.changed)
		} else {
			t.forget(id)
		}
	}
	for _, node := range t.changed {
		for k, r := range resources {
			t.free[k][node] = c.freeOn(node, r)
		}
	}
	for i := range mix {
		t.ask(c, mix[i].Class)
	}
}

// findChanged lists the nodes that have changed since the last sample, and those of them that exist.
func (t *rooms) findChanged(c *cluster.Cluster) {
	t.changed, t.asked = t.changed[:0], t.asked[:0]
	for node := range c.Changes().Since(t.since, roomChanges) {
		t.changed = append(t.changed, node)
		if c.Node(node).Exists {
			t.asked = append(t.asked, node)
		}
	}
	t.since = c.Changes().Position()
	n := c.NodeIDs()
	t.fitting = append(t.fitting, make([]int32, n-len(t.fitting))...)
	for k := range t.free {
		t.free[k] = append(t.free[k], make([]int64, n-len(t.free[k]))...)
	}
	for _, room := range t.byClass {
		room.onNode = append(room.onNode, make([]int64, n-len(room.onNode))...)
	}
}

// clear takes the room on some nodes, whose free amounts are still those of the last sample, out of that for a class.
func (t *rooms) clear(room *classRoom, nodes []cluster.NodeID) {
	for _, node := range nodes {
		if n := room.onNode[node]; n != 0 {
			room.onNode[node] = 0
			t.count(room, node, n-1, -1)
		}
	}
}

// count adds a node with room for so many pods to a class, or takes it off.
func (t *rooms) count(room *classRoom, node cluster.NodeID, pods, sign int64) {
	room.pods += sign * pods
	t.fitting[node] += int32(sign)
	for k := range t.free {
		room.free[k] += sign * t.free[k][node]
	}
}

// ask asks the filters about the nodes that have changed, about all nodes for a class that is not known. A class whose
// filters look beyond a node is forgotten.
func (t *rooms) ask(c *core, class *cluster.Class) {
	room, nodes := t.byClass[class.ID], t.asked
	if room == nil {
		room, nodes = &classRoom{onNode: make([]int64, c.cluster.NodeIDs()), free: make([]int64, len(t.resources))}, c.cluster.ByCreation()
		t.byClass[class.ID] = room
	}
	local := c.scheduler.EachFeasibleOf(class, nodes, func(node cluster.NodeID, fits bool) {
		if fits {
			pods := c.copies(class, node)
			room.onNode[node] = 1 + pods
			t.count(room, node, pods, 1)
		}
	})
	if !local {
		t.forget(class.ID)
	}
}

func (t *rooms) forget(class cluster.ClassID) {
	for node, n := range t.byClass[class].onNode {
		if n != 0 {
			t.fitting[node]--
		}
	}
	delete(t.byClass, class)
}

// measure returns what pods of one class could use; false if the class is not kept.
func (t *rooms) measure(c frequentClass, free []int64) (record.MixShare, bool) {
	room := t.byClass[c.ID]
	if room == nil {
		return record.MixShare{}, false
	}
	out := record.MixShare{Class: c.Serial, Weight: c.weight, Fits: room.pods, Unusable: slices.Clone(free)}
	for k, r := range t.resources {
		if c.Request(r) > 0 {
			out.Unusable[k] -= room.free[k]
		}
	}
	return out, true
}
