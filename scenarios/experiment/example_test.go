package experiment_test

import (
	"context"
	"fmt"
	"log"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
)

// One run of a scenario, and two of its figures.
func ExampleRunner_Run() {
	scenario, err := scenarios.Load("../quickstart.yaml")
	if err != nil {
		log.Fatal(err)
	}
	run, err := scenario.Build(scenarios.Options{})
	if err != nil {
		log.Fatal(err)
	}
	outcome, err := experiment.Runner{}.Run(context.Background(), run, "")
	if err != nil {
		log.Fatal(err)
	}
	pending, _ := outcome.Summary.Value("placement.pending", "")
	victims, _ := outcome.Summary.Value("placement.victims", "")
	fmt.Printf("%g pods are pending at the end, %g were preempted\n", pending, victims)
	// Output: 8 pods are pending at the end, 11 were preempted
}

// A scenario under two policies, with the same seeds.
func ExampleMatrix_Run() {
	scenario, err := scenarios.Load("../quickstart.yaml")
	if err != nil {
		log.Fatal(err)
	}
	m := experiment.Matrix{
		Scenario: scenario, Seeds: experiment.Seeds(7, 5),
		Policies: []string{scenarios.DefaultPolicy, "../policies/most-allocated.yaml"},
	}
	results, err := m.Run(context.Background(), experiment.Runner{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	comparison := compare.Policies(results.Policies, results.Pairs(), 0)
	for _, row := range comparison.Contrasts[0].Rows {
		if row.Metric.Name == "utilization.emptyNodesMean" {
			fmt.Printf("%s: %.1f empty nodes, %.1f more: %s\n", results.Policies[1], row.Mean, row.Difference.Mean, row.Verdict())
		}
	}
	// Output: most-allocated: 7.8 empty nodes, 6.3 more: better
}
