package scenarios

import (
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// Run is a run ready to go: one scenario, policy and seed.
type Run struct {
	Config   world.Config
	Recipe   recipe.Recipe // complete
	Policy   config.Policy
	Inputs   []Input
	Warnings []string
	Ranks    map[string]int // of nodes, where a list of pods came with them
	Dealt    int            // pods of that list, clones included
	// NeverFit are classes of pods that no node of the fleet, as it is at the beginning, could
	// take even when it is empty. Those of traces are not looked at.
	NeverFit map[*cluster.Class]bool
	// DevicesFit says that pods come only onto nodes with the devices that they ask for: the
	// policy looks at single devices.
	DevicesFit bool

	replays []*workloads.Replay
	budgets []document.Value // of the cluster, by their ids
}

// Afterwards are the warnings that only the end of the run can tell; how is how it ended.
func (r *Run) Afterwards(how string) []string {
	out := failedCalls(r.Config.Scheduler)
	if how != "interrupted" {
		out = append(out, r.idleBudgets()...)
	}
	return out
}

// Close closes the files that streams of a run still have open. It need not be called
// when the run has ended.
func (r *Run) Close() {
	for _, replay := range r.replays {
		_ = replay.Close() // files that were only read
	}
}

// SkippedLines is how many broken lines of traces were passed over so far, and what was
// wrong with the first of them.
func (r *Run) SkippedLines() (int, []error) {
	var n int
	var first []error
	for _, replay := range r.replays {
		skipped, errs := replay.Skipped()
		n += skipped
		first = append(first, errs...)
	}
	return n, first
}
