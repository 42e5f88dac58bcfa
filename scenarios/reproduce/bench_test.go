package reproduce

import (
	"path/filepath"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// BenchmarkProtocol runs the default list and measures fragmentation after every pod.
func BenchmarkProtocol(b *testing.B) {
	skipWithoutData(b, "openb")
	for _, policy := range []string{"fgd", "best-fit", "clustering"} {
		b.Run(policy+"/nodes=1213/pods=10866", func(b *testing.B) {
			s := Study{Data: data, Out: b.TempDir()}
			scenario, err := s.scenario("openb_pod_list_default")
			if err != nil {
				b.Fatal(err)
			}
			pods := 0
			for b.Loop() {
				run, err := scenario.Build(scenarios.Options{Recipe: recipe.Recipe{Policy: filepath.Join(policies, policy+".yaml")}})
				if err != nil {
					b.Fatal(err)
				}
				r, err := measure(b.Context(), run)
				if err != nil {
					b.Fatal(err)
				}
				if r.Pods != 10866 || r.Unscheduled < 2500 {
					b.Fatalf("%d pods were tried, %d of them in vain", r.Pods, r.Unscheduled)
				}
				pods += r.Pods
			}
			b.ReportMetric(float64(pods)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
