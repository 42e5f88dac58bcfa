package world_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// budgetLaw is the law that budgets allow what they must, and that a drain evicts no pod that runs
// and whose budget keeps it.
type budgetLaw struct {
	*watch
	cluster *cluster.Cluster
}

func (h budgetLaw) follows(r *record.Record) error {
	defer h.observe(r)
	drained := r.Kind == record.PodEvicted && r.Cause == record.ByDrain && h.runs[r.Pod]
	of := 0
	for id := range cluster.BudgetID(h.cluster.Budgets.Len()) {
		b := h.cluster.Budgets.Budget(id)
		if r.Kind == record.Sampled && b.DisruptionsAllowed != h.allows(b, h.cluster) {
			return fmt.Errorf("budget %s allows %d, want %d", b.Name, b.DisruptionsAllowed, h.allows(b, h.cluster))
		}
		if !drained || !b.Selects(h.cluster.Class(cluster.ClassID(h.class[r.Pod])), &h.cluster.Symbols) {
			continue
		}
		if of++; of > 1 || h.allows(b, h.cluster) == 0 {
			return fmt.Errorf("pod %d is drained, which budget %s forbids", r.Pod, b.Name)
		}
	}
	return nil
}

// oneClaimPerVolume is the law that a volume is of one claim at most, and says so itself.
func (rw *randomWorld) oneClaimPerVolume(*record.Record) error {
	var err error
	claimOf := map[string]string{}
	rw.cluster.Volumes.EachClaim(func(id cluster.ClaimID) {
		claim := rw.cluster.Volumes.Claim(id)
		if !claim.IsBound() {
			return
		}
		name := rw.cluster.Volumes.ClaimName(id)
		v, exists := rw.cluster.Volumes.VolumeByName(claim.VolumeName)
		switch other, twice := claimOf[claim.VolumeName]; {
		case twice:
			err = fmt.Errorf("claims %q and %q both have the volume %s", other, name, claim.VolumeName)
		case !exists:
			err = fmt.Errorf("claim %q has the volume %s, which does not exist", name, claim.VolumeName)
		case rw.cluster.Volumes.Volume(v).Claim.UID != claim.UID || rw.cluster.Volumes.Volume(v).Phase != cluster.VolumeBound:
			err = fmt.Errorf("claim %q has the volume %s, which does not say so", name, claim.VolumeName)
		}
		claimOf[claim.VolumeName] = name
	})
	return err
}

// oneReservationPerVolume is the law that a volume is chosen for one claim at a time, and is nobody else's.
func (rw *randomWorld) oneReservationPerVolume(*record.Record) error {
	of := map[cluster.VolumeID]cluster.ClaimID{}
	for node := range cluster.NodeID(rw.cluster.NodeIDs()) {
		for _, pod := range rw.cluster.PodsOn(node) {
			bindings, _ := rw.cluster.Volumes.Assumed(pod)
			for _, b := range bindings {
				if b.Volume == cluster.NoVolume {
					continue
				}
				v, claim := rw.cluster.Volumes.Volume(b.Volume), rw.cluster.Volumes.Claim(b.Claim)
				if uid := v.Claim.UID; claim == nil || uid != "" && uid != claim.UID {
					return fmt.Errorf("volume %q is chosen for the claim %q and is another's", v.Name, rw.cluster.Volumes.ClaimName(b.Claim))
				}
				if other, twice := of[b.Volume]; twice && other != b.Claim {
					return fmt.Errorf("volume %q is chosen for the claims %q and %q", v.Name, rw.cluster.Volumes.ClaimName(other), rw.cluster.Volumes.ClaimName(b.Claim))
				}
				of[b.Volume] = b.Claim
			}
		}
	}
	return nil
}

// provisioningTime is the law that a volume that is provisioned for a claim exists when that has taken its
// time, and not before.
type provisioningTime struct {
	cluster *cluster.Cluster
	takes   clock.Time
	idle    map[string]clock.Time // when nobody was at work for the claim yet, by its UID
}

func (p provisioningTime) follows(r *record.Record) (err error) {
	p.cluster.Volumes.EachClaim(func(id cluster.ClaimID) {
		claim := p.cluster.Volumes.Claim(id)
		idle, known := p.idle[claim.UID]
		waits := p.cluster.Volumes.WaitsForFirstConsumer(claim)
		switch {
		case !p.cluster.Volumes.StorageClass(claim.StorageClass).Provisions():
		case !known || waits && !claim.IsBound() && !claim.Selected:
			p.idle[claim.UID] = r.Time
		case claim.IsBound() && r.Time < idle.Add(p.takes):
			err = fmt.Errorf("claim %q has its volume by now, nobody was at work for it at %s", p.cluster.Volumes.ClaimName(id), idle)
		case !claim.IsBound() && !waits && r.Time > idle.Add(p.takes):
			err = fmt.Errorf("claim %q was made at %s and has no volume", p.cluster.Volumes.ClaimName(id), idle)
		}
	})
	return err
}

// attachLimits is the law that no node has more volumes of a driver than it can attach, those
// included that are still to be made.
func (rw *randomWorld) attachLimits(*record.Record) error {
	for _, id := range rw.cluster.ByCreation() {
		node := rw.cluster.Node(id)
		csi := rw.cluster.Volumes.CSINode(node.Symbol)
		if csi == nil || !csi.Drivers[0].Limited {
			continue
		}
		var claims int64
		for _, pod := range rw.cluster.PodsOn(id) {
			for _, pc := range rw.cluster.Volumes.ClaimsOf(pod, rw.cluster.Pod(pod).Class, nil) {
				if pc.Claim != nil && rw.cluster.Volumes.StorageClass(pc.Claim.StorageClass).Provisions() {
					claims++
				}
			}
		}
		if claims > csi.Drivers[0].Limit {
			return fmt.Errorf("%s has %d volumes, and can attach %d", node.Name, claims, csi.Drivers[0].Limit)
		}
	}
	return nil
}

// boundWithVolumes is the law that a pod is bound when all its claims have volumes, to a node from
// which they are reached.
func (rw *randomWorld) boundWithVolumes(r *record.Record) error {
	pod := rw.podOf(r)
	if r.Kind != record.PodBound || pod == cluster.NoPod {
		return nil
	}
	for _, pc := range rw.cluster.Volumes.ClaimsOf(pod, rw.cluster.Pod(pod).Class, nil) {
		if pc.Claim == nil || !pc.Claim.IsBound() {
			return fmt.Errorf("pod %d is bound, its claim %q is not", r.Pod, rw.cluster.Volumes.ClaimName(pc.ID))
		}
		v, exists := rw.cluster.Volumes.VolumeByName(pc.Claim.VolumeName)
		if node := rw.cluster.Node(rw.cluster.Pod(pod).Node); !exists || !rw.cluster.Volumes.Volume(v).Affinity.Matches(node.Labels, &rw.cluster.Symbols) {
			return fmt.Errorf("pod %d is on %s, its volume %s is not to be had there", r.Pod, node.Name, pc.Claim.VolumeName)
		}
	}
	return nil
}

// podOf is the pod of a record that names its node.
func (rw *randomWorld) podOf(r *record.Record) cluster.PodID {
	if r.Pod < 0 || r.Node < 0 {
		return cluster.NoPod
	}
	node, exists := rw.cluster.NodeBySerial(int64(r.Node))
	if !exists {
		return cluster.NoPod
	}
	for _, pod := range rw.cluster.PodsOn(node) {
		if rw.cluster.Pod(pod).Serial == r.Pod {
			return pod
		}
	}
	return cluster.NoPod
}

// permitTimeout is the law that nobody waits in Permit for longer than its gang may, and the cycle
// takes that lets it go.
type permitTimeout struct {
	longest clock.Time
	since   map[int64]clock.Time // by pod
}

func (p permitTimeout) follows(r *record.Record) error {
	for pod, since := range p.since {
		if r.Time > since.Add(p.longest) {
			return fmt.Errorf("pod %d has waited in Permit since %s", pod, since)
		}
	}
	switch {
	case r.Kind == record.PodAttempted && r.Attempt.Outcome == "waiting":
		p.since[r.Pod] = r.Time
	case r.Kind == record.PodAllowed, r.Kind == record.PodRolledBack:
		delete(p.since, r.Pod)
	}
	return nil
}

// existingPods is the law that the pods exist that have arrived and not ended, and that pods take the
// claims along that are their own.
type existingPods struct {
	cluster *cluster.Cluster
	names   map[int64]string // of the pods that exist
}

func newExistingPods(c *cluster.Cluster) existingPods { return existingPods{c, map[int64]string{}} }

func (h existingPods) follows(r *record.Record) (err error) {
	switch r.Kind {
	case record.PodArrived:
		_, h.names[r.Pod], _ = strings.Cut(r.Text, "/")
	case record.PodCompleted, record.PodGone:
		delete(h.names, r.Pod)
	case record.Sampled:
		if n := h.cluster.NumPods(); n != len(h.names) {
			return fmt.Errorf("%d pods exist, %d have come and not gone", n, len(h.names))
		}
		there := map[string]bool{"": true}
		for _, name := range h.names {
			there[name] = true
		}
		h.cluster.Volumes.EachClaim(func(id cluster.ClaimID) {
			if owner := h.cluster.Volumes.Claim(id).Owner; !there[owner] {
				err = fmt.Errorf("claim %q is of the pod %q, which is gone", h.cluster.Volumes.ClaimName(id), owner)
			}
		})
	}
	return err
}

// allLaws are the laws of all random worlds and those of mixed ones.
func (m *mixedWorld) allLaws() func(*record.Record) error {
	laws := []func(*record.Record) error{
		m.laws(), budgetLaw{newWatch(), m.cluster}.follows, m.oneClaimPerVolume, m.oneReservationPerVolume, m.attachLimits, m.boundWithVolumesOnceScheduled(),
		provisioningTime{m.cluster, m.provision, map[string]clock.Time{}}.follows,
		permitTimeout{m.permit.Add(mixedCycle), map[int64]clock.Time{}}.follows, newExistingPods(m.cluster).follows,
	}
	return func(r *record.Record) error {
		for _, law := range laws {
			if err := law(r); err != nil {
				return err
			}
		}
		m.noteSituation(r)
		return nil
	}
}

// boundWithVolumesOnceScheduled leaves out pods that run from the start: nobody has asked for their
// volumes.
func (m *mixedWorld) boundWithVolumesOnceScheduled() func(*record.Record) error {
	ran := map[int64]bool{}
	return func(r *record.Record) error {
		if r.Kind == record.PodArrived && r.Node >= 0 {
			ran[r.Pod] = true
		}
		if ran[r.Pod] {
			return nil
		}
		return m.boundWithVolumes(r)
	}
}

// noteSituation counts the situations that a record shows.
func (m *mixedWorld) noteSituation(r *record.Record) {
	at := m.stage[r.Pod]
	switch r.Kind {
	case record.PodAttempted:
		m.count(nodeIsFull, slices.ContainsFunc(r.Attempt.Reasons, func(why record.ReasonCount) bool {
			return strings.HasSuffix(why.Reason, "exceed max volume count")
		}))
		m.stage[r.Pod] = map[string]stage{"waiting": inPermit, "scheduled": inBinding}[r.Attempt.Outcome]
	case record.PodAllowed:
		m.stage[r.Pod] = inBinding
	case record.PodRolledBack:
		m.noteRollback(r, at)
		m.stage[r.Pod] = elsewhere
	case record.PodBound:
		m.stage[r.Pod] = elsewhere
		volumes := m.cluster.Pod(m.podOf(r)).Class.Volumes
		m.count(againToItsVolume, len(volumes) > 0 && volumes[0].Kind == cluster.ClaimVolume && !m.chosen[r.Pod])
	case record.PodEvictionBlocked:
		m.held[r.Pod] = true
		m.count(drainHeld, true)
		m.count(heldForGood, len(m.cluster.Budgets.Of(m.cluster.Pod(m.podOf(r)).Class)) > 1)
	case record.PodEvicted:
		m.count(victimIsBound, r.Cause == record.ByPreemption)
		m.count(drainGoesOn, r.Cause == record.ByDrain && m.held[r.Pod])
	case record.PodGone, record.PodCompleted:
		pod := m.podOf(r)
		if pod == cluster.NoPod {
			return // deleted before it was bound
		}
		for _, pc := range m.cluster.Volumes.ClaimsOf(pod, m.cluster.Pod(pod).Class, nil) {
			m.count(deletedInSync, pc.Volume.Kind == cluster.EphemeralVolume && pc.Claim != nil && !pc.Claim.IsBound() && !m.cluster.Volumes.WaitsForFirstConsumer(pc.Claim))
		}
	}
}

func (m *mixedWorld) noteRollback(r *record.Record, at stage) {
	m.count(victimInPreBind, r.Cause == record.ByPreemption && at == inBinding && m.chosen[r.Pod])
	m.count(victimInPermit, r.Cause == record.ByPreemption && at == inPermit)
	m.count(gangGaveBack, (r.Cause == record.ByPermitReject || r.Cause == record.ByPermitTimeout) && m.chosen[r.Pod])
	m.count(nodeGoneInBind, r.Cause == record.ByNodeRemoval && at == inBinding && m.chosen[r.Pod])
	m.count(volumesLate, r.Cause == record.ByBindFailure)
}

func (m *mixedWorld) count(what situation, is bool) {
	if is {
		m.seen[what]++
	}
}

// The laws hold in mixed worlds, and every situation that they are about occurs.
func TestLawsHoldInMixedWorlds(t *testing.T) {
	seen := map[situation]int{}
	for seed := range uint64(12) {
		m := newMixedWorld(t, seed)
		if err := m.run(t, m.allLaws()); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for what, times := range m.seen {
			seen[what] += times
		}
		if seed < 3 { // one of each policy
			again := newMixedWorld(t, seed)
			if err := again.run(t, nil); err != nil || again.hash != m.hash {
				t.Errorf("seed %d: two runs wrote different records", seed)
			}
		}
	}
	for _, what := range []situation{
		victimInPreBind, victimInPermit, victimIsBound, gangGaveBack, deletedInSync, nodeGoneInBind, volumesLate,
		drainHeld, drainGoesOn, heldForGood, nodeIsFull, againToItsVolume,
	} {
		if t.Logf("%4d times %s", seen[what], what); seen[what] == 0 {
			t.Errorf("it never happened that %s: the laws were not tested", what)
		}
	}
}
