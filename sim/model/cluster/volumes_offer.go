package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// volumeLists are volumes that claims may get, by what they are looked for, each list in
// one order.
type volumeLists[K comparable] struct {
	of    map[K][]VolumeID
	order func(a, b *Volume) int `hash:"part"` // never 0 for two volumes
}

// bySizeAndName is the order in which a claim takes one of several volumes.
func bySizeAndName(a, b *Volume) int {
	return cmp.Or(cmp.Compare(a.Capacity, b.Capacity), strings.Compare(a.Name, b.Name))
}

func byName(a, b *Volume) int { return strings.Compare(a.Name, b.Name) }

// place is where a volume is in the list of a key, or would be.
func (l *volumeLists[K]) place(t *Volumes, key K, v *Volume) (int, bool) {
	return slices.BinarySearchFunc(l.of[key], v, func(id VolumeID, v *Volume) int { return l.order(&t.volumes[id], v) })
}

func (l *volumeLists[K]) add(t *Volumes, key K, id VolumeID) {
	if i, listed := l.place(t, key, &t.volumes[id]); !listed {
		l.of[key] = slices.Insert(l.of[key], i, id)
	}
}

// drop undoes add; false where there was nothing to undo.
func (l *volumeLists[K]) drop(t *Volumes, key K, id VolumeID) bool {
	i, listed := l.place(t, key, &t.volumes[id])
	switch {
	case !listed:
	case len(l.of[key]) == 1:
		delete(l.of, key)
	default:
		l.of[key] = slices.Delete(l.of[key], i, i+1)
	}
	return listed
}

// reservedFor returns the name of the claim that a volume is reserved for; false where any claim
// may get it.
func (t *Volumes) reservedFor(v *Volume) (claimKey, bool) {
	if v.assumed != NoClaim {
		return t.claims[v.assumed].key, true
	}
	return claimKey{v.Claim.Namespace, v.Claim.Name}, v.Claim.Given
}

// offer puts a volume among those that a claim may get.
func (t *Volumes) offer(id VolumeID) {
	v := &t.volumes[id]
	if claim, kept := t.reservedFor(v); kept {
		t.reserved.add(t, claim, id)
		return
	}
	t.open.add(t, v.StorageClass, id)
}

// withdraw undoes offer; false where there was nothing to undo.
func (t *Volumes) withdraw(id VolumeID) bool {
	v := &t.volumes[id]
	if claim, kept := t.reservedFor(v); kept {
		return t.reserved.drop(t, claim, id)
	}
	return t.open.drop(t, v.StorageClass, id)
}

// alter changes for which claim a volume is.
func (t *Volumes) alter(id VolumeID, change func(*Volume)) {
	t.keepVolume(id)
	offered := t.withdraw(id)
	change(&t.volumes[id])
	if offered {
		t.offer(id)
	}
}

// reservedVolumes returns the volumes that are reserved for claims of the name of this one, by name.
func (t *Volumes) reservedVolumes(claim *Claim) []VolumeID {
	return t.reserved.of[claimKey{claim.Namespace, claim.Name}]
}

// openVolumes are the volumes of the class of a claim that any claim may get and that are
// large enough for this one, by size and then name.
func (t *Volumes) openVolumes(claim *Claim) []VolumeID {
	open := t.open.of[claim.StorageClass]
	from, _ := slices.BinarySearchFunc(open, claim.Request, func(id VolumeID, size int64) int {
		if t.volumes[id].Capacity < size {
			return -1
		}
		return 1
	})
	return open[from:]
}
