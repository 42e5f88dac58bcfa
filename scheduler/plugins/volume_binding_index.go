package plugins

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// indexFrom is how many volumes must be open to a claim for an index of them to pay.
const indexFrom = 16

// volumeIndex finds among many open volumes those that a node may reach, by the labels that
// they ask for. Most local volumes ask for one host name: a node then looks at its own only.
type volumeIndex struct {
	heads   map[cluster.Label]int32 // first entry for a label, by place in the list
	entries []indexEntry
	keys    []cluster.Symbol // of labels in heads
	rest    []int32          // places of the volumes that ask for something else, or nothing
}

// indexEntry is a volume that asks for a label.
type indexEntry struct{ place, next int32 }

// build indexes volumes, or none where there are few.
func (x *volumeIndex) build(c *cluster.Cluster, open []cluster.VolumeID) {
	x.entries, x.keys, x.rest = x.entries[:0], x.keys[:0], x.rest[:0]
	clear(x.heads)
	if len(open) < indexFrom {
		return
	}
	if x.heads == nil {
		x.heads = map[cluster.Label]int32{}
	}
	for place := len(open) - 1; place >= 0; place-- { // the first one comes to lie in front
		r := onlyLabel(&c.Volumes.Volume(open[place]).Affinity)
		if r == nil {
			x.rest = append(x.rest, int32(place))
			continue
		}
		if !slices.Contains(x.keys, r.Key) {
			x.keys = append(x.keys, r.Key)
		}
		for _, value := range r.Values {
			label := cluster.Label{Key: r.Key, Value: value}
			next, has := x.heads[label]
			if !has {
				next = -1
			}
			x.heads[label] = int32(len(x.entries))
			x.entries = append(x.entries, indexEntry{int32(place), next})
		}
	}
	slices.Reverse(x.rest)
}

// onlyLabel is what an affinity asks for, if that is one label with one of some values.
func onlyLabel(a *cluster.VolumeAffinity) *cluster.Requirement {
	if !a.Limited || len(a.Terms) != 1 {
		return nil
	}
	t := &a.Terms[0]
	if t.Fault != "" || len(t.Labels) != 1 || t.Labels[0].Op != cluster.In {
		return nil
	}
	return &t.Labels[0]
}

// first is the first of the volumes that the node reaches and that may be taken.
func (x *volumeIndex) first(c *cluster.Cluster, open []cluster.VolumeID, labels cluster.LabelSet, free func(cluster.VolumeID) bool) cluster.VolumeID {
	best := int32(len(open))
	for _, key := range x.keys {
		value, has := labels.Get(key)
		if !has {
			continue
		}
		e, found := x.heads[cluster.Label{Key: key, Value: value}]
		for found && e >= 0 && x.entries[e].place < best {
			if free(open[x.entries[e].place]) {
				best = x.entries[e].place
			}
			e = x.entries[e].next
		}
	}
	for _, place := range x.rest {
		if place >= best {
			break
		}
		if id := open[place]; c.Volumes.Volume(id).Affinity.Matches(labels, &c.Symbols) && free(id) {
			best = place
		}
	}
	if best == int32(len(open)) {
		return cluster.NoVolume
	}
	return open[best]
}
