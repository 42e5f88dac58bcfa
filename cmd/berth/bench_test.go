package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// million is a fleet with room for all its pods, which come at 100 a second and stay for
// ten minutes in the mean.
const million = `apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: million}
seed: 1
horizon: untilDone
latency: {preset: none}
fleet:
  - pool: n
    count: 5000
    zones: [a, b, c]
    template: {status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110"}}}
workloads:
  - name: w
    arrivals: {poisson: {rate: 100/s}, limit: %d}
    lifetime: {exponential: {mean: 10m}}
    templates:
      - {weight: 1, template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: 250m, memory: 512Mi}}}]}}}
      - {weight: 1, template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}]}}}
      - {weight: 1, template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: "1", memory: 4Gi}}}]}}}
      - {weight: 1, template: {spec: {containers: [{name: c, image: "a:1", resources: {requests: {cpu: "2", memory: 4Gi}}}]}}}
`

// BenchmarkRun runs pods that come and go through the whole of berth; the peak of the
// resident memory is the process's so far.
func BenchmarkRun(b *testing.B) {
	for _, pods := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("nodes=5000/pods=%d", pods), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "million.yaml")
			write(b, path, fmt.Sprintf(million, pods))
			for b.Loop() {
				var out bytes.Buffer
				if code := execute(context.Background(), []string{"run", path, "--format", "csv"}, streams{out: &out, err: io.Discard}); code != exitDone {
					b.Fatalf("exit code %d", code)
				}
				if want := fmt.Sprintf("placement.completed,run,,,pods,%d\n", pods); !strings.Contains(out.String(), want) {
					b.Fatalf("no line %q in the summary", want)
				}
			}
			b.ReportMetric(float64(b.N*pods)/b.Elapsed().Seconds(), "pods/s")
			b.ReportMetric(peakMiB(b), "MiB-peak")
		})
	}
}

// BenchmarkPlace reads manifests of nodes and pods and places the pods, as a process
// would.
func BenchmarkPlace(b *testing.B) {
	const nodes, pods = 1200, 7000
	path := filepath.Join(b.TempDir(), "cluster.yaml")
	write(b, path, manifestsOf(nodes, pods))
	b.Run(fmt.Sprintf("nodes=%d/pods=%d", nodes, pods), func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			if code := execute(context.Background(), []string{"place", "-f", path, "-o", "jsonl"}, streams{out: &out, err: io.Discard}); code != exitDone {
				b.Fatalf("exit code %d", code)
			}
			if want := fmt.Sprintf(`"scheduled":%d`, pods); !strings.Contains(out.String(), want) {
				b.Fatalf("not all pods were placed: no %s in the summary", want)
			}
		}
		b.ReportMetric(float64(b.N*pods)/b.Elapsed().Seconds(), "pods/s")
	})
}

func manifestsOf(nodes, pods int) string {
	var y strings.Builder
	for i := range nodes {
		fmt.Fprintf(&y, `---
apiVersion: v1
kind: Node
metadata:
  name: node-%04d
  labels:
    kubernetes.io/hostname: node-%04d
    kubernetes.io/os: linux
    topology.kubernetes.io/zone: zone-%d
    node.kubernetes.io/instance-type: m.large
status:
  capacity: {cpu: "16", memory: 64Gi, pods: "110"}
  allocatable: {cpu: 15800m, memory: 62Gi, pods: "110"}
`, i, i, i%3)
	}
	for i := range pods {
		fmt.Fprintf(&y, `---
apiVersion: v1
kind: Pod
metadata:
  name: web-%05d
  namespace: default
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/instance: web-%d
    app.kubernetes.io/part-of: shop
spec:
  terminationGracePeriodSeconds: 30
  restartPolicy: Always
  containers:
  - name: app
    image: registry.example.com/shop/web:1.%d
    args: ["--listen", ":8080", "--log-level", "info"]
    env:
    - name: GOMAXPROCS
      value: "2"
    ports:
    - containerPort: 8080
      name: http
    resources:
      requests:
        cpu: %dm
        memory: %dMi
      limits:
        memory: 1Gi
`, i, i%50, i%7, 100*(1+i%5), 128*(1+i%4))
	}
	return y.String()
}

func write(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// peakMiB is the highest resident memory of the process, 0 where the system does not
// say.
func peakMiB(tb testing.TB) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kib float64
	if _, after, found := strings.Cut(string(status), "VmHWM:"); found {
		if _, err := fmt.Sscan(after, &kib); err != nil {
			tb.Fatal(err)
		}
	}
	return kib / 1024
}

// BenchmarkInit makes a scenario of what kubectl prints of a large cluster, as a process would.
func BenchmarkInit(b *testing.B) {
	const nodes, pods = 5000, 50_000
	path := filepath.Join(b.TempDir(), "cluster.yaml")
	write(b, path, manifestsOf(nodes, pods))
	for _, scrub := range []bool{false, true} {
		b.Run(fmt.Sprintf("scrub=%t/nodes=%d/pods=%d", scrub, nodes, pods), func(b *testing.B) {
			for b.Loop() {
				var out bytes.Buffer
				args := []string{"init", "-f", path, "--force", "--out", filepath.Join(b.TempDir(), "s.yaml"), fmt.Sprintf("--scrub=%t", scrub)}
				if code := execute(context.Background(), args, streams{out: &out, err: io.Discard}); code != exitDone {
					b.Fatalf("exit code %d", code)
				}
				if want := "50,000 pending"; !strings.Contains(out.String(), want) {
					b.Fatalf("no %s in the output:\n%s", want, out.String())
				}
			}
			b.ReportMetric(float64(b.N*pods)/b.Elapsed().Seconds(), "pods/s")
			b.ReportMetric(peakMiB(b), "MiB-peak")
		})
	}
}
