package cluster

import "slices"

// nodeTree is the order in which the scheduler visits nodes: zones in the order
// of their first node, one node of each zone in turn.
//
// Upstream: pkg/scheduler/backend/cache/node_tree.go, v1.36.3.
type nodeTree struct {
	zones  []zone
	zoneOf []Symbol // by node; 0 for those that are gone
	order  []NodeID `hash:"kept"`
	places []int    `hash:"kept"` // by node: where in order
	stale  bool     `hash:"kept"`
}

type zone struct {
	key   Symbol
	nodes []NodeID
}

func (t *nodeTree) find(key Symbol) int {
	return slices.IndexFunc(t.zones, func(z zone) bool { return z.key == key })
}

func (t *nodeTree) add(id NodeID, key Symbol) {
	i := t.find(key)
	if i < 0 {
		i = len(t.zones)
		t.zones = append(t.zones, zone{key: key})
	}
	t.zones[i].nodes = append(t.zones[i].nodes, id)
	for int(id) >= len(t.zoneOf) {
		t.zoneOf = append(t.zoneOf, 0)
	}
	t.zoneOf[id] = key
	t.stale = true
}

// treePlace is where a node is in the tree.
type treePlace struct {
	zone           Symbol
	atZone, atNode int
}

func (t *nodeTree) placeOf(id NodeID) treePlace {
	i := t.find(t.zoneOf[id])
	return treePlace{t.zoneOf[id], i, slices.Index(t.zones[i].nodes, id)}
}

// insert undoes remove of a node that was at that place.
func (t *nodeTree) insert(id NodeID, p treePlace) {
	i := t.find(p.zone)
	if i < 0 {
		i = p.atZone
		t.zones = slices.Insert(t.zones, i, zone{key: p.zone})
	}
	t.zones[i].nodes = slices.Insert(t.zones[i].nodes, p.atNode, id)
	t.zoneOf[id] = p.zone
	t.stale = true
}

func (t *nodeTree) remove(id NodeID) {
	i := t.find(t.zoneOf[id])
	z := &t.zones[i]
	at := slices.Index(z.nodes, id)
	z.nodes = slices.Delete(z.nodes, at, at+1)
	if len(z.nodes) == 0 {
		t.zones = slices.Delete(t.zones, i, i+1)
	}
	t.zoneOf[id] = 0
	t.stale = true
}

// move puts a node whose zone has changed at the end of its new zone.
func (t *nodeTree) move(id NodeID, key Symbol) {
	if t.zoneOf[id] == key {
		return
	}
	t.remove(id)
	t.add(id, key)
}

func (t *nodeTree) rebuild() {
	t.order = t.order[:0]
	for row := 0; ; row++ {
		before := len(t.order)
		for _, z := range t.zones {
			if row < len(z.nodes) {
				t.order = append(t.order, z.nodes[row])
			}
		}
		if len(t.order) == before {
			break
		}
	}
	t.places = slices.Grow(t.places[:0], len(t.zoneOf))[:len(t.zoneOf)]
	for i, id := range t.order {
		t.places[id] = i
	}
	t.stale = false
}

// Order returns the list of all nodes as the scheduler visits them, interleaved by zone. It must
// not be changed.
func (t *NodeTable) Order() []NodeID {
	if t.tree.stale {
		t.tree.rebuild()
	}
	return t.tree.order
}

// IndexInOrder returns the index in Order of a node that exists.
func (t *NodeTable) IndexInOrder(id NodeID) int {
	t.Order()
	return t.tree.places[id]
}

// zoneKey identifies a zone by region and zone labels, the beta ones winning.
// Nodes without both are a zone of their own.
//
// Upstream: k8s.io/component-helpers/node/topology/helpers.go, GetZoneKey.
func (t *NodeTable) zoneKey(labels LabelSet) Symbol {
	zone := t.firstLabel(labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
	region := t.firstLabel(labels, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
	if zone == "" && region == "" {
		return 0
	}
	return t.vocabulary.Symbol(region + ":\x00:" + zone)
}

func (t *NodeTable) firstLabel(labels LabelSet, keys ...string) string {
	for _, k := range keys {
		if sym, known := t.vocabulary.Lookup(k); known {
			if v, has := labels.Get(sym); has {
				return t.vocabulary.Text(v)
			}
		}
	}
	return ""
}

// ZoneKey returns a key that is equal for nodes of one zone, identified by its region and zone
// labels; 0 for a node without both.
func (t *NodeTable) ZoneKey(id NodeID) Symbol { return t.tree.zoneOf[id] }

// Zone returns the value of a node's zone label, or "" without one.
func (t *NodeTable) Zone(id NodeID) string {
	return t.firstLabel(t.nodes[id].Labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
}
