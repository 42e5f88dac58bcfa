package plugins

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	reasonDiskConflict = "node(s) had no available disk"
	reasonClaimInUse   = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
	oldReasonClaim     = "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"

	detailClaimInUse = 1
)

// volumeRestrictions rejects nodes on which a pod has the same disk, where it cannot have
// two users, and all nodes while another pod has a claim that is for one pod only.
//
// Upstream: framework/plugins/volumerestrictions/volume_restrictions.go, v1.36.3; v1.33.13 for the old reason.
// Differs: none.
type volumeRestrictions struct {
	cluster *cluster.Cluster
	inUse   string // why a node is rejected for a claim that is in use
	state   scheduler.Slot[restrictionsState]
}

type restrictionsState struct {
	claims    []cluster.PodClaim
	exclusive []string // names of the claims that are for one pod only
	users     int      // of them that are in use
}

func newVolumeRestrictions(h *scheduler.Handle) (scheduler.Plugin, error) {
	inUse := reasonClaimInUse
	if h.Rules().OldExclusiveClaim {
		inUse = oldReasonClaim
	}
	return &volumeRestrictions{h.Cluster(), inUse, scheduler.NewSlot[restrictionsState](h)}, nil
}

func (p *volumeRestrictions) Name() string { return "VolumeRestrictions" }

func (p *volumeRestrictions) DependsOn() scheduler.Dependencies {
	return scheduler.NodePods | scheduler.Nominations | scheduler.DomainPods | scheduler.Volumes
}

func (p *volumeRestrictions) Checks() scheduler.Checks { return scheduler.CheckSharedVolume }

func (p *volumeRestrictions) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if len(c.Class.Volumes) == 0 {
		return scheduler.PreFilterResult{Skip: true}
	}
	s := p.state.In(c)
	s.claims = p.cluster.Volumes.ClaimsOf(c.Pod, c.Class, s.claims[:0])
	s.exclusive, s.users = s.exclusive[:0], 0
	for _, pc := range s.claims {
		if pc.Volume.Kind != cluster.ClaimVolume {
			continue
		}
		if pc.Claim == nil {
			return scheduler.PreFilterResult{Status: unresolvable(claimNotFound(pc.Volume.Name))}
		}
		if pc.Claim.Modes&cluster.ReadWriteOncePod == 0 || slices.Contains(s.exclusive, pc.Volume.Name) {
			continue
		}
		s.exclusive = append(s.exclusive, pc.Volume.Name)
		if p.cluster.Volumes.ClaimInUse(pc.ID) {
			s.users++
		}
	}
	hasDisk := slices.ContainsFunc(c.Class.Volumes, func(v cluster.PodVolume) bool { return v.IsDisk() })
	return scheduler.PreFilterResult{Skip: !hasDisk && s.users == 0}
}

// unresolvable is a rejection of the pod that no preemption can change.
func unresolvable(message string) scheduler.Status {
	return scheduler.Status{Code: scheduler.UnschedulableAndUnresolvable, Message: message}
}

// claimNotFound returns the text of an error of the API.
func claimNotFound(name string) string {
	return fmt.Sprintf("persistentvolumeclaim %q not found", name)
}

func (p *volumeRestrictions) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	for _, pod := range p.cluster.PodsOn(node) {
		if disksConflict(c.Class, p.cluster.Pod(pod).Class) {
			return scheduler.NewRejection(scheduler.Unschedulable, 0)
		}
	}
	s := p.state.In(c)
	if len(s.exclusive) > 0 && s.users+p.tried(s.exclusive) > 0 {
		return scheduler.NewRejection(scheduler.Unschedulable, detailClaimInUse)
	}
	return scheduler.Fits
}

func disksConflict(a, b *cluster.Class) bool {
	for i := range a.Volumes {
		for j := range b.Volumes {
			if a.Volumes[i].Conflicts(&b.Volumes[j]) {
				return true
			}
		}
	}
	return false
}

// tried is by how many volumes of these claims the trial moves that are open have changed
// the count: as upstream, by name alone, in whichever namespace.
func (p *volumeRestrictions) tried(claims []string) int {
	change := 0
	p.cluster.EachTrialMove(func(pod cluster.PodID, placed bool) {
		for i := range p.cluster.Pod(pod).Class.Volumes {
			v := &p.cluster.Pod(pod).Class.Volumes[i]
			switch {
			case v.Kind != cluster.ClaimVolume || !slices.Contains(claims, v.Name):
			case placed:
				change++
			default:
				change--
			}
		}
	})
	return change
}

func (p *volumeRestrictions) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	if v.Detail() == detailClaimInUse {
		return []string{p.inUse}
	}
	return []string{reasonDiskConflict}
}

func (p *volumeRestrictions) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	class := p.cluster.Pod(pod).Class
	switch e.Kind {
	case scheduler.NodeAdded:
		return true
	case scheduler.ClaimAdded:
		return p.cluster.Volumes.NamesClaim(pod, e.Claim, true)
	case scheduler.PodFreed, scheduler.NominationLost:
		return class.Namespace == e.Class.Namespace && (disksConflict(class, e.Class) || shareClaim(class, e.Class))
	}
	return false
}

func shareClaim(a, b *cluster.Class) bool {
	for i := range a.Volumes {
		for j := range b.Volumes {
			v, w := &a.Volumes[i], &b.Volumes[j]
			if v.Kind == cluster.ClaimVolume && w.Kind == cluster.ClaimVolume && v.Name == w.Name {
				return true
			}
		}
	}
	return false
}
