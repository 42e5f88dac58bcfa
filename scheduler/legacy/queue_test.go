package legacy_test

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// profileOf is a profile of these predicates, each with its arguments, if it has some.
func profileOf(t *testing.T, checkAll bool, args map[string]any, predicates ...string) scheduler.ProfileConfig {
	s := script{t: t}
	p := upstreamProfile()
	p.Args = args
	if checkAll {
		p.Args = map[string]any{legacy.AlwaysCheckAllPredicates: legacy.CheckAllArgs{Predicates: predicates, Registry: p.Registry, Args: args}}
		predicates = []string{legacy.AlwaysCheckAllPredicates}
	}
	for _, name := range append([]string{"PrioritySort", "DefaultBinder"}, predicates...) {
		s.enable(&p, scheduler.PluginRef{Name: name})
	}
	s.enable(&p, scheduler.PluginRef{Name: legacy.EqualPriority, Weight: 1})
	return p
}

// TestPreBindTimeout: a pod waits for its volumes as long as bindTimeoutSeconds says.
func TestPreBindTimeout(t *testing.T) {
	args := map[string]any{legacy.CheckVolumeBinding: plugins.VolumeBindingArgs{Timeout: 5 * clock.Second}}
	for _, all := range []bool{false, true} {
		s := script{t: t, profile: profileOf(t, all, args, "HostName", legacy.CheckVolumeBinding)}
		s.build("node n1\npod p")
		if got := s.s.PreBindTimeout(s.pods["p"]); got != 5*clock.Second {
			t.Errorf("all predicates %t: the timeout is %v, want 5 s", all, got)
		}
	}
	s := script{t: t, profile: profileOf(t, true, nil, "HostName")}
	s.build("node n1\npod p")
	if got := s.s.PreBindTimeout(s.pods["p"]); got != clock.Forever {
		t.Errorf("nothing waits, but the timeout is %v", got)
	}
}

const claimText = `{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "other", "namespace": "default"}, "spec": {"storageClassName": "s", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}`

// lonely needs a pod like itself in its rack.
const lonely = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"app": "a"}}, "spec": {"containers": [{"name": "c", "image": "c"}], "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "rack", "labelSelector": {"matchLabels": {"app": "a"}}}]}}}}`

// avoids keeps pods with the label of lonely off its node.
const avoids = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "hates", "labels": {"app": "b"}}, "spec": {"nodeName": "n1", "containers": [{"name": "c", "image": "c"}], "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "a"}}}]}}}}`

// TestWakes: of the events that a rule depends on, those wake a pod that may help it.
func TestWakes(t *testing.T) {
	placed := func(s *script, kind scheduler.ClusterEventKind, name string) scheduler.ClusterEvent {
		p := s.cl.Pod(s.pods[name])
		return scheduler.ClusterEvent{Kind: kind, Node: p.Node, Pod: s.pods[name], Class: p.Class, Claim: cluster.NoClaim}
	}
	added := func(s *script, node string) scheduler.ClusterEvent {
		n, _ := s.cl.NodeByName(node)
		return scheduler.ClusterEvent{Kind: scheduler.NodeAdded, Node: n, Claim: cluster.NoClaim}
	}
	claimOf := func(s *script, name string) scheduler.ClusterEvent {
		ns, _ := s.cl.Lookup("default")
		return scheduler.ClusterEvent{Kind: scheduler.ClaimChanged, Node: cluster.None, Claim: s.cl.Volumes.ClaimByName(ns, name)}
	}
	for name, test := range map[string]struct {
		rules   []string
		cluster string
		event   func(*script) scheduler.ClusterEvent
		wakes   bool
	}{
		"a claim of others": {
			[]string{legacy.PodPassesBasicChecks, legacy.CheckVolumeBinding}, "node n1\n" + claimText + "\npod p claim=absent\npod q claim=other",
			func(s *script) scheduler.ClusterEvent { return claimOf(s, "other") }, false,
		},
		"its claim": {
			[]string{legacy.PodPassesBasicChecks, legacy.CheckVolumeBinding}, "node n1\n" + claimText + "\npod p claim=absent",
			func(s *script) scheduler.ClusterEvent { return claimOf(s, "absent") }, true,
		},
		"its claim, unbound": {
			[]string{legacy.CheckVolumeBinding}, "node n1\n" + claimText + "\npod p claim=other",
			func(s *script) scheduler.ClusterEvent { return claimOf(s, "other") }, true,
		},
		"another port is free": {
			[]string{legacy.GeneralPredicates}, "node n1\npod a node=n1 port=80\npod b node=n1 port=81\npod p port=80",
			func(s *script) scheduler.ClusterEvent { return placed(s, scheduler.PodFreed, "b") }, true, // it may be for resources
		},
		"another port is free, by itself": {
			[]string{"PodFitsHostPorts"}, "node n1\npod a node=n1 port=80\npod b node=n1 port=81\npod p port=80",
			func(s *script) scheduler.ClusterEvent { return placed(s, scheduler.PodFreed, "b") }, false,
		},
		"the port is free": {
			[]string{"PodFitsHostPorts"}, "node n1\npod a node=n1 port=80\npod p port=80",
			func(s *script) scheduler.ClusterEvent { return placed(s, scheduler.PodFreed, "a") }, true,
		},
		"a small node, by any of four": {
			[]string{legacy.GeneralPredicates, "HostName"}, "node n1 cpu=1\npod p cpu=2 selector=kubernetes.io/hostname:n1",
			func(s *script) scheduler.ClusterEvent { return added(s, "n1") }, true, // it may be for the host name
		},
		"a small node, by resources": {
			[]string{legacy.PodFitsResources}, "node n1 cpu=1\npod p cpu=2",
			func(s *script) scheduler.ClusterEvent { return added(s, "n1") }, false,
		},
		"a large node": {
			[]string{legacy.PodFitsResources}, "node n1 cpu=2\npod a node=n1 cpu=1\npod p cpu=2",
			func(s *script) scheduler.ClusterEvent { return added(s, "n1") }, true,
		},
		"room for a disk": {
			[]string{"MaxGCEPDVolumeCount"}, "node n1 attachable-volumes-gce-pd=1\npod a node=n1 gce=a\npod b node=n1\npod p gce=b",
			func(s *script) scheduler.ClusterEvent { return placed(s, scheduler.PodFreed, "a") }, true,
		},
		"no room for a disk": {
			[]string{"MaxGCEPDVolumeCount"}, "node n1 attachable-volumes-gce-pd=1\npod a node=n1 gce=a\npod b node=n1\npod p gce=b",
			func(s *script) scheduler.ClusterEvent { return placed(s, scheduler.PodFreed, "b") }, false,
		},
		"a node without the label, for the first of its kind": {
			[]string{"MatchInterPodAffinity"}, "node n1\n" + avoids + "\n" + lonely,
			func(s *script) scheduler.ClusterEvent { return added(s, "n1") }, true,
		},
	} {
		s := script{t: t, profile: profileOf(t, false, nil, test.rules...)}
		s.build(test.cluster)
		s.schedule("p", false)
		s.s.Observe(test.event(&s), 0)
		if depth := s.s.Depth(); test.wakes != (depth.Unschedulable == 0) {
			t.Errorf("%s: wakes the pod %t, want %t (%+v)\n%s", name, !test.wakes, test.wakes, depth, s.out.String())
		}
	}
}

// TestRulesOfTheFirst: the first of the pods that want each other has no rule about that.
func TestRulesOfTheFirst(t *testing.T) {
	for _, all := range []bool{false, true} {
		s := script{t: t, profile: profileOf(t, all, nil, "MatchInterPodAffinity")}
		s.build("node n1\n" + avoids + "\n" + lonely)
		var kinds []scheduler.DomainRuleKind
		in := s.s.Inspect(s.pods["p"], s.cl.Pod(s.pods["p"]).Class)
		in.EachDomainRule(func(_ string, r scheduler.DomainRule) { kinds = append(kinds, r.Kind) })
		if !slices.Equal(kinds, []scheduler.DomainRuleKind{scheduler.ExistingAntiAffinityRule}) {
			t.Errorf("all predicates %t: the rules are of the kinds %v", all, kinds)
		}
	}
}
