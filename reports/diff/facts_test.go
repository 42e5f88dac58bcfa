package diff

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports"
)

func TestFacts(t *testing.T) {
	in := func(pairs ...string) (out []reports.Input) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, reports.Input{Path: pairs[i], SHA256: pairs[i+1]})
		}
		return out
	}
	base := reports.Manifest{Scenario: "s", Policy: "default", Seed: 7, Inputs: in("s.yaml", "aaaa", "o.yaml", "bbbb")}
	for name, tt := range map[string]struct {
		change func(m *reports.Manifest)
		want   []string // name: value in run 1 | value in run 2, with a ! if the arrivals are others
	}{
		"nothing":        {func(m *reports.Manifest) {}, nil},
		"seed":           {func(m *reports.Manifest) { m.Seed = 8 }, []string{"seed: 7 | 8 !"}},
		"scenario":       {func(m *reports.Manifest) { m.Scenario = "t" }, []string{"scenario: s | t !"}},
		"admission":      {func(m *reports.Manifest) { m.Admission = []string{"A", "-B"} }, []string{"admission:  | A, -B"}},
		"bad lines":      {func(m *reports.Manifest) { m.SkipBadLines = true }, []string{"skip bad lines: no | yes"}},
		"file changed":   {func(m *reports.Manifest) { m.Inputs = in("s.yaml", "aaaa", "o.yaml", "cccc") }, []string{"o.yaml: bbbb | cccc"}},
		"file moved":     {func(m *reports.Manifest) { m.Inputs = in("dir/s.yaml", "aaaa", "o.yaml", "bbbb") }, nil},
		"file left out":  {func(m *reports.Manifest) { m.Inputs = in("s.yaml", "aaaa") }, []string{"o.yaml: bbbb | "}},
		"file more":      {func(m *reports.Manifest) { m.Inputs = append(slices.Clone(m.Inputs), in("p", "dddd")...) }, []string{"p:  | dddd"}},
		"other policy":   {func(m *reports.Manifest) { m.Policy = "p"; m.Inputs = append(slices.Clone(m.Inputs), in("p", "d")...) }, []string{"policy: default | p"}},
		"order of files": {func(m *reports.Manifest) { m.Inputs = in("o.yaml", "bbbb", "s.yaml", "aaaa") }, nil},
	} {
		other := base
		tt.change(&other)
		var got []string
		for _, f := range facts(base, other) {
			text := f.Name + ": " + f.Values[0] + " | " + f.Values[1]
			if !f.Same {
				text += " !"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestUnplayed: why a run cannot be played again is said, and never an error of the whole.
func TestUnplayed(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(m *reports.Manifest, a *Attempt)
		want  string
	}{
		"file changed": {func(*reports.Manifest, *Attempt) { write(t, "classes.yaml", classesText+"\n") }, "classes.yaml has changed since the run"},
		"file gone":    {func(*reports.Manifest, *Attempt) { os.Remove("classes.yaml") }, "classes.yaml is not there"},
		"variable": {func(m *reports.Manifest, _ *Attempt) {
			m.Inputs = append(m.Inputs, reports.Input{Path: "environment:BERTH_TEST"})
		}, "environment:BERTH_TEST has changed"},
		"horizon":       {func(m *reports.Manifest, _ *Attempt) { m.Horizon = "soon" }, `the horizon "soon" of its manifest`},
		"another time":  {func(_ *reports.Manifest, a *Attempt) { a.At-- }, "decides otherwise"},
		"another pod":   {func(_ *reports.Manifest, a *Attempt) { a.Pod = 1 << 40 }, "decides otherwise"},
		"no inputs":     {func(m *reports.Manifest, _ *Attempt) { m.Inputs = nil }, "names no inputs"},
		"another seed":  {func(m *reports.Manifest, _ *Attempt) { m.Seed++ }, "decides otherwise"},
		"no scenario":   {func(m *reports.Manifest, _ *Attempt) { m.Inputs = m.Inputs[1:] }, "this file is no scenario"},
		"shorter than":  {func(m *reports.Manifest, _ *Attempt) { m.Horizon = "1ms" }, "decides otherwise"},
		"with extender": {func(m *reports.Manifest, _ *Attempt) { extend(t, m) }, "has extenders"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			play(t, "a", "")
			play(t, "b", "pack.yaml")
			d := read(t, "a", "b", Options{})
			tt.spoil(&d.Runs[0].Manifest, d.Parting.Attempts[0])
			d.Parting.explain(t.Context(), d.Runs, Options{Scores: true})
			if got := d.Parting.Unplayed[0]; !strings.Contains(got, tt.want) || d.Parting.Explained[0] != nil {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// extend has the run made under a policy with an extender that nobody answers for.
func extend(t *testing.T, m *reports.Manifest) {
	write(t, "extended.yaml", `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders: [{urlPrefix: "http://127.0.0.1:1", filterVerb: filter}]
`)
	m.Policy = "extended.yaml"
}

func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	play(t, "a", "")
	play(t, "b", "pack.yaml")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, [2]string{"a", "b"}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("while the logs are read: %v", err)
	}
	d := read(t, "a", "b", Options{})
	d.Parting.explain(ctx, d.Runs, Options{Scores: true})
	if want := [2]string{"interrupted", "interrupted"}; d.Parting.Unplayed != want {
		t.Errorf("while the runs are played again: %q", d.Parting.Unplayed)
	}
}
