package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// Dependencies is a set of things that the answer of a plugin can change with.
type Dependencies uint16

// What an answer can depend on. Those whose names begin with Node are parts of the node's own spec
// or status, except NodePods.
const (
	NodeAllocatable Dependencies = 1 << iota
	NodeLabels
	NodeTaints // and spec.unschedulable, which upstream treats alike
	NodeImages
	NodeName
	NodePods    // the pods on the node
	DomainPods  // the pods on other nodes
	DomainNodes // which other nodes there are
	Volumes
	PodGroup
	PodItself
	NodeFeatures   // that the kubelet declares
	NodeConditions // and what a node asks for in annotations
	Nominations    // pods nominated to nodes, which filters count as if they were on these nodes
	DeletedPods    // pods that leave a node, or a nomination to one

	nodeSpec = NodeAllocatable | NodeLabels | NodeTaints | NodeImages | NodeName |
		NodeFeatures | NodeConditions
)

// ClusterEventKind is what happened to the cluster.
type ClusterEventKind uint8

// The kinds of events that can make a rejected pod schedulable.
const (
	NodeAdded      ClusterEventKind = iota
	NodeUpdated                     // ClusterEvent.Changed says in what
	NodeRemoved                     // a node is gone; what it was can still be read
	PodPlaced                       // a pod got a node
	PodFreed                        // a pod that had a node is gone
	NominationLost                  // a pending pod is not nominated to a node any more
	GroupChanged                    // a pod group got a member
	ClaimAdded
	ClaimChanged  // a claim got its volume, or the node selected for it changed
	VolumeAdded   // a persistent volume
	VolumeChanged // it got or lost its claim, or is kept for another one
)

// ClusterEvent is a change of the cluster as the queue sees it.
type ClusterEvent struct {
	Kind    ClusterEventKind
	Changed Dependencies     // for NodeUpdated
	Node    cluster.NodeID   // the node that changed, or of the pod; None if a nomination was to a node that is gone
	Before  cluster.NodeSpec // for NodeUpdated: what the node was
	Pod     cluster.PodID    // for the three events of pods: the pod, which may be gone
	Class   *cluster.Class   // for the three events of pods: its class
	Group   cluster.GroupID  // for GroupChanged
	Claim   cluster.ClaimID  // for the events of claims
}

// EventOfClaim returns an event of a claim, or of its volume.
func EventOfClaim(kind ClusterEventKind, claim cluster.ClaimID) ClusterEvent {
	return ClusterEvent{Kind: kind, Node: cluster.None, Pod: cluster.NoPod, Claim: claim}
}

// EventOfBinding returns the event of a binding that Volumes.Commit has written to the volume or the claim.
func EventOfBinding(b cluster.Binding) ClusterEvent {
	if b.Volume == cluster.NoVolume {
		return EventOfClaim(ClaimChanged, b.Claim)
	}
	return EventOfClaim(VolumeChanged, b.Claim)
}

// EventsOfClaim returns the events of a claim for which controllers have done something.
func EventsOfClaim(claim cluster.ClaimID, outcome cluster.ClaimOutcome) []ClusterEvent {
	switch outcome {
	case cluster.ClaimProvisioned:
		return []ClusterEvent{EventOfClaim(VolumeAdded, claim), EventOfClaim(ClaimChanged, claim)}
	case cluster.ClaimBound:
		return []ClusterEvent{EventOfClaim(VolumeChanged, claim), EventOfClaim(ClaimChanged, claim)}
	case cluster.ClaimNodeReset:
		return []ClusterEvent{EventOfClaim(ClaimChanged, claim)}
	}
	return nil
}

// concerns reports whether an event can change an answer with these dependencies.
func (d Dependencies) concerns(e *ClusterEvent) bool {
	switch e.Kind {
	case NodeAdded:
		return d&(nodeSpec|NodePods) != 0
	case NodeUpdated:
		return d&e.Changed != 0
	case NodeRemoved:
		return d&DomainNodes != 0
	case PodPlaced:
		return d&DomainPods != 0
	case PodFreed:
		return d&(NodePods|DomainPods|DeletedPods) != 0
	case NominationLost:
		return d&(Nominations|DeletedPods) != 0
	case GroupChanged:
		return d&PodGroup != 0
	case ClaimAdded, ClaimChanged, VolumeAdded, VolumeChanged:
		return d&Volumes != 0
	}
	return false
}

// IsWorthRequeuing reports whether an event may make a pod schedulable that a plugin rejected, as far
// as the plugin declares.
func IsWorthRequeuing(p Plugin, pod cluster.PodID, e ClusterEvent) bool {
	if !p.DependsOn().concerns(&e) {
		return false
	}
	retry, has := p.(QueueingHintPlugin)
	return !has || retry.QueueingHint(pod, e)
}
