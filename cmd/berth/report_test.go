package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/berth-sim/berth/reports/html"
)

func TestProgressOfReading(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&out, 0, func() time.Time { return now })
	p.read(10_000)
	if out.Len() > 0 {
		t.Errorf("less than a second shows %q", &out)
	}
	now = now.Add(2 * time.Second)
	p.read(20_000)
	p.read(30_000)
	if want := "\r20000 records read"; out.String() != want {
		t.Errorf("shows %q, want %q", &out, want)
	}
}

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
	r := berth(t.Context(), defaultWidth, "report", run, "-o", page)
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
