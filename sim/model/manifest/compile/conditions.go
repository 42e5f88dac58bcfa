package compile

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// nodeConditions are what a node reports of itself. A condition that it does not report does not
// hold.
//
// Upstream: CheckNodeConditionPredicate of pkg/scheduler/algorithm/predicates/predicates.go and
// SetNode of pkg/scheduler/nodeinfo/node_info.go, v1.16.15.
func nodeConditions(n *v1.Node) cluster.NodeConditions {
	var set cluster.NodeConditions
	for i := range n.Status.Conditions {
		switch c := &n.Status.Conditions[i]; {
		case c.Type == v1.NodeReady && c.Status != v1.ConditionTrue:
			set |= cluster.NotReady
		case c.Type == v1.NodeNetworkUnavailable && c.Status != v1.ConditionFalse:
			set |= cluster.NetworkUnavailable
		case c.Status != v1.ConditionTrue:
		case c.Type == v1.NodeMemoryPressure:
			set |= cluster.MemoryPressure
		case c.Type == v1.NodeDiskPressure:
			set |= cluster.DiskPressure
		case c.Type == v1.NodePIDPressure:
			set |= cluster.PIDPressure
		}
	}
	return set
}
