package cluster

import (
	"iter"
	"math/bits"
	"reflect"
	"slices"
)

// Changes is a set of ways in which a node can change.
type Changes uint16

// The ways in which a node can change.
const (
	// ExistenceChanged: the id belongs to another node, or to none: a node was added or removed. Nothing that was known
	// of the id holds, whatever else is reported.
	ExistenceChanged   Changes = 1 << iota
	PodsChanged                // which pods are on it, and with them what is requested and which ports are taken
	PhasesChanged              // a pod on it was bound or is terminated
	AllocatableChanged         // how much of each resource it has
	LabelsChanged
	TaintsChanged // and spec.unschedulable
	ImagesChanged
	DevicesChanged     // which devices it has, and what is free of each
	VolumesChanged     // its CSINode and VolumeAttachments, and the kinds of volumes that it attaches none of
	DetailsChanged     // what else NodeSpec says
	NominationsChanged // which pods are nominated to it; see NoteNomination

	numChanges = iota

	// AllChanges are all ways in which a node can change.
	AllChanges Changes = 1<<numChanges - 1
)

// ChangeLog lists the committed changes of nodes. Trial moves are not in it.
//
// It has at most one entry for each node and way of changing, that of the latest change, so that it is as long as the
// fleet however long a run is. Readers keep a Position each and ask what has changed since: their work is proportional
// to that, and the log does not keep a list of readers.
//
// What is of no single node is not in it: claims and persistent volumes, budgets, groups, counts by domain.
type ChangeLog struct {
	position Position
	lists    [numChanges]changeList
}

// Position is a place in the log: how many changes there were before. At position 0 there was no node.
type Position uint64

// Position returns the end of the log: changes from now on are after it.
func (l *ChangeLog) Position() Position { return l.position }

// Since calls yield with every node that has changed since a position in one of these ways, once, and says in which of them.
// The nodes are in no meaningful order, but in the same one whenever the same has happened. An id may belong to no node now:
// see ExistenceChanged. The cluster must not be changed meanwhile.
//
// A change that was taken back by a later one is reported: a pod came and went.
func (l *ChangeLog) Since(p Position, of Changes) iter.Seq2[NodeID, Changes] {
	return func(yield func(NodeID, Changes) bool) {
		for rest := of; rest != 0; rest &= rest - 1 {
			first := rest & -rest
			list := &l.lists[bits.TrailingZeros16(uint16(first))]
			for i := list.latest(); list.at(i) > p; i = list.entries[i].older {
				id := NodeID(i - 1)
				if what := l.changed(id, p) & of; what&-what == first && !yield(id, what) {
					return
				}
			}
		}
	}
}

// changed is in which ways a node has changed since a position.
func (l *ChangeLog) changed(id NodeID, p Position) (what Changes) {
	for k := range l.lists {
		if l.lists[k].at(int32(id)+1) > p {
			what |= 1 << k
		}
	}
	return what
}

// add notes that a node has changed.
func (l *ChangeLog) add(id NodeID, what Changes) {
	l.position++
	for ; what != 0; what &= what - 1 {
		l.lists[bits.TrailingZeros16(uint16(what))].add(id, l.position)
	}
}

// changeList lists the nodes that have ever changed in one way, that of the latest change first. It is a ring through its
// first entry, which is no node's; that of a node is one behind its id.
type changeList struct {
	entries []changeEntry
}

type changeEntry struct {
	at           Position // of the latest change; 0: there was none
	older, newer int32
}

// latest is the entry of the latest change.
func (l *changeList) latest() int32 {
	if len(l.entries) == 0 {
		return 0
	}
	return l.entries[0].older
}

// at is the position of an entry, 0 where there was no change.
func (l *changeList) at(i int32) Position {
	if int(i) >= len(l.entries) {
		return 0
	}
	return l.entries[i].at
}

// add makes the entry of a node the latest.
func (l *changeList) add(id NodeID, at Position) {
	i := int32(id) + 1
	if int(i) >= len(l.entries) {
		l.entries = append(l.entries, make([]changeEntry, int(i)+1-len(l.entries))...)
	}
	entries := l.entries
	e, first := &entries[i], &entries[0]
	if first.older == i { // it is the latest already
		e.at = at
		return
	}
	if e.at != 0 {
		entries[e.older].newer, entries[e.newer].older = e.newer, e.older
	}
	e.at, e.older, e.newer = at, first.older, 0
	entries[first.older].newer = i
	first.older = i
}

// Changes returns the log of the changes of nodes.
func (t *NodeTable) Changes() *ChangeLog { return &t.log }

// changed notes a change of a node, unless it is tried or taken back.
func (t *NodeTable) changed(id NodeID, what Changes) {
	if what != 0 && !t.journal.isTrying() {
		t.log.add(id, what)
	}
}

// NoteNomination notes that other pods are nominated to a node than before. Nominations are the scheduler's; the log has them
// so that one log says all that an answer about a node can change with. No trial must be open.
func (t *NodeTable) NoteNomination(id NodeID) {
	t.journal.mustBeClosed()
	t.changed(id, NominationsChanged)
}

// changesTo returns in which ways a node changes that becomes what the other spec says.
func (s *NodeSpec) changesTo(other *NodeSpec) (what Changes) {
	note := func(equal bool, change Changes) {
		if !equal {
			what |= change
		}
	}
	note(slices.Equal(s.Allocatable, other.Allocatable), AllocatableChanged)
	note(slices.Equal(s.Labels, other.Labels), LabelsChanged)
	note(slices.Equal(s.Taints, other.Taints) && s.Unschedulable == other.Unschedulable, TaintsChanged)
	note(slices.Equal(s.Images, other.Images), ImagesChanged)
	note(s.Devices == other.Devices, DevicesChanged)
	note(slices.Equal(s.ZeroAttachLimits, other.ZeroAttachLimits), VolumesChanged)
	note(reflect.DeepEqual(s.details(), other.details()), DetailsChanged)
	return what
}

// details is what else a spec says, beside the name.
func (s *NodeSpec) details() NodeSpec {
	d := *s
	d.Name, d.Labels, d.Taints, d.Unschedulable, d.Allocatable, d.Images = "", nil, nil, false, nil, nil
	d.ZeroAttachLimits, d.Devices = nil, DeviceSpec{}
	return d
}
