package trace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// table parses the lines of a CSV file with a header. Each line is given to
// encoding/csv by itself, as a file of one record: thus a quote left open spoils
// one line and not the rest of the file.
type table struct {
	csv   *csv.Reader
	line  strings.Reader
	width int   // of the header
	at    []int // field of each wanted column, -1 when the file has not got it
	names []string
}

// openTable reads the header. Columns may stand in any order. There must be the
// first few of the names, and either all or none of the rest.
func openTable(l *lines, names []string, required int) (*table, error) {
	t := &table{names: names}
	t.csv = csv.NewReader(&t.line)
	t.csv.FieldsPerRecord = -1
	t.csv.ReuseRecord = true
	t.csv.TrimLeadingSpace = true
	for {
		text, err := l.next()
		f := faults{file: l.file, line: l.number}
		switch {
		case err == io.EOF:
			f.line = 1
			f.add("header", "", "is missing: the file is empty, it must begin with %s", strings.Join(names, ","))
		case errors.Is(err, errTooLong):
			f.add("header", text, "is longer than %d bytes", MaxLineBytes)
		case err != nil:
			return nil, err
		case strings.TrimSpace(text) == "":
			continue
		default:
			if record := t.split(text, &f); record != nil {
				t.readHeader(record, required, &f)
			}
		}
		if len(f.list) > 0 {
			// Not a LineError to the caller: without a header there are no rows.
			return nil, fileError(f.list)
		}
		return t, nil
	}
}

func fileError(list []error) error {
	lines := make([]string, len(list))
	for i, err := range list {
		lines[i] = err.Error()
	}
	return errors.New(strings.Join(lines, "\n"))
}

func (t *table) readHeader(record []string, required int, f *faults) {
	if n := len(record); n > 1 && record[n-1] == "" {
		record = record[:n-1]
	}
	t.width = len(record)
	t.at = slices.Repeat([]int{-1}, len(t.names))
	for i, name := range record {
		column := slices.Index(t.names, name)
		switch {
		case column < 0:
			f.addField(field{t.col(i), "header", name}, "is not a column of this format (%s)", strings.Join(t.names, ","))
		case t.at[column] >= 0:
			f.addField(field{t.col(i), "header", name}, "is there twice")
		default:
			t.at[column] = i
		}
	}
	if slices.ContainsFunc(t.at[required:], func(at int) bool { return at >= 0 }) {
		required = len(t.names) // some of the rest are there, so all must be
	}
	for i, name := range t.names[:required] {
		if t.at[i] < 0 {
			f.add("header", name, "is missing")
		}
	}
}

// hasRest reports whether the columns after the first few are there.
func (t *table) hasRest(required int) bool { return !slices.Contains(t.at[required:], -1) }

// split is the trimmed fields of a line, or nil and a fault.
func (t *table) split(text string, f *faults) []string {
	if !checkText(text, f) {
		return nil
	}
	t.line.Reset(text)
	record, err := t.csv.Read()
	if err != nil {
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			err = parse.Err
		}
		f.add("", text, "is not a line of CSV: %v", err)
		return nil
	}
	for i := range record {
		record[i] = strings.TrimSpace(record[i])
	}
	return record
}

// col is where a field of the line that was split last begins.
func (t *table) col(at int) int {
	_, col := t.csv.FieldPos(at)
	return col
}

// cells is one line of a table.
type cells struct {
	*table
	record []string
	faults *faults
}

// parse splits a line; false when it is blank or has a fault.
func (t *table) parse(text string, f *faults) (cells, bool) {
	if strings.TrimSpace(text) == "" {
		return cells{}, false
	}
	record := t.split(text, f)
	if record == nil {
		return cells{}, false
	}
	if n := len(record); n == t.width+1 && record[n-1] == "" {
		record = record[:n-1] // a comma at the end
	}
	if len(record) != t.width {
		f.add("", text, "has %d fields, the header has %d", len(record), t.width)
		return cells{}, false
	}
	return cells{t, record, f}, true
}

// text is the field of a column, empty when the file has no such column.
func (c cells) text(column int) string {
	if at := c.at[column]; at >= 0 {
		return c.record[at]
	}
	return ""
}

// name is the field of a column that must not be empty or hold control characters.
func (c cells) name(column int) string {
	s := c.text(column)
	switch {
	case s == "":
		c.bad(column, "must not be empty")
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }):
		c.bad(column, "has control characters")
	}
	return s
}

// number is the field of a column as an integer within [low, high]; on a fault
// it is low, which spares follow-up faults.
func (c cells) number(column int, low, high int64) int64 {
	s := c.text(column)
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case s == "":
		c.bad(column, "must not be empty")
	case errors.Is(err, strconv.ErrRange):
		c.bad(column, fmt.Sprintf("must be between %d and %d", low, high))
	case err != nil:
		c.bad(column, "is not an integer")
	case n < 0 && low >= 0:
		c.bad(column, "must not be negative")
	case n < low || n > high:
		c.bad(column, fmt.Sprintf("must be between %d and %d", low, high))
	default:
		return n
	}
	return low
}

func (c cells) bad(column int, problem string) {
	col := 1
	if at := c.at[column]; at >= 0 {
		col = c.col(at)
	}
	c.faults.addField(field{col, c.names[column], c.text(column)}, "%s", problem)
}
