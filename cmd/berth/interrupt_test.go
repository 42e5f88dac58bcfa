package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterruptedWhileLoading: what is interrupted before it knows anything says so, and writes and
// leaves nothing.
func TestInterruptedWhileLoading(t *testing.T) {
	data, err := filepath.Abs("../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	directory(t, map[string]string{"lively.yaml": lively, "classes.yaml": classes, "node.yaml": node, "pack.yaml": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"})
	before := list(".")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range []string{
		"run lively.yaml --out out",
		"compare lively.yaml --policy default --policy pack.yaml --out out",
		"check lively.yaml --baseline baseline.json --update",
		"plan lively.yaml --goal placement.pending<=3 --vary pool.n.count=1..3",
		"place node.yaml",
		"explain web -f node.yaml",
		"explain web-1 lively.yaml",
		"capacity -f node.yaml --template node.yaml",
		"init -f node.yaml --out out/s.yaml",
		"import openb --nodes DATA/data/gpu-fleet-nodes.csv --pods DATA/data/gpu-fleet-pods.csv --out out",
	} {
		r := berth(ctx, 80, strings.Fields(strings.ReplaceAll(line, "DATA", data))...)
		if r.code != exitInterrupted || r.out != "" || !strings.Contains(r.err, "interrupted") {
			t.Errorf("%s: exit %d with %q and %q", line, r.code, r.out, r.err)
		}
		if left := list("."); left != before {
			t.Fatalf("%s: there is left:\n%s", line, left)
		}
		if _, err := os.Stat("out"); err == nil {
			t.Fatalf("%s: the directory is left", line)
		}
	}
}
