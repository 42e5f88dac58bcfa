package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/record"
)

// onlyRelease is the release of runs whose manifests name none: berth followed no other one then.
const onlyRelease = "1.36"

// Run is a run that is read from its directory. All errors name the file, and
// the line if there is one.
type Run struct {
	Dir      string
	Manifest Manifest
	Seconds  float64         // length of the run in virtual time
	Summary  *metric.Summary // computed from the records; nil before Replay
	Ledger   *metric.Ledger  // as of the end of the run; nil before Replay
	Records  int64           // how many there are; 0 before Replay

	saved map[string]savedValue // of summary.json, by its path there
}

// Open reads the manifest and the summary of a run directory. It is an error if the directory holds no run,
// if a file is missing, or if its schema is another one.
func Open(dir string) (*Run, error) {
	run := &Run{Dir: dir}
	path := filepath.Join(dir, ManifestFile)
	text, err := readFile(path, maxJSON)
	if err != nil {
		return nil, run.without(err)
	}
	manifest, err := readJSON(path, text, "schema", ManifestSchema)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &run.Manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := run.Manifest.CheckComplete(); err != nil {
		return nil, fmt.Errorf("%s:1:1: %w", path, err)
	}
	if run.Manifest.Kubernetes == "" {
		run.Manifest.Kubernetes = onlyRelease
	}
	path = filepath.Join(dir, SummaryFile)
	if text, err = readFile(path, maxJSON); err != nil {
		return nil, document.FileError(err)
	}
	if run.saved, err = readJSON(path, text, "schema", metric.SummarySchema); err != nil {
		return nil, err
	}
	if at := run.saved["run.ended"]; at.text != run.Manifest.Ended {
		return nil, fmt.Errorf("%s:%v: run.ended: %q is not %q, which %s has in line %d: they are of different runs",
			path, at.position, at.text, run.Manifest.Ended, ManifestFile, manifest["ended"].line)
	}
	seconds := run.saved["run.virtualSeconds"]
	if _, err := fmt.Sscan(seconds.text, &run.Seconds); err != nil || run.Seconds < 0 || math.IsInf(run.Seconds, 0) {
		return nil, fmt.Errorf("%s:%v: run.virtualSeconds: %q must be a number of seconds", path, seconds.position, seconds.text)
	}
	return run, nil
}

// without returns what is wrong with a directory whose manifest cannot be read.
func (run *Run) without(cause error) error {
	if info, err := os.Stat(run.Dir); err != nil {
		return document.FileError(err)
	} else if !info.IsDir() {
		return fmt.Errorf("%s: is not a directory; a run is what berth run --out writes", run.Dir)
	}
	if !errors.Is(cause, fs.ErrNotExist) {
		return document.FileError(cause)
	}
	if _, err := os.Stat(filepath.Join(run.Dir, temporary+RecordsFile)); err == nil {
		return fmt.Errorf("%s: has no %s: the run was interrupted, or is still going on", run.Dir, ManifestFile)
	}
	return fmt.Errorf("%s: has no %s: it holds no run of berth", run.Dir, ManifestFile)
}

// batch is the number of records in one batch.
const batch = 2048

// Replay reads the records once and computes the summary. If observe is not nil,
// it is called for each record in order, concurrently with the computation; it must not change the record. It is an error if
// the log has no end, breaks the laws of logs, or has another summary than summary.json.
func (run *Run) Replay(observe func(*record.Record)) error {
	path := filepath.Join(run.Dir, RecordsFile)
	file, err := os.Open(path)
	if err != nil {
		return document.FileError(err)
	}
	defer file.Close()
	ledger := metric.NewLedger()
	if run.Manifest.Overcommit {
		ledger.AllowOvercommit()
	}
	batches := make(chan []*record.Record, 2)
	var fault, broken error
	go func() {
		fault = sendRecords(path, file, batches)
		close(batches)
	}()
	for records := range batches {
		var beside sync.WaitGroup
		if observe != nil {
			beside.Go(func() {
				for _, r := range records {
					observe(r)
				}
			})
		}
		for i, r := range records {
			ledger.Observe(r)
			if err := ledger.Err(); broken == nil && err != nil {
				first, _, _ := strings.Cut(err.Error(), "\n") // others may follow from it
				broken = fmt.Errorf("%s:%d:1: is not the log of a run: %s", path, run.Records+int64(i)+1, first)
			}
		}
		beside.Wait()
		run.Records += int64(len(records))
	}
	switch {
	case fault != nil:
		return fault
	case ledger.Ended() == "":
		return fmt.Errorf("%s:%d:1: the log ends before the run does: it is truncated", path, max(1, run.Records))
	case broken != nil:
		return broken
	}
	run.Ledger = ledger
	run.Summary = ledger.Summary(metric.Facts{Scenario: run.Manifest.Scenario, Policy: run.Manifest.Policy, Kubernetes: run.Manifest.Release().String(), Seed: *run.Manifest.Seed})
	if err := run.compareSummary(); err != nil {
		return err
	}
	return run.compareSeries()
}

// sendRecords reads a log into batches.
func sendRecords(path string, file io.Reader, batches chan<- []*record.Record) error {
	records := make([]*record.Record, 0, batch)
	for r, err := range record.Read(path, file) {
		if err != nil {
			return err
		}
		if records = append(records, r); len(records) == batch {
			batches <- records
			records = make([]*record.Record, 0, batch)
		}
	}
	batches <- records
	return nil
}

// compareSummary returns an error if values of summary.json do not follow from the records. A metric
// that the file does not have is no error, since it may be newer than the file.
func (run *Run) compareSummary() error {
	var text bytes.Buffer
	if err := output.WriteJSON(&text, run.Summary); err != nil {
		return err
	}
	computed, err := readJSON(SummaryFile, text.Bytes(), "schema", metric.SummarySchema)
	if err != nil {
		return err
	}
	first := ""
	for key, saved := range run.saved {
		if saved.text == computed[key].text && computed[key].line > 0 {
			continue
		}
		if first == "" || saved.line < run.saved[first].line {
			first = key
		}
	}
	if first == "" {
		return nil
	}
	path, saved := filepath.Join(run.Dir, SummaryFile), run.saved[first]
	if computed[first].line == 0 {
		return fmt.Errorf("%s:%v: %s: is not a metric of this berth; the run is of version %s", path, saved.position, first, run.Manifest.Version)
	}
	return fmt.Errorf("%s:%v: %s: %q is not %q, which follows from %s", path, saved.position, first, saved.text, computed[first].text, RecordsFile)
}

// Figure returns a value for the whole run from summary.json; NaN if there is none. It does not need
// Replay.
func (run *Run) Figure(name, label string) float64 {
	v := math.NaN()
	if saved, ok := run.saved["metrics.run."+(&metric.Declaration{Name: name}).Key(label)]; ok {
		fmt.Sscan(saved.text, &v) // of null nothing is read
	}
	return v
}

// Resources returns the resources that any pod took some of, in the order of reports. It does not need
// Replay.
func (run *Run) Resources() []string {
	const peak = "utilization.allocatedPeak"
	var names []string
	for key := range run.saved {
		name, ok := strings.CutPrefix(key, "metrics.run."+peak+"[")
		name = strings.TrimSuffix(name, "]")
		if ok && name != metric.PodsResource && run.Figure(peak, name) > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, metric.CompareResources)
	return names
}
