package curves

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// Agreement is how many cells of a table equal those of a published one.
type Agreement struct {
	Runs   int // that both have
	Points int // of these, that either has
	Equal  int
	First  []string // the first of those that differ
}

// maxFirst is how many differences an Agreement words.
const maxFirst = 5

// Compare compares a table with the published one. Cells are equal if they are the same number
// to the last digit.
func (t Table) Compare(entries, published []Entry) Agreement {
	var a Agreement
	for _, e := range entries {
		k := slices.IndexFunc(published, func(p Entry) bool {
			return p.Workload == e.Workload && p.Policy == e.Policy && p.Seed == e.Seed
		})
		if k < 0 {
			continue
		}
		a.Runs++
		theirs := t.Of(published[k].Result)
		for j, v := range t.Of(e.Result) {
			switch {
			case math.IsNaN(v) && math.IsNaN(theirs[j]):
				continue
			case v == theirs[j]:
				a.Equal++
			case len(a.First) < maxFirst:
				a.First = append(a.First, fmt.Sprintf("%s %s %d, column %d: %s, published %s", e.Workload, e.Policy, e.Seed, j, Number(v), Number(theirs[j])))
			}
			a.Points++
		}
	}
	return a
}

// ReadPublished reads the three published tables, which open opens by their names.
func ReadPublished(open func(name string) (io.ReadCloser, error)) ([]Entry, error) {
	var entries []Entry
	for i, t := range Tables() {
		file, err := open(t.Published)
		if err != nil {
			return nil, err
		}
		read, err := readTable(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Published, err)
		}
		if i == 0 {
			for _, row := range read {
				entries = append(entries, row.Entry)
				entries[len(entries)-1].Result = &Result{}
			}
		}
		if len(read) != len(entries) {
			return nil, fmt.Errorf("%s: has %d runs, the other tables %d", t.Published, len(read), len(entries))
		}
		for k, row := range read {
			if e := entries[k]; e.Workload != row.Workload || e.Policy != row.Policy || e.Seed != row.Seed {
				return nil, fmt.Errorf("%s: row %d is of another run than in the other tables", t.Published, k+1)
			}
			*t.Of(entries[k].Result) = row.curve
		}
	}
	Sort(entries)
	return entries, nil
}

// publishedRow is a row of a published table.
type publishedRow struct {
	Entry
	curve Curve
}

// readTable reads a published table.
func readTable(r io.Reader) ([]publishedRow, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []publishedRow
	for i, row := range rows {
		if i == 0 {
			continue
		}
		parsed, err := readRow(row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
		out = append(out, parsed)
	}
	return out, nil
}

func readRow(row []string) (out publishedRow, err error) {
	first := len(row) - Columns
	if first < 4 {
		return out, fmt.Errorf("has %d columns, too few for %d points", len(row), Columns)
	}
	out.Workload, out.Policy = row[0], row[1]
	if out.Demand, err = strconv.ParseFloat(row[2], 64); err != nil {
		return out, fmt.Errorf("the demand %q is not a number", row[2])
	}
	if out.Seed, err = strconv.ParseUint(row[3], 10, 64); err != nil {
		return out, fmt.Errorf("the seed %q is not a whole number", row[3])
	}
	for j, text := range row[first:] {
		out.curve[j] = math.NaN()
		if text == "" {
			continue
		}
		if out.curve[j], err = strconv.ParseFloat(text, 64); err != nil {
			return out, fmt.Errorf("column %d: %q is not a number", j, text)
		}
	}
	return out, nil
}
