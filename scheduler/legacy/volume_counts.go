package legacy

import (
	"crypto/sha1"
	"encoding/hex"
	"regexp"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const reasonVolumeCount = "node(s) exceed max volume count"

// VolumeCountArgs are the arguments of the rules that count disks of in-tree plugins.
type VolumeCountArgs struct {
	// Max takes the place of the default limit of each of them; 0: none is given.
	Max int64
}

// volumeKind is a kind of volume that a node can attach so many of.
type volumeKind struct {
	rule   string
	plugin string // in-tree; empty: the volumes of CSI drivers
	limit  int64
	// signal is the resource by which a node sets the limit itself; for CSI drivers what its
	// name begins with.
	signal string
}

var (
	ebsDisks    = volumeKind{"MaxEBSVolumeCount", "kubernetes.io/aws-ebs", 39, "attachable-volumes-aws-ebs"}
	gceDisks    = volumeKind{"MaxGCEPDVolumeCount", "kubernetes.io/gce-pd", 16, "attachable-volumes-gce-pd"}
	azureDisks  = volumeKind{"MaxAzureDiskVolumeCount", "kubernetes.io/azure-disk", 16, "attachable-volumes-azure-disk"}
	cinderDisks = volumeKind{"MaxCinderVolumeCount", "kubernetes.io/cinder", 256, "attachable-volumes-cinder"}
	csiVolumes  = volumeKind{rule: MaxCSIVolumeCount, signal: "attachable-volumes-csi-"}
)

// drivers are the CSI drivers that have taken over from the in-tree plugins.
var drivers = map[string]string{
	ebsDisks.plugin:    "ebs.csi.aws.com",
	gceDisks.plugin:    "pd.csi.storage.gke.io",
	azureDisks.plugin:  "disk.csi.azure.com",
	cinderDisks.plugin: "cinder.csi.openstack.org",
}

// nitro are types of instances of AWS that attach fewer disks than others.
//
// Upstream: EBSNitroLimitRegex, pkg/volume/util/attach_limit.go, v1.16.15.
var nitro = regexp.MustCompile("^[cmr]5.*|t3|z1d")

const nitroLimit = 25

// volumeCount rejects nodes that would have too many different volumes: of one in-tree plugin,
// named by the pods themselves or by way of claims; or of any CSI driver, by way of claims. A
// claim that has no volume yet counts if its storage class is the plugin's, or the driver's.
//
// Upstream: MaxPDVolumeCountChecker, pkg/scheduler/algorithm/predicates/predicates.go, and
// CSIMaxVolumeLimitChecker, csi_volume_predicate.go there, v1.16.15, with the feature gate
// CSIMigration off.
// Differs: disks are distinguished as their CSI drivers do; the type of an instance is read from
// the current label too; claims of ephemeral volumes count.
type volumeCount struct {
	volumeKind
	cluster      *cluster.Cluster
	max          int64
	driver       cluster.Symbol // that stands for the plugin
	pluginSymbol cluster.Symbol
	typeLabels   [2]cluster.Symbol
	state        scheduler.Slot[countState]
}

// attachable is a volume by its handle, or by the claim that will have it.
type attachable struct {
	driver cluster.Symbol
	handle string
	claim  cluster.ClaimID
}

type countState struct {
	wanted, attached []attachable // each once
	limits           []nodeLimit  // of their drivers
	claims           []cluster.PodClaim
}

// nodeLimit is the resource by which nodes limit a driver, known if any node has it.
type nodeLimit struct {
	driver   cluster.Symbol
	resource cluster.Resource
	known    bool
}

// countVolumes makes the factory of a rule.
func countVolumes(kind volumeKind) scheduler.Factory {
	return scheduler.WithArgs(VolumeCountArgs{}, func(h *scheduler.Handle, a VolumeCountArgs) (scheduler.Plugin, error) {
		c := h.Cluster()
		return &volumeCount{
			volumeKind: kind, cluster: c, max: a.Max, driver: c.Symbol(drivers[kind.plugin]), pluginSymbol: c.Symbol(kind.plugin),
			typeLabels: [2]cluster.Symbol{c.Symbol("beta.kubernetes.io/instance-type"), c.Symbol("node.kubernetes.io/instance-type")},
			state:      scheduler.NewSlot[countState](h),
		}, nil
	})
}

func (p *volumeCount) Name() string { return p.rule }

func (p *volumeCount) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Nominations | scheduler.Volumes | scheduler.NodeLabels | scheduler.NodeAllocatable
}

func (p *volumeCount) Checks() scheduler.Checks { return scheduler.CheckVolumes }

func (p *volumeCount) ofCSI() bool { return p.plugin == "" }

func (p *volumeCount) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.limits = s.limits[:0]
	s.wanted = p.volumes(s, c.Pod, c.Class, s.wanted[:0])
	for _, a := range s.wanted {
		if !slices.ContainsFunc(s.limits, func(l nodeLimit) bool { return l.driver == a.driver }) {
			resource, known := p.cluster.LookupResource(p.signalOf(a.driver))
			s.limits = append(s.limits, nodeLimit{a.driver, resource, known})
		}
	}
	return len(s.wanted) > 0
}

// signalOf is the name of the resource by which a node says how many volumes of a driver it
// can attach. Names that are too long end in a hash.
//
// Upstream: GetCSIAttachLimitKey, pkg/volume/util/attach_limit.go, v1.16.15.
func (p *volumeCount) signalOf(driver cluster.Symbol) string {
	const longest, kept, hashed = 63, 23, 16 // characters
	name := p.cluster.Text(driver)
	switch {
	case !p.ofCSI():
		return p.signal
	case len(p.signal)+len(name) < longest:
		return p.signal + name
	}
	hash := sha1.Sum([]byte(name))
	return p.signal + name[:kept] + hex.EncodeToString(hash[:])[:hashed]
}

// volumes appends the volumes of a pod that are not listed yet.
func (p *volumeCount) volumes(s *countState, pod cluster.PodID, class *cluster.Class, list []attachable) []attachable {
	if len(class.Volumes) == 0 {
		return list
	}
	add := func(a attachable) {
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	for i := range class.Volumes {
		if v := &class.Volumes[i]; !p.ofCSI() && !v.HasClaim() && v.Driver == p.driver {
			add(attachable{v.Driver, v.Handle, cluster.NoClaim})
		}
	}
	s.claims = p.cluster.Volumes.ClaimsOf(pod, class, s.claims[:0])
	for i := range s.claims {
		if a, counts := p.ofClaim(&s.claims[i]); counts {
			add(a)
		}
	}
	return list
}

func (p *volumeCount) ofClaim(pc *cluster.PodClaim) (attachable, bool) {
	if pc.Claim == nil {
		return attachable{}, false
	}
	if volume, exists := p.cluster.Volumes.VolumeByName(pc.Claim.VolumeName); exists {
		v := p.cluster.Volumes.Volume(volume)
		return attachable{v.Driver, v.Handle, cluster.NoClaim}, v.Driver != 0 && v.InTree == p.pluginSymbol
	}
	class := p.cluster.Volumes.StorageClass(pc.Claim.StorageClass)
	if pc.Claim.StorageClass == 0 || class == nil || class.Driver == 0 {
		return attachable{}, false
	}
	counts := class.Provisioner == p.plugin || p.ofCSI() && class.Provisioner == p.cluster.Text(class.Driver)
	if pc.ID == cluster.NoClaim { // one that is made with the pod
		return attachable{class.Driver, pc.Volume.Name, pc.ID}, counts
	}
	return attachable{class.Driver, "", pc.ID}, counts
}

func (p *volumeCount) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	counted := false
	for i := range s.limits {
		limit, limited := p.limitOf(node, &s.limits[i])
		if !limited {
			continue
		}
		if !counted {
			counted = true
			s.attached = s.attached[:0]
			for _, pod := range p.cluster.PodsOn(node) {
				s.attached = p.volumes(s, pod, p.cluster.Pod(pod).Class, s.attached)
			}
		}
		attached, fresh := s.count(s.limits[i].driver)
		// A node that has too many already can attach what it has, except for the in-tree plugins.
		if attached+fresh > limit && (fresh > 0 || !p.ofCSI()) {
			return scheduler.NewRejection(scheduler.Unschedulable, 0)
		}
	}
	return scheduler.Fits
}

// count is how many volumes of a driver a node has, and how many the pod would add.
func (s *countState) count(driver cluster.Symbol) (attached, fresh int64) {
	for i := range s.attached {
		if s.attached[i].driver == driver {
			attached++
		}
	}
	for i := range s.wanted {
		if s.wanted[i].driver == driver && !slices.Contains(s.attached, s.wanted[i]) {
			fresh++
		}
	}
	return attached, fresh
}

// limitOf is how many volumes of a driver a node may have: what its CSINode says of a CSI
// driver; else what the node says itself, else, for disks of a plugin, what the arguments
// say, else the default.
func (p *volumeCount) limitOf(node cluster.NodeID, of *nodeLimit) (int64, bool) {
	n := p.cluster.Node(node)
	if csi := p.cluster.Volumes.CSINode(n.Symbol); csi != nil && p.ofCSI() {
		if limit, limited := csi.Limit(of.driver); limited {
			return limit, true
		}
	}
	if of.known {
		for _, q := range n.Allocatable {
			if q.Resource == of.resource {
				return q.Amount, true
			}
		}
		if slices.Contains(n.ZeroAttachLimits, of.resource) {
			return 0, true
		}
	}
	switch {
	case p.ofCSI():
		return 0, false
	case p.max > 0:
		return p.max, true
	case p.rule == ebsDisks.rule && p.isNitro(n.Labels):
		return nitroLimit, true
	}
	return p.limit, true
}

func (p *volumeCount) isNitro(labels cluster.LabelSet) bool {
	for _, key := range p.typeLabels {
		if of, has := labels.Get(key); has {
			return nitro.MatchString(p.cluster.Text(of))
		}
	}
	return false
}

func (p *volumeCount) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonVolumeCount}
}

// QueueingHint leaves out what cannot lower the count or lift the limit.
func (p *volumeCount) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	switch e.Kind {
	case scheduler.PodFreed, scheduler.NominationLost:
		return len(e.Class.Volumes) > 0
	case scheduler.ClaimAdded, scheduler.ClaimChanged:
		return p.cluster.Volumes.NamesClaim(pod, e.Claim, false)
	case scheduler.VolumeAdded, scheduler.VolumeChanged:
		return false
	}
	return true
}
