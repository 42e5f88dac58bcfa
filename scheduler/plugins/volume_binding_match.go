package plugins

import (
	"slices"
	"sort"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// volumeSearch is the search for the volumes of a pod: what is the same for all nodes, and
// what was found for the last one.
type volumeSearch struct {
	cycle   uint64 // number of the cycle in which nodes were searched last
	claims  []cluster.PodClaim
	bound   []*cluster.Claim
	unbound []unboundClaim
	order   []int // of unbound, by rising size
	chosen  []cluster.Binding
	storage []classStorage // sums of the score
}

// unboundClaim is a claim that waits for a pod.
type unboundClaim struct {
	id       cluster.ClaimID
	claim    *cluster.Claim
	selected bool // for a node already
	node     cluster.Symbol
	match    cluster.Match // unless it is selected
	index    volumeIndex   // of match.Open, where there are many
}

// prepare sorts the claims into bound and unbound ones; false where a claim is not bound
// that should be before the pod is scheduled. A claim that is made with the pod and need
// not wait for it is taken to be bound wherever the pod goes.
//
// Upstream: GetPodVolumeClaims of framework/plugins/volumebinding/binder.go, v1.36.3.
func (s *volumeSearch) prepare(c *cluster.Cluster) bool {
	s.bound, s.unbound, s.chosen = s.bound[:0], s.unbound[:0], s.chosen[:0]
	for _, pc := range s.claims {
		switch {
		case pc.Claim.IsBound():
			s.bound = append(s.bound, pc.Claim)
		case c.Volumes.WaitsForFirstConsumer(pc.Claim) && pc.Claim.VolumeName == "":
			s.unbound = slices.Grow(s.unbound, 1)[:len(s.unbound)+1]
			s.unbound[len(s.unbound)-1].set(c, pc)
		case pc.ID != cluster.NoClaim:
			return false
		}
	}
	s.sortBySize()
	return true
}

func (u *unboundClaim) set(c *cluster.Cluster, pc cluster.PodClaim) {
	u.id, u.claim = pc.ID, pc.Claim
	u.node, u.selected = c.Volumes.SelectedNode(pc.ID)
	if !u.selected {
		c.Volumes.Match(u.id, u.claim, &u.match)
		u.index.build(c, u.match.Open)
	}
}

// sortBySize orders the claims that no node is selected for. It sorts as upstream does, so
// that claims of one size come out in the same order.
func (s *volumeSearch) sortBySize() {
	s.order = s.order[:0]
	for i := range s.unbound {
		if !s.unbound[i].selected {
			s.order = append(s.order, i)
		}
	}
	sort.Sort((*bySize)(s))
}

// bySize sorts volumeSearch.order.
type bySize volumeSearch

// Len implements sort.Interface.
func (s *bySize) Len() int { return len(s.order) }

// Swap implements sort.Interface.
func (s *bySize) Swap(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] }

// Less implements sort.Interface.
func (s *bySize) Less(i, j int) bool {
	return s.unbound[s.order[i]].claim.Request < s.unbound[s.order[j]].claim.Request
}

// find looks for the volumes of the pod on one node. It returns why they cannot be had
// there, 0 when they can; then chosen are those for the unbound claims.
//
// Upstream: FindPodVolumes of framework/plugins/volumebinding/binder.go, v1.36.3.
func (s *volumeSearch) find(c *cluster.Cluster, node cluster.NodeID) uint32 {
	return s.checkBound(c, node) | s.checkUnbound(c, node)
}

func (s *volumeSearch) checkBound(c *cluster.Cluster, node cluster.NodeID) uint32 {
	for _, claim := range s.bound {
		volume, exists := c.Volumes.VolumeByName(claim.VolumeName)
		switch {
		case !exists:
			return volumeMissing
		case !reaches(c, volume, node):
			return volumeElsewhere
		}
	}
	return 0
}

// reaches reports whether a volume can be reached from a node; where the node leaves the work
// of the volume's in-tree plugin to a CSI driver, in the words of that driver.
//
// Upstream: tryTranslatePVToCSI of framework/plugins/volumebinding/binder.go, v1.36.3.
func reaches(c *cluster.Cluster, volume cluster.VolumeID, node cluster.NodeID) bool {
	v, n := c.Volumes.Volume(volume), c.Node(node)
	affinity := &v.Affinity
	if v.InTree != 0 {
		if csi := c.Volumes.CSINode(n.Symbol); csi != nil && slices.Contains(csi.Migrated, v.InTree) {
			affinity = &v.Migrated
		}
	}
	return affinity.Matches(n.Labels, &c.Symbols)
}

func (s *volumeSearch) checkUnbound(c *cluster.Cluster, node cluster.NodeID) uint32 {
	s.chosen = s.chosen[:0]
	for i := range s.unbound {
		if u := &s.unbound[i]; u.selected && u.node != c.Node(node).Symbol {
			return noVolumeToBind
		}
	}
	for _, i := range s.order {
		u := &s.unbound[i]
		s.chosen = append(s.chosen, cluster.Binding{Claim: u.id, Volume: s.choose(c, u, node)})
	}
	for i := range s.unbound {
		u := &s.unbound[i]
		if !u.selected {
			continue
		}
		s.chosen = append(s.chosen, cluster.Binding{Claim: u.id, Volume: cluster.NoVolume})
		if why := checkProvision(c, u.claim, node); why != 0 {
			return why
		}
	}
	for k, i := range s.order {
		if s.chosen[k].Volume != cluster.NoVolume {
			continue
		}
		if why := checkProvision(c, s.unbound[i].claim, node); why != 0 {
			return why
		}
	}
	return 0
}

// choose finds the smallest volume for a claim that can be reached from the node and was
// not chosen for another claim of the pod; NoVolume when there is none.
func (s *volumeSearch) choose(c *cluster.Cluster, u *unboundClaim, node cluster.NodeID) cluster.VolumeID {
	labels := c.Node(node).Labels
	taken := func(id cluster.VolumeID) bool {
		return slices.ContainsFunc(s.chosen, func(b cluster.Binding) bool { return b.Volume == id })
	}
	for _, id := range u.match.Reserved {
		switch {
		case taken(id):
		case c.Volumes.Volume(id).Affinity.Matches(labels, &c.Symbols):
			return id
		default:
			return cluster.NoVolume
		}
	}
	if len(u.match.Open) >= indexFrom {
		return u.index.first(c, u.match.Open, labels, func(id cluster.VolumeID) bool { return !taken(id) })
	}
	for _, id := range u.match.Open {
		if c.Volumes.Volume(id).Affinity.Matches(labels, &c.Symbols) && !taken(id) {
			return id
		}
	}
	return cluster.NoVolume
}

// checkProvision says why a volume cannot be made for a claim on the node, 0 when it can.
//
// Upstream: checkVolumeProvisions and hasEnoughCapacity of
// framework/plugins/volumebinding/binder.go, v1.36.3.
func checkProvision(c *cluster.Cluster, claim *cluster.Claim, node cluster.NodeID) uint32 {
	class, labels := c.Volumes.StorageClass(claim.StorageClass), c.Node(node).Labels
	if !class.Provisions() || !class.Topologies.Matches(labels, &c.Symbols) {
		return noVolumeToBind
	}
	if c.Volumes.TracksCapacity(class.Provisioner) && capacityFor(c, class, claim, labels) == nil {
		return noFreeStorage
	}
	return 0
}

// capacityFor returns the first storage capacity that is large enough for a claim on a node with these labels, or nil.
func capacityFor(c *cluster.Cluster, class *cluster.StorageClass, claim *cluster.Claim, labels cluster.LabelSet) *cluster.StorageCapacity {
	capacities := c.Volumes.StorageCapacities()
	for i := range capacities {
		s := &capacities[i]
		if s.StorageClass == class.Name && s.Known && s.Largest >= claim.Request && s.Nodes.Matches(labels, &c.Symbols) {
			return s
		}
	}
	return nil
}
