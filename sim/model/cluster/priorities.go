package cluster

import "slices"

// placedPods counts the pods that have a node by priority, in ascending order; each has some. Priorities are few: a search in
// a list is faster than a map, and every pod that gets a node or loses it is counted.
type placedPods []placedCount

type placedCount struct {
	priority int32
	pods     int
}

// find is where the count of a priority is, or would be.
func (l placedPods) find(priority int32) int {
	low, high := 0, len(l)
	for low < high {
		if middle := int(uint(low+high) / 2); l[middle].priority < priority {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func (l *placedPods) add(priority int32) {
	i := l.find(priority)
	if i == len(*l) || (*l)[i].priority != priority {
		*l = slices.Insert(*l, i, placedCount{priority: priority})
	}
	(*l)[i].pods++
}

// remove takes one off a priority of which there are some.
func (l *placedPods) remove(priority int32) {
	i := l.find(priority)
	if (*l)[i].pods--; (*l)[i].pods == 0 {
		*l = slices.Delete(*l, i, i+1)
	}
}

// anyBelow reports whether there are pods of a lower priority.
func (l placedPods) anyBelow(priority int32) bool { return len(l) > 0 && l[0].priority < priority }
