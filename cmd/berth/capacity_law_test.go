package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/capacity"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// capacityRules are what the replicas of a random case ask for besides amounts.
var capacityRules = []string{
	"",
	"nodeSelector: {zone: z0}",
	"tolerations: [{operator: Exists}]",
	"topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}]",
	"topologySpreadConstraints: [{maxSkew: 3, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]",
	"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}]}}",
	"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}",
	"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: other}}}]}}",
	"volumes: [{name: d, gcePersistentDisk: {pdName: shared}}]",
	"hostNetwork: true",
}

// capacityCase is a random cluster: nodes of two types in three zones, some tainted, with pods
// on them, and pending ones.
func capacityCase(r *rand.Rand) string {
	var b strings.Builder
	nodes := 1 + r.IntN(8)
	for i := range nodes {
		taint := ""
		if r.IntN(5) == 0 {
			taint = ", spec: {taints: [{key: special, effect: NoSchedule}]}"
		}
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Node, metadata: {name: n%d, labels: {zone: z%d, kubernetes.io/hostname: n%d}}%s, status: {allocatable: {cpu: \"%d\", memory: %dGi, pods: \"%d\"}}}\n",
			i, r.IntN(3), i, taint, 2+r.IntN(7), 4+r.IntN(13), 3+r.IntN(10))
	}
	for i := range r.IntN(3 * nodes) {
		node, app := "", "other"
		if r.IntN(4) > 0 {
			node = fmt.Sprintf("nodeName: n%d, ", r.IntN(nodes))
		}
		if r.IntN(4) == 0 {
			app = "web"
		}
		fmt.Fprintf(&b, "---\n{apiVersion: v1, kind: Pod, metadata: {name: p%d, labels: {app: %s}}, spec: {%scontainers: [{name: c, image: i, resources: {requests: {cpu: %dm, memory: %dMi}}}]}}\n",
			i, app, node, 100*r.IntN(12), 256*r.IntN(9))
	}
	return b.String()
}

// capacityDeployment is what replicas are made of.
func capacityDeployment(r *rand.Rand, replicas string) string {
	rule := capacityRules[r.IntN(len(capacityRules))]
	if rule != "" {
		rule += ", "
	}
	port := ""
	if r.IntN(6) == 0 {
		port = "ports: [{containerPort: 80, hostPort: 80}], "
	}
	return fmt.Sprintf("{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: %s, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {%s containers: [{name: c, image: i, %sresources: {requests: {cpu: %dm, memory: %dMi}}}]}}}}\n",
		replicas, rule, port, 100*r.IntN(15), 128*r.IntN(20))
}

// brokenCapacity says which law of its own a result breaks; empty: none.
func brokenCapacity(f *capacity.Filling) string {
	sum := 0
	for _, n := range f.Nodes {
		sum += n.Replicas[0]
		for _, left := range n.Left {
			if left.Amount < 0 && n.Replicas[0] > 0 {
				return "a node with replicas has less than nothing left"
			}
		}
		if f.Full() && len(n.Reasons) == 0 {
			return "a node has no reason to take no more"
		}
	}
	switch room := f.Room; {
	case sum != f.Parts[0].Replicas:
		return "the replicas on the nodes are not those that fit"
	case f.Sets != f.Parts[0].Replicas:
		return "a template alone is a set of one"
	case room != nil && !slices.IsSortedFunc([]int{room.AsOneNode, room.Usable, room.PerNode, f.Sets}, func(a, b int) int { return b - a }):
		return "rooms do not shrink"
	}
	return ""
}

func TestBrokenCapacityTripsOnPlantedFaults(t *testing.T) {
	sound := func() *capacity.Filling {
		return &capacity.Filling{
			Parts: []capacity.Part{{Replicas: 3}}, Sets: 3, Room: &capacity.Room{AsOneNode: 6, Usable: 5, PerNode: 4},
			Nodes: []capacity.Node{{Replicas: []int{2}, Reasons: []string{"full"}}, {Replicas: []int{1}, Reasons: []string{"full"}}},
		}
	}
	if what := brokenCapacity(sound()); what != "" {
		t.Error(what)
	}
	for name, plant := range map[string]func(*capacity.Filling){
		"lost replica": func(f *capacity.Filling) { f.Nodes[0].Replicas[0]-- },
		"no reason":    func(f *capacity.Filling) { f.Nodes[1].Reasons = nil },
		"sets":         func(f *capacity.Filling) { f.Sets++ },
		"room":         func(f *capacity.Filling) { f.Room.PerNode = 2 },
		"overcommit":   func(f *capacity.Filling) { f.Nodes[0].Left = []capacity.Amount{{Resource: "cpu", Amount: -1}} },
	} {
		f := sound()
		if plant(f); brokenCapacity(f) == "" {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

// TestCapacityIsWhatPlaceFits: if N more replicas fit, placing N places them all, and of N+1 one is
// left over, on random clusters, with random ties.
func TestCapacityIsWhatPlaceFits(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fitted, atOnce := 0, 0
	for n := range 300 {
		o := scenarios.PlaceOptions{Order: place.QueueOrder, Recipe: recipe.Recipe{Seed: new(uint64(n))}, Files: []string{"cluster.yaml"}}
		cluster, web := capacityCase(r), capacityDeployment(r, "REPLICAS")
		write("cluster.yaml", cluster)
		write("web.yaml", strings.ReplaceAll(web, "REPLICAS", "1"))
		f := measureAlone(t, o, "web.yaml")
		if what := brokenCapacity(f); what != "" {
			t.Errorf("case %d: %s\n%s%s", n, what, cluster, web)
		}
		fits := f.Parts[0].Replicas
		fitted += fits
		if f.Room.PerNode == fits {
			atOnce++
		}
		for more := range 2 {
			write("more.yaml", strings.ReplaceAll(web, "REPLICAS", fmt.Sprint(fits+more)))
			if left := pendingReplicas(t, o, "more.yaml"); left != more {
				t.Errorf("case %d: %d replicas fit, but of %d are left %d\n%s%s", n, fits, fits+more, left, cluster, web)
			}
		}
	}
	t.Logf("%d replicas in all; in %d cases only amounts matter", fitted, atOnce)
	if fitted < 1000 || atOnce < 50 || atOnce > 250 {
		t.Error("the cases have become too easy")
	}
}

func measureAlone(t *testing.T, o scenarios.PlaceOptions, template string) *capacity.Filling {
	t.Helper()
	s, err := scenarios.ReadSnapshot(o)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := s.Replicas(template)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() (capacity.Cluster, error) {
		p, err := s.Placement()
		if err != nil {
			return capacity.Cluster{}, err
		}
		return capacity.Cluster{Placement: &p.Placement, Pods: p.Pods}, nil
	}
	result, err := capacity.Measure(context.Background(), fresh, templates, capacity.Options{Max: 10_000, Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return &result.Fillings[0]
}

// pendingReplicas is how many pods of the Deployment web are without a node when all have been tried.
func pendingReplicas(t *testing.T, o scenarios.PlaceOptions, more string) int {
	t.Helper()
	o.Files = append(slices.Clone(o.Files), more)
	p, err := scenarios.NewPlacement(o)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	p.Attempted = func(a *scheduler.Attempt) {
		if name := p.Cluster.Pod(a.Pod).Name; strings.HasPrefix(name, "web-") {
			left[name] = a.Outcome != scheduler.Scheduled
		}
	}
	if _, err := p.Run(p.Pods); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, without := range left {
		if without {
			count++
		}
	}
	return count
}

// TestCapacityInterrupted: nothing is shown of a count that was cut short.
func TestCapacityInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(3, 4))
	for name, text := range map[string]string{"cluster.yaml": capacityCase(r), "web.yaml": capacityDeployment(r, "1")} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := berth(ctx, 80, "capacity", "-f", "cluster.yaml", "--template", "web.yaml"); got.code != exitInterrupted || got.out != "" {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.err)
	}
}

// TestCapacityOfTemplatesAlone: what one template takes is nothing to the next, which finds the
// same snapshot.
func TestCapacityOfTemplatesAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(5, 6))
	rows := func(templates ...string) []string {
		args := []string{"capacity", "-f", "cluster.yaml", "--format", "csv", "--nodes"}
		for _, template := range templates {
			args = append(args, "--template", template)
		}
		got := berth(t.Context(), 80, args...)
		if got.code != exitDone {
			t.Fatalf("exit %d: %s", got.code, got.err)
		}
		return strings.SplitAfter(strings.TrimPrefix(got.out, "template,node,type,replicas,plugin,reasons,resource,left\n"), "\n")
	}
	for n := range 40 {
		first := capacityDeployment(r, "1")
		second := strings.ReplaceAll(capacityDeployment(r, "1"), "name: web}", "name: more}")
		for name, text := range map[string]string{"cluster.yaml": capacityCase(r), "first.yaml": first, "second.yaml": second} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		alone := slices.Concat(rows("first.yaml"), rows("second.yaml"))
		for _, both := range [][]string{rows("first.yaml", "second.yaml"), rows("second.yaml", "first.yaml")} {
			slices.Sort(both)
			slices.Sort(alone)
			if !slices.Equal(slices.Compact(both), slices.Compact(alone)) {
				t.Errorf("case %d: together\n%s\nalone\n%s", n, both, alone)
			}
		}
	}
}
