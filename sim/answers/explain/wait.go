package explain

import (
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// Wait is where in the pipeline a pod is that has a node and is not bound to it yet, and
// what it waits for. A pod without a node may wait for volumes too.
type Wait struct {
	Stage record.Stage // empty: it has no node
	Since clock.Time
	Until clock.Time // when it loses its node if the stage lasts that long; clock.Forever: never
	Gang  *GangWait  // in Permit; nil: the pod is in no pod group
	// Claims are, in PreBind, those without a volume when the node was found, and without a
	// node those for which something is being done.
	Claims []ClaimWait
}

// GangWait is what is missing of a pod group.
type GangWait struct {
	Group     string `json:"group"` // namespace/name
	MinMember int    `json:"minMember"`
	Reserved  int    `json:"reserved"` // members that have a node, or have had one and are done
	Missing   int    `json:"missing"`  // more that must have one
}

// ClaimWait is what is being done for a claim.
type ClaimWait struct {
	Claim  string `json:"claim"`  // namespace/name
	Volume string `json:"volume"` // that it has, or is to get; empty: one that is not made yet
	State  string `json:"state"`
}

// The states of claims for which a pod waits.
const (
	ClaimBound        = "bound"   // it has its volume
	ClaimBinding      = "binding" // it is being bound to a volume that is there
	ClaimProvisioning = "making"  // a volume is being made for it
	ClaimUnprocessed  = "idle"    // nothing is being done for it
	ClaimDeleted      = "gone"    // it is not there any more
)

// look notes, once, what the pods wait for and hold now: at the instant to explain, or at the end of
// the run.
func (t *Tracker) look() {
	if t.looked {
		return
	}
	t.looked = true
	for _, f := range t.pods {
		f.wait, f.devices = t.waitOf(f), t.runsOn(f)
	}
}

// waitOf is nil for a pod that waits for nothing.
func (t *Tracker) waitOf(f *followed) *Wait {
	if f.attempts == 0 || !t.Cluster.Alive(f.pod, f.number) {
		return nil
	}
	switch t.Cluster.Pod(f.pod).Phase {
	case cluster.Assumed:
	case cluster.Pending:
		return t.waitForVolumes(f.pod)
	default:
		return nil
	}
	out := &Wait{Stage: record.InPermit} // nothing else takes time without a clock
	if t.World != nil {
		w, _ := t.World.WaitOf(f.pod)
		out.Stage, out.Since, out.Until = w.Stage, w.Since, w.Until
	}
	switch out.Stage {
	case record.InPermit:
		out.Gang = gangWait(t.Cluster, t.Cluster.Pod(f.pod).Group)
	case record.InPreBind:
		bindings, _ := t.Cluster.Volumes.Assumed(f.pod)
		for _, b := range bindings {
			out.Claims = append(out.Claims, t.claimWait(b))
		}
	}
	return out
}

// waitForVolumes is what a pod without a node waits for; nil: no claim of it is served.
func (t *Tracker) waitForVolumes(pod cluster.PodID) *Wait {
	if t.World == nil {
		return nil
	}
	out := &Wait{Until: clock.Forever}
	for _, pc := range t.Cluster.Volumes.ClaimsOf(pod, t.Cluster.Pod(pod).Class, nil) {
		if pc.Claim == nil || pc.Claim.IsBound() {
			continue
		}
		if underWay, _ := t.World.ClaimSync(pc.ID); underWay {
			out.Claims = append(out.Claims, t.claimWait(cluster.Binding{Claim: pc.ID, Volume: cluster.NoVolume}))
		}
	}
	if len(out.Claims) == 0 {
		return nil
	}
	return out
}

func gangWait(c *cluster.Cluster, id cluster.GroupID) *GangWait {
	if id == cluster.NoGroup {
		return nil
	}
	g := c.Groups.Group(id)
	have := g.Reserved + g.Done
	return &GangWait{c.Text(g.Namespace) + "/" + g.Name, g.MinMember, have, max(g.MinMember-have, 0)}
}

func (t *Tracker) claimWait(b cluster.Binding) ClaimWait {
	w := ClaimWait{Claim: t.Cluster.Volumes.ClaimName(b.Claim), State: ClaimUnprocessed}
	if b.Volume != cluster.NoVolume {
		w.Volume = t.Cluster.Volumes.Volume(b.Volume).Name
	}
	claim := t.Cluster.Volumes.Claim(b.Claim)
	underWay, makes := t.World.ClaimSync(b.Claim)
	switch {
	case claim == nil:
		w.State = ClaimDeleted
	case claim.IsBound():
		w.State, w.Volume = ClaimBound, claim.VolumeName
	case makes:
		w.State = ClaimProvisioning
	case underWay:
		w.State = ClaimBinding
	}
	return w
}
