package curves

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
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

// Compare compares a table with the published one of that name, which is read from r. Cells
// are equal if they are the same number to the last digit.
func (t Table) Compare(r io.Reader, entries []Entry) (Agreement, error) {
	var a Agreement
	rows, err := readTable(r)
	if err != nil {
		return a, err
	}
	for _, e := range entries {
		published, has := rows[strings.Join([]string{e.Workload, e.Policy, strconv.FormatUint(e.Seed, 10)}, ",")]
		if !has {
			continue
		}
		a.Runs++
		for j, v := range t.Of(e.Result) {
			switch {
			case math.IsNaN(v) && math.IsNaN(published[j]):
				continue
			case v == published[j]:
				a.Equal++
			case len(a.First) < maxFirst:
				a.First = append(a.First, fmt.Sprintf("%s %s %d, column %d: %s, published %s", e.Workload, e.Policy, e.Seed, j, Number(v), Number(published[j])))
			}
			a.Points++
		}
	}
	return a, nil
}

// readTable reads a published table: its curves by workload, policy and seed.
func readTable(r io.Reader) (map[string]Curve, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	out := map[string]Curve{}
	for i, row := range rows {
		first := len(row) - Columns
		switch {
		case i == 0:
			continue
		case first < 4:
			return nil, fmt.Errorf("row %d has %d columns, too few for %d points", i, len(row), Columns)
		}
		var c Curve
		for j, text := range row[first:] {
			c[j] = math.NaN()
			if text == "" {
				continue
			}
			if c[j], err = strconv.ParseFloat(text, 64); err != nil {
				return nil, fmt.Errorf("row %d, column %d: %q is not a number", i, j, text)
			}
		}
		out[strings.Join([]string{row[0], row[1], row[3]}, ",")] = c
	}
	return out, nil
}
