package plugins

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	messageUnboundImmediate = "pod has unbound immediate PersistentVolumeClaims"
	messageBindTimeout      = "binding volumes: context deadline exceeded"
)

// volumeReasons are the reasons of a rejection: the detail of a verdict has a bit for each.
var volumeReasons = []string{
	"node(s) didn't match PersistentVolume's node affinity",
	"node(s) didn't find available persistent volumes to bind",
	"node(s) did not have enough free storage",
	"node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
}

const (
	volumeElsewhere = 1 << iota
	noVolumeToBind
	noFreeStorage
	volumeMissing
)

// VolumeBindingArgs are the arguments of VolumeBinding.
type VolumeBindingArgs struct {
	Timeout clock.Time // how long a pod waits for its volumes, at most
	// Shape is the score of a node by the share of its storage that the claims of the pod request, by rising utilization.
	// It is used where nodes are scored by free storage; without points it falls from the highest score to 0.
	Shape []ShapePoint
}

// DefaultVolumeBindingArgs returns a bind timeout of ten minutes.
func DefaultVolumeBindingArgs() VolumeBindingArgs {
	return VolumeBindingArgs{Timeout: 10 * clock.Minute}
}

// volumeBinding rejects nodes from which the volumes of the pod cannot be reached, and
// chooses volumes for the claims that wait for a pod: of those that are there the smallest
// that will do; else one is to be made for the node. What it has chosen is assumed until
// the pod is bound. How volumes are found is in volume_binding_match.go, the score in volume_binding_score.go.
//
// Upstream: framework/plugins/volumebinding/volume_binding.go and binder.go, v1.36.3 and v1.37.2.
// Differs: volumes of equal size are distinguished by name, upstream by the order of a map.
type volumeBinding struct {
	h       *scheduler.Handle
	cluster *cluster.Cluster
	args    VolumeBindingArgs
	shape   []ShapePoint // of the score; empty: there is none
	state   scheduler.Slot[volumeSearch]
}

func newVolumeBinding(h *scheduler.Handle, a VolumeBindingArgs) (scheduler.Plugin, error) {
	p := &volumeBinding{h: h, cluster: h.Cluster(), args: a, state: scheduler.NewSlot[volumeSearch](h)}
	if h.Rules().StorageScore {
		if len(a.Shape) == 0 {
			a.Shape = defaultStorageShape
		}
		p.shape = scaled(a.Shape)
	}
	return p, nil
}

func (p *volumeBinding) Name() string { return "VolumeBinding" }

func (p *volumeBinding) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.Volumes
}

func (p *volumeBinding) Checks() scheduler.Checks { return scheduler.CheckVolumes }

func (p *volumeBinding) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if len(c.Class.Volumes) == 0 {
		return scheduler.PreFilterResult{Skip: true}
	}
	s := p.state.In(c)
	s.claims = p.cluster.Volumes.ClaimsOf(c.Pod, c.Class, s.claims[:0])
	if len(s.claims) == 0 {
		return scheduler.PreFilterResult{Skip: true}
	}
	for i := range s.claims {
		if message := p.unusable(c.Pod, &s.claims[i]); message != "" {
			return scheduler.PreFilterResult{Status: unresolvable(message)}
		}
	}
	if !s.prepare(p.cluster) {
		return scheduler.PreFilterResult{Status: unresolvable(messageUnboundImmediate)}
	}
	return scheduler.PreFilterResult{}
}

// unusable says why a pod cannot have a claim that it names, if it cannot.
//
// Upstream: podHasPVCs of framework/plugins/volumebinding/volume_binding.go, v1.36.3.
func (p *volumeBinding) unusable(pod cluster.PodID, pc *cluster.PodClaim) string {
	claim, own := pc.Claim, pc.Volume.Kind == cluster.EphemeralVolume
	switch {
	case claim == nil && own:
		return fmt.Sprintf("waiting for ephemeral volume controller to create the persistentvolumeclaim %q",
			pc.Volume.ClaimOf(p.cluster.Pod(pod).Name))
	case claim == nil:
		return claimNotFound(pc.Volume.Name)
	case claim.Lost:
		return fmt.Sprintf("persistentvolumeclaim %q bound to non-existent persistentvolume %q", claim.Name, claim.VolumeName)
	case claim.Deleting:
		return fmt.Sprintf("persistentvolumeclaim %q is being deleted", claim.Name)
	case own && !p.cluster.Volumes.IsForPod(claim, pod):
		namespace := p.cluster.Text(claim.Namespace)
		return fmt.Sprintf("PVC %s/%s was not created for pod %s/%s (pod is not owner)", namespace, claim.Name, namespace, p.cluster.Pod(pod).Name)
	}
	return ""
}

func (p *volumeBinding) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	s := p.state.In(c)
	s.cycle = c.Number
	if why := s.find(p.cluster, node); why != 0 {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, why)
	}
	return scheduler.Fits
}

func (p *volumeBinding) Reasons(_ *scheduler.Cycle, v scheduler.Verdict) []string {
	var reasons []string
	for i, reason := range volumeReasons {
		if v.Detail()&(1<<i) != 0 {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// Reserve assumes what was found for the node. Where Filter is disabled nothing was, and
// the volumes are left as they are.
func (p *volumeBinding) Reserve(state *scheduler.CycleState, pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	c := state.Cycle()
	s := p.state.In(c)
	if s.cycle != c.Number || len(s.unbound) == 0 {
		return scheduler.Status{}
	}
	s.find(p.cluster, node) // it was another node that was searched last
	p.cluster.Volumes.Assume(pod, node, s.chosen)
	return scheduler.Status{}
}

func (p *volumeBinding) Unreserve(_ *scheduler.CycleState, pod cluster.PodID, _ cluster.NodeID) {
	p.cluster.Volumes.Revert(pod)
}

// PreBindTimeout is how long PreBind waits at most for the volumes of a pod.
func (p *volumeBinding) PreBindTimeout() clock.Time { return p.args.Timeout }

// PreBind fails unless the claims of the pod are bound. If their bindings are not written yet, it
// writes them and syncs the claims first.
func (p *volumeBinding) PreBind(pod cluster.PodID, node cluster.NodeID) scheduler.Status {
	bindings, written := p.cluster.Volumes.Assumed(pod)
	if len(bindings) == 0 {
		return scheduler.Status{}
	}
	if !written {
		for _, b := range p.cluster.Volumes.Commit(pod) {
			p.h.Observe(scheduler.EventOfBinding(b))
		}
		for _, b := range bindings {
			outcome := p.cluster.Volumes.SyncClaim(b.Claim)
			for _, e := range scheduler.EventsOfClaim(b.Claim, outcome) {
				p.h.Observe(e)
			}
		}
	}
	for _, b := range bindings {
		if message := p.fault(b, node); message != "" {
			return scheduler.Status{Code: scheduler.Error, Message: message}
		}
	}
	return scheduler.Status{}
}

// fault says why a pod cannot be bound on account of a claim, if it cannot.
//
// Upstream: checkBindings of framework/plugins/volumebinding/binder.go, v1.36.3.
func (p *volumeBinding) fault(b cluster.Binding, node cluster.NodeID) string {
	claim := p.cluster.Volumes.Claim(b.Claim)
	volume, exists := b.Volume, b.Volume != cluster.NoVolume
	if !exists && claim != nil {
		volume, exists = p.cluster.Volumes.VolumeByName(claim.VolumeName)
	}
	if exists && !reaches(p.cluster, volume, node) {
		return fmt.Sprintf("binding volumes: pv %q node affinity doesn't match node %q: no matching NodeSelectorTerms",
			p.cluster.Volumes.Volume(volume).Name, p.cluster.Node(node).Name)
	}
	if claim == nil || !claim.IsBound() {
		return messageBindTimeout
	}
	return ""
}

func (p *volumeBinding) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	switch e.Kind {
	case scheduler.ClaimAdded, scheduler.ClaimChanged:
		return p.cluster.Volumes.NamesClaim(pod, e.Claim, false)
	}
	return true
}
