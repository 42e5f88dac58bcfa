package legacy

import (
	"regexp"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

const reasonVolumeCount = "node(s) exceed max volume count"

// VolumeCountArgs are the arguments of the rules that count disks.
type VolumeCountArgs struct {
	// Max takes the place of the default limit of each of them; 0: none is given.
	Max int64
}

// diskKind is a kind of disk that a node can attach so many of.
type diskKind struct {
	rule   string
	plugin string // in-tree
	driver string // that stands for the plugin today
	limit  int64
	// signal is the resource by which a node sets the limit itself.
	signal string
}

// nitro are types of instances of AWS that attach fewer disks than others.
//
// Upstream: EBSNitroLimitRegex, pkg/volume/util/attach_limit.go, v1.16.15.
var nitro = regexp.MustCompile("^[cmr]5.*|t3|z1d")

const nitroLimit = 25

var (
	ebsDisks    = diskKind{"MaxEBSVolumeCount", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", 39, "attachable-volumes-aws-ebs"}
	gceDisks    = diskKind{"MaxGCEPDVolumeCount", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", 16, "attachable-volumes-gce-pd"}
	azureDisks  = diskKind{"MaxAzureDiskVolumeCount", "kubernetes.io/azure-disk", "disk.csi.azure.com", 16, "attachable-volumes-azure-disk"}
	cinderDisks = diskKind{"MaxCinderVolumeCount", "kubernetes.io/cinder", "cinder.csi.openstack.org", 256, "attachable-volumes-cinder"}
)

// maxVolumeCount rejects nodes that would have too many different disks of one in-tree
// plugin, named by the pods themselves or by way of claims. A claim that has no volume yet
// counts if its storage class is the plugin's.
//
// Upstream: MaxPDVolumeCountChecker, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15,
// with the feature gate CSIMigration off.
// Differs: disks are told apart as their CSI drivers do.
type maxVolumeCount struct {
	diskKind
	cluster   *cluster.Cluster
	max       int64
	driverSym cluster.Sym
	pluginSym cluster.Sym
	typeLabel cluster.Sym
	state     scheduler.Slot[countState]
}

// disk is a disk by its handle, or by the claim that will have it.
type disk struct {
	handle string
	claim  cluster.ClaimID
}

type countState struct {
	wanted, attached []disk // each once
	claims           []cluster.PodClaim
}

// countDisks makes the factory of a rule.
func countDisks(kind diskKind) scheduler.Factory {
	return func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		a, _ := args.(VolumeCountArgs)
		c := h.Cluster()
		return &maxVolumeCount{
			diskKind: kind, cluster: c, max: a.Max, driverSym: c.Sym(kind.driver),
			pluginSym: c.Sym(kind.plugin), typeLabel: c.Sym("beta.kubernetes.io/instance-type"), state: scheduler.NewSlot[countState](h),
		}, nil
	}
}

func (p *maxVolumeCount) Name() string { return p.rule }

func (p *maxVolumeCount) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Volumes | scheduler.NodeLabels | scheduler.NodeAllocatable
}

func (p *maxVolumeCount) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.wanted = p.disks(s, c.Pod, c.Class, s.wanted[:0])
	return len(s.wanted) > 0
}

// disks appends the disks of a pod that are not listed yet.
func (p *maxVolumeCount) disks(s *countState, pod cluster.PodID, class *cluster.Class, list []disk) []disk {
	if len(class.Volumes) == 0 {
		return list
	}
	add := func(d disk) {
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	for i := range class.Volumes {
		if v := &class.Volumes[i]; !v.HasClaim() && v.Driver == p.driverSym {
			add(disk{v.Handle, cluster.NoClaim})
		}
	}
	s.claims = p.cluster.ClaimsOf(pod, class, s.claims[:0])
	for i := range s.claims {
		if d, counts := p.ofClaim(&s.claims[i]); counts {
			add(d)
		}
	}
	return list
}

func (p *maxVolumeCount) ofClaim(pc *cluster.PodClaim) (disk, bool) {
	if pc.Claim == nil {
		return disk{}, false
	}
	if volume, exists := p.cluster.VolumeByName(pc.Claim.VolumeName); exists {
		v := p.cluster.Volume(volume)
		return disk{v.Handle, cluster.NoClaim}, v.InTree == p.pluginSym
	}
	class := p.cluster.StorageClass(pc.Claim.Class)
	if pc.Claim.Class == 0 || class == nil || class.Provisioner != p.plugin {
		return disk{}, false
	}
	if pc.ID == cluster.NoClaim { // one that is made with the pod
		return disk{pc.Volume.Name, pc.ID}, true
	}
	return disk{"", pc.ID}, true
}

func (p *maxVolumeCount) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	s.attached = s.attached[:0]
	for _, pod := range p.cluster.PodsOn(node) {
		s.attached = p.disks(s, pod, p.cluster.Pod(pod).Class, s.attached)
	}
	total := int64(len(s.attached))
	for _, d := range s.wanted {
		if !slices.Contains(s.attached, d) {
			total++
		}
	}
	if total > p.limitOf(node) {
		return scheduler.Reject(scheduler.Unschedulable, 0)
	}
	return scheduler.Fits
}

// limitOf is how many disks a node may have: what it says itself, else what the arguments
// say, else the default.
func (p *maxVolumeCount) limitOf(node cluster.NodeID) int64 {
	n := p.cluster.Node(node)
	if signal, known := p.cluster.LookupResource(p.signal); known {
		for _, q := range n.Allocatable {
			if q.Resource == signal {
				return q.Amount
			}
		}
	}
	if p.max > 0 {
		return p.max
	}
	if of, has := n.Labels.Get(p.typeLabel); has && p.rule == ebsDisks.rule && nitro.MatchString(p.cluster.Text(of)) {
		return nitroLimit
	}
	return p.limit
}

func (p *maxVolumeCount) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonVolumeCount}
}
