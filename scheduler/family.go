package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// Family is a family of releases of kube-scheduler. What they differ in beyond their
// plugins is in the table of families.
type Family uint8

// The families.
const (
	// Modern is v1.36.3.
	Modern Family = iota
	// Legacy is 1.12 to 1.19, with predicates and priorities. It follows v1.16.15, the last
	// minor release with scores of 0 to 10.
	Legacy
)

// families say how the search for nodes and the choice among them work.
//
// Upstream: pkg/scheduler/schedule_one.go, v1.36.3, and pkg/scheduler/core/generic_scheduler.go,
// v1.16.15. Differs: 50 feasible nodes are sought, as the documentation of that time has it;
// its code has 100.
var families = [...]struct {
	minFeasible    int   // fewer feasible nodes are never sought where there are as many
	maxScore       int64 // the highest score of a plugin
	nominatedFirst bool  // the nominated node is taken without a look at others
	heap           bool  // TieUpstream is what a heap leaves, else a fair draw
}{
	Modern: {minFeasible: 100, maxScore: MaxNodeScore, nominatedFirst: true, heap: true},
	Legacy: {minFeasible: 50, maxScore: MaxLegacyScore},
}

// MaxLegacyScore is the highest score of a priority in the family Legacy, before its
// weight.
const MaxLegacyScore = 10

// FamilyOf returns the family of the profile that a pod is scheduled by.
func (s *Scheduler) FamilyOf(pod cluster.PodID) Family { return s.profileOf(pod).family }

// MaxScore returns the highest score of a plugin after normalization, before its weight.
func (g Family) MaxScore() int64 { return families[g].maxScore }
