package plugins

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

const reasonVolumeCount = "node(s) exceed max volume count"

// The details of verdicts; from detailNoDriver on it is the place of the volume whose driver is absent.
const (
	detailTooManyVolumes = iota
	detailNoClaim
	detailNoDriver
)

// nodeVolumeLimits rejects nodes that cannot attach all volumes of the pod beside those
// that they have: CSI drivers say in the CSINode how many each of them can. Disks of
// in-tree plugins count for the driver that has taken them over. A driver that pods need on their node, but that the node
// lacks, rejects it.
//
// Upstream: framework/plugins/nodevolumelimits/csi.go, v1.36.3 and v1.37.2; v1.35.4 for drivers that all pods need.
// Differs: of several absent drivers that of the first volume is named, upstream any; a claim that another pod owns is ignored where upstream fails (with
// VolumeBinding the pod does not come so far); a new node comes with its CSINode.
type nodeVolumeLimits struct {
	cluster *cluster.Cluster
	missing release.MissingDriver
	state   scheduler.Slot[limitsState]
}

// attachable is a volume as its driver knows it. The volume of a claim that has none yet
// is known by the claim.
type attachable struct {
	driver cluster.Symbol
	handle string
	claim  cluster.ClaimID
}

type limitsState struct {
	missing  string       // message about a claim that does not exist
	wanted   []attachable // of the pod
	required []int        // places of those whose driver must be on the node
	claims   []cluster.PodClaim
	attached map[attachable]bool // on the node
}

func newNodeVolumeLimits(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &nodeVolumeLimits{h.Cluster(), h.Rules().MissingDriver, scheduler.NewSlot[limitsState](h)}, nil
}

func (p *nodeVolumeLimits) Name() string { return "NodeVolumeLimits" }

func (p *nodeVolumeLimits) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Nominations | scheduler.Volumes
}

func (p *nodeVolumeLimits) Checks() scheduler.Checks { return scheduler.CheckVolumes }

func (p *nodeVolumeLimits) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	return scheduler.PreFilterResult{Skip: !mayAttach(c.Class)}
}

// mayAttach reports whether a pod of the class has volumes of the kinds that are counted.
func mayAttach(class *cluster.Class) bool {
	for i := range class.Volumes {
		if v := &class.Volumes[i]; v.HasClaim() || v.Migrated() {
			return true
		}
	}
	return false
}

func (p *nodeVolumeLimits) PrepareFilter(c *scheduler.Cycle) bool {
	s := p.state.In(c)
	s.wanted, s.missing = s.wanted[:0], ""
	s.claims = p.cluster.Volumes.ClaimsOf(c.Pod, c.Class, s.claims[:0])
	for _, pc := range s.claims {
		if pc.Claim == nil && s.missing == "" {
			name := pc.Volume.Name
			if c.Pod != cluster.NoPod {
				name = pc.Volume.ClaimOf(p.cluster.Pod(c.Pod).Name)
			}
			s.missing = fmt.Sprintf("looking up PVC %s/%s: %s", p.cluster.Text(c.Class.Namespace), name, claimNotFound(name))
		}
	}
	p.each(c.Pod, c.Class, s.claims, func(a attachable) { s.wanted = append(s.wanted, a) })
	p.require(s)
	if s.attached == nil {
		s.attached = map[attachable]bool{}
	}
	return s.missing != "" || len(s.wanted) > 0
}

// require notes which drivers must be on the node.
//
// Upstream: checkCSIDriverOnNode, v1.37.2; v1.35.4 does not ask the CSIDriver.
func (p *nodeVolumeLimits) require(s *limitsState) {
	s.required = s.required[:0]
	if p.missing == release.MissingDriverPasses {
		return
	}
	for i := range s.wanted {
		driver, exists := p.cluster.Volumes.CSIDriver(s.wanted[i].driver)
		if exists && (driver.RequiredOnNodes || p.missing == release.MissingDriverRejects) {
			s.required = append(s.required, i)
		}
	}
}

// each calls f for every volume that is counted.
func (p *nodeVolumeLimits) each(pod cluster.PodID, class *cluster.Class, claims []cluster.PodClaim, f func(attachable)) {
	for i := range class.Volumes {
		if v := &class.Volumes[i]; v.Driver != 0 {
			f(attachable{v.Driver, v.Handle, cluster.NoClaim})
		}
	}
	for i := range claims {
		if a, counted := p.ofClaim(pod, &claims[i]); counted {
			f(a)
		}
	}
}

func (p *nodeVolumeLimits) ofClaim(pod cluster.PodID, pc *cluster.PodClaim) (attachable, bool) {
	if pc.Claim == nil || pc.Volume.Kind == cluster.EphemeralVolume && !p.cluster.Volumes.IsForPod(pc.Claim, pod) {
		return attachable{}, false
	}
	if volume, exists := p.cluster.Volumes.VolumeByName(pc.Claim.VolumeName); exists {
		v := p.cluster.Volumes.Volume(volume)
		return attachable{v.Driver, v.Handle, cluster.NoClaim}, v.Driver != 0
	}
	class := p.cluster.Volumes.StorageClass(pc.Claim.StorageClass)
	if pc.Claim.StorageClass == 0 || class == nil || class.Driver == 0 {
		return attachable{}, false
	}
	if pc.ID == cluster.NoClaim { // one that is made with the pod
		return attachable{class.Driver, pc.Volume.Name, pc.ID}, true
	}
	return attachable{class.Driver, "", pc.ID}, true
}

func (p *nodeVolumeLimits) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	if s.missing != "" {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, detailNoClaim)
	}
	csi := p.cluster.Volumes.CSINode(p.cluster.Node(node).Symbol)
	for _, i := range s.required {
		if csi == nil || !csi.HasDriver(s.wanted[i].driver) {
			return scheduler.NewRejection(scheduler.Unschedulable, detailNoDriver+uint32(i))
		}
	}
	if csi == nil || !limits(csi, s.wanted) {
		return scheduler.Fits
	}
	p.count(s, node)
	for i := range s.wanted {
		limit, limited := csi.Limit(s.wanted[i].driver)
		if fresh := fresh(s, s.wanted[i].driver); limited && fresh > 0 && p.taken(s, node, s.wanted[i].driver)+fresh > limit {
			return scheduler.NewRejection(scheduler.Unschedulable, detailTooManyVolumes)
		}
	}
	return scheduler.Fits
}

func limits(csi *cluster.CSINode, wanted []attachable) bool {
	for i := range wanted {
		if _, limited := csi.Limit(wanted[i].driver); limited {
			return true
		}
	}
	return false
}

// count notes the volumes of the pods on a node.
func (p *nodeVolumeLimits) count(s *limitsState, node cluster.NodeID) {
	clear(s.attached)
	for _, pod := range p.cluster.PodsOn(node) {
		class := p.cluster.Pod(pod).Class
		if len(class.Volumes) == 0 {
			continue
		}
		s.claims = p.cluster.Volumes.ClaimsOf(pod, class, s.claims[:0])
		p.each(pod, class, s.claims, func(a attachable) { s.attached[a] = true })
	}
}

// fresh is how many volumes of a driver the pod would add to the node.
func fresh(s *limitsState, driver cluster.Symbol) int64 {
	var n int64
	for i, a := range s.wanted {
		if a.driver == driver && !s.attached[a] && !contains(s.wanted[:i], a) {
			n++
		}
	}
	return n
}

func contains(list []attachable, a attachable) bool {
	for i := range list {
		if list[i] == a {
			return true
		}
	}
	return false
}

// taken is how many volumes of a driver the node has: those of its pods, and those that are
// attached to it beside.
func (p *nodeVolumeLimits) taken(s *limitsState, node cluster.NodeID, driver cluster.Symbol) int64 {
	var n int64
	for a := range s.attached {
		if a.driver == driver {
			n++
		}
	}
	attachments := p.cluster.Volumes.AttachmentsTo(p.cluster.Node(node).Symbol)
	for i := range attachments {
		a, counted := p.attachment(&attachments[i])
		if !counted || a.driver != driver || s.attached[a] {
			continue
		}
		first := true
		for j := range attachments[:i] {
			if b, _ := p.attachment(&attachments[j]); b == a {
				first = false
			}
		}
		if first {
			n++
		}
	}
	return n
}

// attachment is the volume of a VolumeAttachment, if it is one of a CSI driver.
func (p *nodeVolumeLimits) attachment(a *cluster.Attachment) (attachable, bool) {
	volume, exists := p.cluster.Volumes.VolumeByName(a.Volume)
	if !exists {
		return attachable{}, false
	}
	v := p.cluster.Volumes.Volume(volume)
	return attachable{a.Attacher, v.Handle, cluster.NoClaim}, v.Driver != 0 && v.InTree == 0
}

func (p *nodeVolumeLimits) Reasons(c *scheduler.Cycle, v scheduler.Verdict) []string {
	s := p.state.In(c)
	switch v.Detail() {
	case detailTooManyVolumes:
		return []string{reasonVolumeCount}
	case detailNoClaim:
		return []string{s.missing}
	}
	driver := s.wanted[v.Detail()-detailNoDriver].driver
	return []string{p.cluster.Text(driver) + " CSI driver is not installed on the node"}
}

func (p *nodeVolumeLimits) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	switch e.Kind {
	case scheduler.NodeAdded:
		return true
	case scheduler.ClaimAdded:
		return p.cluster.Volumes.NamesClaim(pod, e.Claim, false)
	case scheduler.PodFreed, scheduler.NominationLost:
		return mayAttach(e.Class)
	}
	return false
}
