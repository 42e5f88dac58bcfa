package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRealTrace imports openb's default pod list with its GPU nodes, and places and runs it.
func TestRealTrace(t *testing.T) {
	traces, err := filepath.Abs("../../../shared/data/openb")
	if err != nil {
		t.Fatal(err)
	}
	nodes, pods := filepath.Join(traces, "openb_node_list_gpu_node.csv"), filepath.Join(traces, "openb_pod_list_default.csv")
	if _, err := os.Stat(pods); err != nil {
		t.Skip("the openb trace is not here")
	}
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	r := berth(t.Context(), 80, "import", "openb", "--nodes", nodes, "--pods", pods, "--times", "atOnce", "--manifests", "--out", dir)
	if r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"place", filepath.Join(dir, "manifests.yaml")}, " of 8,152 pods scheduled, in 8,152 attempts; "},
		{[]string{"place", filepath.Join(dir, "manifests.yaml"), "--order", "document", "--tie", "first", "-o", "jsonl"}, `{"type":"summary","pods":8152,`},
		{[]string{"run", filepath.Join(dir, "scenario.yaml")}, "8,152 pods on 1,213 nodes"},
	} {
		if r := berth(t.Context(), 80, c.args...); r.code != exitDone || !strings.Contains(r.out, c.want) {
			t.Errorf("%v: exit %d, no %q: %s", c.args, r.code, c.want, r.err)
		}
	}
}
