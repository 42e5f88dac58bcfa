package scenarios_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/clock"
)

// played is what a run did.
type played struct {
	end     string
	err     error
	counts  map[sim.RecordKind]int
	records []sim.Record
}

func (p *played) outcome() string {
	if p.err != nil {
		return p.err.Error()
	}
	return fmt.Sprintf("%s: %d pods arrived, %d started", p.end, p.counts[sim.PodArrived], p.counts[sim.PodStarted])
}

// play runs a run to its end.
func play(t *testing.T, run *scenarios.Run) *played {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out := &played{counts: map[sim.RecordKind]int{}}
	cfg := run.Config
	cfg.Record = func(r *sim.Record) {
		out.counts[r.Kind]++
		out.records = append(out.records, *r)
	}
	out.end, out.err = sim.New(cfg).Run(ctx)
	return out
}

// story tells what happened to each pod, one line for all that happened at one instant.
func (p *played) story() string {
	var out strings.Builder
	names, nodes, last := map[int64]string{}, map[int32]string{}, clock.Time(-1)
	for _, r := range p.records {
		what := map[sim.RecordKind]string{
			sim.PodArrived: "arrives", sim.PodGated: "gated", sim.PodRolledBack: "rolled back", sim.PodBound: "bound",
			sim.PodCompleted: "done", sim.PodEvicted: "evicted", sim.PodHeld: "held by",
		}[r.Kind]
		switch r.Kind {
		case sim.NodeAdded:
			nodes[r.Node] = r.NodeInfo.Name
			continue
		case sim.PodArrived:
			names[r.Pod] = strings.TrimPrefix(r.Text, "default/")
		case sim.PodBound:
			what = "on " + nodes[r.Node]
		case sim.PodHeld:
			what += " " + r.Text
		}
		if what == "" {
			continue
		}
		if r.Time != last {
			if out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintf(&out, "%v:", r.Time)
			last = r.Time
		}
		fmt.Fprintf(&out, " %s %s;", names[r.Pod], what)
	}
	return out.String() + "\n"
}

// builtFrom builds the run of a scenario that needs no other files; defaults complete it.
func builtFrom(t *testing.T, text string) *scenarios.Run {
	t.Helper()
	path := t.TempDir() + "/in.yaml"
	write(t, path, completed(text))
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(run.Close)
	return run
}
