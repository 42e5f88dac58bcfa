package cluster

import (
	"fmt"
	"strconv"
	"strings"
)

// claimKey is the name of a claim.
type claimKey struct {
	namespace Symbol
	name      string
}

// claimSlot is what there is under the name of a claim.
type claimSlot struct {
	Claim
	key     claimKey
	exists  bool
	assumed Symbol // the node that the scheduler has chosen to provision it for; 0: none
	pods    int32  // pods that name the claim
	used    int32  // volumes by which pods that have a node name it, other than as their own
}

// generatedUID begins the UIDs that are made here; a number follows.
const generatedUID = "berth-"

// Volumes holds persistent volumes, their claims, classes and attachments.
type Volumes struct {
	vocabulary *Vocabulary `hash:"part"`
	nodes      *NodeTable  `hash:"part"`
	pods       *PodTable   `hash:"part"`
	journal    *journal    `hash:"part"`

	volumes      []Volume
	volumeIDs    map[string]VolumeID
	freeVolumes  []VolumeID
	open         volumeLists[Symbol]   // by class: those that any claim may get, by size and then name
	reserved     volumeLists[claimKey] // by claim: those that it alone may get, by name
	claims       []claimSlot
	claimIDs     map[claimKey]ClaimID
	freeClaims   []ClaimID
	classes      map[Symbol]*StorageClass
	csiNodes     map[Symbol]*CSINode
	drivers      map[Symbol]CSIDriver
	capacities   []StorageCapacity
	attachments  map[Symbol][]Attachment // by name of node
	reservations map[PodID]*reservation
	nextUID      int64 // the number of the next UID that is made
}

func newVolumes(c *Cluster) Volumes {
	return Volumes{
		vocabulary: c.Vocabulary, nodes: &c.NodeTable, pods: &c.PodTable, journal: &c.journal,
		volumeIDs: map[string]VolumeID{}, claimIDs: map[claimKey]ClaimID{},
		open:     volumeLists[Symbol]{map[Symbol][]VolumeID{}, bySizeAndName},
		reserved: volumeLists[claimKey]{map[claimKey][]VolumeID{}, byName},
		classes:  map[Symbol]*StorageClass{}, csiNodes: map[Symbol]*CSINode{}, drivers: map[Symbol]CSIDriver{},
		attachments: map[Symbol][]Attachment{}, reservations: map[PodID]*reservation{},
	}
}

// AddVolume adds a persistent volume. Its name must be new.
func (t *Volumes) AddVolume(v Volume) VolumeID {
	if _, exists := t.volumeIDs[v.Name]; exists {
		panic(fmt.Sprintf("cluster: there is a volume %q already", v.Name))
	}
	v.assumed, v.live = NoClaim, true
	id := t.newVolumeID()
	t.volumes[id] = v
	t.volumeIDs[v.Name] = id
	t.offer(id)
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.withdraw(id)
			delete(t.volumeIDs, v.Name)
			t.volumes[id] = Volume{assumed: NoClaim}
		})
	}
	return id
}

func (t *Volumes) newVolumeID() VolumeID {
	if n := len(t.freeVolumes); n > 0 {
		id := t.freeVolumes[n-1]
		t.freeVolumes = t.freeVolumes[:n-1]
		if t.journal.isOpen() {
			t.journal.note(func() { t.freeVolumes = append(t.freeVolumes, id) })
		}
		return id
	}
	t.volumes = append(t.volumes, Volume{})
	if t.journal.isOpen() {
		t.journal.note(func() { t.volumes = t.volumes[:len(t.volumes)-1] })
	}
	return VolumeID(len(t.volumes) - 1)
}

// RemoveVolume deletes a persistent volume.
func (t *Volumes) RemoveVolume(id VolumeID) {
	t.keepVolume(id)
	name := t.volumes[id].Name
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.volumeIDs[name] = id
			t.freeVolumes = t.freeVolumes[:len(t.freeVolumes)-1]
		})
	}
	t.withdraw(id)
	delete(t.volumeIDs, name)
	t.volumes[id] = Volume{assumed: NoClaim}
	t.freeVolumes = append(t.freeVolumes, id)
}

// Volume returns the persistent volume of an id. Callers read it only.
func (t *Volumes) Volume(id VolumeID) *Volume { return &t.volumes[id] }

// VolumeByName finds a persistent volume.
func (t *Volumes) VolumeByName(name string) (VolumeID, bool) {
	id, ok := t.volumeIDs[name]
	return id, ok
}

// EachVolume calls f with every persistent volume, in the order of their ids.
func (t *Volumes) EachVolume(f func(VolumeID)) {
	for id := range t.volumes {
		if t.volumes[id].live {
			f(VolumeID(id))
		}
	}
}

// AddClaim adds a claim; one without a UID gets one that no claim had before it. There
// must be none of its name.
func (t *Volumes) AddClaim(claim Claim) ClaimID {
	id := t.claimID(claimKey{claim.Namespace, claim.Name})
	s := &t.claims[id]
	if s.exists {
		panic(fmt.Sprintf("cluster: there is a claim %q already", t.ClaimName(id)))
	}
	t.keepClaim(id)
	uid := t.nextUID
	if t.journal.isOpen() {
		t.journal.note(func() { t.nextUID = uid })
	}
	if number, isLikeMade := strings.CutPrefix(claim.UID, generatedUID); isLikeMade {
		if n, err := strconv.ParseUint(number, 10, 62); err == nil {
			t.nextUID = max(t.nextUID, int64(n)+1)
		}
	}
	for taken := claim.UID == ""; taken; t.nextUID++ {
		claim.UID = fmt.Sprint(generatedUID, t.nextUID)
		_, taken = t.VolumeByName("pvc-" + claim.UID)
	}
	s.Claim, s.exists = claim, true
	return id
}

// claimID is the id of the name of a claim, a new one if the name is not in use.
func (t *Volumes) claimID(key claimKey) ClaimID {
	if id, known := t.claimIDs[key]; known {
		return id
	}
	id := t.newClaimID()
	t.claims[id] = claimSlot{key: key}
	t.claimIDs[key] = id
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.claims[id] = claimSlot{}
			delete(t.claimIDs, key)
		})
	}
	return id
}

func (t *Volumes) newClaimID() ClaimID {
	if n := len(t.freeClaims); n > 0 {
		id := t.freeClaims[n-1]
		t.freeClaims = t.freeClaims[:n-1]
		if t.journal.isOpen() {
			t.journal.note(func() { t.freeClaims = append(t.freeClaims, id) })
		}
		return id
	}
	t.claims = append(t.claims, claimSlot{})
	if t.journal.isOpen() {
		t.journal.note(func() { t.claims = t.claims[:len(t.claims)-1] })
	}
	return ClaimID(len(t.claims) - 1)
}

// releaseName gives the id of a name free when the name is no longer in use.
func (t *Volumes) releaseName(id ClaimID) {
	if s := &t.claims[id]; !s.exists && s.pods == 0 {
		before := *s
		if t.journal.isOpen() {
			t.journal.note(func() {
				t.claims[id], t.claimIDs[before.key] = before, id
				t.freeClaims = t.freeClaims[:len(t.freeClaims)-1]
			})
		}
		delete(t.claimIDs, s.key)
		*s = claimSlot{}
		t.freeClaims = append(t.freeClaims, id)
	}
}

// Claim returns the claim of an id, nil if no claim of its name exists. Callers read it only.
func (t *Volumes) Claim(id ClaimID) *Claim {
	if id == NoClaim || !t.claims[id].exists {
		return nil
	}
	return &t.claims[id].Claim
}

// ClaimByName finds the id of the name of a claim; NoClaim if it is not in use.
func (t *Volumes) ClaimByName(namespace Symbol, name string) ClaimID {
	if id, known := t.claimIDs[claimKey{namespace, name}]; known {
		return id
	}
	return NoClaim
}

// ClaimName returns namespace/name.
func (t *Volumes) ClaimName(id ClaimID) string {
	key := t.claims[id].key
	return t.vocabulary.Text(key.namespace) + "/" + key.name
}

// EachClaim calls f with every claim, in the order of their ids.
func (t *Volumes) EachClaim(f func(ClaimID)) {
	for id := range t.claims {
		if t.claims[id].exists {
			f(ClaimID(id))
		}
	}
}
