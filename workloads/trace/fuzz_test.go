package trace_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/berth-sim/berth/workloads/trace"
)

// fuzzFormat holds any input to: no panic, as many rows with SkipBad as without
// it, and rows that keep the promises check tests.
func fuzzFormat(f *testing.F, format string, check func(row any) error) {
	text := example(f, format)
	f.Add([]byte(text))
	f.Add(gzipped(text))
	f.Add(gzipped(text)[:40])
	f.Add([]byte(strings.ReplaceAll(text, "1", "-1")))
	f.Add([]byte("\uFEFF" + strings.ReplaceAll(text, ",", ",\"")))
	f.Fuzz(func(t *testing.T, data []byte) {
		strict, _, _ := readAll(formats[format], bytes.NewReader(data), trace.Options{})
		lenient, _, _ := readAll(formats[format], bytes.NewReader(data), trace.Options{SkipBad: true})
		if len(strict) != len(lenient) {
			t.Fatalf("%d rows, and %d when bad lines are skipped", len(strict), len(lenient))
		}
		for _, row := range strict {
			if err := check(row); err != nil {
				t.Fatalf("%+v: %v", row, err)
			}
		}
	})
}

func within(what string, n, low, high int64) error {
	if n < low || n > high {
		return fmt.Errorf("%s is %d", what, n)
	}
	return nil
}

func FuzzOpenbNodes(f *testing.F) {
	fuzzFormat(f, "nodes.csv", func(row any) error {
		n := row.(trace.OpenbNode)
		if n.Name == "" || (n.Model == "") != (n.GPUs == 0) {
			return fmt.Errorf("has no name, or a model without GPUs")
		}
		return within("memory in bytes", n.MemoryMiB<<20, 0, math.MaxInt64)
	})
}

func FuzzOpenbPods(f *testing.F) {
	fuzzFormat(f, "pods.csv", func(row any) error {
		p := row.(trace.OpenbPod)
		if p.Timed && p.Scheduled >= 0 && (p.Scheduled < p.Created || p.Scheduled > p.Deleted) {
			return fmt.Errorf("was scheduled outside of its life")
		}
		if p.GPUs > 1 && p.MilliGPU != 1000 {
			return fmt.Errorf("shares several GPUs")
		}
		return within("gpu_milli", p.MilliGPU, min(1, p.GPUs), 1000)
	})
}

func FuzzPhillyJobs(f *testing.F) {
	fuzzFormat(f, "philly.csv", func(row any) error {
		j := row.(trace.PhillyJob)
		return within("end in nanoseconds", (j.SubmitSeconds+j.DurationSeconds)*1e9, 0, 1<<62)
	})
}

func FuzzSWFJobs(f *testing.F) {
	fuzzFormat(f, "log.swf", func(row any) error {
		j := row.(trace.SWFJob)
		if !(j.SubmitSeconds >= 0 && j.RunSeconds >= -1 && j.WaitSeconds >= -1) {
			return fmt.Errorf("has a time that is not one")
		}
		return within("processors", j.Processors, -1, trace.MaxCount)
	})
}
