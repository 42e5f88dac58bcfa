// Command plugin compares kube-scheduler with one that has a plugin of its own.
package main

import (
	"context"
	"log"
	"os"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// mostPods prefers nodes that have many pods already.
type mostPods struct{ cluster *cluster.Cluster }

func newMostPods(h *scheduler.Handle) (scheduler.Plugin, error) { return mostPods{h.Cluster()}, nil }

func (mostPods) Name() string                      { return "MostPods" }
func (mostPods) DependsOn() scheduler.Dependencies { return scheduler.NodePods }
func (p mostPods) Score(_ *scheduler.Cycle, node cluster.NodeID) int64 {
	return min(int64(len(p.cluster.PodsOn(node))), scheduler.MaxNodeScore)
}

func main() {
	registry := plugins.Registry()
	registry["MostPods"] = scheduler.WithoutArgs(newMostPods)
	scenario, err := scenarios.Load("scenarios/quickstart.yaml")
	check(err)
	results, err := (&experiment.Matrix{
		Scenario: scenario, Options: scenarios.Options{Registry: registry}, Seeds: experiment.Seeds(1, 5),
		Policies: []string{scenarios.DefaultPolicy, "docs/examples/plugin/policy.yaml"},
	}).Run(context.Background(), experiment.Runner{}, nil)
	check(err)
	comparison := compare.Policies(results.Policies, results.Pairs(), 0)
	check(comparison.Render(os.Stdout, output.View{Format: output.Table, Width: 100}))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
