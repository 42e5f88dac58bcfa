package legacy

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// newNoDiskConflict is VolumeRestrictions.
//
// Upstream: NoDiskConflict, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: claims for one pod only, which are younger, are honored.
func newNoDiskConflict(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapPrepared(h, "NoDiskConflict", "VolumeRestrictions", nil, nil)
}

// newNoVolumeZoneConflict is VolumeZone.
//
// Upstream: VolumeZoneChecker, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: the labels that have replaced its own are honored too; a volume that does not exist rejects the pod,
// then it was an error.
func newNoVolumeZoneConflict(h *scheduler.Handle) (scheduler.Plugin, error) {
	return wrapPrepared(h, "NoVolumeZoneConflict", "VolumeZone", nil, nil)
}

// preparedFilter is a current filter whose PreFilter prepares it.
type preparedFilter struct{ *currentFilter }

func wrapPrepared(h *scheduler.Handle, name, plugin string, args any, words func([]string) []string) (*preparedFilter, error) {
	filter, err := wrapFilter(h, name, plugin, args, words)
	if err != nil {
		return nil, err
	}
	return &preparedFilter{filter}, nil
}

// PreFilter does what the current plugin does.
func (p *preparedFilter) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	r := p.FilterPlugin.(scheduler.PreFilterPlugin).PreFilter(c)
	r.Restrict, r.Names = false, nil
	return r
}

// volumeWords are the words of that time for reasons of VolumeBinding.
var volumeWords = map[string]string{
	"node(s) didn't match PersistentVolume's node affinity": "node(s) had volume node affinity conflict",
}

// checkVolumeBinding is VolumeBinding, at all its points but the score, which does nothing.
//
// Upstream: VolumeBindingChecker, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: storage capacity, ephemeral volumes and nodes that leave an in-tree plugin's work
// to a CSI driver are younger, and honored; a claim that cannot be used rejects the pod, then
// it was an error.
type checkVolumeBinding struct {
	*preparedFilter
	binding
}

// binding are the points of VolumeBinding beside the filter.
type binding interface {
	scheduler.ReservePlugin
	scheduler.WaitingPreBindPlugin
}

func newCheckVolumeBinding(h *scheduler.Handle, args plugins.VolumeBindingArgs) (scheduler.Plugin, error) {
	filter, err := wrapPrepared(h, CheckVolumeBinding, "VolumeBinding", args, func(current []string) []string {
		words := make([]string, len(current))
		for i, reason := range current {
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
	return &checkVolumeBinding{filter, filter.FilterPlugin.(binding)}, nil
}

// Name is the old name.
func (p *checkVolumeBinding) Name() string { return CheckVolumeBinding }

// basicChecks rejects pods with claims that are not there or are being deleted, whichever
// predicates there are.
//
// Upstream: podPassesBasicChecks, pkg/scheduler/core/generic_scheduler.go, v1.16.15.
// Differs: the pod is rejected, then it was an error. Claims of ephemeral volumes, which are
// younger, are honored.
type basicChecks struct {
	named
	cluster *cluster.Cluster
	claims  scheduler.Slot[[]cluster.PodClaim]
}

// PodPassesBasicChecks is the name of a rule that every profile has first.
const PodPassesBasicChecks = "PodPassesBasicChecks"

func newBasicChecks(h *scheduler.Handle) (scheduler.Plugin, error) {
	return &basicChecks{PodPassesBasicChecks, h.Cluster(), scheduler.NewSlot[[]cluster.PodClaim](h)}, nil
}

func (p *basicChecks) DependsOn() scheduler.Dependencies { return scheduler.Volumes }

func (p *basicChecks) Checks() scheduler.Checks { return scheduler.CheckVolumes }

func (p *basicChecks) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	claims := p.claims.In(c)
	*claims = p.cluster.Volumes.ClaimsOf(c.Pod, c.Class, (*claims)[:0])
	for _, pc := range *claims {
		message := ""
		switch {
		case pc.Claim == nil && c.Pod != cluster.NoPod:
			message = fmt.Sprintf("persistentvolumeclaim %q not found", pc.Volume.ClaimOf(p.cluster.Pod(c.Pod).Name))
		case pc.Claim == nil:
			message = fmt.Sprintf("persistentvolumeclaim %q not found", pc.Volume.Name)
		case pc.Claim.Deleting:
			message = fmt.Sprintf("persistentvolumeclaim %q is being deleted", pc.Claim.Name)
		default:
			continue
		}
		return scheduler.PreFilterResult{Status: scheduler.Status{Code: scheduler.UnschedulableAndUnresolvable, Message: message}}
	}
	return scheduler.PreFilterResult{}
}

func (p *basicChecks) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	return p.cluster.Volumes.NamesClaim(pod, e.Claim, false)
}
