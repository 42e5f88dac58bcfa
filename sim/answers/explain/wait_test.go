package explain

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/world"
)

// TestClaimsNobodyServes: claims that are bound, that are gone, and for which nothing is
// being done.
func TestClaimsNobodyServes(t *testing.T) {
	c := cluster.New(cluster.NewVocabulary())
	disk := c.Volumes.AddVolume(cluster.Volume{Name: "disk"})
	c.AddClass("", cluster.Class{Volumes: []cluster.PodVolume{{Kind: cluster.ClaimVolume, Name: "gone"}}})
	c.AddPod(cluster.Pod{Name: "p", Class: c.Class(0), Group: cluster.NoGroup}) // keeps the name of its claim
	tracker := &Tracker{Cluster: c, World: world.New(world.Config{Cluster: c})}
	for _, tt := range []struct {
		claim  cluster.ClaimID
		volume cluster.VolumeID
		want   ClaimWait
	}{
		{c.Volumes.AddClaim(cluster.Claim{Name: "done", VolumeName: "other", BindCompleted: true}), disk, ClaimWait{"/done", "other", ClaimBound}},
		{c.Volumes.AddClaim(cluster.Claim{Name: "left"}), disk, ClaimWait{"/left", "disk", ClaimUnprocessed}},
		{c.Volumes.AddClaim(cluster.Claim{Name: "new"}), cluster.NoVolume, ClaimWait{"/new", "", ClaimUnprocessed}},
		{c.Volumes.ClaimByName(0, "gone"), cluster.NoVolume, ClaimWait{"/gone", "", ClaimDeleted}},
	} {
		if got := tracker.claimWait(cluster.Binding{Claim: tt.claim, Volume: tt.volume}); got != tt.want {
			t.Errorf("%+v, want %+v", got, tt.want)
		}
	}
}
