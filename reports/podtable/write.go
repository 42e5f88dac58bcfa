package podtable

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Schema is the version of the JSON form of a table of pods.
const Schema = "berth/pods/v1"

// columns are the columns of CSV.
var columns = []string{"name", "workload", "state", "node", "arrival", "bound", "running", "ended", "attempts", "lastReason", "victimOf"}

// IsBegin reports whether a text is the beginning of a table of pods as CSV or as JSON, if it is long enough.
func IsBegin(text []byte) bool {
	return bytes.HasPrefix(text, []byte(strings.Join(columns, ","))) || bytes.Contains(text, []byte(`"schema": "`+Schema+`"`))
}

// CSV writes rows as CSV. Times are seconds of virtual time.
type CSV struct {
	out *csv.Writer
	row []string
}

// NewCSV returns a writer that has written the names of the columns.
func NewCSV(w io.Writer) *CSV {
	c := &CSV{out: csv.NewWriter(w)}
	c.out.Write(columns) // Close returns its error
	return c
}

// Write writes a row. Its error is the one that Close returns.
func (c *CSV) Write(r *Row) {
	c.row = append(c.row[:0],
		r.Name, r.Workload, r.State, r.Node, seconds(r.Arrival), seconds(r.Bound), seconds(r.Running), seconds(r.Ended),
		strconv.Itoa(r.Attempts), r.LastReason, r.VictimOf)
	c.out.Write(c.row) // Close returns its error
}

// Close writes what is buffered and returns the first error.
func (c *CSV) Close() error {
	c.out.Flush()
	return c.out.Error()
}

// seconds returns a time as CSV has it: empty if it never was.
func seconds(t clock.Time) string {
	if t == Never {
		return ""
	}
	return output.FormatNumber(t.Seconds())
}

// jsonRow is a row in JSON. What a pod does not have is null.
type jsonRow struct {
	Name       string         `json:"name"`
	Workload   string         `json:"workload"`
	State      string         `json:"state"`
	Node       *string        `json:"node"`
	Arrival    output.Number  `json:"arrival"`
	Bound      *output.Number `json:"bound"`
	Running    *output.Number `json:"running"`
	Ended      *output.Number `json:"ended"`
	Attempts   int            `json:"attempts"`
	LastReason *string        `json:"lastReason"`
	VictimOf   *string        `json:"victimOf"`
}

// JSON writes rows as one JSON object, a row on each line.
type JSON struct {
	w    io.Writer
	rows int
	err  error
}

// NewJSON returns a writer.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// Write writes a row. Its error is the one that Close returns.
func (j *JSON) Write(r *Row) {
	text, err := json.Marshal(jsonRow{
		Name: r.Name, Workload: r.Workload, State: r.State, Node: orNull(r.Node), Arrival: output.Number(r.Arrival.Seconds()),
		Bound: instant(r.Bound), Running: instant(r.Running), Ended: instant(r.Ended),
		Attempts: r.Attempts, LastReason: orNull(r.LastReason), VictimOf: orNull(r.VictimOf),
	})
	begin := ",\n    "
	if j.rows++; j.rows == 1 {
		begin = "{\n  \"schema\": \"" + Schema + "\",\n  \"pods\": [\n    "
	}
	j.write(begin+string(text), err)
}

// Close writes the end and returns the first error.
func (j *JSON) Close() error {
	end := "\n  ]\n}\n"
	if j.rows == 0 {
		end = "{\n  \"schema\": \"" + Schema + "\",\n  \"pods\": []\n}\n"
	}
	j.write(end, nil)
	return j.err
}

func (j *JSON) write(text string, err error) {
	if j.err == nil {
		j.err = err
	}
	if j.err == nil {
		_, j.err = io.WriteString(j.w, text)
	}
}

func instant(t clock.Time) *output.Number {
	if t == Never {
		return nil
	}
	n := output.Number(t.Seconds())
	return &n
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
