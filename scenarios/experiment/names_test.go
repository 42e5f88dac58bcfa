package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// Names are short where they can be, and both they and the directories are there once.
func TestNamesAndDirectories(t *testing.T) {
	for _, of := range []struct{ paths, names, dirs string }{
		{"default a/pack.yaml", "default pack", "default pack"},
		{"p.yaml ../p.yaml", "p.yaml ../p.yaml", "p.yaml p.yaml-2"},
		{"p.yaml ../p.yaml ./p.yaml-2.yaml", "p.yaml ../p.yaml p.yaml-2", "p.yaml p.yaml-2 p.yaml-2-2"},
		{"p.yaml d/p.yaml e/p.yaml.yaml", "p.yaml d/p.yaml e/p.yaml.yaml", "p.yaml d-p.yaml e-p.yaml.yaml"},
		{"a/b.yaml a-b.yaml a/b-a/b.yaml", "a/b.yaml a-b a/b-a/b.yaml", "a-b.yaml a-b a-b-a-b.yaml"},
		{"Pack.yaml pack.yaml", "Pack pack", "Pack pack-2"},
		{"... .yaml", ".. .yaml", "policy yaml"},
	} {
		names := shortNames(strings.Fields(of.paths))
		if got := strings.Join(names, " "); got != of.names {
			t.Errorf("%s: names are %s, want %s", of.paths, got, of.names)
		}
		if got := strings.Join(fileNames(names), " "); got != of.dirs {
			t.Errorf("%s: directories are %s, want %s", of.paths, got, of.dirs)
		}
	}
}

// Warnings are in the order of the runs, whichever ends first.
func TestOrderOfWarnings(t *testing.T) {
	m := &Matrix{Policies: []string{"a", "b"}, Seeds: []uint64{1, 2}}
	g := m.start([]*scenarios.Run{{Warnings: []string{"before"}}, {}})
	g.warnings = [][]string{{"a1"}, {"b1", "before"}, {"a2", "a1"}, nil}
	g.mergeWarnings()
	if want := []string{"before", "a1", "b1", "a2"}; !slices.Equal(g.results.Warnings, want) {
		t.Errorf("got %q", g.results.Warnings)
	}
}
