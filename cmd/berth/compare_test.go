package main

import (
	"context"
	"os"
	"strings"
	"testing"
)

// What is interrupted says so, and leaves nothing behind that looks whole.
func TestInterruptedComparison(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"scenario.yaml": gated, "a.yaml": weighted(1), "b.yaml": weighted(50)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, line := range []string{
		"compare scenario.yaml --policy a.yaml --policy b.yaml --out runs",
		"check scenario.yaml --baseline base.json --update",
	} {
		r := berth(ctx, 80, strings.Fields(line)...)
		if r.code != exitInterrupted || r.out != "" || !strings.Contains(r.err, "interrupted") {
			t.Errorf("%s ends with %d:\n%s%s", line, r.code, r.out, r.err)
		}
	}
	for _, name := range []string{"base.json", "runs"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}
