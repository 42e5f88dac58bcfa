package scenarios_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

// played is what a run did.
type played struct {
	end     string
	err     error
	counts  map[record.Kind]int
	records []record.Record
}

func (p *played) outcome() string {
	if p.err != nil {
		return p.err.Error()
	}
	return fmt.Sprintf("%s: %d pods arrived, %d started", p.end, p.counts[record.PodArrived], p.counts[record.PodStarted])
}

// play runs a run to its end.
func play(t *testing.T, run *scenarios.Run) *played {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out := &played{counts: map[record.Kind]int{}}
	cfg := run.Config
	cfg.Record = func(r *record.Record) {
		out.counts[r.Kind]++
		out.records = append(out.records, *r)
	}
	out.end, out.err = world.New(cfg).Run(ctx)
	return out
}

// story tells what happened to each pod, one line for all that happened at one instant.
func (p *played) story() string {
	var out strings.Builder
	names, nodes, last := map[int64]string{}, map[int32]string{}, clock.Time(-1)
	for _, r := range p.records {
		what := map[record.Kind]string{
			record.PodArrived: "arrives", record.PodGated: "gated", record.PodRolledBack: "rolled back", record.PodBound: "bound",
			record.PodCompleted: "done", record.PodEvicted: "evicted", record.PodEvictionBlocked: "held by",
		}[r.Kind]
		switch r.Kind {
		case record.NodeAdded:
			nodes[r.Node] = r.NodeInfo.Name
			continue
		case record.PodArrived:
			names[r.Pod] = strings.TrimPrefix(r.Text, "default/")
		case record.PodBound:
			what = "on " + nodes[r.Node]
		case record.PodEvictionBlocked:
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
	return builtAs(t, t.TempDir()+"/in.yaml", text)
}

// builtAs writes a scenario, which defaults complete, and builds its run. Other files that it names lie beside it.
func builtAs(t *testing.T, path, text string) *scenarios.Run {
	t.Helper()
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
