package cluster

import (
	"fmt"
	"testing"
)

// changeVolumes changes volumes, claims and what is attached to nodes.
func (o *operations) changeVolumes(pod PodID) {
	v, node, name := &o.Volumes, o.someNode(), fmt.Sprint("v", o.rnd.IntN(9))
	switch o.rnd.IntN(6) {
	case 0:
		if id, exists := v.VolumeByName(name); exists && v.Volume(id).Phase == VolumeAvailable && v.Volume(id).assumed == NoClaim {
			v.RemoveVolume(id)
		} else if !exists {
			v.AddVolume(Volume{Name: name, StorageClass: o.Symbol([]string{"fast", "late"}[o.rnd.IntN(2)]), Capacity: 9, Modes: ReadWriteOnce, Phase: VolumeAvailable, ReclaimPolicy: ReclaimPolicy(o.rnd.IntN(3))})
		}
	case 1:
		claim, class := "shared", "fast"
		if o.rnd.IntN(2) == 0 {
			claim, class = "late", "late"
		}
		if id := v.ClaimByName(o.Symbol("default"), claim); v.Claim(id) == nil {
			v.AddClaim(Claim{Namespace: o.Symbol("default"), Name: claim, StorageClass: o.Symbol(class), Request: 5, Modes: ReadWriteOnce})
		} else if o.rnd.IntN(2) == 0 {
			v.RemoveClaim(id)
		}
	case 2:
		v.EachClaim(func(id ClaimID) { v.SyncClaim(id) })
	case 3:
		if pod != NoPod {
			v.CreateClaims(pod)
		}
	case 4:
		if pod != NoPod && o.Pod(pod).Node != None {
			v.Detach(pod)
			v.DeleteOwnClaims(pod)
		}
	case 5:
		if node != None {
			v.AddCSINode(CSINode{Node: o.Node(node).Symbol, Drivers: []CSINodeDriver{{Name: o.Symbol("csi"), Limit: o.rnd.Int64N(5)}}})
			v.AddAttachment(Attachment{Node: o.Node(node).Symbol, Volume: name})
		}
	}
}

// assumeVolumes assumes volumes for the unbound claims of a pod on its node, as Reserve does: one
// that is there, or else one that is to be provisioned.
func (o *operations) assumeVolumes(pod PodID) {
	var bindings []Binding
	var m Match
	p, v := o.Pod(pod), &o.Volumes
	if len(p.claims) == 0 {
		return
	}
	for _, pc := range v.ClaimsOf(pod, p.Class, nil) {
		if pc.Claim == nil || pc.Claim.IsBound() || !v.WaitsForFirstConsumer(pc.Claim) {
			continue
		}
		b := Binding{pc.ID, NoVolume}
		switch v.Match(pc.ID, pc.Claim, &m); {
		case len(m.Reserved) > 0:
			b.Volume = m.Reserved[0]
		case len(m.Open) > 0 && o.rnd.IntN(4) > 0:
			b.Volume = m.Open[0]
		}
		bindings = append(bindings, b)
	}
	v.Assume(pod, p.Node, bindings)
}

// reserveVolumes does for an assumed pod what Reserve, PreBind or Unreserve does.
func (o *operations) reserveVolumes() {
	pod := o.somePod(func(p *Pod) bool { return p.Phase == Assumed && len(p.claims) > 0 })
	if pod == NoPod {
		return
	}
	switch r := o.Volumes.reservations[pod]; {
	case r == nil:
		o.assumeVolumes(pod)
	case o.rnd.IntN(2) == 0:
		o.Volumes.Revert(pod)
	default:
		o.Volumes.Commit(pod)
	}
}

// TestTrialsOfReservedVolumesLeaveNoTrace: what Reserve, PreBind, Unreserve and the controllers of
// volumes do can be tried, and committed.
func TestTrialsOfReservedVolumesLeaveNoTrace(t *testing.T) {
	assumed, committed := 0, 0
	for seed := range uint64(150) {
		o := newOperations(seed)
		_, _ = o.AddNode(o.spec("one")) // fails if it exists
		for range 6 {
			o.addAssumed(o.someNode())
		}
		before, parts, mark := o.Hash(), hashParts(o.Cluster), o.Mark()
		o.churnVolumes()
		for _, r := range o.Volumes.reservations {
			assumed += len(r.bindings)
			committed += len(r.bindings) * int(indicator(r.written))
		}
		if err := o.Verify(); err != nil {
			t.Fatalf("seed %d: during the trial: %v", seed, err)
		}
		o.Rollback(mark)
		if o.Hash() != before {
			t.Fatalf("seed %d: the trial left a trace in %s", seed, differing(parts, hashParts(o.Cluster)))
		}
		o.churnVolumes()
		if err := o.Verify(); err != nil {
			t.Fatalf("seed %d: committed: %v", seed, err)
		}
	}
	if assumed < 100 || committed < 50 {
		t.Errorf("%d volumes were assumed in trials, %d of them were committed: trials of them were not tested", assumed, committed)
	}
}

// addAssumed adds a pod with a claim that waits for it, and assumes it on the node.
func (o *operations) addAssumed(node NodeID) PodID {
	o.serial++
	pod := o.AddPod(Pod{Serial: o.serial, Name: fmt.Sprint("p", o.serial), Class: o.classes[4], Group: NoGroup})
	o.Volumes.CreateClaims(pod)
	o.Assume(pod, node)
	return pod
}

// churnVolumes makes random changes of volumes and reservations.
func (o *operations) churnVolumes() {
	for range 40 {
		if o.rnd.IntN(3) == 0 {
			o.changeVolumes(o.somePod(func(*Pod) bool { return true }))
		} else {
			o.reserveVolumes()
		}
	}
}

// TestSkippedUndoOfReservedVolumesIsNoticed: each step from Reserve to binding leaves a trace if its
// trial is not rolled back.
func TestSkippedUndoOfReservedVolumesIsNoticed(t *testing.T) {
	assume := func(o *operations, pod PodID) { o.assumeVolumes(pod) }
	for name, step := range map[string]struct{ before, try func(*operations, PodID) }{
		"assume": {func(*operations, PodID) {}, assume},
		"revert": {assume, func(o *operations, pod PodID) { o.Volumes.Revert(pod) }},
		"commit": {assume, func(o *operations, pod PodID) { o.Volumes.Commit(pod) }},
	} {
		o := newOperations(1)
		node, err := o.AddNode(o.spec("new"))
		if err != nil {
			t.Fatal(err)
		}
		pod := o.addAssumed(node)
		step.before(o, pod)
		for _, skip := range []bool{false, true} {
			before, mark := o.Hash(), o.Mark()
			step.try(o, pod)
			if skip {
				o.journal.entries = o.journal.entries[:mark.entries]
			}
			o.Rollback(mark)
			if noticed := o.Hash() != before; noticed != skip {
				t.Errorf("%s: the undo is skipped: %t, noticed: %t", name, skip, noticed)
			}
		}
	}
}
