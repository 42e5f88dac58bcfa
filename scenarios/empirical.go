package scenarios

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// empirical returns observed durations in seconds, from a list or from a file with one on each line. Errors of lines are
// of type document.Errors.
func (b distributionReader) empirical(e *Empirical) ([]float64, error) {
	if (e.File != "") == (len(e.Values) > 0) {
		return nil, fmt.Errorf("needs either a file or values")
	}
	var out []float64
	for _, d := range e.Values {
		out = append(out, d.Time().Seconds())
	}
	if e.File == "" {
		return out, nil
	}
	path := b.s.resolve(e.File)
	if err := b.inputs.add(path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, document.FileError(err)
	}
	return secondsOf(path, data)
}

// maxBadLines is how many invalid lines of a file are reported one by one.
const maxBadLines = 10

// secondsOf reads a file with a number of seconds on each line.
func secondsOf(path string, data []byte) ([]float64, error) {
	var out []float64
	var faults document.Errors
	bad, n, untold := 0, 0, 0
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		n++
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err == nil && x >= 0 && !math.IsInf(x, 1) {
			out = append(out, x)
			continue
		}
		switch bad++; {
		case bad > maxBadLines+1:
			continue
		case bad > maxBadLines:
			untold = n
			continue
		}
		what := "is not a number of seconds"
		if err == nil {
			what = "must be zero or a positive number of seconds"
		}
		col := strings.Index(lines.Text(), text) + 1
		faults = append(faults, &document.Error{File: path, Line: n, Col: col, Value: strconv.Quote(text), What: what})
	}
	if more := bad - maxBadLines; more > 0 {
		faults = append(faults, &document.Error{
			File: path, Line: untold, Col: 1, What: fmt.Sprintf("%d more lines, from here on, are not a number of seconds", more),
		})
	}
	if err := lines.Err(); err != nil {
		faults = append(faults, &document.Error{File: path, Line: n + 1, Col: 1, What: err.Error(), Err: err})
	}
	return out, faults.Err()
}
