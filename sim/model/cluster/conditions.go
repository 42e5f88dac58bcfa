package cluster

// NodeConditions is the set of conditions that a node reports and that make it infeasible for
// scheduler.Legacy, which has a predicate for each. The current kube-scheduler uses the taints that
// the node lifecycle controller adds for them.
type NodeConditions uint8

// The conditions.
const (
	NotReady           NodeConditions = 1 << iota // Ready is not True
	NetworkUnavailable                            // NetworkUnavailable is not False
	MemoryPressure                                // MemoryPressure is True
	DiskPressure                                  // DiskPressure is True
	PIDPressure                                   // PIDPressure is True
)
