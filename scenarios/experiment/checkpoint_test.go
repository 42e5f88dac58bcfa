package experiment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// What is kept is read for the same inputs and schema only, and when it is whole.
func TestKeep(t *testing.T) {
	k := experiment.Checkpoint{Path: filepath.Join(t.TempDir(), "a", "1.json"), Schema: "s/v1", Inputs: "x"}
	read := func(k experiment.Checkpoint) bool {
		var got []int
		ok, err := k.Load(&got)
		if err != nil {
			t.Fatal(err)
		}
		return ok && len(got) == 2 && got[0] == 3 && got[1] == 4
	}
	if read(k) {
		t.Error("something is kept before it was written")
	}
	if err := k.Save([]int{3, 4}); err != nil {
		t.Fatal(err)
	}
	if !read(k) {
		t.Error("what was written is not kept")
	}
	for _, other := range []experiment.Checkpoint{{k.Path, "s/v2", "x"}, {k.Path, "s/v1", "y"}} {
		if read(other) {
			t.Errorf("%+v reads what is not its own", other)
		}
	}
	text, err := os.ReadFile(k.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, spoilt := range []string{string(text[:len(text)/2]), "", strings.Replace(string(text), "[3,4]", `"x"`, 1)} {
		if err := os.WriteFile(k.Path, []byte(spoilt), 0o644); err != nil {
			t.Fatal(err)
		}
		if read(k) {
			t.Errorf("%q is read", spoilt)
		}
	}
	if _, err := (experiment.Checkpoint{Path: t.TempDir()}).Load(new(int)); err == nil {
		t.Error("a directory is read")
	}
}

// Different seeds, inputs and versions have different fingerprints.
func TestFingerprint(t *testing.T) {
	sums := map[string]bool{}
	a, b := []scenarios.Input{{Path: "a", SHA256: "1"}}, []scenarios.Input{{Path: "a", SHA256: "2"}}
	for _, sum := range []string{
		experiment.Fingerprint(&scenarios.Run{Recipe: recipe.Recipe{Seed: new(uint64(1))}}, a, "v1"), experiment.Fingerprint(&scenarios.Run{Recipe: recipe.Recipe{Seed: new(uint64(2))}}, a, "v1"),
		experiment.Fingerprint(&scenarios.Run{Recipe: recipe.Recipe{Seed: new(uint64(1))}}, b, "v1"), experiment.Fingerprint(&scenarios.Run{Recipe: recipe.Recipe{Seed: new(uint64(1))}}, a, "v2"),
		experiment.Fingerprint(&scenarios.Run{Recipe: recipe.Recipe{Seed: new(uint64(1))}}, nil, "v1"),
	} {
		sums[sum] = true
	}
	if len(sums) != 5 {
		t.Errorf("five runs have %d fingerprints", len(sums))
	}
}
