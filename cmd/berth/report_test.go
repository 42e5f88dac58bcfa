package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/html"
)

// A report that cannot be written leaves what was there, and nothing besides.
func TestReportThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	run, page := filepath.Join(dir, "run"), filepath.Join(dir, "report.html")
	if r := berth(t.Context(), defaultWidth, "run", "../../scenarios/gang-timeouts.yaml", "--quiet", "--out", run); r.code != exitDone {
		t.Fatal(r.err)
	}
	const old = html.Mark + " an old one"
	if err := os.WriteFile(page, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(run, "records.jsonl"), 10_000); err != nil {
		t.Fatal(err)
	}
	r := berth(t.Context(), defaultWidth, "report", run, "--out", page)
	if r.code != exitInput || !strings.Contains(r.err, "records.jsonl:") {
		t.Errorf("ends with code %d: %s", r.code, r.err)
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != old {
		t.Errorf("the old report is now %.100q (%v)", text, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("the directory holds %v (%v)", entries, err)
	}
}
