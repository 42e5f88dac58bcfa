package initialize_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// Two nodes are of one pool exactly if no pod can distinguish them. Those below differ from the node with
// cpu 4, memory 16Gi, 2 GPUs and some labels in one way.
func TestPoolsOfTwoNodes(t *testing.T) {
	const node = `{apiVersion: v1, kind: Node, metadata: {name: n-0, labels: {kubernetes.io/hostname: n-0, topology.kubernetes.io/zone: a, team: x}}, ` +
		`spec: {}, status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110", ephemeral-storage: 100Gi, nvidia.com/gpu: "2"}}}`
	const readsZone = `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeSelector: {topology.kubernetes.io/zone: a}, containers: [{name: c, image: i}]}}`
	const readsTeam = `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: team, whenUnsatisfiable: ScheduleAnyway, ` +
		`labelSelector: {matchLabels: {app: p}}}], containers: [{name: c, image: i}]}}`
	const readsTeamByVolume = `{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /d}, ` +
		`nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: team, operator: In, values: [x]}]}]}}}}`
	const readsTeamByNamespace = `{apiVersion: v1, kind: Namespace, metadata: {name: n, annotations: {scheduler.alpha.kubernetes.io/node-selector: "a=b, team=x"}}}`
	const volumeInZone = `{apiVersion: v1, kind: PersistentVolume, metadata: {name: v, labels: {topology.kubernetes.io/zone: a}}, ` +
		`spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /d}}}`
	for _, c := range []struct {
		what, old, new, object string
		pools                  int
	}{
		{"nothing else", "n-0", "n-0", "", 1},
		{"cpu", `cpu: "4"`, `cpu: "5"`, "", 2},
		{"pods", `pods: "110"`, `pods: "58"`, "", 2},
		{"GPUs", `gpu: "2"`, `gpu: "8"`, "", 2},
		{"no GPUs", `, nvidia.com/gpu: "2"`, "", "", 2},
		{"another extended resource", `gpu: "2"`, `gpu: "2", example.com/fpga: "1"`, "", 2},
		{"model of the GPUs", `team: x`, `team: x, nvidia.com/gpu.product: T4`, "", 2},
		{"a little memory", `16Gi`, `16200Mi`, "", 1},
		{"memory", `16Gi`, `15Gi`, "", 2},
		{"a little ephemeral storage", `100Gi`, `99Gi`, "", 1},
		{"ephemeral storage", `100Gi`, `50Gi`, "", 2},
		{"a taint", `spec: {}`, `spec: {taints: [{key: own, effect: NoSchedule}]}`, "", 2},
		{"a taint of its condition", `spec: {}`, `spec: {taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]}`, "", 1},
		{"that it is cordoned", `spec: {}`, `spec: {unschedulable: true}`, "", 1},
		{"declared features", `status: {`, `status: {declaredFeatures: [UserNamespacesHostNetworkSupport], `, "", 2},
		{"the instance type", `team: x`, `team: x, node.kubernetes.io/instance-type: m5`, "", 2},
		{"the architecture", `team: x`, `team: x, kubernetes.io/arch: arm64`, "", 2},
		{"the zone, which nothing reads", `zone: a`, `zone: b`, "", 1},
		{"the zone", `zone: a`, `zone: b`, readsZone, 2},
		{"the zone of a volume", `zone: a`, `zone: b`, volumeInZone, 2},
		{"a label that nothing reads", `team: x`, `team: y`, "", 1},
		{"a label that a pod spreads by", `team: x`, `team: y`, readsTeam, 2},
		{"a label that a volume needs", `team: x`, `team: y`, readsTeamByVolume, 2},
		{"a label that a namespace asks for", `team: x`, `team: y`, readsTeamByNamespace, 2},
		{"a label with the name of the node", `team: x`, `team: n-0`, readsTeam, 1},
	} {
		other := strings.Replace(node, c.old, c.new, 1)
		if other == node && c.old != c.new {
			t.Fatalf("%s: %q is not in the node", c.what, c.old)
		}
		first := node
		if c.new == "team: n-0" {
			first = other
		}
		path := filepath.Join(t.TempDir(), "dump.yaml")
		text := first + "\n---\n" + strings.ReplaceAll(other, "n-0", "n-1") + "\n---\n" + c.object + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		done, _ := written(t, path, false)
		s, err := scenarios.Load(done.Written[0])
		if err != nil {
			t.Fatal(err)
		}
		var pools []string
		for _, f := range s.File.Fleet {
			if f.Pool != "" {
				pools = append(pools, fmt.Sprint(f.Pool, " of zones ", f.Zones))
			}
		}
		if len(pools) != c.pools {
			t.Errorf("nodes that differ in %s: pools %q, want %d", c.what, pools, c.pools)
		}
	}
}
