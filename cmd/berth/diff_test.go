package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// twoRuns runs a bundled scenario under two policies and returns the directories.
func twoRuns(t *testing.T, scenario string) (a, b string) {
	t.Helper()
	a, b = filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for dir, policy := range map[string]string{a: "scenarios/policies/least-allocated.yaml", b: "scenarios/policies/most-allocated.yaml"} {
		r := berth(t.Context(), defaultWidth, "run", "scenarios/"+scenario+".yaml", "--quiet", "--horizon", "1h30m", "--policy", policy, "--out", dir)
		if r.code != exitDone {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
	}
	return a, b
}

func TestEveryKeyOfADifferenceIsDocumented(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/diff.md")
	if err != nil {
		t.Fatal(err)
	}
	a, b := twoRuns(t, "preemption")
	r := berth(t.Context(), defaultWidth, "diff", a, b, "--format", "json")
	if r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	keys := map[string]bool{}
	jsonKeys(t, []byte(r.out), keys)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("docs/diff.md does not say what `%s` is", key)
		}
	}
}

// TestDiffInterrupted: nothing is shown of runs that were not read to their ends.
func TestDiffInterrupted(t *testing.T) {
	atRoot(t)
	a, b := twoRuns(t, "quickstart")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := berth(ctx, defaultWidth, "diff", a, b); r.code != exitInterrupted || r.out != "" {
		t.Errorf("exit %d: %q", r.code, r.out)
	}
}
