package rundir

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// writeWhole writes a run of a random log, as berth run does.
func writeWhole(t *testing.T, dir string) *metric.Summary {
	t.Helper()
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	l := metric.NewLedger()
	recordtest.Random(5, 3_000, 20, func(r *record.Record) {
		l.Observe(r)
		w.Record(r)
	})
	s := l.Summary(metric.Facts{Scenario: "s", Policy: "p", Kubernetes: "1.37", Seed: 7})
	settings := recipe.Recipe{Policy: "p", Kubernetes: "1.37", Seed: new(uint64(7)), TieBreak: "first", Horizon: new(recipe.Horizon(clock.Hour))}
	if err := w.Close(Manifest{Version: "v0", Scenario: "s", Recipe: settings, Ended: s.Run.Ended}, s, l); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	want := writeWhole(t, dir)
	run, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if run.Seconds != want.Run.VirtualSeconds {
		t.Errorf("the run takes %v s, want %v", run.Seconds, want.Run.VirtualSeconds)
	}
	if v, _ := want.Value("placement.arrived", ""); run.Figure("placement.arrived", "") != v {
		t.Errorf("%v pods arrived, want %v", run.Figure("placement.arrived", ""), v)
	}
	if got := strings.Join(run.Resources(), " "); got != "cpu memory" {
		t.Errorf("resources are %s", got)
	}
	seen, inOrder, last := int64(0), true, record.Record{}
	err = run.Replay(func(r *record.Record) {
		inOrder = inOrder && r.Time >= last.Time
		last = *r
		seen++
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen != run.Records || !inOrder || last.Kind != record.RunEnded {
		t.Errorf("%d of %d records were seen, in order: %v, the last of kind %s", seen, run.Records, inOrder, last.Kind)
	}
	var a, b bytes.Buffer
	if err := output.WriteJSON(&a, run.Summary); err != nil {
		t.Fatal(err)
	}
	if err := output.WriteJSON(&b, want); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("the summary is\n%s\nwant\n%s", a.String(), b.String())
	}
}

// replace replaces the first occurrence of a text in a file.
func replace(file, from, to string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(from)) {
			t.Fatalf("%s has no %s", file, from)
		}
		if err := os.WriteFile(path, bytes.Replace(text, []byte(from), []byte(to), 1), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// cut leaves only the first lines of a file.
func cut(file string, lines int, more string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kept := strings.Join(strings.SplitAfter(string(text), "\n")[:lines], "") + more
		if err := os.WriteFile(path, []byte(kept), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSpoiltRuns(t *testing.T) {
	remove := func(file string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		want  string // the error, with DIR for the directory
	}{
		{"no manifest", remove(ManifestFile), "DIR: has no manifest.json: it holds no run of berth"},
		{"cut off", func(t *testing.T, dir string) {
			remove(ManifestFile)(t, dir)
			if err := os.Rename(filepath.Join(dir, RecordsFile), filepath.Join(dir, temporary+RecordsFile)); err != nil {
				t.Fatal(err)
			}
		}, "DIR: has no manifest.json: the run was interrupted, or is still going on"},
		{"no directory", func(_ *testing.T, dir string) { os.RemoveAll(dir) }, "DIR: no such file or directory"},
		{"no summary", remove(SummaryFile), "DIR/summary.json: no such file or directory"},
		{"no records", remove(RecordsFile), "DIR/records.jsonl: no such file or directory"},
		{"no series", remove(SeriesFile), "DIR/timeseries.csv: no such file or directory"},
		{"an empty series", cut(SeriesFile, 0, ""), "DIR/timeseries.csv:1:1: the file is empty"},
		{"half a series", cut(SeriesFile, 5, ""), "DIR/timeseries.csv:5:1: there are 4 sampling instants, but "},
		{"half a row", cut(SeriesFile, 5, "1,2\n"), "DIR/timeseries.csv:6:1: wrong number of fields"},
		{"other instant", replace(SeriesFile, "\n16.518605,320,", "\n16.518605,321,"), `DIR/timeseries.csv:2:1: placement.arrived: "321" is not "320", which follows from records.jsonl`},
		{"unknown column", replace(SeriesFile, "placement.arrived", "placement.landed"), "DIR/timeseries.csv:1:1: placement.landed: is not a metric of this berth; the run is of version v0"},
		{"empty log", cut(RecordsFile, 0, ""), "DIR/records.jsonl:1:1: the log ends before the run does: it is truncated"},
		{"other manifest", replace(ManifestFile, ManifestSchema, "berth/manifest/v9"),
			`DIR/manifest.json:2:13: schema: "berth/manifest/v9" is not "berth/manifest/v1", which this berth reads`},
		{"other summary", replace(SummaryFile, metric.SummarySchema, "berth/summary/v9"),
			`DIR/summary.json:2:13: schema: "berth/summary/v9" is not "berth/summary/v1", which this berth reads`},
		{"empty manifest", cut(ManifestFile, 0, ""), "DIR/manifest.json:1:1: the file is truncated"},
		{"half a summary", cut(SummaryFile, 9, ""), "DIR/summary.json:9:22: the file is truncated"},
		{"no JSON", cut(SummaryFile, 3, "what\n"), "DIR/summary.json:4:1: invalid character 'w'"},
		{"no schema", replace(ManifestFile, `"schema"`, `"scheme"`), "DIR/manifest.json:1:1: schema is missing"},
		{"deep summary", cut(SummaryFile, 0, strings.Repeat(`{"a":`, 50_000)+"1"), "DIR/summary.json:1:85: is nested more than 16 levels deep: berth has not written it"},
		{"deep manifest", cut(ManifestFile, 0, strings.Repeat(`[`, 50_000)), "DIR/manifest.json:1:18: is nested more than 16 levels deep"},
		{"long keys", cut(SummaryFile, 0, `{"`+strings.Repeat("k", 5000)+`": {"a": 1}}`), "DIR/summary.json:1:5004: has keys of more than 4096 bytes"},
		{"many values", cut(SummaryFile, 0, "["+strings.Repeat("1,\n", 1_000_002)), "DIR/summary.json:1000001:2: has more than 1000000 values"},
		{"large manifest", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, ManifestFile), 64<<20+1); err != nil {
				t.Fatal(err)
			}
		}, "DIR/manifest.json: is larger than 64 MiB: berth has not written it"},
		{"wrong type", replace(ManifestFile, `"seed": 7`, `"seed": "x"`), "DIR/manifest.json: json: cannot unmarshal string"},
		{"other end", replace(ManifestFile, `"ended": "horizon"`, `"ended": "done"`),
			`DIR/summary.json:8:14: run.ended: "horizon" is not "done", which manifest.json has in line 14: they are of different runs`},
		{"no length", replace(SummaryFile, `"virtualSeconds": `, `"virtualSeconds": -`), `DIR/summary.json:10:23: run.virtualSeconds: "-`},
		{"half a log", cut(RecordsFile, 100, ""), "DIR/records.jsonl:100:1: the log ends before the run does: it is truncated"},
		{"half a record", cut(RecordsFile, 100, `{"t":5,"ki`), "DIR/records.jsonl:101:1: the record is truncated"},
		{"bad record", cut(RecordsFile, 100, "{}\n"), `DIR/records.jsonl:101:1: kind is missing`},
		{"another log", replace(RecordsFile, `"kind":"bind"`, `"kind":"start"`), "DIR/records.jsonl:49:1: is not the log of a run: 1.001108s: start of pod 0: "},
		{"other figure", replace(SummaryFile, `"placement.arrived": 3000`, `"placement.arrived": 3001`),
			`DIR/summary.json:14:28: metrics.run.placement.arrived: "3001" is not "3000", which follows from records.jsonl`},
		{"unknown figure", replace(SummaryFile, `"placement.arrived": 3000`, `"placement.landed": 3000`),
			"DIR/summary.json:14:27: metrics.run.placement.landed: is not a metric of this berth; the run is of version v0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			writeWhole(t, dir)
			c.spoil(t, dir)
			run, err := Open(dir)
			if err == nil {
				err = run.Replay(nil)
			}
			if err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), dir, "DIR"), c.want) {
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
}

func TestFileIsNoRun(t *testing.T) {
	if _, err := Open("run_test.go"); err == nil || !strings.Contains(err.Error(), "run_test.go: is not a directory") {
		t.Errorf("error is %v", err)
	}
}
