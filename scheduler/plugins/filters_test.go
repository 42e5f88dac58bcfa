package plugins_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

func TestTaintTolerationFilters(t *testing.T) {
	tests := []struct{ name, taints, tolerations, want string }{
		{"no taint", "", "", ""},
		{"NoSchedule", "taint=k:v:NoSchedule", "", "untolerated taint(s)"},
		{"NoExecute", "taint=k:v:NoExecute", "", "untolerated taint(s)"},
		{"PreferNoSchedule does not filter", "taint=k:v:PreferNoSchedule", "", ""},
		{"tolerated", "taint=k:v:NoSchedule", "tolerate=k:v:NoSchedule", ""},
		{"tolerated for another effect", "taint=k:v:NoExecute", "tolerate=k:v:NoSchedule", "untolerated taint(s)"},
		{"tolerated for any effect", "taint=k:v:NoExecute", "tolerate=k:v", ""},
		{"one of two tolerated", "taint=k:v:NoSchedule taint=l::NoSchedule", "tolerate=k:v", "untolerated taint(s)"},
		{"both tolerated", "taint=k:v:NoSchedule taint=l::NoSchedule", "tolerate=l:* tolerate=k:v", ""},
		{"a taint counts as one reason", "taint=a::NoSchedule taint=b::NoSchedule", "", "0/1 nodes are available: 1 node(s) had untolerated taint(s)."},
		{"everything tolerated", "taint=k:v:NoSchedule taint=l::NoExecute", "tolerate=:*", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{"TaintToleration"}})
			w.addNodes("n " + tt.taints)
			w.addPods("p " + tt.tolerations)
			mustSay(t, w.try("p"), tt.want)
		})
	}
}

func TestTaintTolerationScores(t *testing.T) {
	const one, two, three = "taint=a::PreferNoSchedule", "taint=a::PreferNoSchedule taint=b::PreferNoSchedule",
		"taint=a::PreferNoSchedule taint=b::PreferNoSchedule taint=c::PreferNoSchedule"
	tests := []struct {
		name, pod string
		nodes     []string
		want      string
	}{
		{"no soft taints: 100 everywhere", "p", []string{"n1", "n2"}, "n1=100 n2=100"},
		{"reversed, cut before it is turned round", "p", []string{"n0", "n1 " + one, "n2 " + two, "n3 " + three}, "n0=100 n1=67 n2=34 n3=0"},
		{"a toleration of the effect", "p tolerate=a:*:PreferNoSchedule", []string{"n0", "n1 " + one, "n2 " + two}, "n0=100 n1=100 n2=0"},
		{"of any effect", "p tolerate=a:*", []string{"n0", "n1 " + one, "n2 " + two}, "n0=100 n1=100 n2=0"},
		{"of another effect does not help", "p tolerate=a:*:NoSchedule", []string{"n0", "n1 " + one, "n2 " + two}, "n0=100 n1=50 n2=0"},
		{"all tolerated: 100 everywhere", "p tolerate=:*", []string{"n1 " + one, "n2 " + two}, "n1=100 n2=100"},
		{"hard taints that are tolerated do not count", "p tolerate=h:*", []string{"n1 taint=h::NoSchedule", "n2 " + one}, "n1=100 n2=0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{"TaintToleration"}})
			w.addNodes(tt.nodes...)
			w.addPods(tt.pod)
			if got := scores(w, w.try("p"), "TaintToleration"); got != tt.want {
				t.Errorf("scores %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNodePorts(t *testing.T) {
	const taken = "didn't have free ports for the requested pod ports"
	tests := []struct{ name, running, pod, want string }{
		{"the same", "port=80", "port=80", taken},
		{"another", "port=80", "port=81", ""},
		{"another protocol", "port=tcp/80", "port=udp/80", ""},
		{"another address", "port=tcp/10.0.0.1/80", "port=tcp/10.0.0.2/80", ""},
		{"the same address", "port=tcp/10.0.0.1/80", "port=tcp/10.0.0.1/80", taken},
		{"all addresses are taken", "port=80", "port=tcp/10.0.0.1/80", taken},
		{"all addresses are wanted", "port=tcp/10.0.0.1/80", "port=80", taken},
		{"the second of two", "port=80", "port=81 port=80", taken},
		{"none wanted", "port=80", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{"NodePorts"}})
			w.addNodes("n")
			w.addPods("running node=n "+tt.running, "p "+tt.pod)
			mustSay(t, w.try("p"), tt.want)
		})
	}
}

// Up to 1.36 both are filters only.
func TestNodeNameAndUnschedulable(t *testing.T) {
	const cordoned, name = "0/1 nodes are available: 1 node(s) were unschedulable.", "0/1 nodes are available: 1 node(s) didn't match the requested node name."
	tests := []struct{ name, node, pod, want string }{
		{"its node", "n", "nodename=n", ""},
		{"another node", "n", "nodename=m", name},
		{"no name", "n", "", ""},
		{"unschedulable", "n unschedulable", "", cordoned},
		{"unschedulable, tolerated", "n unschedulable", "tolerate=node.kubernetes.io/unschedulable:*:NoSchedule", ""},
		{"tolerated for another effect", "n unschedulable", "tolerate=node.kubernetes.io/unschedulable:*:NoExecute", cordoned},
		{"a toleration of another value", "n unschedulable", "tolerate=node.kubernetes.io/unschedulable:yes:NoSchedule", cordoned},
		{"the first plugin that fails counts", "n unschedulable", "nodename=m", cordoned},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{plugins: []string{"NodeUnschedulable", "NodeName"}, rules: rulesOf(t, "1.36")})
			w.addNodes(tt.node)
			w.addPods("p " + tt.pod)
			mustSay(t, w.try("p"), tt.want)
		})
	}
}

// From 1.37 on NodeName limits the search in PreFilter.
func TestNodeNameLimitsTheSearch(t *testing.T) {
	for pod, want := range map[string]string{
		"nodename=n1": "", "nodename=n2": "0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeName], 1 node(s) were unschedulable.",
		"": "", "nodename=m": "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeName].",
	} {
		w := newWorld(t, worldConfig{plugins: []string{"NodeName", "NodeUnschedulable"}})
		w.addNodes("n1", "n2 unschedulable")
		w.addPods("p " + pod)
		mustSay(t, w.try("p"), want)
	}
}

func TestProbesDisturbNothing(t *testing.T) {
	w := newWorld(t, worldConfig{})
	w.addNodes("n1 cpu=2 memory=4Gi pods=10", "n2 cpu=4 memory=4Gi pods=10", "n3 cpu=4 memory=4Gi pods=10 taint=t::NoSchedule")
	w.addPods("p cpu=1")
	a := w.try("p")
	before := fmt.Sprint(report(w, a), w.s.StartIndex())
	class := w.class(fieldsOf("cpu=3 memory=1Gi"))
	var fits []cluster.NodeID
	w.s.EachFeasible(&class, func(n cluster.NodeID) { fits = append(fits, n) })
	if len(fits) != 1 || fits[0] != w.node("n2") {
		t.Errorf("it fits on %v, want n2 alone", fits)
	}
	class = w.class(fieldsOf("cpu=5"))
	if got, want := w.s.FitErrorMessage(&class), "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu."; got != want {
		t.Errorf("why not: %q, want %q", got, want)
	}
	class = w.class(fieldsOf("cpu=5 tolerate=t::NoSchedule"))
	if got, want := w.s.FitErrorMessage(&class), "0/3 nodes are available: 3 Insufficient cpu."; got != want {
		t.Errorf("why not, taints tolerated: %q, want %q", got, want)
	}
	if after := fmt.Sprint(report(w, a), w.s.StartIndex()); after != before {
		t.Errorf("the attempt was\n%s\nis\n%s", before, after)
	}
}
