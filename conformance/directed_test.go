package conformance

import (
	"path/filepath"
	"testing"
)

// TestDirected has kube-scheduler decide the directed cases again, and shows of each that the releases that it names decide
// it otherwise than the one before.
func TestDirected(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(Directed, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s is empty: %v", Directed, err)
	}
	for _, file := range files {
		if err := checkChanges(file); err != nil {
			t.Error(err)
		}
		want, err := decisionsOf(file, kube.Release)
		if err != nil {
			t.Error(err)
			continue
		}
		c, err := ReadCase(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := c.Decisions(kube); err != nil || got != want {
			t.Errorf("%s: kube-scheduler %s decides otherwise (%v); see what make conformance-goldens changes", file, kube.Release, err)
		}
	}
}
