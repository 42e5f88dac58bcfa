package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestExtenders runs the scripts below testdata/extenders, with an extender at {url}, a
// deterministic one whose path says how it behaves: /good (see newExtender), /twice, /silent,
// /hang, /nonsense, /huge and /teapot.
func TestExtenders(t *testing.T) {
	scripts, err := filepath.Abs("testdata/extenders")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newExtender())
	defer server.Close()
	datadriven.Walk(t, scripts, func(t *testing.T, path string) {
		t.Chdir(t.TempDir())
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			d.Input = strings.ReplaceAll(d.Input, "{url}", server.URL)
			out := strings.ReplaceAll(runScript(t, d), server.URL, "{url}")
			return strings.ReplaceAll(out, strings.TrimPrefix(server.URL, "http://"), "{address}")
		})
	})
}

// request is what an extender is asked, as far as this one reads it.
type request struct {
	Pod   item
	Nodes *struct {
		Items []item `json:"items"`
	}
	NodeNameToVictims map[string]struct{ Pods []item }
	PodName           string
}

type item struct {
	Metadata struct {
		Name   string            `json:"name"`
		UID    string            `json:"uid,omitempty"`
		Labels map[string]string `json:"labels,omitempty"`
	} `json:"metadata"`
	raw json.RawMessage
}

func (i *item) UnmarshalJSON(text []byte) error {
	type plain item
	i.raw = append(json.RawMessage{}, text...)
	return json.Unmarshal(text, (*plain)(i))
}

// newExtender refuses nodes of a closed rack, as unresolvable if the rack is gone; prefers nodes
// by their label rank; lets no pod preempt on a closed rack; and binds all pods but those
// with the label cursed.
func newExtender() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/hang/", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // or the server does not see that the client is gone
		<-r.Context().Done()
	})
	mux.HandleFunc("/nonsense/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
	mux.HandleFunc("/huge/", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"Error": "`+strings.Repeat("a", 65<<20)+`"}`)
	})
	mux.HandleFunc("/teapot/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	verb := func(path string, answer func(*request) any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			var asked request
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			_ = json.NewEncoder(w).Encode(answer(&asked))
		})
	}
	verb("/silent/filter", func(*request) any { return map[string]any{"NodeNames": []string{}} })
	verb("/good/filter", refuseRacks)
	verb("/good/prioritize", func(r *request) any {
		var out []map[string]any
		for _, n := range r.Nodes.Items {
			out = append(out, map[string]any{"Host": n.Metadata.Name, "Score": len(n.Metadata.Labels["rank"])})
		}
		return out
	})
	verb("/good/preempt", func(r *request) any { return spareKept(r, 1) })
	verb("/twice/preempt", func(r *request) any { return spareKept(r, 2) })
	verb("/good/bind", func(r *request) any {
		if strings.HasPrefix(r.PodName, "cursed") {
			return map[string]string{"Error": "the pod is cursed"}
		}
		return map[string]string{}
	})
	return mux
}

// spareKept leaves out nodes with a pod to be kept, and names each victim so many times.
func spareKept(r *request, times int) any {
	out := map[string]any{}
	for name, victims := range r.NodeNameToVictims {
		var pods []map[string]string
		for _, v := range slices.Repeat(victims.Pods, times) {
			if v.Metadata.Labels["keep"] != "" {
				pods = nil
				break
			}
			pods = append(pods, map[string]string{"UID": v.Metadata.UID})
		}
		if len(pods) > 0 {
			out[name] = map[string]any{"Pods": pods}
		}
	}
	return map[string]any{"NodeNameToMetaVictims": out}
}

func refuseRacks(r *request) any {
	failed, never, passed := map[string]string{}, map[string]string{}, []json.RawMessage{}
	for _, n := range r.Nodes.Items {
		switch n.Metadata.Labels["rack"] {
		case "closed":
			failed[n.Metadata.Name] = "the rack is closed"
		case "gone":
			never[n.Metadata.Name] = "the rack is gone"
		default:
			passed = append(passed, n.raw)
		}
	}
	return map[string]any{"FailedNodes": failed, "FailedAndUnresolvableNodes": never, "Nodes": map[string]any{"items": passed}}
}

// A run with a deterministic extender can be repeated.
func TestExtendedRunsRepeat(t *testing.T) {
	server := httptest.NewServer(newExtender())
	defer server.Close()
	t.Chdir(t.TempDir())
	writeExtended(t, server.URL+"/good", "filterVerb: filter, prioritizeVerb: prioritize, weight: 1, preemptVerb: preempt")
	var logs [2]string
	for i := range logs {
		dir := filepath.Join(t.TempDir(), "out")
		if r := berth(t.Context(), defaultWidth, "run", "scenario.yaml", "--out", dir); r.code != exitDone {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "records.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		logs[i] = string(text)
	}
	if logs[0] != logs[1] || len(logs[0]) == 0 {
		t.Error("two runs with the same extender differ")
	}
}

// writeExtended writes a scenario, and a policy with an extender.
func writeExtended(t *testing.T, url, fields string) {
	t.Helper()
	for name, text := range map[string]string{
		"policy.yaml": `{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, extenders: [{urlPrefix: "` + url + `", ` + fields + `}]}`,
		"scenario.yaml": `
apiVersion: berth/v1alpha1
kind: Scenario
metadata: {name: extended}
policy: policy.yaml
fleet: [{pool: a, count: 3, template: {metadata: {labels: {rank: x}}, status: {allocatable: {cpu: "4"}}}}]
workloads: [{name: w, arrivals: {every: 1s, limit: 20}, lifetime: {fixed: 1m}, template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}]
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Ctrl-C ends a run although an extender hangs.
func TestInterruptedExtender(t *testing.T) {
	asked := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		_, _ = io.ReadAll(r.Body)
		<-r.Context().Done()
	}))
	defer server.Close()
	t.Chdir(t.TempDir())
	writeExtended(t, server.URL, "filterVerb: f, httpTimeout: 1h")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { <-asked; cancel() }()
	began := time.Now()
	if r := berth(ctx, defaultWidth, "run", "scenario.yaml"); r.code != exitInterrupted || time.Since(began) > 10*time.Second {
		t.Errorf("exit %d after %v: %s", r.code, time.Since(began), r.err)
	}
}
