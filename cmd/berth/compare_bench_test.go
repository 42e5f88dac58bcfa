package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// benchSeeds is how many seeds comparisons and gates are measured with: as many as they
// have when the user does not say.
const benchSeeds = defaultSeeds

// BenchmarkCompare measures two policies with ten seeds each beside one run of each. What
// counts is times-one-run: 5 would be ten runs on two cores that have nothing else to do, at
// most 5.5 is wanted. Where others use the cores too, cpu-times-one-run tells more: 10 is ten
// runs and nothing else.
func BenchmarkCompare(b *testing.B) {
	other := filepath.Join("..", "..", "scenarios", "policies", "most-allocated.yaml")
	for _, of := range benchScenarios(b) {
		b.Run(fmt.Sprintf("%s/policies=2/seeds=%d/cores=%d", of.size, benchSeeds, runtime.GOMAXPROCS(0)), func(b *testing.B) {
			compare := []string{"compare", of.path, "--policy", "default", "--policy", other, "--format", "csv"}
			besideRuns(b, of.path, []string{"default", other}, compare, "most-allocated,default,placement.arrived,pods,")
		})
	}
}

// BenchmarkCheck measures a gate of ten seeds beside one run, as BenchmarkCompare does.
func BenchmarkCheck(b *testing.B) {
	for _, of := range benchScenarios(b) {
		b.Run(fmt.Sprintf("%s/seeds=%d/cores=%d", of.size, benchSeeds, runtime.GOMAXPROCS(0)), func(b *testing.B) {
			check := []string{"check", of.path, "--policy", "default", "--baseline", filepath.Join(b.TempDir(), "baseline.json")}
			finish(b, append(check, "--update")...)
			besideRuns(b, of.path, []string{"default"}, check, " checks passed, against the baseline of default")
		})
	}
}

// BenchmarkDiff reads two runs of more than a million records each, and replays both up
// to where they diverge.
func BenchmarkDiff(b *testing.B) {
	const pods = 200_000
	dir := b.TempDir()
	path := filepath.Join(dir, "million.yaml")
	write(b, path, fmt.Sprintf(million, pods))
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	finish(b, "run", path, "--quiet", "--out", one)
	finish(b, "run", path, "--quiet", "--policy", filepath.Join("..", "..", "scenarios", "policies", "most-allocated.yaml"), "--out", two)
	records := linesOf(b, filepath.Join(one, "records.jsonl")) + linesOf(b, filepath.Join(two, "records.jsonl"))
	if records < 2_000_000 {
		b.Fatalf("both runs together have %d records", records)
	}
	b.Run(fmt.Sprintf("nodes=5000/pods=%d/records=%d", pods, records), func(b *testing.B) {
		for b.Loop() {
			if out := finish(b, "diff", one, two); !strings.Contains(out, "The runs diverge at") {
				b.Fatalf("they do not part:\n%.500s", out)
			}
		}
		b.ReportMetric(float64(b.N*records)/b.Elapsed().Seconds(), "records/s")
		b.ReportMetric(peakMiB(b), "MiB-peak")
	})
}

// benchScenario is a scenario with its size in words.
type benchScenario struct{ size, path string }

// benchScenarios are a short run, in which what is not a run weighs most, one of many classes
// of pods, and so of many figures, and one of a large fleet.
func benchScenarios(b *testing.B) []benchScenario {
	b.Helper()
	const pods = 20_000
	large := filepath.Join(b.TempDir(), "large.yaml")
	write(b, large, fmt.Sprintf(million, pods))
	return []benchScenario{
		{"nodes=40/pods=5000", filepath.Join("..", "..", "scenarios", "quickstart.yaml")},
		{"nodes=40/pods=1700/classes=30", filepath.Join("..", "..", "scenarios", "gpu-fleet.yaml")},
		{fmt.Sprintf("nodes=5000/pods=%d", pods), large},
	}
}

// besideRuns measures a command, and reports its time as a multiple of that of one run under
// each of the policies. The runs are made before and after it each time, so that what else
// the machine does falls on both alike.
func besideRuns(b *testing.B, path string, policies, command []string, want string) {
	b.Helper()
	var runs, whole spent
	runBoth := func() {
		began := now(b)
		for _, policy := range policies {
			finish(b, "run", path, "--policy", policy, "--format", "csv")
		}
		runs.add(began, now(b))
	}
	for b.Loop() {
		b.StopTimer()
		runBoth()
		b.StartTimer()
		began := now(b)
		if out := finish(b, command...); !strings.Contains(out, want) {
			b.Fatalf("no %q in the output:\n%.500s", want, out)
		}
		whole.add(began, now(b))
		b.StopTimer()
		runBoth()
		b.StartTimer()
	}
	b.ReportMetric(2*whole.wall/runs.wall, "times-one-run")
	if runs.cpu > 0 {
		b.ReportMetric(2*whole.cpu/runs.cpu, "cpu-times-one-run")
	}
}

// spent is time in seconds: that on the clock, and that of the process on all cores.
type spent struct{ wall, cpu float64 }

func (s *spent) add(from, to spent) { s.wall, s.cpu = s.wall+to.wall-from.wall, s.cpu+to.cpu-from.cpu }

var benchBegan = time.Now()

// now is what has been spent so far; cpu stays 0 where the system does not say.
func now(tb testing.TB) spent {
	s := spent{wall: time.Since(benchBegan).Seconds()}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return s
	}
	// The numbers after the name, which may have spaces: utime and stime are the 14th and 15th
	// of all, in hundredths of a second.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, field := range fields[11:13] {
		var ticks float64
		if _, err := fmt.Sscan(field, &ticks); err != nil {
			tb.Fatal(err)
		}
		s.cpu += ticks / 100
	}
	return s
}

// finish runs a command that must succeed, and returns its output.
func finish(b *testing.B, args ...string) string {
	b.Helper()
	var out, err bytes.Buffer
	if code := execute(context.Background(), args, streams{out: &out, err: &err}); code != exitDone {
		b.Fatalf("%v: exit code %d: %s", args, code, err.String())
	}
	return out.String()
}

func linesOf(b *testing.B, path string) int {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines, buffer := 0, make([]byte, 1<<16)
	for {
		n, err := f.Read(buffer)
		lines += bytes.Count(buffer[:n], []byte("\n"))
		if err == io.EOF {
			return lines
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
