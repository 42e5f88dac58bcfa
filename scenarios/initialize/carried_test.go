package initialize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
)

// carriedNodes are two nodes in two zones.
const carriedNodes = `
{apiVersion: v1, kind: Node, metadata: {name: acme-a, labels: {topology.kubernetes.io/zone: east}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "9"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: acme-b, labels: {topology.kubernetes.io/zone: west}}, TAINT status: {allocatable: {cpu: "4", memory: 8Gi, pods: "9"}}}
---
`

// carried are fields whose loss changes what is decided of the objects.
var carried = []struct{ name, field, objects string }{
	{"nodeTaintsPolicy", "nodeTaintsPolicy: Honor,", strings.Replace(carriedNodes, "TAINT", "spec: {taints: [{key: acme/own, effect: NoSchedule}]},", 1) + `
{apiVersion: v1, kind: Pod, metadata: {name: there, labels: {app: shop}}, spec: {nodeName: acme-a, containers: [{name: c, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: next, labels: {app: shop}}, spec: {containers: [{name: c, image: i}],
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, nodeTaintsPolicy: Honor, labelSelector: {matchLabels: {app: shop}}}]}}
`},
	{"topologyKeys", "topologyKeys: [topology.kubernetes.io/zone],", strings.Replace(carriedNodes, "TAINT", "", 1) + `
{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: acme-a}, spec: {drivers: [{name: csi.acme.io, nodeID: a, topologyKeys: [topology.kubernetes.io/zone], allocatable: {count: 9}}]}}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: csi.acme.io, volumeBindingMode: WaitForFirstConsumer}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: shared}, spec: {accessModes: [ReadWriteMany], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: {nodeSelector: {topology.kubernetes.io/zone: east}, containers: [{name: c, image: i}],
  volumes: [{name: v, persistentVolumeClaim: {claimName: shared}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: second}, spec: {nodeSelector: {topology.kubernetes.io/zone: west}, containers: [{name: c, image: i}],
  volumes: [{name: v, persistentVolumeClaim: {claimName: shared}}]}}
`},
	{"disruptedPods", "disruptedPods: {victim-a: \"2026-01-01T00:00:00Z\"},", strings.Replace(carriedNodes, "TAINT", "", 1) + `
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 9}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: middle}, value: 5}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: 1}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: shop}, spec: {minAvailable: 2, selector: {matchLabels: {app: shop}}},
  status: {disruptedPods: {victim-a: "2026-01-01T00:00:00Z"}, disruptionsAllowed: 0, expectedPods: 2, currentHealthy: 2, desiredHealthy: 2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: victim-a, labels: {app: shop}}, spec: {nodeName: acme-a, priorityClassName: middle, containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: victim-b, labels: {app: shop}}, spec: {nodeName: acme-b, priorityClassName: low, containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: urgent}, spec: {priorityClassName: high, containers: [{name: c, image: i, resources: {requests: {cpu: "4"}}}]}}
`},
}

// What decides is carried over: the objects are placed alike when they are scrubbed, and not
// alike when the field is lost.
func TestFieldsThatDecideAreCarried(t *testing.T) {
	asItIs := func(_, name string) string { return name }
	for _, tt := range carried {
		original, without := filepath.Join(t.TempDir(), "dump.yaml"), filepath.Join(t.TempDir(), "dump.yaml")
		for file, text := range map[string]string{original: tt.objects, without: strings.Replace(tt.objects, tt.field, "", 1)} {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		done, _ := written(t, original, true)
		same(t, done, original)
		with, err := decisions(t, scheduler.TieFirst, asItIs, original)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		lost, err := decisions(t, scheduler.TieFirst, asItIs, without)
		if err != nil || with == lost {
			t.Errorf("%s: nothing changes when it is lost: %v\n%s", tt.name, err, with)
		}
	}
}

// An image that a node names without a tag is none that any pod asks for: it is not taken for the latest.
func TestImagesOfNodesAreLiteral(t *testing.T) {
	original := filepath.Join(t.TempDir(), "dump.yaml")
	text := strings.Replace(carriedNodes, `TAINT status: {`, `status: {images: [{names: ["reg:5000/x"], sizeBytes: 2000000000}, {names: ["reg:5000/y:latest"], sizeBytes: 2000000000}], `, 1) + `
{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: [{name: c, image: "reg:5000/x"}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: y}, spec: {containers: [{name: c, image: "reg:5000/y"}]}}
`
	if err := os.WriteFile(original, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	done, _ := written(t, original, true)
	same(t, done, original)
}
