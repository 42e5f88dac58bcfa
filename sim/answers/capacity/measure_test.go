package capacity

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/workloads"
)

// measured fills the cluster of some manifests with replicas of templates.
func measured(t *testing.T, nodes, templates string, o Options) *Filling {
	t.Helper()
	loader, vocabulary := load(t, nodes)
	docs, err := document.Parse("templates.yaml", []byte(templates))
	if err != nil {
		t.Fatal(err)
	}
	replicas, err := loader.Replicas(docs...)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Measure(t.Context(), func() (Cluster, error) { return snapshot(t, loader, vocabulary), nil }, replicas, o)
	if err != nil {
		t.Fatal(err)
	}
	return &result.Fillings[0]
}

func load(t *testing.T, text string) (*manifest.Loader, *cluster.Vocabulary) {
	t.Helper()
	docs, err := document.Parse("cluster.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	vocabulary := cluster.NewVocabulary()
	loader := manifest.New(vocabulary)
	if err := loader.Load(docs...); err != nil {
		t.Fatal(err)
	}
	return loader, vocabulary
}

// snapshot is the cluster of the manifests, under kube-scheduler's default configuration.
func snapshot(t *testing.T, loader *manifest.Loader, vocabulary *cluster.Vocabulary) Cluster {
	t.Helper()
	state := cluster.New(vocabulary)
	for _, n := range loader.Nodes {
		if _, err := state.AddNode(n.Spec); err != nil {
			t.Fatal(err)
		}
	}
	pods, err := workloads.Manifests{Until: clock.Nanosecond}.Stream(&loader.Objects)
	if err != nil {
		t.Fatal(err)
	}
	policy := config.Default(plugins.Registry())
	scheduling, err := scheduler.New(state, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieFirst,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	out := Cluster{Placement: &place.Placement{Cluster: state, Scheduler: scheduling}}
	for {
		a, more, err := pods.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return out
		}
		out.Pods = append(out.Pods, a)
	}
}

const twoNodes = `{apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
---
{apiVersion: v1, kind: Node, metadata: {name: b}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
---
`

// A template that is rejected before any node is evaluated may be on none of them.
func TestBarredFromAllNodes(t *testing.T) {
	f := measured(t, twoNodes, `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}],
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
    {matchFields: [{key: metadata.name, operator: In, values: [a]}, {key: metadata.name, operator: In, values: [b]}]}]}}}}}`, Options{Max: 100})
	if *f.Room != (Room{AsOneNode: 8}) || f.Sets != 0 {
		t.Errorf("%d fit, of %+v", f.Sets, *f.Room)
	}
}

// A node that holds more than it has takes nothing from the room on others.
func TestOvercommittedNode(t *testing.T) {
	const cordoned = `{apiVersion: v1, kind: Node, metadata: {name: c}, spec: {unschedulable: true}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}}
---
`
	f := measured(t, twoNodes+cordoned+`{apiVersion: v1, kind: Pod, metadata: {name: fat, namespace: default}, spec: {nodeName: a, containers: [{name: c, image: i, resources: {requests: {cpu: "7"}}}]}}`,
		`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}`, Options{Max: 100})
	if *f.Room != (Room{8, 4, 4}) || f.Sets != 4 {
		t.Errorf("%d fit, of %+v", f.Sets, *f.Room)
	}
}

// No replica is called like another one, or like a pod of the snapshot in its namespace.
func TestNamesOfReplicas(t *testing.T) {
	web := manifest.Controller{ControllerSpec: validate.ControllerSpec{Name: "web", Namespace: "default"}}
	f := filler{
		set:   []manifest.Replica{{Controller: web}, {Controller: web}},
		taken: map[string]bool{"default/web-1": true, "other/web-2": true}, next: make([]int, 2),
	}
	got := []string{f.name(0), f.name(1), f.name(0), f.name(1)}
	if want := []string{"web-0", "web-2", "web-3", "web-4"}; !slices.Equal(got, want) {
		t.Errorf("replicas are called %v, want %v", got, want)
	}
}
