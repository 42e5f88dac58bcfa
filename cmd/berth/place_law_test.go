package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallCluster is a crowded cluster drawn at random, with what it takes to check a placement.
type smallCluster struct {
	manifests []string
	cpus      map[string]int    // of nodes
	requests  map[string]int    // of pods, by namespace/name
	running   map[string]string // pod to node
}

func drawCluster(r *rand.Rand) *smallCluster {
	c := &smallCluster{cpus: map[string]int{}, requests: map[string]int{}, running: map[string]string{}}
	add := func(format string, args ...any) { c.manifests = append(c.manifests, fmt.Sprintf(format, args...)) }
	for i, more := range []string{"", "", "\npreemptionPolicy: Never"} {
		add("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: class%d}\nvalue: %d%s\n", i, 10*i, more)
	}
	for i := range 1 + r.IntN(3) {
		add("apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: group%d}\nspec: {minMember: %d}\n", i, 1+r.IntN(4))
	}
	room := map[string]int{}
	for i := range 1 + r.IntN(6) {
		name, cpu := fmt.Sprintf("node%d", i), 2+r.IntN(7)
		c.cpus[name], room[name] = cpu, cpu
		add("apiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: %d, memory: 8Gi, pods: %d}}\n", name, cpu, 3+r.IntN(5))
	}
	for i := range 1 + r.IntN(20) {
		name, cpu := fmt.Sprintf("pod%d", i), r.IntN(5)
		c.requests["default/"+name] = cpu
		where, labels, status := "", "", ""
		switch node := fmt.Sprintf("node%d", r.IntN(len(c.cpus))); {
		case r.IntN(3) == 0 && room[node] >= cpu:
			room[node] -= cpu
			where, c.running["default/"+name] = ", nodeName: "+node, node
		case r.IntN(5) == 0:
			status = "status: {nominatedNodeName: " + node + "}\n"
		case r.IntN(10) == 0:
			where = ", schedulingGates: [{name: example.com/gate}]"
		}
		if r.IntN(2) == 0 {
			labels = ", labels: {scheduling.x-k8s.io/pod-group: group0}"
		}
		add("apiVersion: v1\nkind: Pod\nmetadata: {name: %s%s}\nspec: {priorityClassName: class%d, containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]%s}\n%s",
			name, labels, r.IntN(3), cpu, where, status)
	}
	return c
}

// TestPlaceLaws: after a placement no node holds more than it has, and every pod that was to
// be placed ended in exactly one state, as the output itself tells.
func TestPlaceLaws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	victims := 0
	for seed := range uint64(80) {
		c := drawCluster(rand.New(rand.NewPCG(seed, 0)))
		text := strings.Join(c.manifests, "---\n")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, options := range []string{"--order queue", "--order document", "--order document --tie upstream"} {
			r := berth(t.Context(), 80, append([]string{"place", path, "-o", "jsonl"}, strings.Fields(options)...)...)
			if r.code != exitDone {
				t.Fatalf("%s: exit %d: %s\n%s", options, r.code, r.err, text)
			}
			n, err := c.check(r.out)
			if err != nil {
				t.Fatalf("%s: %v\n%s\n%s", options, err, text, r.out)
			}
			victims += n
		}
	}
	if victims == 0 {
		t.Error("nobody was preempted: the clusters are too roomy to tell anything")
	}
	c := &smallCluster{cpus: map[string]int{"n": 1}, requests: map[string]int{"p": 2}}
	if _, err := c.check(`{"pod":"p","node":"n"}` + "\n" + `{"type":"summary","pods":1,"scheduled":1}`); err == nil {
		t.Error("a node that holds more than it has goes unnoticed")
	}
	if _, err := c.check(`{"type":"summary","pods":1}`); err == nil {
		t.Error("a pod that is lost goes unnoticed")
	}
}

// check replays the output. It returns how many pods were preempted.
func (c *smallCluster) check(out string) (victims int, err error) {
	on := map[string]string{}
	for pod, node := range c.running {
		on[pod] = node
	}
	for line := range strings.Lines(out) {
		var d struct {
			Type, Pod, Node                                      string
			Victims                                              json.RawMessage
			Pods, Scheduled, Unschedulable, Gated, Waiting, Gone int
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			return 0, err
		}
		switch d.Type {
		case "summary":
			if ended := d.Scheduled + d.Unschedulable + d.Gated + d.Waiting + d.Gone; ended != d.Pods {
				return 0, fmt.Errorf("of %d pods %d ended somewhere", d.Pods, ended)
			}
		case "rolledBack":
			delete(on, d.Pod)
		case "":
			delete(on, d.Pod)
			if d.Node != "" {
				on[d.Pod] = d.Node
			}
			var gone []string
			if len(d.Victims) > 0 {
				if err := json.Unmarshal(d.Victims, &gone); err != nil {
					return 0, err
				}
			}
			for _, pod := range gone {
				delete(on, pod)
			}
			victims += len(gone)
		}
	}
	used := map[string]int{}
	for pod, node := range on {
		used[node] += c.requests[pod]
	}
	for node, cpu := range c.cpus {
		if used[node] > cpu {
			return 0, fmt.Errorf("%s holds %d of %d cpu", node, used[node], cpu)
		}
	}
	return victims, nil
}
