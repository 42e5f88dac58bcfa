package rundir

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// writeRun writes a run into the directory.
func writeRun(dir string, spoil func(*Writer)) error {
	w, err := NewWriter(dir)
	if err != nil {
		return err
	}
	l := metric.NewLedger()
	recordtest.Random(1, 100, 3, func(r *record.Record) {
		l.Observe(r)
		w.Record(r)
	})
	if spoil != nil {
		spoil(w)
	}
	return w.Close(Manifest{Version: "v0", Scenario: "s", Recipe: recipe.Recipe{Seed: new(uint64(7))}}, l.Summary(metric.Facts{}), l)
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestRunDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for _, again := range []string{"new", "replaced"} {
		if err := writeRun(dir, nil); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		want := []string{ManifestFile, PodsFile, RecordsFile, SummaryFile, SeriesFile}
		if got := filesIn(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: the directory holds %q, want %q", again, got, want)
		}
	}
	file, err := os.Open(filepath.Join(dir, RecordsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	l := metric.NewLedger()
	for r, err := range record.Read(RecordsFile, file) {
		if err != nil {
			t.Fatal(err)
		}
		l.Observe(r)
	}
	var again strings.Builder
	if err := output.WriteJSON(&again, l.Summary(metric.Facts{})); err != nil {
		t.Fatal(err)
	}
	summary, err := os.ReadFile(filepath.Join(dir, SummaryFile))
	if err != nil || string(summary) != again.String() {
		t.Errorf("the summary is not that of the records (%v)", err)
	}
}

func TestRunDirectoryRefusesWhatIsNoRun(t *testing.T) {
	for name, content := range map[string]string{"notes.txt": "mine", ManifestFile: `{"name": "web app"}`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		err := writeRun(dir, nil)
		if err == nil || !strings.Contains(err.Error(), "is not empty and holds no run") {
			t.Errorf("%s: error is %v", name, err)
		}
		if got := filesIn(t, dir); !slices.Equal(got, []string{name}) {
			t.Errorf("the directory holds %q afterwards", got)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeRun(file, nil); err == nil {
		t.Error("a file was taken for a directory")
	}
}

// fullDisk takes some bytes, then no more.
type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestRunDirectoryLeavesNothingAfterAnError(t *testing.T) {
	spoils := map[string]func(*Writer){
		"full while flushing": func(w *Writer) {
			w.streams[0].Writer = bufio.NewWriter(&fullDisk{})
			w.records = record.NewWriter(w.streams[0])
			w.records.Write(&record.Record{Kind: record.RunEnded})
		},
		"full while flushing the pods": func(w *Writer) {
			w.table = podtable.NewCSV(&fullDisk{})
			w.Record(&record.Record{Kind: record.RunEnded})
		},
		"full while running": func(w *Writer) {
			w.records = record.NewWriter(&fullDisk{})
			w.Record(&record.Record{Kind: record.RunEnded})
		},
		"directory gone": func(w *Writer) { os.RemoveAll(w.dir) },
	}
	for name, spoil := range spoils {
		dir := filepath.Join(t.TempDir(), "run")
		if err := writeRun(dir, spoil); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := filesIn(t, dir); len(got) != 0 {
			t.Errorf("%s: the directory holds %q afterwards", name, got)
		}
	}
	// An earlier run stays as it was.
	dir := t.TempDir()
	if err := writeRun(dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := writeRun(dir, spoils["full while running"]); !errors.Is(err, errFull) {
		t.Errorf("error is %v", err)
	}
	if got := filesIn(t, dir); len(got) != 5 {
		t.Errorf("the directory holds %q after a failed second run", got)
	}
}
