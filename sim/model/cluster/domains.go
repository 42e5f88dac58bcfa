package cluster

// topology numbers the domains of a topology key: the values that the label has on nodes. A
// domain without a node gives its number free, so that columns by domain stay as long as there
// are domains.
type topology struct {
	key    Symbol           // 0: each node is a domain of its own
	ids    map[Symbol]int32 // by value of the label, or name of the node
	of     []int32          // by node, those without the label in that of the empty value; NoDomain: no node
	values []Symbol         // by domain
	nodes  []int32          // by domain: how many there are
	free   []int32
	// previous is the domain that the node at hand was in. Partitions move the node after enter
	// and before removePrevious, so that the number is still that domain's.
	previous int32
}

// domainsOf numbers the domains of a topology key when it is asked for first.
func (t *Topology) domainsOf(key Symbol) *topology {
	d := t.topologies[key]
	if d == nil {
		d = &topology{key: key, ids: map[Symbol]int32{}}
		t.topologies[key] = d
		for _, id := range t.nodes.byCreation {
			d.enter(id, &t.nodes.nodes[id])
			d.removePrevious()
		}
	}
	return d
}

// enter notes the domain of a node that was added, changed or removed.
func (d *topology) enter(id NodeID, n *Node) {
	for int(id) >= len(d.of) {
		d.of = append(d.of, NoDomain)
	}
	d.previous = d.of[id]
	if !n.Exists {
		d.of[id] = NoDomain
		return
	}
	value := n.Symbol
	if d.key != 0 {
		value, _ = n.Labels.Get(d.key)
	}
	domain := d.domain(value)
	d.of[id] = domain
	d.nodes[domain]++
}

// removePrevious removes the node from the domain that it was in before enter.
func (d *topology) removePrevious() {
	if d.previous == NoDomain {
		return
	}
	if d.nodes[d.previous]--; d.nodes[d.previous] == 0 {
		delete(d.ids, d.values[d.previous])
		d.free = append(d.free, d.previous)
	}
	d.previous = NoDomain
}

// domain is the number of a value, a new one if no node has the value yet.
func (d *topology) domain(value Symbol) int32 {
	id, known := d.ids[value]
	if known {
		return id
	}
	if n := len(d.free); n > 0 {
		id = d.free[n-1]
		d.free = d.free[:n-1]
		d.values[id] = value
	} else {
		id = int32(len(d.values))
		d.values, d.nodes = append(d.values, value), append(d.nodes, 0)
	}
	d.ids[value] = id
	return id
}
