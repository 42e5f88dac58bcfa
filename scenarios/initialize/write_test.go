package initialize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios/initialize"
)

// Every template runs, and is what its name says.
func TestTemplatesRun(t *testing.T) {
	for _, template := range initialize.Templates {
		out := filepath.Join(t.TempDir(), template.Name+".yaml")
		if _, err := initialize.Write(t.Context(), initialize.Options{Template: template.Name, Out: out}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil || !strings.Contains(string(text), "\n  name: "+template.Name+"\n") {
			t.Errorf("%s: %v:\n%s", template.Name, err, text)
		}
		runs(t, out)
	}
	if _, err := initialize.Write(t.Context(), initialize.Options{Template: "wep", Out: filepath.Join(t.TempDir(), "s.yaml")}); err == nil ||
		!strings.Contains(err.Error(), `did you mean "web"?`) {
		t.Errorf("an unknown template: %v", err)
	}
}

// When the files cannot be put in their places, none is left.
func TestNothingIsWrittenByHalf(t *testing.T) {
	dir := t.TempDir()
	dump := filepath.Join(dir, "dump.yaml")
	if err := os.WriteFile(dump, []byte("apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 1, pods: 9}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "out", "names.csv", "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := initialize.Write(t.Context(), initialize.Options{
		Files: []string{dump}, Out: filepath.Join(dir, "out", "s.yaml"), Scrub: true, Names: filepath.Join(dir, "out", "names.csv"), Force: true,
	})
	if err == nil {
		t.Error("a directory was written over")
	}
	left, err := os.ReadDir(filepath.Join(dir, "out"))
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// The list of names has what became of each.
func TestNamesAreListed(t *testing.T) {
	dir := t.TempDir()
	names := filepath.Join(dir, "elsewhere", "names.csv")
	if _, err := initialize.Write(t.Context(), initialize.Options{
		Files: []string{"../manifests/cluster.yaml"}, Out: filepath.Join(dir, "s.yaml"), Scrub: true, Names: names,
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(names)
	if err != nil || !strings.Contains(string(text), "sort,original,neutral\n") || !strings.Contains(string(text), "\nnode,node-gpu,node-4\n") {
		t.Errorf("%v:\n%s", err, text)
	}
	if info, err := os.Stat(names); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the list of names: %v, %v", info, err)
	}
}
