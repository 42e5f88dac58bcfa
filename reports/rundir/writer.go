// Package rundir writes the directory of a run and reads it back: manifest, summary, time series, pods and records. What is read
// is checked against the records.
package rundir

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/record"
)

// The files of a run directory.
const (
	ManifestFile = "manifest.json"
	SummaryFile  = "summary.json"
	SeriesFile   = "timeseries.csv"
	RecordsFile  = "records.jsonl"
	PodsFile     = "pods.csv" // older runs have none
)

// ManifestSchema names the form of a manifest.
const ManifestSchema = "berth/manifest/v1"

// Manifest says what a run directory is the outcome of: everything that the run depends on, and how it ended. The
// scenario file is the first input.
type Manifest struct {
	Schema   string `json:"schema"` // set on writing
	Version  string `json:"version"`
	Scenario string `json:"scenario"`
	recipe.Recipe
	Inputs       []Input `json:"inputs"` // in the order in which they were read
	Ended        string  `json:"ended"`  // as in Run
	Partial      bool    `json:"partial"`
	SkippedLines int     `json:"skippedLines"` // of traces of pods
}

// Input is a file that the run depends on.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"` // in hex
}

// Writer writes a run directory. Every file is written under a temporary name and
// renamed when all are complete, the manifest last, so that a run that is cut short
// leaves nothing that looks whole.
type Writer struct {
	dir     string
	made    bool // the directory did not exist
	streams []*stream
	records *record.Writer
	pods    *podtable.Follower
	table   *podtable.CSV
	err     error    // the first error of Record
	written []string // names of files, still temporary
}

// stream is a file that is written while the run goes on.
type stream struct {
	*bufio.Writer
	file *os.File
}

// streamBuffer is the size of the buffer in front of a file that is written while the run goes on.
const streamBuffer = 1 << 20

// temporary is what the names of unfinished files begin with.
const temporary = ".berth-unfinished-"

// NewWriter prepares a directory for a run, and makes it if need be. A directory
// that holds something else than an earlier run is an error; an earlier run is
// replaced on Close.
func NewWriter(dir string) (*Writer, error) {
	w := &Writer{dir: dir}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.made = true
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, outputError(err)
		}
	case err != nil:
		return nil, outputError(err)
	case len(entries) > 0 && !slices.ContainsFunc(entries, w.isRunFile):
		return nil, fmt.Errorf("output directory: %s: is not empty and holds no run of berth", dir)
	}
	for _, name := range []string{RecordsFile, PodsFile} {
		file, err := w.create(name)
		if err != nil {
			w.Abort()
			return nil, err
		}
		w.streams = append(w.streams, &stream{bufio.NewWriterSize(file, streamBuffer), file})
	}
	w.records, w.table = record.NewWriter(w.streams[0]), podtable.NewCSV(w.streams[1])
	w.pods = podtable.New(w.table.Write)
	return w, nil
}

// isRunFile reports whether an entry of the directory shows that a run was written there.
func (w *Writer) isRunFile(entry fs.DirEntry) bool {
	switch entry.Name() {
	case temporary + RecordsFile:
		return true
	case ManifestFile:
		text, err := os.ReadFile(filepath.Join(w.dir, ManifestFile))
		var m Manifest
		return err == nil && json.Unmarshal(text, &m) == nil && m.Schema == ManifestSchema
	}
	return false
}

func (w *Writer) create(name string) (*os.File, error) {
	file, err := os.Create(filepath.Join(w.dir, temporary+name))
	if err != nil {
		return nil, outputError(err)
	}
	w.written = append(w.written, name)
	return file, nil
}

// Record writes a record, and the row of a pod that has gone. Its errors are those that Err and Close report.
func (w *Writer) Record(r *record.Record) {
	if w.err == nil {
		w.err = w.records.Write(r)
		w.pods.Observe(r)
	}
}

// Err is the first error of writing records, so that a run can stop early.
func (w *Writer) Err() error { return w.err }

// Close writes the other files and gives all of them their names. After an error there
// is nothing left of what was written.
func (w *Writer) Close(m Manifest, s *metric.Summary, l *metric.Ledger) error {
	w.pods.Finish()
	err := errors.Join(w.err, w.table.Close())
	for _, s := range w.streams {
		err = errors.Join(err, s.Flush(), s.file.Close())
	}
	w.streams = nil
	if err == nil {
		err = w.write(SeriesFile, l.WriteSeries)
	}
	if err == nil {
		err = w.write(SummaryFile, func(out io.Writer) error { return output.WriteJSON(out, s) })
	}
	if err == nil {
		err = w.write(ManifestFile, m.write)
	}
	if err != nil {
		w.Abort()
		return outputError(err)
	}
	return w.rename()
}

func (m Manifest) write(out io.Writer) error {
	m.Schema = ManifestSchema
	if m.Inputs == nil {
		m.Inputs = []Input{}
	}
	if m.Admission == nil {
		m.Admission = []string{}
	}
	return output.WriteJSON(out, m)
}

func (w *Writer) write(name string, content func(io.Writer) error) error {
	file, err := w.create(name)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriter(file)
	err = errors.Join(content(buffer), buffer.Flush())
	return errors.Join(err, file.Close())
}

// rename gives the files their names. The manifest of an earlier run goes first, so
// that a directory with a manifest is always of one run.
func (w *Writer) rename() error {
	err := os.Remove(filepath.Join(w.dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, name := range w.written {
		if err == nil {
			err = os.Rename(filepath.Join(w.dir, temporary+name), filepath.Join(w.dir, name))
		}
	}
	if err != nil {
		w.Abort()
		return outputError(err)
	}
	return nil
}

// outputError says what is wrong with the directory or a file in it, path first.
func outputError(err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return fmt.Errorf("output directory: %s: %w", cause.Path, cause.Err)
	}
	return fmt.Errorf("output directory: %w", err)
}

// Abort removes what was written.
func (w *Writer) Abort() {
	for _, s := range w.streams {
		s.file.Close() // what it holds is not wanted
	}
	w.streams = nil
	for _, name := range w.written {
		os.Remove(filepath.Join(w.dir, temporary+name))
	}
	if w.made {
		os.Remove(w.dir) // stays when something else was put there
	}
}
