package cluster

import (
	"reflect"
	"slices"
)

// AddStorageClass adds a storage class, or replaces the one of its name.
func (t *Volumes) AddStorageClass(s StorageClass) { set(t.journal, t.classes, s.Name, &s) }

// StorageClass returns the storage class of a name, or nil.
func (t *Volumes) StorageClass(name Symbol) *StorageClass { return t.classes[name] }

// AddCSINode adds a CSINode, or replaces that of its node.
func (t *Volumes) AddCSINode(n CSINode) {
	if before := t.csiNodes[n.Node]; before == nil || !reflect.DeepEqual(*before, n) {
		t.noteChange(n.Node)
	}
	set(t.journal, t.csiNodes, n.Node, &n)
}

// CSINode returns the CSINode of the node of that name, or nil.
func (t *Volumes) CSINode(node Symbol) *CSINode { return t.csiNodes[node] }

// AddCSIDriver adds a CSIDriver, or replaces the one of its name.
func (t *Volumes) AddCSIDriver(d CSIDriver) { set(t.journal, t.drivers, d.Name, d) }

// CSIDriver returns the CSIDriver of a name, and false if there is none.
func (t *Volumes) CSIDriver(name Symbol) (CSIDriver, bool) {
	d, exists := t.drivers[name]
	return d, exists
}

// TracksCapacity reports whether volumes of a provisioner need enough storage capacity.
func (t *Volumes) TracksCapacity(provisioner string) bool {
	driver, known := t.vocabulary.Lookup(provisioner)
	return known && t.drivers[driver].TracksCapacity
}

// AddStorageCapacity adds a CSIStorageCapacity.
func (t *Volumes) AddStorageCapacity(s StorageCapacity) {
	t.capacities = append(t.capacities, s)
	if t.journal.isOpen() {
		t.journal.note(func() { t.capacities = t.capacities[:len(t.capacities)-1] })
	}
}

// StorageCapacities returns all CSIStorageCapacities. Callers read them only.
func (t *Volumes) StorageCapacities() []StorageCapacity { return t.capacities }

// AddAttachment adds a VolumeAttachment.
func (t *Volumes) AddAttachment(a Attachment) {
	t.noteChange(a.Node)
	set(t.journal, t.attachments, a.Node, append(slices.Clip(t.attachments[a.Node]), a))
}

// noteChange notes a change of the volumes of the node of that name, if it exists.
func (t *Volumes) noteChange(node Symbol) {
	if id, exists := t.nodes.NodeByName(t.vocabulary.Text(node)); exists {
		t.nodes.changed(id, VolumesChanged)
	}
}

// AttachmentsTo returns the VolumeAttachments of the node of that name. Callers read them only.
func (t *Volumes) AttachmentsTo(node Symbol) []Attachment { return t.attachments[node] }
