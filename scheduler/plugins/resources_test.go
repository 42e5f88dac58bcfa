package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// fitScores are the scores of NodeResourcesFit under a strategy.
func fitScores(t *testing.T, s plugins.Strategy, pod string, running []string, nodes ...string) string {
	t.Helper()
	w := newWorld(t, worldConfig{plugins: []string{"NodeResourcesFit"}, args: map[string]any{"NodeResourcesFit": plugins.FitArgs{Strategy: s}}})
	w.addNodes(nodes...)
	w.addPods(running...)
	w.addPods(pod)
	a := w.try("p")
	if a.Node == cluster.None {
		t.Fatal(a.Message())
	}
	return scores(w, a, "NodeResourcesFit")
}

func resources(list ...any) []plugins.ResourceWeight {
	var out []plugins.ResourceWeight
	for i := 0; i < len(list); i += 2 {
		out = append(out, plugins.ResourceWeight{Name: list[i].(string), Weight: int64(list[i+1].(int))})
	}
	return out
}

// The example of the reference documents: "requested" of resource foo 2, memory 256 MB and
// cpu 2, weights 5, 1 and 3; node 1 scores 5 and node 2 scores 7, of 10. Of 100 the single
// values are not cut to tenths: 75, 50 and 37, and 50, 75 and 100.
func TestRequestedToCapacityRatioOfTheReferenceDocuments(t *testing.T) {
	got := fitScores(t, plugins.Strategy{
		Type: plugins.RequestedToCapacityRatio, Resources: resources("example.com/foo", 5, "memory", 1, "cpu", 3),
		Shape: []plugins.ShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
	}, "p cpu=2 memory=256Mi example.com/foo=2",
		[]string{"a node=n1 cpu=1 memory=256Mi example.com/foo=1", "b node=n2 cpu=6 memory=512Mi example.com/foo=2"},
		"n1 cpu=8 memory=1Gi pods=10 example.com/foo=4", "n2 cpu=8 memory=1Gi pods=10 example.com/foo=8")
	// n1: (75*5 + 50*1 + 37*3) / 9 = 536/9 = 59.6; n2: (50*5 + 75*1 + 100*3) / 9 = 625/9 = 69.4.
	if want := "n1=60 n2=69"; got != want {
		t.Errorf("scores %s, want %s", got, want)
	}
}

var strategyTests = []struct {
	name     string
	strategy plugins.Strategy
	pod      string
	running  []string
	nodes    []string
	want     string
}{
	{
		"least: each resource is cut, and the mean again",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p cpu=1 memory=1Gi", nil,
		// (3-1)*100/3 = 66, (7-1)*100/7 = 85, 151/2 = 75; 50 and 50.
		[]string{"n1 cpu=3 memory=7Gi pods=10", "n2 cpu=2 memory=2Gi pods=10"}, "n1=75 n2=50",
	},
	{
		"least: weights",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 3)},
		"p cpu=1 memory=1Gi", nil,
		[]string{"n1 cpu=2 memory=4Gi pods=10", "n2 cpu=4 memory=2Gi pods=10"}, "n1=68 n2=56", // (50+225)/4, (75+150)/4
	},
	{
		"least: a pod without requests counts with 100 milli cpu and 200 MiB",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p", []string{"idle node=n1"},
		[]string{"n1 cpu=1 memory=1000Mi pods=10", "n2 cpu=1 memory=1000Mi pods=10"}, "n1=70 n2=85", // (80+60)/2, (90+80)/2
	},
	{
		"least: an explicit 0 stays 0",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p cpu=0 memory=0", nil,
		[]string{"n1 cpu=1 memory=1000Mi pods=10", "n2 cpu=1 memory=1000Mi pods=10"}, "n1=100 n2=100",
	},
	{
		"least: more than there is scores 0, in memory alone", // what is counted can exceed what is asked for
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p cpu=500m", nil,
		[]string{"n1 cpu=1 memory=100Mi pods=10", "n2 cpu=1 memory=200Mi pods=10"}, "n1=25 n2=25",
	},
	{
		"least: what a node does not have is left out, weight and all",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 3)},
		"p cpu=1 memory=0", nil,
		[]string{"n1 cpu=2 pods=10", "n2 cpu=2 memory=4Gi pods=10"}, "n1=50 n2=87", // 50/1, (50+300)/4
	},
	{
		"least: a node that has none of them scores 0",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "memory", 3)},
		"p cpu=0 memory=0", nil,
		[]string{"n1 pods=10", "n2 cpu=2 memory=4Gi pods=10"}, "n1=0 n2=100",
	},
	{
		"least: an extended resource that the pod does not ask for is left out",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "example.com/gpu", 3)},
		"p cpu=1 memory=0", nil,
		[]string{"n1 cpu=2 pods=10 example.com/gpu=4", "n2 cpu=4 pods=10"}, "n1=50 n2=75",
	},
	{
		"least: one that it asks for counts",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("cpu", 1, "example.com/gpu", 3)},
		"p cpu=1 example.com/gpu=1", nil,
		[]string{"n1 cpu=2 pods=10 example.com/gpu=4", "n2 cpu=4 pods=10 example.com/gpu=2"}, "n1=68 n2=56",
	},
	{
		"least: ephemeral storage is not a scalar resource; pods are not scored",
		plugins.Strategy{Type: plugins.LeastAllocated, Resources: resources("ephemeral-storage", 1, "pods", 5)},
		"p", []string{"a node=n1 ephemeral-storage=1Gi"},
		[]string{"n1 ephemeral-storage=4Gi pods=10", "n2 ephemeral-storage=4Gi pods=10"}, "n1=75 n2=100",
	},
	{
		"most",
		plugins.Strategy{Type: plugins.MostAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p cpu=1 memory=1Gi", []string{"a node=n2 cpu=1 memory=1Gi"},
		[]string{"n1 cpu=3 memory=7Gi pods=10", "n2 cpu=3 memory=7Gi pods=10"}, "n1=23 n2=47", // (33+14)/2, (66+28)/2
	},
	{
		"most: more than there is counts as all",
		plugins.Strategy{Type: plugins.MostAllocated, Resources: resources("cpu", 1, "memory", 1)},
		"p cpu=500m", nil,
		[]string{"n1 cpu=1 memory=100Mi pods=10", "n2 cpu=1 memory=400Mi pods=10"}, "n1=75 n2=50",
	},
	{
		"ratio: a mean in floating point, half away from zero, of those above 0 alone",
		plugins.Strategy{
			Type: plugins.RequestedToCapacityRatio, Resources: resources("cpu", 1, "memory", 1),
			Shape: []plugins.ShapePoint{{Utilization: 50, Score: 0}, {Utilization: 100, Score: 10}},
		},
		"p cpu=3 memory=3Gi", nil,
		// n1: 75 % is 50, 37 % is 0: 50 alone. n2: 60 % is 20, 75 % is 50. n3: 33 % is 0 twice.
		// n4: 100 % is 100, 60 % is 20.
		[]string{"n1 cpu=4 memory=8Gi pods=10", "n2 cpu=5 memory=4Gi pods=10", "n3 cpu=9 memory=9Gi pods=10", "n4 cpu=3 memory=5Gi pods=10"},
		"n1=50 n2=35 n3=0 n4=60",
	},
	{
		"ratio: half is rounded up",
		plugins.Strategy{
			Type: plugins.RequestedToCapacityRatio, Resources: resources("cpu", 1, "memory", 1),
			Shape: []plugins.ShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
		},
		"p cpu=1 memory=1000Mi", nil,
		[]string{"n1 cpu=2 memory=2500Mi pods=10", "n2 cpu=2 memory=8000Mi pods=10"}, "n1=45 n2=31", // (50+40)/2, (50+12)/2
	},
	{
		"ratio: of a falling shape the product is cut towards zero",
		plugins.Strategy{
			Type: plugins.RequestedToCapacityRatio, Resources: resources("cpu", 1),
			Shape: []plugins.ShapePoint{{Utilization: 0, Score: 10}, {Utilization: 70, Score: 0}},
		},
		"p cpu=1", nil,
		// 33 %: 100 - 3300/70 = 100 - 47; 25 %: 100 - 2500/70 = 100 - 35.
		[]string{"n1 cpu=3 pods=10", "n2 cpu=4 pods=10"}, "n1=53 n2=65",
	},
}

func TestStrategies(t *testing.T) {
	for _, tt := range strategyTests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fitScores(t, tt.strategy, tt.pod, tt.running, tt.nodes...); got != tt.want {
				t.Errorf("scores %s, want %s", got, tt.want)
			}
		})
	}
}

func TestFitReasons(t *testing.T) {
	const (
		notHelpful = " preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
		noVictims  = " preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
	)
	gpu := "example.com/gpu"
	tests := []struct {
		name, node, running, pod string
		args                     plugins.FitArgs
		want                     string // part of the message, or empty where it fits
	}{
		{name: "fits exactly", node: "cpu=1 memory=1Gi pods=1", pod: "cpu=1 memory=1Gi"},
		{name: "too many pods", node: "cpu=1 pods=1", running: "cpu=0", pod: "", want: "1 Too many pods." + noVictims},
		{name: "no pods allowed", node: "cpu=1", pod: "", want: "1 Too many pods." + noVictims},
		{name: "cpu", node: "cpu=1 pods=2", running: "cpu=600m", pod: "cpu=500m", want: "1 Insufficient cpu." + noVictims},
		{name: "memory", node: "memory=1Gi pods=2", running: "memory=1Gi", pod: "memory=1", want: "1 Insufficient memory." + noVictims},
		{name: "storage", node: "ephemeral-storage=1Gi pods=2", running: "ephemeral-storage=1Gi", pod: "ephemeral-storage=1", want: "1 Insufficient ephemeral-storage." + noVictims},
		{name: "extended", node: gpu + "=2 pods=2", running: gpu + "=1", pod: gpu + "=2", want: "1 Insufficient example.com/gpu." + noVictims},
		{name: "more than there ever is", node: "cpu=1 pods=2", pod: "cpu=1001m", want: "1 Insufficient cpu." + notHelpful},
		{name: "an extended resource that the node does not have", node: "cpu=1 pods=2", pod: gpu + "=1", want: "1 Insufficient example.com/gpu." + notHelpful},
		{
			name: "several reasons, one of them hopeless", node: "cpu=1 memory=1Gi pods=1", running: "cpu=1 memory=1Gi", pod: "cpu=1 memory=2Gi",
			want: "1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods." + notHelpful,
		},
		{
			name: "several reasons, none of them hopeless", node: "cpu=1 memory=1Gi pods=1", running: "cpu=1 memory=1Gi", pod: "cpu=1 memory=1Gi",
			want: "1 Insufficient cpu, 1 Insufficient memory, 1 Too many pods." + noVictims,
		},
		{name: "what is not asked for does not matter", node: "cpu=1 memory=1Gi pods=2", running: "cpu=2", pod: "memory=1Gi"},
		{name: "nothing asked for, on a node that is too full", node: "cpu=1 pods=2", running: "cpu=2", pod: ""},
		{name: "an ignored resource", node: "pods=2", pod: gpu + "=1", args: plugins.FitArgs{IgnoredResources: []string{gpu}}},
		{name: "an ignored group", node: "pods=2", pod: gpu + "=1", args: plugins.FitArgs{IgnoredGroups: []string{"example.com"}}},
		{name: "another ignored group", node: "pods=2", pod: gpu + "=1", args: plugins.FitArgs{IgnoredGroups: []string{"example"}}, want: "Insufficient example.com/gpu."},
		{name: "cpu cannot be ignored", node: "cpu=1 pods=2", pod: "cpu=2", args: plugins.FitArgs{IgnoredResources: []string{"cpu"}}, want: "Insufficient cpu."},
		{
			name: "an ignored one keeps the place of the next", node: "pods=2", pod: gpu + "=1 example.com/nic=1",
			args: plugins.FitArgs{IgnoredResources: []string{gpu}}, want: "nodes are available: 1 Insufficient example.com/nic.",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.args.Strategy = plugins.DefaultStrategy()
			w := newWorld(t, worldConfig{
				plugins: []string{"NodeResourcesFit", "DefaultPreemption"}, args: map[string]any{"NodeResourcesFit": tt.args},
			})
			w.addNodes("n " + tt.node)
			if tt.running != "" {
				w.addPods("running node=n " + tt.running)
			}
			w.addPods("p " + tt.pod)
			mustSay(t, w.try("p"), tt.want)
		})
	}
}

func TestAVerdictSpeaksOfEveryResource(t *testing.T) {
	line := "p"
	for i := range 24 {
		w := newWorld(t, worldConfig{plugins: []string{"NodeResourcesFit"}})
		w.addNodes("n pods=1")
		if i > 0 {
			line += fmt.Sprintf(" example.com/r%d=1", i)
			w.addPods(line)
			mustSay(t, w.try("p"), fmt.Sprintf("1 Insufficient example.com/r%d", i))
		}
		if i == 23 {
			w.addPods(strings.Replace(line, "p", "q", 1) + " cpu=1")
			mustSay(t, w.try("q"), `running PreFilter plugin "NodeResourcesFit": the pod asks for 24 different resources, at most 23 are supported`)
		}
	}
}

// mustSay fails unless the message of the attempt has want in it, or the pod got a node where
// want is empty.
func mustSay(t *testing.T, a *scheduler.Attempt, want string) {
	t.Helper()
	got := a.Message()
	if want == "" && a.Outcome == scheduler.Scheduled {
		return
	}
	if want == "" || !strings.Contains(got, want) {
		t.Errorf("%s: %q, want %q", a.Outcome, got, want)
	}
}
