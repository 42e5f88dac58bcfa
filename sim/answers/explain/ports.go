package explain

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// dropPorts does without one of the pod's host ports.
func dropPorts(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckPorts) {
		return
	}
	for i, p := range x.class.Ports {
		text := fmt.Sprintf("drop the host port %d/%s", p.Port, x.cluster.Text(p.Protocol))
		x.try(Change{Kind: "hostPort", Text: text, Size: perTaint}, func(c *cluster.Class) {
			c.Ports = without(c.Ports, i)
		})
	}
}
