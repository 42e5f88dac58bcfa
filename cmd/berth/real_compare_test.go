package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRealTraceComparedAndPlanned compares policies on openb's pods and GPU nodes, and looks for
// the smallest fleet that six hours of the LCG log run on.
func TestRealTraceComparedAndPlanned(t *testing.T) {
	data, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	openb, lcg := filepath.Join(data, "openb"), filepath.Join(data, "swf", "LCG-2005-1.swf.gz")
	for _, trace := range []string{openb, lcg} {
		if _, err := os.Stat(trace); err != nil {
			t.Skip("the traces are not here")
		}
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	finished := func(want []string, args ...string) {
		t.Helper()
		r := berth(t.Context(), 100, args...)
		if r.code != exitDone {
			t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
		}
		for _, text := range want {
			if !strings.Contains(r.out, text) {
				t.Errorf("%v: there is no %q in\n%s", args, text, r.out)
			}
		}
	}
	finished(nil, "import", "openb", "--nodes", filepath.Join(openb, "openb_node_list_gpu_node.csv"),
		"--pods", filepath.Join(openb, "openb_pod_list_default.csv"), "--times", "atOnce", "--out", filepath.Join(dir, "openb"))
	finished([]string{"gpu-packing is better than default in ", "seeds): it ", "pending at the end "},
		"compare", filepath.Join(dir, "openb", "scenario.yaml"), "--seeds", "5",
		"--policy", "default", "--policy", filepath.Join("..", "..", "scenarios", "policies", "gpu-packing.yaml"))

	finished(nil, "import", "swf", "--jobs", lcg, "--memory-per-processor", "512Mi", "--out", filepath.Join(dir, "lcg"))
	path := filepath.Join(dir, "lcg", "scenario.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(text), "horizon: untilDone", "horizon: 6h", 1))
	finished([]string{"swf: 3 to 16 of nodes, policy default, with 1 seed each", "4 nodes of nodes hold the goal (3 do not: "},
		"plan", path, "--vary", "pool.nodes.count=3..16", "--seeds", "1", "--goal", "placement.pending == 0 && placement.waitToBind[p99] < 1m")
}
