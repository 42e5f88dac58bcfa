package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoldensAreFresh has kube-scheduler decide the cases again that the main module keeps.
func TestGoldensAreFresh(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(Goldens, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("%s is empty; make conformance-goldens fills it", Goldens)
	}
	for _, file := range files {
		c, err := ReadCase(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(want), "\n")
		c.Heap, c.Queue = strings.Contains(head, "tie upstream"), strings.Contains(head, "order queue")
		got, err := c.Decisions(kube)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got != string(want) {
			t.Errorf("%s: kube-scheduler decides otherwise; see what make conformance-goldens changes", file)
		}
	}
}
