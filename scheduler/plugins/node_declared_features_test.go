package plugins_test

import (
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// A node must declare all that the pod needs; what else it declares does not matter. As no
// removal of pods changes what it declares, preemption is of no help.
func TestDeclaredFeatures(t *testing.T) {
	const restart, users = cluster.RestartAllContainers, cluster.UserNamespacesHostNetwork
	for _, tt := range []struct {
		needs, declares cluster.FeatureSet
		fits            bool
	}{
		{0, 0, true}, {0, users, true}, {restart, 0, false}, {restart, restart, true}, {restart, users, false},
		{restart, restart | users, true}, {restart | users, users, false}, {restart | users, restart | users, true},
	} {
		w := newWorld(t, worldConfig{})
		spec := w.nodeSpec("n1 cpu=4 memory=4Gi pods=10")
		spec.Features = tt.declares
		if _, err := w.cl.AddNode(spec); err != nil {
			t.Fatal(err)
		}
		class := w.class(fieldsOf("cpu=1 priority=5"))
		class.Features = tt.needs
		pod := w.cl.AddPod(cluster.Pod{Name: "p", Class: w.cl.AddClass("needs", class)})
		w.addPods("low node=n1 cpu=1 priority=1")
		w.s.Add(pod, 0)
		a := takeAndSchedule(w, pod)
		if (a.Outcome == scheduler.Scheduled) != tt.fits {
			t.Errorf("needs %v of %v: %s", tt.needs.Names(), tt.declares.Names(), a.Outcome)
		}
		const message = "0/1 nodes are available: 1 node(s) didn't match Pod's required features. " +
			"preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
		if !tt.fits && a.Message() != message {
			t.Errorf("needs %v of %v: %s", tt.needs.Names(), tt.declares.Names(), a.Message())
		}
	}
}

// In 1.35 the gate NodeDeclaredFeatures knows restart rules only, and the message names what is absent.
func TestDeclaredFeaturesOfRestarts(t *testing.T) {
	for needs, want := range map[cluster.FeatureSet]string{
		cluster.UserNamespacesHostNetwork: "",
		cluster.RestartAllContainers | cluster.UserNamespacesHostNetwork: "0/1 nodes are available: 1 node declared features check failed - " +
			"unsatisfied requirements: RestartAllContainersOnContainerExits. no new claims to deallocate",
	} {
		_, rules, err := release.Settings{Kubernetes: "1.35", FeatureGates: map[string]bool{"NodeDeclaredFeatures": true}}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(t, worldConfig{rules: rules, plugins: []string{"NodeResourcesFit", "NodeDeclaredFeatures", "DynamicResources"}})
		w.addNodes("n1 cpu=4 memory=4Gi pods=10")
		class := w.class(fieldsOf("cpu=1"))
		class.Features = needs
		pod := w.cl.AddPod(cluster.Pod{Name: "p", Class: w.cl.AddClass("needs", class)})
		w.s.Add(pod, 0)
		if got := takeAndSchedule(w, pod).Message(); got != want {
			t.Errorf("needs %v: %q, want %q", needs.Names(), got, want)
		}
	}
}

func TestFeaturesOf(t *testing.T) {
	got := cluster.FeaturesOf([]string{"Another", "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"})
	if want := cluster.RestartAllContainers | cluster.UserNamespacesHostNetwork; got != want {
		t.Errorf("features %v, want %v", got.Names(), want.Names())
	}
}
