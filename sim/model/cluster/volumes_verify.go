package cluster

import (
	"fmt"
	"slices"
)

// verify recounts what is kept of volumes and claims.
func (t *Volumes) verify() error {
	names, used := map[ClaimID]int32{}, map[ClaimID]int32{}
	for id := range t.pods.table {
		p := &t.pods.table[id]
		if !p.live {
			continue
		}
		for i, pc := range t.ClaimsOf(PodID(id), p.Class, nil) {
			if want := pc.Volume.ClaimOf(p.Name); t.claims[pc.ID].key != (claimKey{p.Class.Namespace, want}) {
				return fmt.Errorf("claim %d of pod %q is %q, not %q", i, p.Name, t.ClaimName(pc.ID), want)
			}
			names[pc.ID]++
			if p.Node != None && pc.Volume.Kind == ClaimVolume {
				used[pc.ID]++
			}
		}
	}
	for key, id := range t.claimIDs {
		s := &t.claims[id]
		switch {
		case s.key != key || s.exists && (s.Namespace != key.namespace || s.Name != key.name):
			return fmt.Errorf("claim %q is found by another name", t.ClaimName(id))
		case s.pods != names[id] || s.used != used[id]:
			return fmt.Errorf("claim %q: counted %d pods that name it and %d uses, there are %d and %d",
				t.ClaimName(id), s.pods, s.used, names[id], used[id])
		case s.assumed != 0 && !t.isReserved(Binding{id, NoVolume}):
			return fmt.Errorf("claim %q is assumed to be provisioned, and no pod has asked for that", t.ClaimName(id))
		case !s.exists && s.pods == 0:
			return fmt.Errorf("no pod uses claim %q, and its name is kept", t.ClaimName(id))
		}
	}
	if n := len(t.claims) - len(t.freeClaims); n != len(t.claimIDs) {
		return fmt.Errorf("%d names of claims are kept, %d are found", n, len(t.claimIDs))
	}
	return t.verifyVolumes()
}

func (t *Volumes) verifyVolumes() error {
	live := 0
	for id := range t.volumes {
		v := &t.volumes[id]
		if !v.live {
			continue
		}
		live++
		if found, known := t.volumeIDs[v.Name]; !known || found != VolumeID(id) {
			return fmt.Errorf("volume %q is not found by its name", v.Name)
		}
		if v.assumed != NoClaim && !t.isReserved(Binding{v.assumed, VolumeID(id)}) {
			return fmt.Errorf("volume %q is assumed for claim %q, and no pod has asked for that", v.Name, t.ClaimName(v.assumed))
		}
		if v.Phase == VolumeAvailable && !t.offered(VolumeID(id)) {
			return fmt.Errorf("volume %q is available, and no claim can get it", v.Name)
		}
	}
	if live != len(t.volumeIDs) {
		return fmt.Errorf("%d volumes exist, %d are found by name", live, len(t.volumeIDs))
	}
	if err := t.verifyOffers(); err != nil {
		return err
	}
	for pod := range t.reservations {
		if p := &t.pods.table[pod]; !p.live || p.Phase != Assumed {
			return fmt.Errorf("volumes are assumed for pod %d, which is not assumed", pod)
		}
	}
	return nil
}

// verifyOffers looks for volumes among those that claims may get which have no place there.
func (t *Volumes) verifyOffers() error {
	err := t.open.verify(t, func(class Symbol, v *Volume) bool {
		_, kept := t.reservedFor(v)
		return !kept && v.StorageClass == class
	}, func(class Symbol) string { return fmt.Sprintf("of class %q", t.vocabulary.Text(class)) })
	if err != nil {
		return err
	}
	return t.reserved.verify(t, func(claim claimKey, v *Volume) bool {
		of, kept := t.reservedFor(v)
		return kept && of == claim
	}, func(claim claimKey) string {
		return fmt.Sprintf("for claim %q", t.vocabulary.Text(claim.namespace)+"/"+claim.name)
	})
}

// verify asks of each volume whether it belongs in its list, and is there once and in its
// place.
func (l *volumeLists[K]) verify(t *Volumes, belongs func(K, *Volume) bool, what func(K) string) error {
	for key, list := range l.of {
		for i, id := range list {
			v := &t.volumes[id]
			switch {
			case !v.live || !belongs(key, v):
				return fmt.Errorf("volume %q is among those %s", v.Name, what(key))
			case i > 0 && l.order(&t.volumes[list[i-1]], v) >= 0:
				return fmt.Errorf("volume %q is out of order among those %s", v.Name, what(key))
			}
		}
	}
	return nil
}

// offered reports whether a volume is among those that claims may get.
func (t *Volumes) offered(id VolumeID) bool {
	v := &t.volumes[id]
	if claim, kept := t.reservedFor(v); kept {
		return slices.Contains(t.reserved.of[claim], id)
	}
	return slices.Contains(t.open.of[v.StorageClass], id)
}

// isReserved reports whether some pod's volumes are assumed so.
func (t *Volumes) isReserved(b Binding) bool {
	for _, r := range t.reservations {
		if !r.written && slices.Contains(r.bindings, b) {
			return true
		}
	}
	return false
}
