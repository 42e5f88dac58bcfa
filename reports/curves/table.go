package curves

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Entry is the result of one run, and of which.
type Entry struct {
	Workload string // name of the pod list
	Policy   string // as the tables call it
	Demand   float64
	Seed     uint64
	Result   *Result
}

// Sort puts entries into the order of the published tables.
func Sort(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Workload, b.Workload), strings.Compare(a.Policy, b.Policy), cmp.Compare(a.Seed, b.Seed))
	})
}

// Table is one of the tables of curves.
type Table struct {
	Name string // of the file, without ending
	// Published is the name of the published one.
	Published string
	Of        func(*Result) *Curve
	total     bool // it says how many devices there are
}

// Tables are all of them.
func Tables() []Table {
	return []Table{
		{"curves_allo", "analysis_allo_discrete", func(r *Result) *Curve { return &r.Allocated }, true},
		{"curves_frag", "analysis_frag_discrete", func(r *Result) *Curve { return &r.Lost }, false},
		{"curves_frag_ratio", "analysis_frag_ratio_discrete", func(r *Result) *Curve { return &r.LostOfIdle }, false},
	}
}

// Write writes the table as CSV. A cell is empty where nothing was at that demand.
func (t Table) Write(w io.Writer, entries []Entry) error {
	header := []string{"workload", "sc_policy", "tune", "seed"}
	if t.total {
		header = append(header, "total_gpus")
	}
	for j := range Columns {
		header = append(header, strconv.Itoa(j))
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, e := range entries {
		cells := []string{e.Workload, e.Policy, Number(e.Demand), strconv.FormatUint(e.Seed, 10)}
		if t.total {
			cells = append(cells, strconv.FormatInt(e.Result.Devices, 10))
		}
		for _, v := range t.Of(e.Result) {
			cells = append(cells, Number(v))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteFinals writes how the runs ended as CSV.
func WriteFinals(w io.Writer, entries []Entry) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"workload", "policy", "seed", "pods", "unscheduled_pods", "used_gpu_milli", "frag_gpu_milli", "frag_ratio_pct"}); err != nil {
		return err
	}
	for _, e := range entries {
		r := e.Result
		if err := out.Write([]string{
			e.Workload, e.Policy, strconv.FormatUint(e.Seed, 10), strconv.Itoa(r.Pods), strconv.Itoa(r.Unscheduled),
			strconv.FormatInt(r.Used, 10), Number(r.Fragmented), Number(r.Ratio),
		}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Number writes the shortest text that reads back as the same number, with a decimal point,
// and nothing for NaN.
func Number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
