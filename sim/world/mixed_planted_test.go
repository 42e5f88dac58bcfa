package world_test

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// feed passes records to a law, and returns its error for the last one.
func feed(t *testing.T, law func(*record.Record) error, records ...record.Record) error {
	t.Helper()
	for i := range records[:len(records)-1] {
		if err := law(&records[i]); err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
	}
	return law(&records[len(records)-1])
}

func TestPlantedRecordsTripTheLawsOfMixedWorlds(t *testing.T) {
	c := cluster.New(cluster.NewVocabulary())
	c.AddClass("only", cluster.Class{})
	c.Budgets.Add(cluster.Budget{Name: "one", MinAvailable: &cluster.IntOrPercent{Value: 1}})
	left := cluster.New(cluster.NewVocabulary())
	left.Volumes.AddClaim(cluster.Claim{Name: "pod-v", Owner: "pod"})
	waits := func(at clock.Time) record.Record {
		return record.Record{Kind: record.PodAttempted, Pod: 1, Time: at, Attempt: &record.AttemptInfo{Outcome: "waiting"}}
	}
	run := []record.Record{{Kind: record.PodArrived}, {Kind: record.PodStarted}, {Kind: record.PodArrived, Pod: 1}, {Kind: record.PodStarted, Pod: 1}}
	drain := func(pods ...int64) (out []record.Record) {
		for _, pod := range pods {
			out = append(out, record.Record{Kind: record.PodEvicted, Pod: pod, Cause: record.ByDrain})
		}
		return append(run[:len(run):len(run)], out...)
	}
	for _, test := range []struct {
		name    string
		law     func(*record.Record) error
		records []record.Record
		trips   bool
	}{
		{"the budget does not say what it must", budgetLaw{newWatch(), c}.follows, append(run[:len(run):len(run)], record.Record{Kind: record.Sampled}), true},
		{"the budget lets one go", budgetLaw{newWatch(), c}.follows, drain(0), false},
		{"the budget keeps the other", budgetLaw{newWatch(), c}.follows, drain(0, 1), true},
		{"a wait as long as it may be", permitTimeout{6, map[int64]clock.Time{}}.follows, []record.Record{waits(1), {Time: 7}}, false},
		{"a wait that is too long", permitTimeout{6, map[int64]clock.Time{}}.follows, []record.Record{waits(1), {Time: 8}}, true},
		{"nobody came", newExistingPods(c).follows, []record.Record{{Kind: record.Sampled}}, false},
		{"one came and does not exist", newExistingPods(c).follows, []record.Record{{Kind: record.PodArrived}, {Kind: record.Sampled}}, true},
		{"a claim is left behind", newExistingPods(left).follows, []record.Record{{Kind: record.Sampled}}, true},
	} {
		if err := feed(t, test.law, test.records...); (err != nil) != test.trips {
			t.Errorf("%s: the law says %v", test.name, err)
		}
	}
}

// A volume takes 5: a claim that has it before, or has not got it then, trips the law.
func TestPlantedHasteTripsTheLaw(t *testing.T) {
	for _, test := range []struct {
		bound bool
		at    clock.Time
		trips bool
	}{{false, 5, false}, {false, 6, true}, {true, 4, true}, {true, 5, false}} {
		c := cluster.New(cluster.NewVocabulary())
		c.Volumes.AddStorageClass(cluster.StorageClass{Name: c.Symbol("instant"), Provisioner: "csi.example.com"})
		id := c.Volumes.AddClaim(cluster.Claim{Name: "claim", StorageClass: c.Symbol("instant")})
		law := provisioningTime{c, 5, map[string]clock.Time{}}
		if err := law.follows(&record.Record{}); err != nil {
			t.Fatal(err)
		}
		c.Volumes.Claim(id).VolumeName, c.Volumes.Claim(id).BindCompleted = "volume", test.bound
		if err := law.follows(&record.Record{Time: test.at}); (err != nil) != test.trips {
			t.Errorf("%+v: the law says %v", test, err)
		}
	}
}

// Each of the laws about volumes notices a mistake that is made in a world under way, at the
// first opportunity, and set right at once.
func TestPlantedMistakesWithVolumesTripTheLaws(t *testing.T) {
	for name, plant := range map[string]func(*mixedWorld, *record.Record) (law func(*record.Record) error, undo func()){
		"two claims have one volume":      plantSharedVolume,
		"a volume is not the claim's":     plantForeignVolume,
		"a volume is chosen twice":        plantSecondReservation,
		"a volume that is chosen is gone": plantStolenReservation,
		"a node has too many volumes":     plantAttachLimit,
		"a pod is bound without a volume": plantUnbound,
		"a volume cannot be reached":      plantUnreachableVolume,
	} {
		m, planted, noticed := newMixedWorld(t, 1), 0, 0
		if err := m.run(t, func(r *record.Record) error {
			law, undo := plant(m, r)
			if law == nil {
				return nil
			}
			planted++
			if law(r) != nil {
				noticed++
			}
			undo()
			return m.conservation(r)
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if planted == 0 || noticed != planted {
			t.Errorf("%s: %d mistakes, %d were noticed", name, planted, noticed)
		}
	}
}

func boundClaims(m *mixedWorld) (claims []*cluster.Claim) {
	m.cluster.Volumes.EachClaim(func(id cluster.ClaimID) {
		if claim := m.cluster.Volumes.Claim(id); claim.IsBound() {
			claims = append(claims, claim)
		}
	})
	return claims
}

func plantSharedVolume(m *mixedWorld, _ *record.Record) (func(*record.Record) error, func()) {
	claims := boundClaims(m)
	if len(claims) < 2 {
		return nil, nil
	}
	name := claims[0].VolumeName
	claims[0].VolumeName = claims[1].VolumeName
	return m.oneClaimPerVolume, func() { claims[0].VolumeName = name }
}

func plantForeignVolume(m *mixedWorld, _ *record.Record) (func(*record.Record) error, func()) {
	claims := boundClaims(m)
	if len(claims) == 0 {
		return nil, nil
	}
	id, _ := m.cluster.Volumes.VolumeByName(claims[0].VolumeName)
	m.cluster.Volumes.Volume(id).Claim.UID += "x"
	return m.oneClaimPerVolume, func() { m.cluster.Volumes.Volume(id).Claim.UID = claims[0].UID }
}

func plantSecondReservation(m *mixedWorld, _ *record.Record) (func(*record.Record) error, func()) {
	var first *cluster.Binding
	for node := range cluster.NodeID(m.cluster.NodeIDs()) {
		for _, pod := range m.cluster.PodsOn(node) {
			bindings, _ := m.cluster.Volumes.Assumed(pod)
			switch {
			case len(bindings) == 0 || bindings[0].Volume == cluster.NoVolume:
			case first == nil:
				first = &bindings[0]
			default:
				second, was := &bindings[0], bindings[0].Volume
				second.Volume = first.Volume
				return m.oneReservationPerVolume, func() { second.Volume = was }
			}
		}
	}
	return nil, nil
}

func plantStolenReservation(m *mixedWorld, _ *record.Record) (func(*record.Record) error, func()) {
	for node := range cluster.NodeID(m.cluster.NodeIDs()) {
		for _, pod := range m.cluster.PodsOn(node) {
			bindings, _ := m.cluster.Volumes.Assumed(pod)
			if len(bindings) == 0 || bindings[0].Volume == cluster.NoVolume {
				continue
			}
			of := &m.cluster.Volumes.Volume(bindings[0].Volume).Claim
			was := *of
			of.Given, of.UID = true, "another"
			return m.oneReservationPerVolume, func() { *of = was }
		}
	}
	return nil, nil
}

func plantAttachLimit(m *mixedWorld, _ *record.Record) (func(*record.Record) error, func()) {
	for _, id := range m.cluster.Order() {
		for _, pod := range m.cluster.PodsOn(id) {
			for _, pc := range m.cluster.Volumes.ClaimsOf(pod, m.cluster.Pod(pod).Class, nil) {
				if pc.Claim == nil || !m.cluster.Volumes.StorageClass(pc.Claim.StorageClass).Provisions() {
					continue
				}
				driver := &m.cluster.Volumes.CSINode(m.cluster.Node(id).Symbol).Drivers[0]
				was := driver.Limit
				driver.Limit = 0
				return m.attachLimits, func() { driver.Limit = was }
			}
		}
	}
	return nil, nil
}

// claimOfBound is the claim of the pod of a record, where that is bound and has one.
func claimOfBound(m *mixedWorld, r *record.Record) *cluster.Claim {
	if r.Kind != record.PodBound {
		return nil
	}
	pod := m.podOf(r)
	claims := m.cluster.Volumes.ClaimsOf(pod, m.cluster.Pod(pod).Class, nil)
	if len(claims) == 0 || !claims[0].Claim.IsBound() {
		return nil
	}
	return claims[0].Claim
}

func plantUnbound(m *mixedWorld, r *record.Record) (func(*record.Record) error, func()) {
	claim := claimOfBound(m, r)
	if claim == nil {
		return nil, nil
	}
	claim.BindCompleted = false
	return m.boundWithVolumes, func() { claim.BindCompleted = true }
}

func plantUnreachableVolume(m *mixedWorld, r *record.Record) (func(*record.Record) error, func()) {
	claim := claimOfBound(m, r)
	if claim == nil {
		return nil, nil
	}
	id, _ := m.cluster.Volumes.VolumeByName(claim.VolumeName)
	affinity := &m.cluster.Volumes.Volume(id).Affinity
	was := *affinity
	*affinity = cluster.VolumeAffinity{Limited: true}
	return m.boundWithVolumes, func() { *affinity = was }
}
