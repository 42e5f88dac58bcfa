package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const mi = 1 << 20

// load reads a manifest, which must be without faults.
func load(t testing.TB, text string) *Loader {
	t.Helper()
	l := New(cluster.NewVocabulary())
	docs, err := document.Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Load(docs...); err != nil {
		t.Fatal(err)
	}
	return l
}

// shown lists quantities as name=amount.
func shown(v *cluster.Vocabulary, list []cluster.Quantity) string {
	out := make([]string, len(list))
	for i, q := range list {
		out[i] = fmt.Sprintf("%s=%d", v.ResourceName(q.Resource), q.Amount)
	}
	return strings.Join(out, " ")
}

const none, all = 100, 200 * mi // what a container counts with that asks for nothing

var requestCases = []struct {
	name, spec            string
	requests              string
	scoreRequests         string // empty: as requests
	nonZero, scoreNonZero [2]int64
}{
	{
		name:     "one container",
		spec:     `{containers: [{name: a, image: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}`,
		requests: "cpu=500 memory=1073741824", nonZero: [2]int64{500, 1024 * mi},
	},
	{
		name:     "nothing asked for",
		spec:     `{containers: [{name: a, image: a}, {name: b, image: b}]}`,
		requests: "", nonZero: [2]int64{2 * none, 2 * all},
	},
	{
		name:     "an explicit zero stays zero",
		spec:     `{containers: [{name: a, image: a, resources: {requests: {cpu: "0"}}}]}`,
		requests: "", nonZero: [2]int64{0, all},
	},
	{
		name:     "requests from limits",
		spec:     `{containers: [{name: a, image: a, resources: {limits: {cpu: 2, memory: 1Mi}, requests: {cpu: 1}}}]}`,
		requests: "cpu=1000 memory=1048576", nonZero: [2]int64{1000, mi},
	},
	{
		// Each amount is rounded up to thousandths by itself: 101m + 101m; 1500m + 700m bytes are 2.2, so 3.
		name: "rounding",
		spec: `{containers: [{name: a, image: a, resources: {requests: {cpu: 100500u, memory: "1.5"}}},
			        {name: b, image: b, resources: {requests: {cpu: 100500u, memory: 700m}}}]}`,
		requests: "cpu=202 memory=3", nonZero: [2]int64{202, 3},
	},
	{
		// max(100+200, 1000) for cpu; max(300, 50) for memory: init containers run ordered ready.
		name: "init containers",
		spec: `{containers: [{name: a, image: a, resources: {requests: {cpu: 100m, memory: 100}}},
			                     {name: b, image: b, resources: {requests: {cpu: 200m, memory: 200}}}],
			        initContainers: [{name: c, image: c, resources: {requests: {cpu: "1", memory: 50}}}]}`,
		requests: "cpu=1000 memory=300", nonZero: [2]int64{1000, 300},
	},
	{
		// Containers and sidecars: 100 + 10 + 20 = 130. First init container: 500. Sidecar s: 10. Second init
		// container beside s: 10 + 600 = 610. Sidecar u: 10 + 20. The largest is 610.
		name: "sidecars",
		spec: `{containers: [{name: a, image: a, resources: {requests: {cpu: 100m, memory: 1}}}],
			        initContainers: [
			          {name: i, image: i, resources: {requests: {cpu: 500m, memory: 1}}},
			          {name: s, image: s, restartPolicy: Always, resources: {requests: {cpu: 10m, memory: 1}}},
			          {name: j, image: j, resources: {requests: {cpu: 600m, memory: 1}}},
			          {name: u, image: u, restartPolicy: Always, resources: {requests: {cpu: 20m, memory: 1}}}]}`,
		requests: "cpu=610 memory=3", nonZero: [2]int64{610, 3},
	},
	{
		// The init container, too, counts with the defaults: beside the sidecar 100 + 100, and 200Mi + 5.
		name: "defaults of init containers",
		spec: `{containers: [{name: a, image: a, resources: {requests: {cpu: 50m, memory: 7}}}],
			        initContainers: [{name: s, image: s, restartPolicy: Always, resources: {requests: {memory: 5}}},
			                         {name: i, image: i}]}`,
		requests: "cpu=50 memory=12", nonZero: [2]int64{200, all + 5},
	},
	{
		// Placed, the pod counts with 2 cpu and, asking for memory nowhere, with the default for each of its
		// containers; coming, with the defaults of both.
		name: "pod level cpu over empty containers",
		spec: `{resources: {requests: {cpu: 2}}, containers: [{name: a, image: a}, {name: b, image: b}]}`,
		// The score of the incoming pod sees no pod level requests.
		requests: "cpu=2000", scoreRequests: "-",
		nonZero: [2]int64{2000, 2 * all}, scoreNonZero: [2]int64{2 * none, 2 * all},
	},
	{
		// Memory is asked for by one container: no default for the other.
		name: "pod level cpu, one container asks for memory",
		spec: `{resources: {requests: {cpu: 2}}, containers: [
			         {name: a, image: a, resources: {requests: {memory: 10}}}, {name: b, image: b}]}`,
		requests: "cpu=2000 memory=10", scoreRequests: "memory=10",
		nonZero: [2]int64{2000, 10}, scoreNonZero: [2]int64{2 * none, all + 10},
	},
	{
		// The limit for cpu becomes the request; that for memory does not, as a container asks for some.
		name: "pod level limits",
		spec: `{resources: {limits: {cpu: 3, memory: 100}}, containers: [
			         {name: a, image: a, resources: {requests: {memory: 10}}}]}`,
		requests: "cpu=3000 memory=10", scoreRequests: "memory=10",
		nonZero: [2]int64{3000, 10}, scoreNonZero: [2]int64{none, 10},
	},
	{
		// The limit of 4Mi huge pages of the containers becomes one of the pod, and so its request.
		name: "pod level, huge pages of containers",
		spec: `{resources: {requests: {cpu: 1}}, containers: [{name: a, image: a, resources:
			         {limits: {hugepages-2Mi: 4Mi, memory: 1}}}]}`,
		requests: "cpu=1000 memory=1 hugepages-2Mi=4194304", scoreRequests: "memory=1 hugepages-2Mi=4194304",
		nonZero: [2]int64{1000, 1}, scoreNonZero: [2]int64{none, 1},
	},
	{
		name: "extended resources and ephemeral storage",
		spec: `{containers: [{name: a, image: a, resources: {limits: {example.com/gpu: 2},
			         requests: {ephemeral-storage: 1Ki, example.com/gpu: 2}}},
			        {name: b, image: b, resources: {limits: {example.com/gpu: 1, cpu: 1}}}]}`,
		requests: "cpu=1000 ephemeral-storage=1024 example.com/gpu=3", nonZero: [2]int64{1000 + none, 2 * all},
	},
}

func TestRequests(t *testing.T) {
	for _, tt := range requestCases {
		t.Run(tt.name, func(t *testing.T) {
			l := load(t, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: "+tt.spec+"}")
			c := l.Pods[0].Class
			wantScore := tt.scoreRequests
			switch wantScore {
			case "":
				wantScore = tt.requests
			case "-":
				wantScore = ""
			}
			if tt.scoreNonZero == [2]int64{} {
				tt.scoreNonZero = tt.nonZero
			}
			if got := shown(l.vocabulary, c.Requests); got != tt.requests {
				t.Errorf("Requests = %s, want %s", got, tt.requests)
			}
			if got := shown(l.vocabulary, c.ScoreRequests); got != wantScore {
				t.Errorf("ScoreRequests = %s, want %s", got, wantScore)
			}
			if c.NonZero != tt.nonZero {
				t.Errorf("NonZero = %v, want %v", c.NonZero, tt.nonZero)
			}
			if c.ScoreNonZero != tt.scoreNonZero {
				t.Errorf("ScoreNonZero = %v, want %v", c.ScoreNonZero, tt.scoreNonZero)
			}
		})
	}
}

// An overhead counts for everything, after the pod level requests.
func TestOverhead(t *testing.T) {
	l := load(t, `
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {runtimeClassName: kata, resources: {requests: {cpu: 1}}, containers: [{name: a, image: a}]}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: kata}
handler: kata
overhead: {podFixed: {cpu: 250m, memory: 10}}
`)
	c := l.Pods[0].Class
	if got, want := shown(l.vocabulary, c.Requests), "cpu=1250 memory=10"; got != want {
		t.Errorf("Requests = %s, want %s", got, want)
	}
	// On a node the pod asks for memory by its overhead, so no default counts; on its way it does.
	if want := [2]int64{1250, 10}; c.NonZero != want {
		t.Errorf("NonZero = %v, want %v", c.NonZero, want)
	}
	if want := [2]int64{350, 200*mi + 10}; c.ScoreNonZero != want {
		t.Errorf("ScoreNonZero = %v, want %v", c.ScoreNonZero, want)
	}
}
