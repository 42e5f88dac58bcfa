package scenarios

import (
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// Run is a run that is ready to start: one scenario, policy and seed.
type Run struct {
	Config   world.Config
	Recipe   recipe.Recipe // complete
	Policy   config.Policy
	Inputs   []Input
	Warnings []string
	Skipped  []string       // a line on the objects that do not affect scheduling; none if there are none
	Ranks    map[string]int // of nodes, that come with a shuffled pod list; nil: none
	FGDPods  int            // number of pods of that list
	// NeverFit are the classes of pods that fit no node of the initial fleet even when it is empty. Pods of traces are not
	// checked.
	NeverFit map[*cluster.Class]bool
	// DevicesFit reports that the policy checks single devices, so that every pod is placed on a node with the devices
	// that it requests.
	DevicesFit bool

	replays []*workloads.Replay
	budgets []document.Value // of the cluster, by their ids
	loaders []*manifest.Loader
}

// FinalWarnings returns the warnings that are known only at the end of the run. ended is how it ended.
func (r *Run) FinalWarnings(ended string) []string {
	out := failedCalls(r.Config.Scheduler)
	if ended != "interrupted" {
		out = append(out, r.idleBudgets()...)
	}
	return out
}

// Close closes the files that streams of the run have open. It need not be called when the run has ended.
func (r *Run) Close() {
	for _, replay := range r.replays {
		_ = replay.Close() // files that were only read
	}
}

// SkippedLines returns how many invalid lines of traces have been skipped so far, and the errors of the first of them.
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
