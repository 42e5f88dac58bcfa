package cluster

import (
	"fmt"
	"strings"
	"testing"
)

// storageTrial is a cluster of two nodes with a pod that is assumed with a volume for its
// claim, and one that is bound.
func storageTrial(t *testing.T) *Cluster {
	t.Helper()
	c := New(NewVocabulary())
	for _, name := range []string{"n1", "n2"} {
		if _, err := c.AddNode(NodeSpec{Name: name, Allocatable: []Quantity{{Pods, 10}}}); err != nil {
			t.Fatal(err)
		}
	}
	c.Volumes.AddStorageClass(StorageClass{Name: c.Symbol("local"), Provisioner: noProvisioner, WaitForFirstConsumer: true})
	for _, name := range []string{"b", "a"} {
		c.Volumes.AddVolume(Volume{Name: name, StorageClass: c.Symbol("local"), Capacity: 5, Modes: ReadWriteOnce})
	}
	class := c.AddClass("", Class{Volumes: []PodVolume{
		{Kind: ClaimVolume, Name: "shared"},
		{Kind: EphemeralVolume, Name: "own", Template: &Claim{StorageClass: c.Symbol("local"), Request: 5, Modes: ReadWriteOnce}},
	}})
	c.Volumes.AddClaim(Claim{Name: "shared"})
	c.Volumes.SyncNew()
	for i, name := range []string{"p", "q"} {
		pod := c.AddPod(Pod{Name: name, Class: class, Group: NoGroup})
		own := c.Volumes.CreateClaims(pod)[0]
		c.Assume(pod, NodeID(i))
		var m Match
		c.Volumes.Match(own, c.Volumes.Claim(own), &m)
		c.Volumes.Assume(pod, NodeID(i), []Binding{{own, m.Open[0]}})
		if name == "q" {
			c.Volumes.Commit(pod)
			c.Volumes.SyncClaim(own)
			c.Bind(pod, 0)
		}
	}
	return c
}

func TestVerifyTripsOnPlantedCorruptionOfStorage(t *testing.T) {
	tests := []struct {
		name    string
		corrupt func(c *Cluster)
		want    string // part of the error
	}{
		{"a use too many", func(c *Cluster) { c.Volumes.claims[0].used++ }, `claim "/shared": counted 2 pods that name it and 3 uses`},
		{"a user forgotten", func(c *Cluster) { c.Volumes.claims[0].pods-- }, "counted 1 pods that name it"},
		{"claims mixed up", func(c *Cluster) { p := &c.table[0]; p.claims[0], p.claims[1] = p.claims[1], p.claims[0] }, `claim 0 of pod "p" is "/p-own"`},
		{"a claim under another name", func(c *Cluster) { c.Volumes.claims[1].Name = "x" }, "is found by another name"},
		{"a name lost", func(c *Cluster) { delete(c.Volumes.claimIDs, claimKey{0, "shared"}) }, "3 names of claims are kept, 2 are found"},
		{"a name that nobody has", func(c *Cluster) { c.Volumes.claimID(claimKey{0, "nobody"}) }, "no pod uses claim"},
		{"a volume under another name", func(c *Cluster) { c.Volumes.volumes[0].Name = "x" }, "is not found by its name"},
		{"a volume that nobody can get", func(c *Cluster) { c.Volumes.withdraw(1) }, "no claim can get it"},
		{"a volume among those of another class", func(c *Cluster) { c.Volumes.open.of[c.Symbol("other")] = []VolumeID{1} }, `volume "a" is among those of class "other"`},
		{"a volume that is open and kept", func(c *Cluster) { c.Volumes.open.of[c.Symbol("local")] = []VolumeID{1} }, `volume "a" is among those of class "local"`},
		{"a volume that is kept for two", func(c *Cluster) { c.Volumes.reserved.of[claimKey{0, "shared"}] = []VolumeID{1} }, `volume "a" is among those for claim "/shared"`},
		{"a volume that is open and is not there", func(c *Cluster) { c.Volumes.RemoveVolume(0); c.Volumes.open.of[0] = []VolumeID{0} }, `volume "" is among those of class ""`},
		{"a reservation that the volume does not show", func(c *Cluster) { c.Volumes.volumes[1].assumed = NoClaim }, `volume "a" is available, and no claim can get it`},
		{"a volume that is kept twice", func(c *Cluster) { c.Volumes.reserved.of[claimKey{0, "p-own"}] = []VolumeID{1, 1} }, `volume "a" is out of order among those for claim "/p-own"`},
		{"volumes out of order", func(c *Cluster) {
			two := c.Volumes.AddVolume(Volume{Name: "two", Capacity: 2})
			c.Volumes.open.of[0] = []VolumeID{two, c.Volumes.AddVolume(Volume{Name: "one", Capacity: 1})}
		}, `volume "one" is out of order among those of class ""`},
		{"a volume that is assumed for nobody", func(c *Cluster) { c.Volumes.volumes[1].assumed = 0 }, `is assumed for claim "/shared"`},
		{"a claim that is assumed for nobody", func(c *Cluster) { c.Volumes.claims[0].assumed = 1 }, `claim "/shared" is assumed to be provisioned`},
		{"a reservation of a bound pod", func(c *Cluster) { c.Volumes.reservations[1] = &reservation{} }, "which is not assumed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := storageTrial(t)
			if err := c.Verify(); err != nil {
				t.Fatalf("before: %v", err)
			}
			tt.corrupt(c)
			if err := c.Verify(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Verify() = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// The two pods got different volumes, the smaller name first; what goes leaves no trace.
func TestStorageLeavesNoTrace(t *testing.T) {
	c := storageTrial(t)
	if v, _ := c.Volumes.VolumeByName("b"); c.Volumes.Volume(v).Phase != VolumeBound {
		t.Errorf("volume b is %d, not bound", c.Volumes.Volume(v).Phase)
	}
	for pod := range PodID(2) {
		c.Volumes.DeleteOwnClaims(pod)
		c.RemovePod(pod)
	}
	c.Volumes.RemoveClaim(c.Volumes.ClaimByName(0, "shared"))
	if err := c.Verify(); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Volumes.claimIDs) + len(c.Volumes.reservations); n != 0 {
		t.Errorf("%d names and reservations are left", n)
	}
	if v, _ := c.Volumes.VolumeByName("a"); c.Volumes.Volume(v).Phase != VolumeAvailable || c.Volumes.Volume(v).assumed != NoClaim {
		t.Errorf("volume a is %+v", c.Volumes.Volume(v))
	}
	if v, _ := c.Volumes.VolumeByName("b"); c.Volumes.Volume(v).Phase != VolumeReleased {
		t.Errorf("volume b is %d, not released", c.Volumes.Volume(v).Phase)
	}
}

// The volumes of a StatefulSet with two claim templates go round the zones within the
// topologies of the class, those of one pod share a zone.
func TestImmediateVolumesGoRoundTheZones(t *testing.T) {
	c := New(NewVocabulary())
	zone, driver, class := c.Symbol("zone"), c.Symbol("csi.example.com"), c.Symbol("instant")
	for i, name := range []string{"c", "a", "a", "b", "d", "a"} { // more nodes in one zone do not matter
		node := fmt.Sprint("n", i)
		if _, err := c.AddNode(NodeSpec{Name: node, Labels: c.NewLabelSet(map[string]string{"zone": name})}); err != nil {
			t.Fatal(err)
		}
		c.Volumes.AddCSINode(CSINode{Node: c.Symbol(node), Drivers: []CSINodeDriver{{Name: driver, TopologyKeys: []Symbol{zone}}}})
	}
	within := VolumeAffinity{Limited: true, Terms: NodeSelector{{Labels: []Requirement{
		{Key: zone, Op: In, Values: []Symbol{c.Symbol("a"), c.Symbol("b"), c.Symbol("c")}},
	}}}}
	c.Volumes.AddStorageClass(StorageClass{Name: class, Provisioner: "csi.example.com", Driver: driver, Topologies: within})
	var got []string
	for _, name := range []string{"data-my-db-0", "logs-db-0", "data-my-db-1", "logs-db-1", "logs-db-2", "logs-db-3", "single", "a-99999999999"} {
		claim := c.Volumes.AddClaim(Claim{Name: name, StorageClass: class, Request: 1, Modes: ReadWriteOnce})
		if outcome := c.Volumes.SyncClaim(claim); outcome != ClaimProvisioned {
			t.Fatalf("claim %s: outcome %d", name, outcome)
		}
		v, _ := c.Volumes.VolumeByName(c.Volumes.Claim(claim).VolumeName)
		got = append(got, c.Text(c.Volumes.Volume(v).Affinity.Terms[0].Labels[0].Values[0]))
	}
	if want := "b b c c a b c a"; strings.Join(got, " ") != want {
		t.Errorf("zones %q, want %q", strings.Join(got, " "), want)
	}
}

func TestMadeUIDsAreNew(t *testing.T) {
	c := New(NewVocabulary())
	c.Volumes.AddVolume(Volume{Name: "pvc-berth-8"})
	for _, given := range []string{"berth-3", "berth-6", "berth-x", "berth-99999999999999999999", ""} {
		c.Volumes.AddClaim(Claim{Name: "given" + given, UID: given})
	}
	if uid := c.Volumes.Claim(c.Volumes.ClaimByName(0, "given")).UID; uid != "berth-7" {
		t.Errorf("the first UID made is %q, want berth-7", uid)
	}
	if uid := c.Volumes.Claim(c.Volumes.AddClaim(Claim{Name: "next"})).UID; uid != "berth-9" {
		t.Errorf("the second UID made is %q, want berth-9: volume pvc-berth-8 is there", uid)
	}
}

// A recycled volume is anybody's, or still its claim's if a person had kept it for that.
func TestRecycledVolumes(t *testing.T) {
	for _, test := range []struct {
		name      string
		ref, want ClaimRef
	}{
		{"the controller has chosen it", ClaimRef{}, ClaimRef{}},
		{"a person has kept it", ClaimRef{Given: true, Name: "c"}, ClaimRef{Given: true, Name: "c"}},
		{"the controller had, before", ClaimRef{Given: true, Name: "c", ByController: true}, ClaimRef{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := New(NewVocabulary())
			v := c.Volumes.AddVolume(Volume{Name: "v", Capacity: 1, Modes: ReadWriteOnce, ReclaimPolicy: Recycle, Claim: test.ref})
			c.Volumes.SyncNew()
			claim := c.Volumes.AddClaim(Claim{Name: "c", Modes: ReadWriteOnce, Request: 1})
			if outcome := c.Volumes.SyncClaim(claim); outcome != ClaimBound || c.Volumes.Volume(v).Claim.UID == "" {
				t.Fatalf("outcome %d, volume %+v", outcome, c.Volumes.Volume(v))
			}
			if freed := c.Volumes.RemoveClaim(claim); freed != 1 || c.Volumes.Volume(v).Phase != VolumeAvailable || c.Volumes.Volume(v).Claim != test.want {
				t.Errorf("%d volumes freed; the volume is %+v", freed, c.Volumes.Volume(v))
			}
			if err := c.Verify(); err != nil {
				t.Error(err)
			}
		})
	}
}
