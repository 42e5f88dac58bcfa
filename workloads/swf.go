package workloads

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads/trace"
)

// SWF is a log in the Standard Workload Format. A job of n processors is n pods that
// are a gang (those it was allocated, or else those it asked for), and its run time is
// how long they run. Jobs of unknown size or run time are left out.
type SWF struct {
	Trace
	Statuses []int // to keep: 1 completed, 0 failed, 5 canceled, -1 unknown; nil: all

	MilliCPU    int64 // requested for each processor; 0: 1000
	MemoryBytes int64 // requested for each processor
	// OwnMemory takes the memory that the log says a job asked for, or else used, for
	// each processor; MemoryBytes where it says none.
	OwnMemory bool
}

// maxShare bounds what a pod asks for by share, so that no product overflows.
const maxShare = math.MaxInt64 >> 10

// checkShare checks what is requested for each processor or GPU.
func checkShare(cpu string, milliCPU int64, memory string, bytes int64) error {
	if milliCPU < 0 || milliCPU > maxShare {
		return fmt.Errorf("%s: %d must be between 0 and %d", cpu, milliCPU, int64(maxShare))
	}
	if bytes < 0 || bytes > maxShare {
		return fmt.Errorf("%s: %d must be between 0 and %d", memory, bytes, int64(maxShare))
	}
	return nil
}

func (s *SWF) trace() *Trace { return &s.Trace }

func (s *SWF) check() error {
	if err := s.Trace.check(); err != nil {
		return err
	}
	for i, status := range s.Statuses {
		if !slices.Contains([]int{-1, 0, 1, 5}, status) {
			return fmt.Errorf("statuses[%d]: %d must be 1 (completed), 0 (failed), 5 (canceled) or -1 (unknown)", i, status)
		}
	}
	return checkShare("milliCPU", s.MilliCPU, "memoryBytes", s.MemoryBytes)
}

func (s *SWF) read(in io.Reader) (jobs, error) {
	r, err := trace.SWFJobs(s.File, in, s.options())
	if err != nil {
		return nil, err
	}
	return rows[trace.SWFJob]{r, s.job}, nil
}

func (s *SWF) job(row trace.SWFJob) job {
	j := job{
		line: row.Line, name: "job-" + strconv.FormatInt(row.Number, 10),
		at: clock.FromSeconds(row.SubmitSeconds),
	}
	processors := row.Processors
	if processors <= 0 {
		processors = row.ProcessorsAsked
	}
	unwanted := s.Statuses != nil && !slices.Contains(s.Statuses, int(row.Status))
	if unwanted || processors <= 0 || row.RunSeconds < 0 {
		return j
	}
	milliCPU := s.MilliCPU
	if milliCPU == 0 {
		milliCPU = 1000
	}
	j.pods, j.lifetime = int(processors), clock.FromSeconds(row.RunSeconds)
	j.shape = s.shape(
		manifest.ResourceAmount{Name: "cpu", Value: milliCPU},
		manifest.ResourceAmount{Name: "memory", Value: s.memory(row)},
	)
	return j
}

// memory is what one processor of a job needs, in bytes.
func (s *SWF) memory(row trace.SWFJob) int64 {
	const kB = 1 << 10
	switch {
	case s.OwnMemory && row.MemoryKBAsked > 0:
		return int64(math.Ceil(min(row.MemoryKBAsked*kB, maxShare)))
	case s.OwnMemory && row.MemoryKB > 0:
		return int64(math.Ceil(min(row.MemoryKB*kB, maxShare)))
	}
	return s.MemoryBytes
}
