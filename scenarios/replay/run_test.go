package replay_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// interrupted runs the scenario until it is interrupted, once about half of it is done.
func interrupted(t *testing.T, dir string) *rundir.Run {
	t.Helper()
	write(t, "scenario.yaml", scenarioText)
	write(t, "classes.yaml", classesText)
	scenario, err := scenarios.Load("scenario.yaml")
	if err != nil {
		t.Fatal(err)
	}
	run, err := scenario.Build(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	p := experiment.Runner{Progress: func(now clock.Time, _, _ int64) {
		if now > 9*clock.Minute {
			interrupt()
		}
	}}
	if _, err := p.Run(ctx, run, dir); err != nil {
		t.Fatal(err)
	}
	saved, err := rundir.Open(dir)
	if err != nil || !saved.Manifest.Partial {
		t.Fatalf("the run was not interrupted: %v", err)
	}
	return saved
}

// The replay of an interrupted run is the same up to the interruption, and goes on to the end.
func TestInterruptedRun(t *testing.T) {
	t.Chdir(t.TempDir())
	saved := interrupted(t, "a")
	outcome, err := replay.Run(t.Context(), saved, experiment.Runner{}, "b")
	if err != nil {
		t.Fatal(err)
	}
	all := recordsOf(t, "a")
	made := 1 // the end
	if all[len(all)-2].Kind == record.Sampled {
		made++
	}
	if outcome.Differs != 0 || outcome.Records != int64(len(all)-made) || outcome.Summary.Run.Ended != "horizon" {
		t.Errorf("of %d records %d are equal, line %d differs, and it ended %q", len(all), outcome.Records, outcome.Differs, outcome.Summary.Run.Ended)
	}
	if whole := recordsOf(t, "b"); len(whole) <= len(all) {
		t.Errorf("the replay has %d records, the interrupted run %d", len(whole), len(all))
	}
}

// A replay that is interrupted itself is not written, and says nothing of the saved run.
func TestInterruptedReplay(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	saved, err := rundir.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	p := experiment.Runner{Progress: func(now clock.Time, _, _ int64) {
		if now > 9*clock.Minute {
			interrupt()
		}
	}}
	outcome, err := replay.Run(ctx, saved, p, "b")
	if err != nil || !outcome.Summary.Run.Partial || outcome.Records != 0 || outcome.Differs != 0 {
		t.Errorf("%+v, %v", outcome, err)
	}
	if files, _ := filepath.Glob("b/*"); len(files) > 0 {
		t.Errorf("it has written %q", files)
	}
}
