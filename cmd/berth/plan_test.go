package main

import (
	"context"
	"strings"
	"testing"
)

// What is interrupted before anything is known does not say that it shows something.
func TestInterruptedPlan(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, c := range []struct{ what, want string }{
		{"bin-packing.yaml --goal placement.pending<=3 --vary pool.general.count=1..9", "berth: interrupted: no fleet was finished\n"},
		{"../docs/examples/compaction/scenario.yaml --compact=random", "berth: interrupted: no trial was finished\n"},
	} {
		r := berth(ctx, 80, strings.Fields("plan ../../scenarios/"+c.what)...)
		if r.code != exitInterrupted || r.out != "" || r.err != c.want {
			t.Errorf("%s ends with %d:\n%s%s", c.what, r.code, r.out, r.err)
		}
	}
}
