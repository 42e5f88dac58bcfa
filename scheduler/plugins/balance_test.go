package plugins_test

import (
	"testing"

	"github.com/berth-sim/berth/scheduler/plugins"
)

var balanceTests = []struct {
	name      string
	resources []plugins.ResourceWeight
	pod       string
	running   []string
	nodes     []string
	want      string
}{
	{
		"two resources: half their difference",
		resources("cpu", 1, "memory", 1), "p cpu=1 memory=1Gi", nil,
		// n1: 1/2 and 1/4, deviation 1/8, 87; before 100: 50 + 37/2 = 68. n2: 1/4 and 1/4: 75.
		[]string{"n1 cpu=2 memory=4Gi", "n2 cpu=4 memory=4Gi"}, "n1=68 n2=75",
	},
	{
		"a pod that evens out what was uneven",
		resources("cpu", 1, "memory", 1), "p memory=2Gi", []string{"a node=n1 cpu=2"},
		// n1: before 1/2 and 0, 75; with the pod 100: 50 + 75/2 = 87. n2: before 100, then 75: 50 + 25/2 = 62.
		[]string{"n1 cpu=4 memory=4Gi", "n2 cpu=4 memory=4Gi"}, "n1=87 n2=62",
	},
	{
		"requests as they are, without defaults",
		resources("cpu", 1, "memory", 1), "p cpu=1", []string{"idle node=n2"},
		// (1/4 - 0)/2 = 1/8, 87, on both nodes: 50 + 37/2.
		[]string{"n1 cpu=4 memory=4Gi", "n2 cpu=4 memory=4Gi"}, "n1=68 n2=68",
	},
	{
		"one resource: always even",
		resources("cpu", 1), "p cpu=1", []string{"a node=n1 cpu=2"},
		[]string{"n1 cpu=4", "n2 cpu=8"}, "n1=75 n2=75",
	},
	{
		"three resources: the deviation of them",
		resources("cpu", 1, "memory", 1, "example.com/gpu", 1), "p cpu=1 memory=1Gi example.com/gpu=1", nil,
		// n1: 1/4, 1/4 and 1: mean 1/2, deviation sqrt((1/16 + 1/16 + 1/4)/3) = 0.35355, 64; before 100:
		// 50 + 14/2. n2: 1/4, 1/4 and 1/2: mean 1/3, deviation sqrt((1/144+1/144+1/36)/3) = 0.11785, 88.
		[]string{"n1 cpu=4 memory=4Gi example.com/gpu=1", "n2 cpu=4 memory=4Gi example.com/gpu=2"}, "n1=57 n2=69",
	},
	{
		"three, of which the pod asks for two",
		resources("cpu", 1, "memory", 1, "example.com/gpu", 1), "p cpu=1 memory=2Gi", nil,
		[]string{"n1 cpu=4 memory=4Gi example.com/gpu=1", "n2 cpu=4 memory=8Gi example.com/gpu=2"}, "n1=68 n2=75",
	},
	{
		"a node that lacks one of two",
		resources("cpu", 1, "memory", 1), "p cpu=1", nil,
		[]string{"n1 cpu=4", "n2 cpu=4 memory=8Gi"}, "n1=75 n2=68",
	},
	{
		"weights do not count",
		resources("cpu", 9, "memory", 1), "p cpu=1 memory=1Gi", nil,
		[]string{"n1 cpu=2 memory=4Gi", "n2 cpu=4 memory=4Gi"}, "n1=68 n2=75",
	},
	{
		"a fraction is at most 1",
		resources("cpu", 1, "memory", 1), "p memory=1Gi", []string{"a node=n1 cpu=9"},
		// n1: 1 and 0, 50; then 1 and 1/4, 62: 50 + (50+12)/2 = 81. n2: 0 and 1/4, 87: 50 + 37/2 = 68.
		[]string{"n1 cpu=3 memory=4Gi", "n2 cpu=3 memory=4Gi"}, "n1=81 n2=68",
	},
	{
		"a pod that asks for none of them is not scored",
		resources("cpu", 1, "memory", 1), "p example.com/gpu=1", nil,
		[]string{"n1 cpu=3 memory=4Gi example.com/gpu=1", "n2 cpu=3 memory=4Gi example.com/gpu=1"}, "",
	},
}

func TestBalancedAllocation(t *testing.T) {
	const name = "NodeResourcesBalancedAllocation"
	for _, tt := range balanceTests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{name}, args: map[string]any{name: plugins.BalancedArgs{Resources: tt.resources}}})
			w.addNodes(tt.nodes...)
			w.addPods(tt.running...)
			w.addPods(tt.pod)
			if got := scores(w, w.try("p"), name); got != tt.want {
				t.Errorf("scores %s, want %s", got, tt.want)
			}
		})
	}
}

func TestImageLocality(t *testing.T) {
	tests := []struct {
		name, pod string
		nodes     []string
		want      string
	}{
		{"no image anywhere", "p image=web:1", []string{"n1", "n2"}, "n1=0 n2=0"},
		// One of two nodes has it: half of its size counts. 46 MiB is 23 MiB, which is nothing yet.
		{"the least that counts", "p image=web:1", []string{"n1 image=web:1@46Mi", "n2"}, "n1=0 n2=0"},
		{"just more", "p image=web:1", []string{"n1 image=web:1@66Mi", "n2"}, "n1=1 n2=0"}, // 100*(33-23)/977 = 1.02
		{"all nodes have it", "p image=web:1", []string{"n1 image=web:1@500Mi", "n2 image=web:1@500Mi"}, "n1=48 n2=48"},
		{"the most that counts, for one container", "p image=web:1", []string{"n1 image=web:1@2000Mi", "n2"}, "n1=100 n2=0"},
		{"more than that", "p image=web:1", []string{"n1 image=web:1@9000Mi", "n2"}, "n1=100 n2=0"},
		{"for two containers it is twice as much", "p image=web:1 containers=2", []string{"n1 image=web:1@2000Mi", "n2"}, "n1=49 n2=0"},                         // 977/1977
		{"two images add up", "p image=web:1 image=db:1 containers=2", []string{"n1 image=web:1@500Mi image=db:1@500Mi", "n2 image=db:1@500Mi"}, "n1=36 n2=24"}, // 250+500, 500
		{"the same image twice counts twice", "p image=web:1 image=web:1 containers=2", []string{"n1 image=web:1@500Mi", "n2"}, "n1=24 n2=0"},
		// The size is that of the node that was first, for all.
		{"nodes that disagree on the size", "p image=web:1", []string{"n1 image=web:1@500Mi", "n2 image=web:1@900Mi"}, "n1=48 n2=48"},
		// (1/3 as a double) * 300 MiB is cut to one byte less than 100 MiB: 100*(100-23)/977 = 7.
		{"the ratio first, then the size", "p image=web:1", []string{"n1 image=web:1@300Mi", "n2", "n3"}, "n1=7 n2=0 n3=0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{"ImageLocality"}})
			w.addNodes(tt.nodes...)
			w.addPods(tt.pod)
			if got := scores(w, w.try("p"), "ImageLocality"); got != tt.want {
				t.Errorf("scores %s, want %s", got, tt.want)
			}
		})
	}
}
