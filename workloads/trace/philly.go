package trace

import (
	"fmt"
	"io"
)

// PhillyJob is a job of the Philly list.
type PhillyJob struct {
	Line            int   // of the file
	ID              int64 // rank in the order of arrival
	SubmitSeconds   int64 // since the first job
	DurationSeconds int64
	GPUs            int64 // 1 or more; above 8 it spans machines
	VC              string
}

// Columns of the Philly list.
const (
	phillyID = iota
	phillySubmit
	phillyDuration
	phillyGPUs
	phillyVC
)

var phillyColumns = []string{"job_id", "submit_s", "duration_s", "num_gpus", "vc"}

// PhillyJobs reads the Philly job list: CSV with the columns job_id, submit_s,
// duration_s, num_gpus, vc (the virtual cluster, that is the tenant), made of
// Microsoft's trace (github.com/msr-fiddle/philly-traces; M. Jeon et al.,
// "Analysis of Large-Scale Multi-Tenant GPU Clusters for DNN Training
// Workloads", USENIX ATC 2019). Jobs must come in order: ids rise strictly, and
// submit times do not fall. The error is about the header or about reading.
func PhillyJobs(file string, in io.Reader, o Options) (*Reader[PhillyJob], error) {
	l, t, err := openCSV(file, in, phillyColumns, len(phillyColumns))
	if err != nil {
		return nil, err
	}
	last := PhillyJob{ID: -1}
	parse := func(text string, f *faults) (PhillyJob, bool) {
		c, ok := t.parse(text, f)
		if !ok {
			return PhillyJob{}, false
		}
		j := PhillyJob{
			Line:            f.line,
			ID:              c.number(phillyID, 0, MaxCount),
			SubmitSeconds:   c.number(phillySubmit, 0, MaxSeconds),
			DurationSeconds: c.number(phillyDuration, 0, MaxSeconds),
			GPUs:            c.number(phillyGPUs, 1, MaxCount),
			VC:              c.name(phillyVC),
		}
		if len(f.list) > 0 {
			return j, true
		}
		if j.ID <= last.ID {
			c.bad(phillyID, fmt.Sprintf("does not come after %d of line %d: ids must rise", last.ID, last.Line))
		}
		if j.SubmitSeconds < last.SubmitSeconds {
			c.bad(phillySubmit, fmt.Sprintf("is before %d of line %d: jobs must be sorted", last.SubmitSeconds, last.Line))
		}
		if len(f.list) == 0 {
			last = j
		}
		return j, true
	}
	return &Reader[PhillyJob]{lines: l, skip: o.SkipBad, parse: parse}, nil
}
