package main

import (
	"context"
	"errors"

	"github.com/berth-sim/berth/reports/fleetplan"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/plan"
	"github.com/berth-sim/berth/sim/answers/scaleup"
)

// errUnfit is the end of plan -f when new nodes cannot take all pending pods.
var errUnfit = &failure{exitGate, errors.New("some pending pods would not fit on a new node of any pool")}

// errUnconfirmed is the end of plan -f when the scheduler does not place the pods on the new nodes.
var errUnconfirmed = &failure{exitGate, errors.New("the scheduler does not place all of these pods on the new nodes")}

// growth is a question about new nodes.
type growth struct {
	cluster   scaleup.Cluster
	placement *scenarios.Placement
	shapes    []scaleup.Shape
}

// addNodes answers which new nodes the pending pods of manifests need.
func addNodes(ctx context.Context, o *planOptions) error {
	loaded := o.loading()
	asked, err := scenarios.UnlessDone(ctx, func() (growth, error) { return o.growth(ctx) })
	loaded()
	if err != nil {
		return err
	}
	o.note(asked.placement.Skipped)
	o.warn(asked.placement.Warnings)
	p := o.showProgress()
	p.say("trying " + human.Counted(len(asked.shapes), "kind") + " of nodes")
	found, err := scaleup.Plan(ctx, asked.cluster, asked.shapes)
	p.end()
	if err != nil {
		return err
	}
	o.warn(asked.placement.FinalWarnings())
	switch {
	case len(found.Unfit) > 0:
		err = errUnfit
	case len(found.Chosen) > 0 && !found.Confirmed:
		err = errUnconfirmed
	}
	return o.show(&fleetplan.NewNodes{Files: o.files, Result: found}, err)
}

// growth reads the manifests and the price list.
func (o *planOptions) growth(ctx context.Context) (out growth, err error) {
	snapshot, err := scenarios.ReadSnapshot(o.placeOptions())
	if err != nil {
		return out, err
	}
	if out.shapes, err = plan.NewNodes(snapshot, o.prices); err != nil {
		return out, err
	}
	out.cluster, out.placement, err = snapshot.ScaleUp(ctx)
	return out, err
}
