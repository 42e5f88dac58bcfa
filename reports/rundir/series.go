package rundir

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
)

// compareSeries finds values of timeseries.csv that do not follow from the records. A column that
// is not in the file, of a newer metric, is not a fault.
func (run *Run) compareSeries() error {
	path := filepath.Join(run.Dir, SeriesFile)
	text, err := readFile(path, maxSeries)
	if err != nil {
		return document.FileError(err)
	}
	saved, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if fault := new(csv.ParseError); errors.As(err, &fault) {
		return fmt.Errorf("%s:%d:%d: %w", path, fault.Line, fault.Column, fault.Err)
	}
	var written bytes.Buffer
	if err := run.Ledger.WriteSeries(&written); err != nil {
		return err
	}
	computed, err := csv.NewReader(&written).ReadAll()
	if err != nil {
		return err
	}
	if len(saved) == 0 {
		return fmt.Errorf("%s:1:1: the file is empty", path)
	}
	for column, name := range saved[0] {
		at := slices.Index(computed[0], name)
		if at < 0 {
			return fmt.Errorf("%s:1:1: %s: is not a metric of this berth; the run is of version %s", path, name, run.Manifest.Version)
		}
		for row := range min(len(saved), len(computed)) {
			if is, want := saved[row][column], computed[row][at]; is != want {
				return fmt.Errorf("%s:%d:1: %s: %q is not %q, which follows from %s", path, row+1, name, is, want, RecordsFile)
			}
		}
	}
	if len(saved) != len(computed) {
		return fmt.Errorf("%s:%d:1: there are %d sampling instants, but %d in %s", path, min(len(saved), len(computed)), len(saved)-1, len(computed)-1, RecordsFile)
	}
	return nil
}
