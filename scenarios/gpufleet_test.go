package scenarios_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestGPUFleetData holds data/gpu-fleet-nodes.csv and data/gpu-fleet-pods.csv to the
// generator below, which made them up: no line of them is from a real trace. With
// -rewrite it writes them.
func TestGPUFleetData(t *testing.T) {
	for path, text := range map[string]string{
		"data/gpu-fleet-nodes.csv": gpuFleetNodes(),
		"data/gpu-fleet-pods.csv":  gpuFleetPods(),
	} {
		if rewrite := flag.Lookup("rewrite"); rewrite != nil && rewrite.Value.String() == "true" {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != text {
			t.Errorf("%s is not what the generator makes; run this test with -rewrite", path)
		}
	}
}

// gpuFleetNodes is a node list in the columns of openb: 40 nodes with 156 GPUs.
func gpuFleetNodes() string {
	var out strings.Builder
	out.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	n := 0
	for _, kind := range []struct {
		count, cores, gib, gpus int
		model                   string
	}{
		{14, 48, 192, 2, "T4"}, {12, 64, 256, 4, "A10"}, {10, 128, 1024, 8, "A100"}, {4, 96, 384, 0, ""},
	} {
		for range kind.count {
			fmt.Fprintf(&out, "node-%02d,%d,%d,%d,%s\n", n, kind.cores*1000, kind.gib*1024, kind.gpus, kind.model)
			n++
		}
	}
	return out.String()
}

// gpuFleetPods is a pod list in the columns of openb: eight hours of pods that share a
// GPU, have one, two, four or eight, or none.
func gpuFleetPods() string {
	const pods, hours = 1700, 8
	draws := rand.New(rand.NewPCG(2026, 7))
	created := make([]int, pods)
	for i := range created {
		created[i] = draws.IntN(hours * 3600)
	}
	slices.Sort(created)
	var out strings.Builder
	out.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n")
	for i, at := range created {
		gpus, milli, models, qos := 0, 0, "", "LS"
		switch share := draws.Float64(); {
		case share < 0.3:
			gpus, milli, models = 1, 100*(2+draws.IntN(7)), pick(draws, "", "", "T4", "T4|A10")
		case share < 0.67:
			gpus, milli, models = 1, 1000, pick(draws, "", "", "", "A10|A100")
		case share < 0.75:
			gpus, milli = 2, 1000
		case share < 0.79:
			gpus, milli, models, qos = 4, 1000, pick(draws, "", "A100"), "BE"
		case share < 0.82:
			gpus, milli, models, qos = 8, 1000, "A100", "BE"
		}
		cores, gib := 4+4*draws.IntN(3), 16
		if gpus > 0 {
			cores, gib = 6*gpus, 24*gpus
		}
		life := int(1500 * (0.2 + draws.ExpFloat64()))
		fmt.Fprintf(&out, "pod-%04d,%d,%d,%d,%d,%s,%s,Succeeded,%d,%d,%d\n",
			i, cores*1000, gib*1024, gpus, milli, models, qos, at, at+life, at)
	}
	return out.String()
}

func pick(draws *rand.Rand, from ...string) string { return from[draws.IntN(len(from))] }
