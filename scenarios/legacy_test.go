package scenarios

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/recipe"
)

// TestInputsOfALegacyPolicy: the file that a configuration names, and the variable that it
// honors, are inputs of the run.
func TestInputsOfALegacyPolicy(t *testing.T) {
	t.Setenv("KUBE_MAX_PD_VOLS", "20")
	s, err := Load("quickstart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Build(Options{Recipe: recipe.Recipe{Policy: filepath.Join("policies", "legacy-file.yaml")}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	for _, want := range []string{
		filepath.Join("policies", "legacy-file.yaml"), filepath.Join("policies", "legacy-packing.json"), "environment:KUBE_MAX_PD_VOLS",
	} {
		if !slices.ContainsFunc(run.Inputs, func(in Input) bool { return in.Path == want && len(in.SHA256) == 64 }) {
			t.Errorf("%s is not among the inputs %v", want, run.Inputs)
		}
	}
	if len(run.Warnings) != 1 {
		t.Errorf("warnings %q", run.Warnings)
	}
}
