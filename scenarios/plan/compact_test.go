package plan_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/output"
)

// pods are that many with requests drawn at random, as manifests.
func pods(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for i := range n {
		fmt.Fprintf(&b, "- {apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]}}\n", i, 1+r.IntN(6))
	}
	return b.String()
}

const mixed = `horizon: 1m
fleet:
  - {pool: s, count: 20, template: {status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}}}
  - {pool: l, count: 5, template: {status: {allocatable: {cpu: "16", memory: 64Gi, pods: "110"}}}}
workloads: [{name: w, manifests: [pods.yaml]}]
`

// Pods that terminate are not placed again, and are no part of the workload.
func TestCompactionLeavesOutTerminatingPods(t *testing.T) {
	dump := cluster() + `- apiVersion: v1
  kind: Pod
  metadata: {name: gone, namespace: default, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30}
  spec: {nodeName: n0, containers: [{name: c, image: "i:1", resources: {requests: {cpu: "2"}}}]}
  status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
`
	found, err := compaction(t, "horizon: 1m\nfleet: [{manifests: [dump.yaml]}]\n", map[string]string{"dump.yaml": dump}).Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range found.Trials {
		if trial.Arrived != 16-5 || trial.Nodes != 3 {
			t.Errorf("%+v", trial)
		}
	}
}

// A pod that no node could take does not spoil the answer for the others. It is said.
func TestCompactionLeavesOutWhatNeverFits(t *testing.T) {
	const never = "- {apiVersion: v1, kind: Pod, metadata: {name: huge}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 64}}}]}}\n"
	without, err := compaction(t, mixed, map[string]string{"pods.yaml": pods(30, 1)}).Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	with, err := compaction(t, mixed, map[string]string{"pods.yaml": pods(30, 1) + never}).Search(t.Context())
	if err != nil || !with.Fits() || with.Enough() != without.Enough() || with.Enough() >= 25 {
		t.Fatalf("%d nodes do without the pod, %d with it: %v", without.Enough(), with.Enough(), err)
	}
	for _, trial := range with.Trials {
		if trial.LeftOut != 1 || trial.Arrived != 30 {
			t.Errorf("%+v", trial)
		}
	}
	var b strings.Builder
	if err := with.Render(&b, output.View{Format: output.Table, Width: 500}); err != nil || !strings.Contains(b.String(), "Left out: 1 pod that no node could take even when it is empty.") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// Pods that could not be placed at the beginning alone are not left out.
func TestCompactionWithEventsLeavesOutNothing(t *testing.T) {
	const tainted = `horizon: 2m
fleet:
  - {pool: s, count: 4, template: {spec: {taints: [{key: k, value: v, effect: NoSchedule}]}, status: {allocatable: {cpu: "8", pods: "110"}}}}
workloads: [{name: w, manifests: [pods.yaml]}]
events: [{at: 1s, untaint: {pool: s, key: k, value: v, effect: NoSchedule}}]
`
	found, err := compaction(t, tainted, map[string]string{"pods.yaml": pods(4, 1)}).Search(t.Context())
	if err != nil || !found.Fits() || found.Trials[0].LeftOut != 0 || found.Trials[0].Arrived != 4 {
		t.Errorf("%+v, %v", found, err)
	}
}

// How few of today's nodes would do is unknown where events bring others, or take some away.
func TestCompactionRefusesEventsThatChangeTheFleet(t *testing.T) {
	for event, refused := range map[string]bool{
		"add: {pool: n, count: 4}": true, "remove: {pool: n, count: 1}": true, "drain: {pool: n, count: 1}": true, "cordon: {pool: n, count: 1}": false,
	} {
		text := strings.Replace(forty, "horizon: 5m", "horizon: untilDone", 1)
		text = strings.Replace(text, "count: 1", "count: 9", 1) + "events: [{at: 1m, " + event + "}]\n"
		_, err := compaction(t, text, nil).Search(t.Context())
		kind, _, _ := strings.Cut(event, ":")
		if !refused && err != nil || refused && (err == nil || !strings.Contains(err.Error(), "events[0]."+kind+": changes the fleet: compaction asks")) {
			t.Errorf("%s: %v", event, err)
		}
	}
}

// Daemons that their controller has still to make come on the nodes that stay alone.
func TestCompactionWithDaemonsToCome(t *testing.T) {
	var dump []string
	for _, object := range strings.Split(strings.TrimSpace(cluster()), "\n- ") {
		if !strings.Contains(object, "ownerReferences") {
			dump = append(dump, object)
		}
	}
	files := map[string]string{"dump.yaml": strings.Join(dump, "\n- ") + "\n" + daemonSet}
	found, err := compaction(t, "horizon: 1m\nfleet: [{manifests: [dump.yaml]}]\n", files).Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range found.Trials {
		if trial.Arrived != 8+3 || trial.Nodes != 3 {
			t.Errorf("%+v", trial)
		}
	}
}
