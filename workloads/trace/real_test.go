package trace_test

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/workloads/trace"
)

// real opens a published trace, or skips the test where the traces are absent.
func real(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("../../../shared/data", path))
	if err != nil {
		t.Skipf("the published traces are not here: %v", err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func collect[Row any](t *testing.T, r *trace.Reader[Row]) []Row {
	t.Helper()
	var all []Row
	for row, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

func TestOpenbNodeLists(t *testing.T) {
	for _, c := range []struct {
		path                          string
		nodes                         int
		milliCPU, memoryMiB, gpus, g2 int64
	}{
		{"openb/openb_node_list_all_node.csv", 1523, 125_514_000, 612_028_416, 6212, 4392},
		{"openb/openb_node_list_gpu_node.csv", 1213, 107_018_000, 503_828_480, 6212, 4392},
	} {
		r, err := trace.OpenbNodes(c.path, real(t, c.path), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		nodes := collect(t, r)
		got := c
		got.nodes, got.milliCPU, got.memoryMiB, got.gpus, got.g2 = len(nodes), 0, 0, 0, 0
		for _, n := range nodes {
			got.milliCPU += n.MilliCPU
			got.memoryMiB += n.MemoryMiB
			got.gpus += n.GPUs
			if n.Model == "G2" {
				got.g2 += n.GPUs
			}
		}
		if got != c {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
}

func TestOpenbDefaultPodList(t *testing.T) {
	r, err := trace.OpenbPods("default", real(t, "openb/openb_pod_list_default.csv"), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pods, got, milliGPU := collect(t, r), map[string]int{}, int64(0)
	for _, p := range pods {
		milliGPU += p.GPUs * p.MilliGPU
		got["gpus "+strconv.FormatInt(p.GPUs, 10)]++
		got[p.QoS]++
		got[p.Phase]++
		if p.GPUs == 1 && p.MilliGPU < 1000 {
			got["shared"]++
		}
		if p.Scheduled < 0 {
			got["never scheduled"]++
		}
	}
	if len(pods) != 8152 || milliGPU != 6_086_800 {
		t.Errorf("%d pods ask for %d thousandths of a GPU, want 8152 and 6086800", len(pods), milliGPU)
	}
	for what, want := range map[string]int{
		"gpus 0": 1088, "gpus 1": 3078 + 3911, "shared": 3078, "gpus 2": 16, "gpus 4": 15, "gpus 8": 44,
		"LS": 4647, "BE": 3398, "Burstable": 100, "Guaranteed": 7,
		"Running": 5193, "Failed": 1870, "Pending": 897, "never scheduled": 897, "Succeeded": 192,
	} {
		if got[what] != want {
			t.Errorf("%s: %d pods, want %d", what, got[what], want)
		}
	}
}

func TestOpenbPodLists(t *testing.T) {
	rows := map[string]int{
		"cpu0": 7064, "cpu037": 7336, "cpu050": 7439, "cpu072": 7608, "cpu100": 7853, "cpu235": 9240, "cpu250": 9420,
		"cpu300": 10094, "multigpu20": 8324, "multigpu40": 8746, "multigpu50": 9061, "default": 8152,
		"gpushare100": 8152, "gpushare20": 8152, "gpushare40": 8152, "gpushare80": 8152,
		"gpuspec05": 8152, "gpuspec10": 8152, "gpuspec20": 8152, "gpuspec33": 8152,
	}
	for list, want := range rows {
		r, err := trace.OpenbPods(list, real(t, "openb/openb_pod_list_"+list+".csv"), trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		timed, models := 0, 0
		pods := collect(t, r)
		for _, p := range pods {
			if p.Timed {
				timed++
			}
			if len(p.Models) > 0 {
				models++
			}
		}
		if len(pods) != want || (timed == 0) != strings.HasPrefix(list, "multigpu") || (models > 0) != strings.HasPrefix(list, "gpuspec") {
			t.Errorf("%s: %d pods (want %d), %d with times, %d with models", list, len(pods), want, timed, models)
		}
	}
}

func TestNASALog(t *testing.T) {
	s, err := trace.SWFJobs("nasa", real(t, "swf/NASA-iPSC-1993-3.1-cln.swf.gz"), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := s.HeaderValue("MaxProcs"); v != "128" {
		t.Errorf("MaxProcs is %q", v)
	}
	if v, _ := s.HeaderValue("Acknowledge"); v != "Bill Nitzberg" {
		t.Errorf("Acknowledge is %q", v)
	}
	jobs, width := collect(t, s.Reader), map[int64]int{}
	for _, j := range jobs {
		width[j.Processors]++
	}
	if len(jobs) != 18239 {
		t.Errorf("%d jobs, want 18239", len(jobs))
	}
	for n, want := range map[int64]int{1: 4935, 2: 1763, 4: 2683, 8: 1793, 16: 1780, 32: 3662, 64: 1203, 128: 420} {
		if width[n] != want {
			t.Errorf("%d jobs on %d nodes, want %d", width[n], n, want)
		}
	}
}

func TestLCGLog(t *testing.T) {
	s, err := trace.SWFJobs("lcg", real(t, "swf/LCG-2005-1.swf.gz"), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := s.HeaderValue("MaxProcs"); v != "24515" {
		t.Errorf("MaxProcs is %q", v)
	}
	jobs, sum, longest := 0, 0.0, 0.0
	for j, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		jobs++
		sum += j.RunSeconds
		longest = max(longest, j.RunSeconds)
	}
	if mean := sum / float64(jobs); jobs != 188041 || math.Round(mean/10) != 799 || longest != 172_800 {
		t.Errorf("%d jobs, mean run %v s, longest %v s; want 188041, about 7990 and 172800", jobs, mean, longest)
	}
}

func TestPhillyList(t *testing.T) {
	r, err := trace.PhillyJobs("philly", real(t, "philly/philly_jobs.csv.gz"), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, gpus, tenants, sum := collect(t, r), map[int64]int{}, map[string]bool{}, int64(0)
	for _, j := range jobs {
		gpus[j.GPUs]++
		tenants[j.VC] = true
		sum += j.DurationSeconds
	}
	if mean := math.Round(float64(sum) / float64(len(jobs))); len(jobs) != 82247 || len(tenants) != 15 || mean != 13136 {
		t.Errorf("%d jobs of %d tenants, mean %v s; want 82247, 15 and 13136", len(jobs), len(tenants), mean)
	}
	for n, want := range map[int64]int{1: 76627, 2: 1818, 4: 1870, 8: 1643, 12: 7, 16: 199, 24: 7, 32: 67, 64: 6, 128: 3} {
		if gpus[n] != want {
			t.Errorf("%d jobs of %d GPUs, want %d", gpus[n], n, want)
		}
	}
}
