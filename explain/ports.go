package explain

import (
	"fmt"

	"github.com/berth-sim/berth/sim/cluster"
)

// freePorts does without one of the pod's host ports, as if it were free on every node.
func freePorts(x *analysis) {
	if !x.turnedDownBy(portFilters) {
		return
	}
	for i, p := range x.class.Ports {
		text := fmt.Sprintf("free or drop the host port %d/%s", p.Port, x.cluster.Text(p.Protocol))
		x.try(Change{Kind: "hostPort", Text: text, Size: perTaint}, func(c *cluster.Class) {
			c.Ports = without(c.Ports, i)
		})
	}
}
