package explain

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// dropVolumes does without one of the pod's volumes.
func dropVolumes(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckVolumes | scheduler.CheckSharedVolume) {
		return
	}
	for i, v := range x.class.Volumes {
		what := "disk"
		switch v.Kind {
		case cluster.ClaimVolume:
			what = "volume claim"
		case cluster.EphemeralVolume:
			what = "ephemeral volume"
		}
		text := fmt.Sprintf("do without the %s %s", what, v.Name)
		x.try(Change{Kind: "volume", Text: text, Size: wholeRule}, func(c *cluster.Class) {
			c.Volumes = without(c.Volumes, i)
		})
	}
}
