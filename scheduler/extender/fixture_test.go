package extender

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/encode"
)

const objects = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {disk: ssd}, annotations: {rack: "7"}}
spec: {taints: [{key: old, effect: PreferNoSchedule}]}
status: {capacity: {cpu: "5", pods: "10"}, allocatable: {cpu: 4500m, memory: 8Gi, pods: "10", example.com/gpu: "2"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
spec: {unschedulable: true}
status: {allocatable: {cpu: "4", pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}, annotations: {note: hot}}
spec:
  priorityClassName: system-node-critical
  containers: [{name: c, image: "i:1", resources: {limits: {cpu: 500m}}, env: [{name: A, value: b}]}]
---
apiVersion: v1
kind: Pod
metadata: {name: gpu, namespace: lab}
spec: {containers: [{name: c, image: i, resources: {limits: {example.com/gpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: old}
spec: {nodeName: n1, containers: [{name: c, image: i}]}
`

// fixture is the cluster of the objects, its pods by name, and a server that answers.
type fixture struct {
	c    *cluster.Cluster
	pods map[string]cluster.PodID
	url  string
	// answer is what the server sends for a request to a path.
	answer func(w http.ResponseWriter, r *http.Request)
	asked  string // path and body of the last request
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	v := cluster.NewVocabulary()
	f := &fixture{c: cluster.New(v), pods: map[string]cluster.PodID{}}
	loader := manifest.New(v)
	loader.KeepObjects()
	docs, err := document.Parse("objects.yaml", []byte(objects))
	if err != nil {
		t.Fatal(err)
	}
	if err := loader.Load(docs...); err != nil {
		t.Fatal(err)
	}
	for _, n := range loader.Nodes {
		if _, err := f.c.AddNode(n.Spec); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range loader.Pods {
		id := f.c.AddPod(cluster.Pod{Serial: int64(i), Name: p.Name, Class: p.Class, Group: cluster.NoGroup})
		f.pods[p.Name] = id
		if p.NodeName != "" {
			f.c.Assume(id, f.node(t, p.NodeName))
			f.c.Bind(id, 0)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.asked = r.Method + " " + r.URL.Path + " " + r.Header.Get("Content-Type") + "\n" + pretty(body)
		f.answer(w, r)
	}))
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func pretty(text []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", " "); err != nil {
		return string(text)
	}
	return out.String()
}

func (f *fixture) node(t testing.TB, name string) cluster.NodeID {
	t.Helper()
	id, exists := f.c.NodeByName(name)
	if !exists {
		t.Fatalf("no node %s", name)
	}
	return id
}

// extender makes one with all verbs.
func (f *fixture) extender(t testing.TB, cfg Config) scheduler.Extender {
	t.Helper()
	if cfg.URLPrefix == "" {
		cfg.URLPrefix = f.url + "/x/"
	}
	cfg.FilterVerb, cfg.PrioritizeVerb, cfg.PreemptVerb, cfg.BindVerb = "filter", "prioritize", "preempt", "bind"
	out, err := New([]Config{cfg}, f.c, encode.NewEncoder(f.c))
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// says has the server answer with a text.
func (f *fixture) says(text string) {
	f.answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
}

func pemOf(certificate []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
}
