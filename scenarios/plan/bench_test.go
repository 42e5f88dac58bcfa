package plan_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
)

// benchFleet is that many nodes of four cores, and as many pods of half a core at once.
func benchFleet(nodes, pods int, horizon string) string {
	return fmt.Sprintf(`horizon: %s
fleet:
  - pool: n
    count: %d
    template: {status: {allocatable: {cpu: "4", memory: 64Gi, pods: "110"}}}
workloads:
  - name: w
    arrivals: {atOnce: {count: %d}}
    template: {spec: {containers: [{name: c, image: "i:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}
`, horizon, nodes, pods)
}

// BenchmarkPlan bisects a pool: the pods of all runs count.
func BenchmarkPlan(b *testing.B) {
	for _, size := range []struct{ most, pods, need int }{{64, 400, 50}, {500, 3200, 400}} {
		const seeds = 3
		b.Run(fmt.Sprintf("nodes=1..%d/pods=%d/seeds=%d", size.most, size.pods, seeds), func(b *testing.B) {
			p := &plan.Plan{
				Scenario: loaded(b, benchFleet(1, size.pods, "5m"), nil), Objectives: wanted(b, "placement.pending{workload=w} == 0"),
				Axes: []plan.Axis{{Pool: "n", Low: 1, High: size.most}}, Seeds: experiment.Seeds(1, seeds), Quantile: 90,
			}
			runs := 0
			p.Done = func(int) { runs++ }
			for b.Loop() {
				found, err := p.Search(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				if best := found.Probes[found.Best].Counts[0]; best != size.need {
					b.Fatalf("%d nodes are said to be needed, not %d", best, size.need)
				}
			}
			b.ReportMetric(float64(runs)/float64(b.N), "runs")
			b.ReportMetric(float64(runs*size.pods)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// BenchmarkCompaction takes nodes away in eleven orders: the pods of all runs count.
func BenchmarkCompaction(b *testing.B) {
	for _, size := range []struct{ nodes, pods, need int }{{100, 400, 50}, {25, 400, 50}, {800, 3200, 400}} {
		const trials = 11
		b.Run(fmt.Sprintf("nodes=%d/pods=%d/trials=%d", size.nodes, size.pods, trials), func(b *testing.B) {
			c := &plan.Compaction{
				Scenario: loaded(b, benchFleet(size.nodes, size.pods, "untilDone"), nil), Seeds: experiment.Seeds(1, trials), Quantile: 90,
			}
			runs := 0
			for b.Loop() {
				found, err := c.Search(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				if found.Enough() != size.need {
					b.Fatalf("%d nodes are said to do, not %d", found.Enough(), size.need)
				}
				for _, t := range found.Trials {
					runs += t.Runs
				}
			}
			b.ReportMetric(float64(runs)/float64(b.N), "runs")
			b.ReportMetric(float64(runs*size.pods)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
