package cluster

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
)

// GroupID is the dense id of a pod group; 0 is not a group. An id is used again once
// the group is removed.
type GroupID int32

// NoGroup is the group of pods that are in none.
const NoGroup GroupID = 0

// Group is a PodGroup: pods that run together or not at all.
type Group struct {
	Serial          int64 // number of arrival, unique over a run
	Name            string
	Namespace       Symbol
	MinMember       int
	ScheduleTimeout clock.Time // how long a member waits in Permit for the others
	Members         []PodID    // pods that exist
	Arrived         int        // pods that ever came, those that are done included
	Done            int        // pods that have completed
	Reserved        int        // members that have a node: assumed, bound or terminating

	live bool
}

// Groups holds the pod groups.
type Groups struct {
	journal *journal `hash:"part"`
	groups  []Group
	free    []GroupID
}

// Add adds a pod group without members.
func (t *Groups) Add(g Group) GroupID {
	if len(t.groups) == 0 {
		t.groups = append(t.groups, Group{})
	}
	g.live, g.Members, g.Arrived, g.Done, g.Reserved = true, nil, 0, 0, 0
	if n := len(t.free); n > 0 {
		id := t.free[n-1]
		t.free = t.free[:n-1]
		before := t.groups[id]
		if t.journal.isOpen() {
			t.journal.note(func() {
				t.groups[id] = before
				t.free = append(t.free, id)
			})
		}
		g.Members = before.Members[:0]
		t.groups[id] = g
		return id
	}
	t.groups = append(t.groups, g)
	if t.journal.isOpen() {
		t.journal.note(func() { t.groups = t.groups[:len(t.groups)-1] })
	}
	return GroupID(len(t.groups) - 1)
}

// Remove takes a group without members away.
func (t *Groups) Remove(id GroupID) {
	if len(t.groups[id].Members) != 0 {
		panic("cluster: a pod group with members is removed")
	}
	before := t.groups[id]
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.groups[id] = before
			t.free = t.free[:len(t.free)-1]
		})
	}
	t.groups[id] = Group{Members: before.Members}
	t.free = append(t.free, id)
}

// Group returns the group of an id. Callers read it only.
func (t *Groups) Group(id GroupID) *Group { return &t.groups[id] }

func (t *Groups) join(g GroupID, pod PodID) {
	if g != NoGroup {
		t.groups[g].Members = append(t.groups[g].Members, pod)
		t.groups[g].Arrived++
		if t.journal.isOpen() {
			t.journal.note(func() {
				group := &t.groups[g]
				group.Members = group.Members[:len(group.Members)-1]
				group.Arrived--
			})
		}
	}
}

func (t *Groups) removeMember(g GroupID, pod PodID) {
	if g == NoGroup {
		return
	}
	members := t.groups[g].Members
	for i := range members {
		if members[i] == pod {
			t.groups[g].Members = append(members[:i], members[i+1:]...)
			if t.journal.isOpen() {
				t.journal.note(func() { t.groups[g].Members = slices.Insert(t.groups[g].Members, i, pod) })
			}
			return
		}
	}
}

func (t *Groups) reserved(g GroupID, by int) {
	if g != NoGroup {
		t.groups[g].Reserved += by
		if t.journal.isOpen() {
			t.journal.note(func() { t.groups[g].Reserved -= by })
		}
	}
}
