package replay

import (
	"context"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// PodQuestion asks for the last attempt to schedule a pod of a scenario.
type PodQuestion struct {
	Pod     explain.PodName
	Until   clock.Time // what comes later does not count; clock.Forever: the whole run does
	Options explain.Options
	// Build builds the run. It is called again where the attempt is known only at the end of the run, and must then
	// return the same run.
	Build func(context.Context) (*scenarios.Run, error)
}

// ExplainPod makes the run until the attempt is found, if need be twice, and returns the explanation of the attempt. It
// is an error if there is no such pod at that time, or if the context ends.
func ExplainPod(ctx context.Context, q PodQuestion) (*explain.Explanation, error) {
	t := explain.NewTracker(q.Pod, q.Until, q.Options)
	for {
		run, err := q.Build(ctx)
		if err != nil {
			return nil, err
		}
		if err := runUntil(ctx, run, tracked{t}); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if found, err := t.Result(); found != nil || err != nil {
			return found, err
		}
	}
}

// tracked observes a run for a tracker.
type tracked struct{ *explain.Tracker }

func (t tracked) observe(cfg *world.Config, enough func()) {
	t.Scheduler, t.Cluster, t.Options.Daemons = cfg.Scheduler, cfg.Cluster, cfg.Daemons
	cfg.Attempted, cfg.BeforeAdvance = t.Attempted, t.BeforeAdvance
	cfg.Record = func(r *record.Record) {
		if !t.Record(r) {
			enough()
		}
	}
}

func (t tracked) begin(w *world.World) { t.World = w }
