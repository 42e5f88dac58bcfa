package manifest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const openbNodes = "../../../../shared/data/openb/openb_node_list_gpu_node.yaml"

func TestOpenbNodes(t *testing.T) {
	if _, err := os.Stat(openbNodes); err != nil {
		t.Skipf("no openb trace: %v", err)
	}
	docs, err := document.ReadFile(openbNodes)
	if err != nil {
		t.Fatal(err)
	}
	l := New(cluster.NewVocabulary())
	if err := l.Load(docs...); err != nil {
		t.Fatal(err)
	}
	gpu, _ := l.vocabulary.LookupResource("alibabacloud.com/gpu-milli")
	var total int64
	for _, n := range l.Nodes {
		total += amountIn(n.Spec.Allocatable, gpu)
	}
	if len(l.Nodes) != 1213 || total != 6_212_000 {
		t.Errorf("%d nodes with %d gpu-milli, want 1213 with 6212000", len(l.Nodes), total)
	}
	if len(l.Warnings) > 0 {
		t.Errorf("warnings: %q", l.Warnings)
	}
}

// manyObjects is a manifest of that many pods, of 20 sizes, and nodes.
func manyObjects(pods, nodes int) []byte {
	var b strings.Builder
	for i := range nodes {
		fmt.Fprintf(&b, `---
apiVersion: v1
kind: Node
metadata:
  name: node-%04d
  labels: {kubernetes.io/hostname: node-%04d, topology.kubernetes.io/zone: z%d, kubernetes.io/os: linux}
spec: {taints: [{key: dedicated, value: t%d, effect: NoSchedule}]}
status:
  allocatable: {cpu: 63900m, memory: 262144Mi, pods: "110", nvidia.com/gpu: "8"}
`, i, i, i%3, i%2)
	}
	for i := range pods {
		fmt.Fprintf(&b, `---
apiVersion: v1
kind: Pod
metadata:
  name: pod-%05d
  namespace: default
  labels: {app.kubernetes.io/name: app-%d}
spec:
  priorityClassName: standard
  nodeSelector: {kubernetes.io/os: linux}
  tolerations:
  - {key: dedicated, operator: Equal, value: t0, effect: NoSchedule}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: topology.kubernetes.io/zone, operator: In, values: [z0, z1]}
  containers:
  - name: main
    image: registry.example.com/app:%d
    resources:
      requests: {cpu: %dm, memory: %dMi, nvidia.com/gpu: "1"}
      limits: {nvidia.com/gpu: "1"}
`, i, i%20, i%20, 100*(1+i%20), 128*(1+i%20))
	}
	b.WriteString("---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: standard}\nvalue: 10\n")
	return []byte(b.String())
}

func BenchmarkLoad(b *testing.B) {
	const pods, nodes = 7000, 1200
	b.Run(fmt.Sprintf("pods=%d/nodes=%d", pods, nodes), func(b *testing.B) {
		data := manyObjects(pods, nodes)
		docs, err := document.Parse("many.yaml", data)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			l := New(cluster.NewVocabulary())
			if err := l.Load(docs...); err != nil {
				b.Fatal(err)
			}
			if len(l.Pods) != pods || len(l.Nodes) != nodes || l.vocabulary.NumClasses() != 20 {
				b.Fatalf("%d pods, %d nodes, %d classes", len(l.Pods), len(l.Nodes), l.vocabulary.NumClasses())
			}
		}
		b.ReportMetric(float64(b.N)*(pods+nodes)/b.Elapsed().Seconds(), "objects/s")
	})
}

func BenchmarkShape(b *testing.B) {
	const shapes = 500
	b.Run(fmt.Sprintf("shapes=%d", shapes), func(b *testing.B) {
		l := New(cluster.NewVocabulary())
		requests := make([][]ResourceAmount, shapes)
		for i := range requests {
			requests[i] = []ResourceAmount{{"cpu", int64(i)}, {"memory", 1 << 30}, {"nvidia.com/gpu", 1}}
		}
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if _, err := l.Shape(Shape{Namespace: "trace", Requests: requests[i%shapes]}); err != nil {
				b.Fatal(err)
			}
			i++
		}
		if got := l.vocabulary.NumClasses(); got > shapes {
			b.Fatalf("%d classes, want at most %d", got, shapes)
		}
	})
}
