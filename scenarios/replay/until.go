package replay

import (
	"context"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/world"
)

// observer watches a run for an attempt.
type observer interface {
	// observe sets what the run calls. The run ends soon after a call of enough.
	observe(cfg *world.Config, enough func())
	// begin gets the world, whose time has not begun to pass.
	begin(*world.World)
}

// runUntil makes the run until the observer has seen enough, and closes it. Samples of fragmentation are left out: they
// decide nothing. If the context ends, the run is interrupted without an error.
func runUntil(ctx context.Context, run *scenarios.Run, o observer) error {
	defer run.Close()
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	cfg := run.Config
	cfg.FragmentationMeter = nil
	o.observe(&cfg, enough)
	w := world.New(cfg)
	o.begin(w)
	_, err := w.Run(ctx)
	return err
}
