package main

import (
	"context"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/answers/drain"
	"github.com/berth-sim/berth/sim/answers/place"
)

// compactBy is how plan --compact finds nodes that are not needed.
type compactBy string

const (
	compactDrain  compactBy = "drain"  // nodes that can be drained while everything that runs runs again
	compactRandom compactBy = "random" // nodes drawn at random, with the whole workload placed again
)

// drainNodes answers which nodes can be drained.
func drainNodes(ctx context.Context, o *planOptions) error {
	standing, err := o.standing(ctx)
	if err != nil {
		return err
	}
	o.note(standing.Skipped)
	o.warn(standing.Warnings)
	p := o.showProgress()
	asked := drain.Options{Traits: standing.Traits, Progress: func(nodes int) { p.tried("node", nodes) }}
	asked.Progress(0)
	found, err := drain.Plan(ctx, standing.NewCluster, asked)
	p.end()
	if err != nil {
		return err
	}
	return o.show(&fleetplan.Drain{Scenario: standing.Name, Policy: standing.Policy, Result: found}, nil)
}

// standing returns the cluster that is asked about.
func (o *planOptions) standing(ctx context.Context) (*scenarios.InitialCluster, error) {
	defer o.loading()()
	if len(o.files) == 0 {
		scenario, err := scenarios.Load(o.path)
		if err != nil {
			return nil, err
		}
		return scenario.InitialCluster(ctx, o.build)
	}
	return scenarios.UnlessDone(ctx, func() (*scenarios.InitialCluster, error) {
		snapshot, err := scenarios.ReadSnapshot(o.placeOptions())
		if err != nil {
			return nil, err
		}
		return snapshot.InitialCluster(ctx)
	})
}

// placeOptions returns the options of a snapshot.
func (o *planOptions) placeOptions() scenarios.PlaceOptions {
	return scenarios.PlaceOptions{Files: o.files, Exclude: o.exclude, Recipe: o.build.Recipe, Order: place.QueueOrder, Strict: o.build.Strict}
}
