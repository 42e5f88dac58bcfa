package plugins

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// defaultStorageShape scores a node the higher, the less of its storage the claims of the pod would use.
//
// Upstream: SetDefaults_VolumeBindingArgs in pkg/scheduler/apis/config/v1/defaults.go, v1.37.2.
var defaultStorageShape = []ShapePoint{{0, maxShapeScore}, {100, 0}}

// classStorage is what the claims of a pod request of one storage class, and what a node has for them.
type classStorage struct {
	class               cluster.Symbol
	requested, capacity int64
}

// PreScore skips the score unless it follows free storage.
//
// Upstream: PreScore of framework/plugins/volumebinding/volume_binding.go, v1.37.2, and v1.36.3 with the feature gate
// StorageCapacityScoring.
func (p *volumeBinding) PreScore(*scheduler.Cycle) scheduler.Status {
	if len(p.shape) == 0 {
		return scheduler.Status{Code: scheduler.Skip}
	}
	return scheduler.Status{}
}

// PrepareScore: without claims that wait for the pod, and where Filter is disabled, every node scores 0.
func (p *volumeBinding) PrepareScore(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	return s.cycle != c.Number || len(s.unbound) == 0
}

// Score goes by the free storage of the node: the mean of what the shape gives for each storage class.
//
// Upstream: Score of framework/plugins/volumebinding/volume_binding.go and buildScorerFunction of its scorer.go, v1.37.2.
// Differs: of several CSIStorageCapacities that will do the first as given counts, upstream any; one without a capacity
// counts as one of capacity 0, upstream fails.
func (p *volumeBinding) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	s := p.state.In(c)
	if len(p.shape) == 0 || s.cycle != c.Number || len(s.unbound) == 0 {
		return 0
	}
	s.find(p.cluster, node)
	s.storage = s.storage[:0]
	if !s.existing(p.cluster) {
		s.provisioned(p.cluster, node)
	}
	if len(s.storage) == 0 {
		return 0
	}
	var sum int64
	for i := range s.storage {
		sum += Interpolate(p.shape, s.storage[i].utilization())
	}
	n := int64(len(s.storage))
	return (2*sum + n) / (2 * n) // rounded half up
}

// utilization is the share of the capacity that is requested, in percent. What exceeds the capacity counts as all of it.
func (s *classStorage) utilization() int64 {
	if s.capacity == 0 || s.requested > s.capacity {
		return 100
	}
	return s.requested * 100 / s.capacity
}

// existing adds up the volumes that were chosen for claims by storage class, and reports whether there are any.
func (s *volumeSearch) existing(c *cluster.Cluster) bool {
	some := false
	for k, i := range s.order { // they come first in chosen
		if s.chosen[k].Volume == cluster.NoVolume {
			continue
		}
		v := c.Volumes.Volume(s.chosen[k].Volume)
		of := s.storageOf(v.StorageClass)
		of.requested += s.unbound[i].claim.Request
		of.capacity += v.Capacity
		some = true
	}
	return some
}

// provisioned adds up the claims that volumes are to be made for. The capacity of a class is that for its last claim.
func (s *volumeSearch) provisioned(c *cluster.Cluster, node cluster.NodeID) {
	labels := c.Node(node).Labels
	add := func(claim *cluster.Claim) {
		class := c.Volumes.StorageClass(claim.StorageClass)
		if !c.Volumes.TracksCapacity(class.Provisioner) {
			return
		}
		if from := capacityFor(c, class, claim, labels); from != nil {
			of := s.storageOf(claim.StorageClass)
			of.requested += claim.Request
			of.capacity = from.Capacity
		}
	}
	for i := range s.unbound {
		if s.unbound[i].selected {
			add(s.unbound[i].claim)
		}
	}
	for _, i := range s.order {
		add(s.unbound[i].claim)
	}
}

// storageOf returns the sums of a storage class. They are valid until the next call.
func (s *volumeSearch) storageOf(class cluster.Symbol) *classStorage {
	for i := range s.storage {
		if s.storage[i].class == class {
			return &s.storage[i]
		}
	}
	s.storage = append(s.storage, classStorage{class: class})
	return &s.storage[len(s.storage)-1]
}
