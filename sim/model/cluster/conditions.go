package cluster

// NodeConditions is the set of conditions that a node reports and that keep pods off it
// where the scheduler looks at conditions. That of today looks at the taints that stand
// for them; the family scheduler.Legacy has rules for each.
type NodeConditions uint8

// The conditions.
const (
	NotReady           NodeConditions = 1 << iota // Ready is not True
	NetworkUnavailable                            // NetworkUnavailable is not False
	MemoryPressure                                // MemoryPressure is True
	DiskPressure                                  // DiskPressure is True
	PIDPressure                                   // PIDPressure is True
)
