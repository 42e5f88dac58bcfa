package workloads_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
)

// published is the path of a published trace; where it is absent the test is skipped.
func published(t *testing.T, path string) string {
	t.Helper()
	path = filepath.Join("../../shared/data", path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the published traces are not here: %v", err)
	}
	return path
}

// total sums up the pods of a stream.
type total struct {
	Pods, Gangs int
	Requests    map[string]int64
	Last        clock.Time
	Lifetimes   clock.Time // of pods that are not forever
}

func totalOf(t *testing.T, v *cluster.Vocabulary, s workloads.Stream) total {
	t.Helper()
	out, gangs := total{Requests: map[string]int64{}}, map[*workloads.Group]bool{}
	for {
		a, more, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			out.Gangs = len(gangs)
			return out
		}
		if a.At < out.Last {
			t.Fatalf("%s arrives at %v, after one at %v", a.Name, a.At, out.Last)
		}
		out.Pods++
		out.Last = a.At
		if a.Lifetime != clock.Forever {
			out.Lifetimes += a.Lifetime
		}
		for _, q := range a.Class.Requests {
			out.Requests[v.ResourceName(q.Resource)] += q.Amount
		}
		if a.Group != nil {
			gangs[a.Group] = true
		}
	}
}

func play(t *testing.T, p workloads.TraceSource) (total, *workloads.Replay) {
	t.Helper()
	v := cluster.NewVocabulary()
	r, err := workloads.OpenTrace(p, manifest.New(v))
	if err != nil {
		t.Fatal(err)
	}
	return totalOf(t, v, r), r
}

func TestPublishedOpenb(t *testing.T) {
	list := workloads.Trace{File: published(t, "openb/openb_pod_list_default.csv")}
	once, _ := play(t, &workloads.Openb{Trace: list, AtOnce: true})
	// 3,911 pods with one GPU to itself, 16 with two, 15 with four, 44 with eight.
	whole := int64(3911 + 2*16 + 4*15 + 8*44)
	if once.Pods != 8152 || once.Requests["alibabacloud.com/gpu-milli"] != 6_086_800 || once.Requests["alibabacloud.com/gpu-count"] != whole {
		t.Errorf("at once: %+v", once)
	}
	devices, _ := play(t, &workloads.Openb{Trace: list, GPUs: workloads.WholeGPUs})
	if devices.Pods != 8152 || devices.Requests["nvidia.com/gpu"] != whole+3078 {
		t.Errorf("whole GPUs: %+v", devices)
	}
}

// TestPublishedOpenbPeak replays the list with its own times. By these, 65.59 GPUs are
// in use at most; 64.59 when every pod has its node on arrival and so is done earlier.
func TestPublishedOpenbPeak(t *testing.T) {
	v := cluster.NewVocabulary()
	r, err := workloads.OpenTrace(&workloads.Openb{Trace: workloads.Trace{File: published(t, "openb/openb_pod_list_default.csv")}}, manifest.New(v))
	if err != nil {
		t.Fatal(err)
	}
	var q clock.Queue[int64]
	milli := v.Resource("alibabacloud.com/gpu-milli")
	for _, a := range drain(t, r) {
		if n := a.Class.Request(milli); n > 0 {
			q.Push(a.At.Add(a.Lifetime), 0, -n) // an end frees before a start takes
			q.Push(a.At, 1, n)
		}
	}
	used, peak := int64(0), int64(0)
	for {
		e, ok := q.Peek()
		if !ok {
			break
		}
		q.Pop()
		used += e.Payload
		peak = max(peak, used)
	}
	if used != 0 || peak != 64_590 {
		t.Errorf("at most %d thousandths of a GPU are in use, and %d at the end; want 64590 and 0", peak, used)
	}
}

func TestPublishedOpenbNodes(t *testing.T) {
	v := cluster.NewVocabulary()
	loader := manifest.New(v)
	fleet := workloads.OpenbFleet{File: published(t, "openb/openb_node_list_gpu_node.csv")}
	nodes, skipped, err := fleet.Nodes(loader)
	if err != nil || len(skipped) > 0 || len(nodes) != 1213 {
		t.Fatalf("%d nodes, skipped %v, error %v", len(nodes), skipped, err)
	}
	docs, err := document.ReadFile(published(t, "openb/openb_node_list_gpu_node.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := loader.Load(docs...); err != nil {
		t.Fatal(err)
	}
	for i, n := range loader.Nodes {
		if !reflect.DeepEqual(nodes[i], n.Spec) {
			t.Fatalf("the CSV says  %+v\nthe YAML says %+v", nodes[i], n.Spec)
		}
	}
}

func TestPublishedSWF(t *testing.T) {
	nasa, r := play(t, &workloads.SWF{Trace: workloads.Trace{File: published(t, "swf/NASA-iPSC-1993-3.1-cln.swf.gz")}, MemoryBytes: 1})
	pods := 4935 + 2*1763 + 4*2683 + 8*1793 + 16*1780 + 32*3662 + 64*1203 + 128*420
	if nasa.Pods != pods || nasa.Gangs != 18239-4935 || r.LeftOut() != 0 || nasa.Requests["cpu"] != int64(pods)*1000 {
		t.Errorf("NASA: %+v, want %d pods and %d gangs", nasa, pods, 18239-4935)
	}
	lcg, r := play(t, &workloads.SWF{Trace: workloads.Trace{File: published(t, "swf/LCG-2005-1.swf.gz")}})
	mean := lcg.Lifetimes.Seconds() / float64(lcg.Pods)
	if lcg.Pods != 188041 || lcg.Gangs != 0 || r.LeftOut() != 0 || mean < 7985 || mean > 7995 {
		t.Errorf("LCG: %+v, mean lifetime %v s", lcg, mean)
	}
}

func TestPublishedPhilly(t *testing.T) {
	got, _ := play(t, &workloads.Philly{Trace: workloads.Trace{File: published(t, "philly/philly_jobs.csv.gz")}})
	gangs := 7 + 199 + 7 + 67 + 6 + 3
	pods := 82247 - gangs + 2*7 + 2*199 + 3*7 + 4*67 + 8*6 + 16*3
	// A job of 12 GPUs is two pods of 8.
	gpus := int64(76627 + 2*1818 + 4*1870 + 8*1643 + 16*7 + 16*199 + 24*7 + 32*67 + 64*6 + 128*3)
	if got.Pods != pods || got.Gangs != gangs || got.Requests["nvidia.com/gpu"] != gpus {
		t.Errorf("got %+v, want %d pods, %d gangs, %d GPUs", got, pods, gangs, gpus)
	}
}

// TestImportIsWhatIsPlayed writes traces as manifests, reads them again and compares.
func TestImportIsWhatIsPlayed(t *testing.T) {
	fleet := &workloads.OpenbFleet{File: published(t, "openb/openb_node_list_gpu_node.csv")}
	for _, tt := range []struct {
		trace workloads.TraceSource
		fleet workloads.Fleet
		pods  int
	}{
		{&workloads.Openb{Trace: workloads.Trace{File: published(t, "openb/openb_pod_list_gpuspec33.csv")}, AtOnce: true}, fleet, 8152},
		{&workloads.Philly{Trace: workloads.Trace{File: published(t, "philly/philly_jobs.csv.gz"), Limit: 300}, Tenants: workloads.TenantsNamespace}, nil, 0},
		{&workloads.SWF{Trace: workloads.Trace{File: published(t, "swf/NASA-iPSC-1993-3.1-cln.swf.gz"), Limit: 50}}, nil, 0},
	} {
		t.Run(fmt.Sprintf("%T", tt.trace), func(t *testing.T) { checkImport(t, tt.trace, tt.fleet, tt.pods) })
	}
}

func checkImport(t *testing.T, p workloads.TraceSource, fleet workloads.Fleet, pods int) {
	var out bytes.Buffer
	done, err := workloads.WriteManifests(t.Context(), &out, fleet, p)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := document.Parse("import.yaml", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	v := cluster.NewVocabulary()
	loader := manifest.New(v)
	if err := loader.Load(docs...); err != nil {
		t.Fatal(err)
	}
	if len(loader.Pods) != done.Pods || len(loader.Nodes) != done.Nodes || len(loader.PodGroups) != done.PodGroups {
		t.Errorf("%d pods, %d nodes, %d groups, said to be %+v", len(loader.Pods), len(loader.Nodes), len(loader.PodGroups), done)
	}
	if pods > 0 && (done.Pods != pods || done.Nodes != 1213) {
		t.Errorf("wrote %+v", done)
	}
	r, err := workloads.OpenTrace(p, loader)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range drain(t, r) {
		read := &loader.Pods[i]
		if read.Name != a.Name || read.Namespace != v.Text(a.Class.Namespace) || !reflect.DeepEqual(read.Class.Requests, a.Class.Requests) {
			t.Fatalf("pod %d: read %+v, played %+v", i, read, a)
		}
		switch {
		case a.Group == nil && read.Class != a.Class:
			t.Fatalf("pod %s: read class %+v, played %+v", a.Name, read.Class, a.Class)
		case a.Group != nil && read.Group != v.Text(a.Group.Namespace)+"/"+a.Group.Name:
			t.Fatalf("pod %s: read group %q, played %+v", a.Name, read.Group, a.Group)
		}
	}
}

// TestReplayIsDeterministic plays the same file twice.
func TestReplayIsDeterministic(t *testing.T) {
	p := &workloads.Philly{Trace: workloads.Trace{File: published(t, "philly/philly_jobs.csv.gz"), Limit: 5000}}
	a := drain(t, must(workloads.OpenTrace(p, manifest.New(cluster.NewVocabulary()))))
	b := drain(t, must(workloads.OpenTrace(p, manifest.New(cluster.NewVocabulary()))))
	if !reflect.DeepEqual(a, b) {
		t.Error("two streams of one file differ")
	}
}

func TestReplayEndsEarly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(file, []byte("job_id,submit_s,duration_s,num_gpus,vc\n0,0,1,16,a\n1,0,1,1,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := must(workloads.OpenTrace(&workloads.Philly{Trace: workloads.Trace{File: file}}, manifest.New(cluster.NewVocabulary())))
	if a, more, err := r.Next(); a.Name != "philly-0-0" || !more || err != nil {
		t.Fatalf("got %+v, %v, %v", a, more, err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, more, err := r.Next(); more || err != nil {
			t.Errorf("after Close there is more (%v) or an error (%v)", more, err)
		}
	}
}

func TestReplayOfACutFile(t *testing.T) {
	whole, err := os.ReadFile(published(t, "philly/philly_jobs.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cut.csv.gz")
	if err := os.WriteFile(file, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	p := &workloads.Philly{Trace: workloads.Trace{File: file, SkipBad: true}}
	if err := workloads.CheckTrace(p, manifest.New(cluster.NewVocabulary())); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("got %v", err)
	}
}
