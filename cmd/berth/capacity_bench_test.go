package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// benchTemplate asks for 1.5 cpu, of which nodes have 32 and a pod of 500m.
const benchTemplate = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: more}, spec: {selector: {matchLabels: {app: more}}, template: {
  metadata: {labels: {app: more}}, spec: {%s containers: [{name: c, image: i, resources: {requests: {cpu: 1500m, memory: 2Gi}}}]}}}}
`

const benchSpread = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: more}}}],"

// BenchmarkCapacity reads manifests and fills the nodes, at once and, as a rule among pods has it,
// one pod after the other.
func BenchmarkCapacity(b *testing.B) {
	const nodes, fits = 4998, 21 * 4998 // as many in each of three zones
	dir := b.TempDir()
	var y strings.Builder
	for i := range nodes {
		fmt.Fprintf(&y, "---\n{apiVersion: v1, kind: Node, metadata: {name: node-%04d, labels: {topology.kubernetes.io/zone: zone-%d}}, status: {allocatable: {cpu: \"32\", memory: 128Gi, pods: \"110\"}}}\n", i, i%3)
		fmt.Fprintf(&y, "---\n{apiVersion: v1, kind: Pod, metadata: {name: pod-%d}, spec: {nodeName: node-%04d, containers: [{name: c, image: i, resources: {requests: {cpu: 500m}}}]}}\n", i, i)
	}
	cluster, template := filepath.Join(dir, "cluster.yaml"), filepath.Join(dir, "template.yaml")
	write(b, cluster, y.String())
	for _, rule := range []string{"", benchSpread} {
		write(b, template, fmt.Sprintf(benchTemplate, rule))
		b.Run(fmt.Sprintf("spread=%t/nodes=%d/replicas=%d", rule != "", nodes, fits), func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				args := []string{"capacity", "-f", cluster, "--template", template, "--format", "csv"}
				if code := execute(context.Background(), args, streams{out: &out, err: io.Discard}); code != exitDone {
					b.Fatalf("exit code %d", code)
				}
				if want := fmt.Sprintf("default/more,Deployment,1,%d,", fits); !strings.Contains(out.String(), want) {
					b.Fatalf("no %s in the output:\n%.500s", want, out.String())
				}
			}
			b.ReportMetric(float64(b.N*fits)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
