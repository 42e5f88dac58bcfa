package cluster

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// provisionedName is the name of the volume that is provisioned for a claim.
func (c *Claim) provisionedName() string { return "pvc-" + c.UID }

// provision makes a volume for a claim, for the node selected or, if it need not wait for
// a pod, for the segment that its name chooses.
func (t *Volumes) provision(id ClaimID) {
	claim := t.Claim(id)
	class := t.provisioner(claim)
	var affinity VolumeAffinity
	if claim.Selected {
		node, _ := t.nodes.NodeByName(t.vocabulary.Text(claim.SelectedNode)) // nextOf has looked
		affinity = t.topologyOf(class.Driver, node)
	} else {
		affinity = t.segmentFor(class, claim)
	}
	v := t.AddVolume(Volume{
		Name: claim.provisionedName(), StorageClass: claim.StorageClass, Capacity: claim.Request, Modes: claim.Modes, Block: claim.Block,
		AttributesClass: claim.AttributesClass, Affinity: affinity, ReclaimPolicy: class.ReclaimPolicy,
		Driver: class.Driver, Handle: claim.provisionedName(),
	})
	t.bindClaim(id, v)
}

// provisioner is the class of a claim if volumes are made for it, else nil.
func (t *Volumes) provisioner(claim *Claim) *StorageClass {
	class := t.classes[claim.StorageClass]
	if claim.StorageClass == 0 || class == nil || !class.Provisions() {
		return nil
	}
	return class
}

// driverOn is what a CSI driver says of a node; nil where it is not.
func (t *Volumes) driverOn(n *Node, driver Symbol) *CSINodeDriver {
	csi := t.csiNodes[n.Symbol]
	if csi == nil {
		return nil
	}
	for i := range csi.Drivers {
		if csi.Drivers[i].Name == driver {
			return &csi.Drivers[i]
		}
	}
	return nil
}

// topologyOf returns from where a volume can be reached that a driver made for a node: the nodes
// whose values of the driver's topology keys are the same.
func (t *Volumes) topologyOf(driver Symbol, node NodeID) VolumeAffinity {
	n := &t.nodes.nodes[node]
	d := t.driverOn(n, driver)
	if d == nil {
		return VolumeAffinity{}
	}
	var term NodeTerm
	for _, key := range d.TopologyKeys {
		if value, has := n.Labels.Get(key); has {
			term.Labels = append(term.Labels, Requirement{Key: key, Op: In, Values: []Symbol{value}})
		}
	}
	if term.IsEmpty() {
		return VolumeAffinity{}
	}
	return VolumeAffinity{Limited: true, Terms: NodeSelector{term}}
}

// segmentFor is from where a volume can be reached that is made for a claim which waits
// for no pod. The nodes that have the driver of its class, and are within its topologies,
// fall into segments with the same values of the driver's topology keys; the name of the
// claim chooses one.
func (t *Volumes) segmentFor(class *StorageClass, claim *Claim) VolumeAffinity {
	segments := map[string]NodeID{} // a node of each
	var name []byte
	for _, id := range t.nodes.Order() {
		n := &t.nodes.nodes[id]
		d := t.driverOn(n, class.Driver)
		if d == nil || !class.Topologies.Matches(n.Labels, &t.vocabulary.Symbols) {
			continue
		}
		name = name[:0]
		for _, key := range d.TopologyKeys {
			if value, has := n.Labels.Get(key); has {
				name = append(append(name, t.vocabulary.Text(key)...), '=')
				name = append(append(name, t.vocabulary.Text(value)...), 0)
			}
		}
		if _, known := segments[string(name)]; !known {
			segments[string(name)] = id
		}
	}
	if len(segments) == 0 {
		return class.Topologies
	}
	names := slices.Sorted(maps.Keys(segments))
	return t.topologyOf(class.Driver, segments[names[provisionIndex(claim.Name)%uint32(len(names))]])
}

// provisionIndex chooses the topology segment of a claim, round robin. Claims of a StatefulSet,
// named claim-set-ordinal, have consecutive ones, the same for all claims of a pod.
//
// Upstream: getPVCNameHashAndIndexOffset of k8s.io/cloud-provider/volume/helpers/zones.go,
// v0.36.3.
func provisionIndex(claim string) uint32 {
	var ordinal uint64
	if dash := strings.LastIndexByte(claim, '-'); dash >= 0 {
		if n, err := strconv.ParseUint(claim[dash+1:], 10, 32); err == nil {
			ordinal, claim = n, claim[:dash]
			claim = claim[strings.LastIndexByte(claim, '-')+1:]
		}
	}
	h := fnv.New32()
	_, _ = h.Write([]byte(claim)) // never fails
	return h.Sum32() + uint32(ordinal)
}
