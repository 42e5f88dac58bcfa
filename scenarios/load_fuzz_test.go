package scenarios_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// FuzzLoad reads anything as a scenario: it is built, or refused with faults that say
// where they are, and never a panic. Scenarios that would take long to build are left
// out.
func FuzzLoad(f *testing.F) {
	bundled, err := filepath.Glob("*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range bundled {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, c := range fieldCases() {
		f.Add(completed(c.to))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "0") > 400 || strings.Contains(text, "00000") {
			t.Skip("numbers that may be large")
		}
		path := filepath.Join(t.TempDir(), "in.yaml")
		write(t, path, text)
		s, err := scenarios.Load(path)
		if err == nil {
			if fleet := s.File.Fleet; len(fleet) > 10 || len(fleet) > 0 && fleet[0].Count > 1000 {
				t.Skip("a large fleet")
			}
			var run *scenarios.Run
			if run, err = s.Build(scenarios.Options{}); err == nil {
				run.Close()
				return
			}
		}
		if !strings.Contains(err.Error(), ":") {
			t.Errorf("%q does not say where it is wrong", err)
		}
	})
}
