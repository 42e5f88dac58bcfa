package legacy

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

// The rules about volumes are those of today, but for the counts of disks in
// volume_counts.go. A claim that does not exist rejects the pod as it does today; then it
// was an error.
//
// Upstream: NoDiskConflict, VolumeZoneChecker, CSIMaxVolumeLimitChecker and
// VolumeBindingChecker, pkg/scheduler/algorithm/predicates, v1.16.15.
// Differs: what is younger than those counts too: claims for one pod only, ephemeral
// volumes, storage capacity, in-tree disks that a CSI driver has taken over.

func newNoDiskConflict(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
	return wrapPrepared(h, "NoDiskConflict", "VolumeRestrictions", nil, nil)
}

func newNoVolumeZoneConflict(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
	return wrapPrepared(h, "NoVolumeZoneConflict", "VolumeZone", nil, nil)
}

func newMaxCSIVolumeCount(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
	return wrapPrepared(h, MaxCSIVolumeCount, "NodeVolumeLimits", nil, nil)
}

// preparedFilter is a filter of today whose PreFilter prepares it.
type preparedFilter struct{ *todayFilter }

func wrapPrepared(h *scheduler.Handle, name, today string, args any, words func([]string) []string) (*preparedFilter, error) {
	filter, err := wrapFilter(h, name, today, args, words)
	if err != nil {
		return nil, err
	}
	return &preparedFilter{filter}, nil
}

// PreFilter does what the plugin of today does.
func (p *preparedFilter) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	r := p.FilterPlugin.(scheduler.PreFilterPlugin).PreFilter(c)
	r.Restrict, r.Names = false, nil
	return r
}

// volumeWords are the words of that time for reasons of VolumeBinding.
var volumeWords = map[string]string{
	"node(s) didn't match PersistentVolume's node affinity": "node(s) had volume node affinity conflict",
}

// checkVolumeBinding is today's VolumeBinding, at all its points but the score, which does
// nothing.
type checkVolumeBinding struct{ *preparedFilter }

func newCheckVolumeBinding(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
	filter, err := wrapPrepared(h, CheckVolumeBinding, "VolumeBinding", args, func(today []string) []string {
		words := make([]string, len(today))
		for i, reason := range today {
			words[i] = reason
			if then, changed := volumeWords[reason]; changed {
				words[i] = then
			}
		}
		return words
	})
	if err != nil {
		return nil, err
	}
	return &checkVolumeBinding{filter}, nil
}

// Reserve does what the plugin of today does.
func (p *checkVolumeBinding) Reserve(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	return p.FilterPlugin.(scheduler.ReservePlugin).Reserve(pod, node)
}

// Unreserve does what the plugin of today does.
func (p *checkVolumeBinding) Unreserve(pod cluster.PodID, node cluster.NodeID) {
	p.FilterPlugin.(scheduler.ReservePlugin).Unreserve(pod, node)
}

// PreBind does what the plugin of today does.
func (p *checkVolumeBinding) PreBind(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	return p.FilterPlugin.(scheduler.PreBindPlugin).PreBind(pod, node)
}
