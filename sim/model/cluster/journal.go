package cluster

// journal remembers what was changed while a trial is open, so that it can be taken back on the
// state itself, without a copy of the cluster.
//
// Each primitive change notes how it is undone. Moves of pods, of which preemption tries
// thousands, are entries of their own and allocate nothing.
type journal struct {
	open    int // trials that are open, each within the one before
	undoing bool
	entries []entry
}

// entry is a trial move of a pod or, where undo is set, another change.
type entry struct {
	undo func()

	pod     PodID
	node    NodeID
	slot    int32 // where a lifted pod was on the list of its node
	devices []int32
	lifted  bool
	deleted bool // lifted as if deleted, not moved
}

// isMove reports whether the entry is a move that counts are made aware of: see TryDelete.
func (e *entry) isMove() bool { return e.undo == nil && !e.deleted }

// isOpen reports whether changes are to be noted. Callers of note ask it first, so that no closure
// is made otherwise.
func (j *journal) isOpen() bool { return j.open != 0 && !j.undoing }

// isTrying reports whether a trial is open, so that changes are not committed.
func (j *journal) isTrying() bool { return j.open != 0 }

func (j *journal) mustBeClosed() {
	if j.isTrying() {
		panic("cluster: change committed while a trial is open")
	}
}

// note remembers how a change is undone. The closure finds the state as the
// change left it, since all later changes are undone before.
func (j *journal) note(undo func()) {
	j.entries = append(j.entries, entry{undo: undo})
}

// Mark is a place in the journal to roll back to.
type Mark struct{ entries, open int }

// Mark opens a trial. Until Rollback to the mark every change of the cluster is undone by it:
// nodes, pods, groups, volumes, claims, devices and budgets may be added, changed and removed,
// and pods moved by TryPlace, TryRemove and TryDelete. What makes a decision final, as Assume,
// Bind and Terminate do, must wait until no trial is open. Trials nest.
//
// What a trial may leave are interned words, kept answers, which are functions of the state, and
// Version: none of them can reach a result. Hash says exactly what is left out.
func (c *Cluster) Mark() Mark {
	m := Mark{len(c.journal.entries), c.journal.open}
	c.journal.open++
	return m
}

// TryRemove takes a pod off its node for a trial.
func (c *Cluster) TryRemove(id PodID) { c.remove(id, false) }

// TryDelete removes a pod from its node in a trial. Counts change as they do when the pod is
// deleted, not as they do for TryRemove, which upstream's preemption counts in another way.
func (c *Cluster) TryDelete(id PodID) { c.remove(id, true) }

func (c *Cluster) remove(id PodID, deleted bool) {
	c.journal.mustBeOpen()
	p := &c.table[id]
	c.journal.entries = append(c.journal.entries,
		entry{pod: id, node: p.Node, slot: p.slot, devices: p.devices, lifted: true, deleted: deleted})
	c.lift(id, !deleted)
}

func (j *journal) mustBeOpen() {
	if !j.isOpen() {
		panic("cluster: a pod is moved for a trial, and none is open")
	}
}

// TryPlace puts a pod that has no node on one for a trial.
func (c *Cluster) TryPlace(id PodID, node NodeID) {
	c.journal.mustBeOpen()
	c.journal.entries = append(c.journal.entries, entry{pod: id, node: node, devices: c.table[id].devices})
	c.Devices.chooseFor(id, node)
	c.place(id, node, true)
}

// EachTrialMove calls f for every trial move that is open, in order: a pod was put on a node,
// or taken off one. Those of TryDelete are not among them.
func (c *Cluster) EachTrialMove(f func(pod PodID, placed bool)) {
	for i := range c.journal.entries {
		if e := &c.journal.entries[i]; e.isMove() {
			f(e.pod, !e.lifted)
		}
	}
}

// Rollback undoes all changes since the mark, latest first, and ends its trial. It leaves the
// state exactly as it was, the order of the pods on a node included.
func (c *Cluster) Rollback(to Mark) {
	c.journal.undoing = true // which is not noted itself
	for i := len(c.journal.entries) - 1; i >= to.entries; i-- {
		e := c.journal.entries[i]
		c.journal.entries = c.journal.entries[:i]
		switch {
		case e.undo != nil:
			e.undo()
		case e.lifted:
			c.table[e.pod].devices = e.devices
			c.place(e.pod, e.node, !e.deleted)
			c.swap(e.node, e.slot, c.table[e.pod].slot)
		default:
			c.lift(e.pod, true)
			c.table[e.pod].devices = e.devices
		}
	}
	c.journal.open, c.journal.undoing = to.open, false
}

func (c *Cluster) swap(node NodeID, i, j int32) {
	on := c.pods[node]
	on[i], on[j] = on[j], on[i]
	c.table[on[i]].slot, c.table[on[j]].slot = i, j
}
