package plugins

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	reasonVolumeZone       = "node(s) had no available volume zone"
	messageNoClass         = "PersistentVolumeClaim had no pv name and storageClass name"
	messageImmediateNoName = "PersistentVolume had no name"

	// zoneSeparator parts the zones in the label of a volume that is in several.
	zoneSeparator = "__"
)

// volumeZone rejects nodes whose labels of zone and region are not those of the volumes of
// the pod. A node without any such label passes.
//
// Upstream: framework/plugins/volumezone/volume_zone.go, v1.36.3.
// Differs: none.
type volumeZone struct {
	cluster *cluster.Cluster
	labels  []zoneLabel
	state   scheduler.Slot[zoneState]
}

// zoneLabel is a label of zone or region, and the label that has replaced it.
type zoneLabel struct{ key, successor cluster.Symbol }

type zoneState struct {
	claims []cluster.PodClaim
	wanted []wantedZone
}

// wantedZone is a label of a volume that a node must have.
type wantedZone struct {
	label zoneLabel
	zones []string
}

func newVolumeZone(h *scheduler.Handle) (scheduler.Plugin, error) {
	p := &volumeZone{cluster: h.Cluster(), state: scheduler.NewSlot[zoneState](h)}
	zone, region := p.cluster.Symbol("topology.kubernetes.io/zone"), p.cluster.Symbol("topology.kubernetes.io/region")
	p.labels = []zoneLabel{
		{p.cluster.Symbol("failure-domain.beta.kubernetes.io/zone"), zone},
		{p.cluster.Symbol("failure-domain.beta.kubernetes.io/region"), region},
		{zone, zone}, {region, region},
	}
	return p, nil
}

func (p *volumeZone) Name() string { return "VolumeZone" }

func (p *volumeZone) DependsOn() scheduler.Dependencies {
	return scheduler.NodeLabels | scheduler.Volumes
}

func (p *volumeZone) Checks() scheduler.Checks { return scheduler.CheckVolumes }

func (p *volumeZone) PreFilter(c *scheduler.Cycle) scheduler.PreFilterResult {
	if len(c.Class.Volumes) == 0 {
		return scheduler.PreFilterResult{Skip: true}
	}
	s := p.state.In(c)
	s.claims, s.wanted = p.cluster.Volumes.ClaimsOf(c.Pod, c.Class, s.claims[:0]), s.wanted[:0]
	for _, pc := range s.claims {
		if pc.Volume.Kind != cluster.ClaimVolume {
			continue
		}
		if message := p.want(s, pc); message != "" {
			return scheduler.PreFilterResult{Status: unresolvable(message)}
		}
	}
	return scheduler.PreFilterResult{Skip: len(s.wanted) == 0}
}

// want notes where the volume of a claim is; where that cannot be known, it returns why.
func (p *volumeZone) want(s *zoneState, pc cluster.PodClaim) string {
	claim := pc.Claim
	switch {
	case claim == nil:
		return claimNotFound(pc.Volume.Name)
	case pc.ID == cluster.NoClaim:
		return "" // one that is made with the pod
	case claim.VolumeName == "":
		return p.unbound(claim)
	}
	volume, exists := p.cluster.Volumes.VolumeByName(claim.VolumeName)
	if !exists {
		return fmt.Sprintf("persistentvolume %q not found", claim.VolumeName)
	}
	for _, label := range p.labels {
		if value, has := p.cluster.Volumes.Volume(volume).Labels.Get(label.key); has {
			if zones := splitZones(p.cluster.Text(value)); zones != nil {
				s.wanted = append(s.wanted, wantedZone{label, zones})
			}
		}
	}
	return ""
}

// unbound says why a claim without a volume keeps the pod from being scheduled, if it does.
func (p *volumeZone) unbound(claim *cluster.Claim) string {
	class := p.cluster.Volumes.StorageClass(claim.StorageClass)
	switch {
	case claim.StorageClass == 0:
		return messageNoClass
	case class == nil:
		return fmt.Sprintf("storageclass.storage.k8s.io %q not found", p.cluster.Text(claim.StorageClass))
	case class.WaitForFirstConsumer:
		return ""
	}
	return messageImmediateNoName
}

// splitZones are the zones of a label; nil where one of them is empty, for which upstream
// ignores the label.
func splitZones(label string) []string {
	zones := strings.Split(label, zoneSeparator)
	for i := range zones {
		if zones[i] = strings.TrimSpace(zones[i]); zones[i] == "" {
			return nil
		}
	}
	return zones
}

func (p *volumeZone) Filter(c *scheduler.Cycle, node cluster.NodeID) scheduler.Verdict {
	labels := p.cluster.Node(node).Labels
	isZonal := slices.ContainsFunc(p.labels, func(l zoneLabel) bool { _, has := labels.Get(l.key); return has })
	if !isZonal {
		return scheduler.Fits
	}
	for _, w := range p.state.In(c).wanted {
		value, has := labels.Get(w.label.key)
		if !has {
			value, has = labels.Get(w.label.successor)
		}
		if !has || !slices.Contains(w.zones, p.cluster.Text(value)) {
			return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, 0)
		}
	}
	return scheduler.Fits
}

func (p *volumeZone) Reasons(*scheduler.Cycle, scheduler.Verdict) []string {
	return []string{reasonVolumeZone}
}

func (p *volumeZone) QueueingHint(pod cluster.PodID, e scheduler.ClusterEvent) bool {
	switch e.Kind {
	case scheduler.NodeAdded, scheduler.NodeUpdated, scheduler.VolumeAdded:
		return true
	case scheduler.ClaimAdded, scheduler.ClaimChanged:
		return p.cluster.Volumes.NamesClaim(pod, e.Claim, true)
	}
	return false // labels of volumes do not change
}
