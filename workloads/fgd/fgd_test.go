package fgd

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/workloads/trace"
)

// data is where the real lists are.
const data = "../../../shared/data/"

// realList reads a list and the names and capacity of the paper's nodes.
func realList(t *testing.T, list string) (PodList, []string, int64) {
	t.Helper()
	pods, err := os.Open(data + "openb/" + list + ".csv")
	if err != nil {
		t.Skip("the real lists are not there: ", err)
	}
	defer pods.Close()
	d, err := Read(list, pods, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(data + "openb/openb_node_list_gpu_node.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := trace.OpenbNodes("nodes", file, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var capacity int64
	for n, err := range r.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		names, capacity = append(names, n.Name), capacity+1000*n.GPUs
	}
	return d, names, capacity
}

// The order of arrivals, the demand and the ranks of the nodes are those of the authors'
// simulator, pod by pod.
func TestDealIsTheAuthors(t *testing.T) {
	d, nodes, capacity := realList(t, "openb_pod_list_default")
	if err := d.Shuffle(42, PaperDemand, capacity, nodes); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(data + "fgd-expected/peer_events_default_FGD_seed42.csv.gz")
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[1:]
	if len(rows) != len(d.Pods) {
		t.Fatalf("%d pods arrive, of the authors %d", len(d.Pods), len(rows))
	}
	var arrived int64
	for i, row := range rows {
		arrived += requested(&d.Pods[i])
		if row[1] != d.Pods[i].Name || row[4] != fmt.Sprint(arrived) {
			t.Fatalf("pod %d is %s after which %d has arrived, of the authors %s, %s", i, d.Pods[i].Name, arrived, row[1], row[4])
		}
		if node := row[3]; node != "" && row[2] != fmt.Sprint(d.Ranks[node]) {
			t.Fatalf("node %s has rank %d, of the authors %s", node, d.Ranks[node], row[2])
		}
	}
	if arrived != 8_075_080 {
		t.Errorf("%d thousandths arrive, not 8075080", arrived)
	}
}

// The target workload of the default list is 35 of 91 shapes.
func TestTargetOfTheRealList(t *testing.T) {
	d, _, _ := realList(t, "openb_pod_list_default")
	target := d.Target(func(string) []int32 { return nil })
	if len(target.Classes) != 35 || fmt.Sprintf("%.4f", float64(target.Pods)/float64(len(d.Pods))) != "0.9526" {
		t.Errorf("the target has %d shapes of %d pods of %d", len(target.Classes), target.Pods, len(d.Pods))
	}
}

// A list that asks for more than the demand is cut, one that asks for less inflated, and what
// both ask for in the end is at most the demand.
func TestDemand(t *testing.T) {
	var list strings.Builder
	list.WriteString("name,cpu_milli,memory_mib,num_gpu,gpu_milli\n")
	for i := range 100 {
		fmt.Fprintf(&list, "p-%02d,1000,1024,1,%d\n", i, 100+10*(i%50))
	}
	for _, tt := range []struct{ demand, least float64 }{{0.5, 0.45}, {1, 0.95}, {3, 2.9}} {
		d, err := Read("list", strings.NewReader(list.String()), false)
		if err != nil {
			t.Fatal(err)
		}
		const capacity = 30_000
		if err := d.Shuffle(7, tt.demand, capacity, []string{"b", "a", "c"}); err != nil {
			t.Fatal(err)
		}
		if got := float64(sum(d.Pods)) / capacity; got > tt.demand || got < tt.least {
			t.Errorf("for a demand of %v the pods ask for %v", tt.demand, got)
		}
		names := map[string]bool{}
		for _, p := range d.Pods {
			names[p.Name] = true
		}
		if len(names) != len(d.Pods) || len(d.Ranks) != 3 || d.Ranks["a"]+d.Ranks["b"]+d.Ranks["c"] != 3 {
			t.Errorf("%d names of %d pods, ranks %v", len(names), len(d.Pods), d.Ranks)
		}
	}
	none := PodList{Pods: []trace.OpenbPod{{Name: "cpu"}}}
	if err := none.Shuffle(1, 1.3, 1000, nil); err == nil {
		t.Error("pods without GPUs were brought to a demand of GPUs")
	}
	one := PodList{Pods: []trace.OpenbPod{{Name: "a", GPUs: 1, MilliGPU: 500}, {Name: "b"}}}
	if err := one.Shuffle(1, 0.1, 1000, nil); err == nil {
		t.Errorf("a demand below that of any pod left %d pods", len(one.Pods))
	}
}

// The models of a list and those of its target workload are the same, blanks or not.
func TestModels(t *testing.T) {
	d, err := Read("list", strings.NewReader("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\na,1,1,1,500,P100| T4,LS,Running,0,1,0\n"), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := Models(d.Pods[0].Spec); !slices.Equal(got, d.Pods[0].Models) || !slices.Equal(got, []string{"P100", "T4"}) {
		t.Errorf("the target has models %q, the pod %q", got, d.Pods[0].Models)
	}
	if got := Models(""); len(got) != 0 {
		t.Errorf("no model is %q", got)
	}
}

// A list that asks for just the demand is neither cut nor inflated, and nothing is drawn for it:
// the ranks are those that follow the shuffle.
func TestDemandThatIsMet(t *testing.T) {
	deal := func(demand float64) PodList {
		d, err := Read("list", strings.NewReader("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,500\nb,1,1,2,1000\nc,1,1,1,500\n"), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Shuffle(3, demand, 3000, []string{"w", "x", "y", "z", "v", "u"}); err != nil {
			t.Fatal(err)
		}
		return d
	}
	met := deal(1)
	if len(met.Pods) != 3 || sum(met.Pods) != 3000 {
		t.Errorf("%d pods ask for %d", len(met.Pods), sum(met.Pods))
	}
	rnd := rand.New(rand.NewSource(3))
	rnd.Int()
	rnd.Shuffle(3, func(int, int) {})
	for range informers {
		rnd.Float64()
	}
	for i, rank := range rnd.Perm(6) {
		if name := string("uvwxyz"[i]); met.Ranks[name] != rank {
			t.Errorf("node %s has rank %d, not %d", name, met.Ranks[name], rank)
		}
	}
	// The stop rule looks at one GPU of a clone: 3000 + 2000 is more than 4100, 3000 + 1000 is not.
	for seed := range int64(40) {
		d := PodList{Pods: []trace.OpenbPod{{Name: "b", GPUs: 2, MilliGPU: 1000}}}
		if err := d.Shuffle(seed, 1.1, 3000, nil); err != nil {
			t.Fatal(err)
		}
		if len(d.Pods) != 2 || sum(d.Pods) != 4000 {
			t.Fatalf("%d pods ask for %d", len(d.Pods), sum(d.Pods))
		}
	}
}
