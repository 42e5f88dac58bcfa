package podtable

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/model/clock"
)

// Formats are the formats of a table of pods.
var Formats = output.Formats

// firstRows is how many rows a table shows unless all are asked for.
const firstRows = 20

// Printer writes rows in the format of a view.
type Printer struct {
	w    io.Writer
	view output.View
	csv  *CSV
	json *JSON
	rows [][]string
	more int // rows that are not shown
}

// NewPrinter returns a printer. A table has the first rows only, unless the view asks for all.
func NewPrinter(w io.Writer, view output.View) *Printer {
	p := &Printer{w: w, view: view}
	switch view.Format {
	case output.CSV:
		p.csv = NewCSV(w)
	case output.JSON:
		p.json = NewJSON(w)
	}
	return p
}

// Write takes in a row.
func (p *Printer) Write(r *Row) {
	switch {
	case p.csv != nil:
		p.csv.Write(r)
	case p.json != nil:
		p.json.Write(r)
	case !p.view.All && len(p.rows) == firstRows:
		p.more++
	default:
		p.rows = append(p.rows, cells(r))
	}
}

// Close writes what is left and returns the first error.
func (p *Printer) Close() error {
	switch {
	case p.csv != nil:
		return p.csv.Close()
	case p.json != nil:
		return p.json.Close()
	}
	t := table.Table{
		Head: []string{"pod", "workload", "state", "node", "arrival", "bound", "running", "ended", "attempts", "victim of", "last reason"},
		Rows: p.rows, Words: []int{1, 2, 3, 9, 10}, KeepTitles: true,
	}
	page := table.Page{Title: "Pods", Answer: []string{p.answer()}, Sections: []table.Section{{Title: "In the order in which they ended", Tables: []table.Table{t}}}}
	return p.view.Write(p.w, output.Forms{Table: page.Text, Markdown: page.Markdown})
}

// answer says how many pods there are, and how to see them all.
func (p *Printer) answer() string {
	text := human.Counted(len(p.rows)+p.more, "pod")
	if p.more > 0 {
		text += fmt.Sprintf(", of which the first %d are shown: --all shows every pod", len(p.rows))
	}
	return text
}

func cells(r *Row) []string {
	return []string{
		r.Name, r.Workload, r.State, cmp.Or(r.Node, human.None), at(r.Arrival), at(r.Bound), at(r.Running), at(r.Ended),
		strconv.Itoa(r.Attempts), cmp.Or(r.VictimOf, human.None), cmp.Or(r.LastReason, human.None),
	}
}

// at returns a time for people: from a second on to the millisecond.
func at(t clock.Time) string {
	switch {
	case t == Never:
		return human.None
	case t >= clock.Second:
		return (t + clock.Millisecond/2 - (t+clock.Millisecond/2)%clock.Millisecond).String()
	}
	return t.String()
}
