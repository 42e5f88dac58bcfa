package cluster

// journal remembers trial moves, so that preemption and nominations can be tried
// on the state itself and taken back, without a copy of the cluster.
type journal struct{ moves []move }

type move struct {
	pod     PodID
	node    NodeID
	slot    int32 // where a lifted pod was on the list of its node
	devices []int32
	lifted  bool
	deleted bool // lifted as if for good
}

func (j *journal) mustBeClosed() {
	if len(j.moves) != 0 {
		panic("cluster: changed while a trial is open")
	}
}

// Mark is a place in the journal to roll back to.
type Mark int

// Mark returns the current place in the journal.
func (c *Cluster) Mark() Mark { return Mark(len(c.journal.moves)) }

// TryRemove takes a pod off its node for a trial.
func (c *Cluster) TryRemove(id PodID) {
	c.remove(id, false)
}

// TryLeave takes a pod off its node as if for good: those who count a trial in another way
// than what happens, as upstream's preemption does, do not know that it is one.
func (c *Cluster) TryDelete(id PodID) { c.remove(id, true) }

func (c *Cluster) remove(id PodID, left bool) {
	p := &c.table[id]
	c.journal.moves = append(c.journal.moves, move{id, p.Node, p.slot, p.devices, true, left})
	c.lift(id, !left)
}

// TryPlace puts a pod that has no node on one for a trial.
func (c *Cluster) TryPlace(id PodID, node NodeID) {
	c.journal.moves = append(c.journal.moves, move{pod: id, node: node, devices: c.table[id].devices})
	c.Devices.settle(id, node)
	c.place(id, node, true)
}

// EachTrialMove calls f for every trial move that is open, in order: a pod was put on a node,
// or taken off one. Those of TryDelete are not among them.
func (c *Cluster) EachTrialMove(f func(pod PodID, placed bool)) {
	for _, m := range c.journal.moves {
		if !m.deleted {
			f(m.pod, !m.lifted)
		}
	}
}

// Rollback undoes the trial moves since the mark, latest first, and leaves the
// state exactly as it was, the order of the pods on a node included.
func (c *Cluster) Rollback(to Mark) {
	for i := len(c.journal.moves) - 1; i >= int(to); i-- {
		m := c.journal.moves[i]
		if m.lifted {
			c.table[m.pod].devices = m.devices
			c.place(m.pod, m.node, !m.deleted)
			c.swap(m.node, m.slot, c.table[m.pod].slot)
		} else {
			c.lift(m.pod, true)
			c.table[m.pod].devices = m.devices
		}
	}
	c.journal.moves = c.journal.moves[:to]
}

func (c *Cluster) swap(node NodeID, i, j int32) {
	on := c.pods[node]
	on[i], on[j] = on[j], on[i]
	c.table[on[i]].slot, c.table[on[j]].slot = i, j
}
