package main

import (
	"fmt"
	"math/rand/v2"
)

// dice draws what a random cluster is made of.
type dice struct{ *rand.Rand }

// in says yes in so many of ten cases.
func (d dice) in(ten int) bool { return d.IntN(10) < ten }

func (d dice) of(words ...string) string { return words[d.IntN(len(words))] }

const (
	zoneKey = "topology.kubernetes.io/zone"
	hostKey = "kubernetes.io/hostname"
)

// newMisfit makes a few nodes with pods, and a pod p that often fits nowhere.
func newMisfit(seed uint64) *misfit {
	d := dice{rand.New(rand.NewPCG(seed, 0))}
	m := &misfit{Policy: d.policy()}
	nodes := 3 + d.IntN(4)
	for i := range nodes {
		m.Items = append(m.Items, d.node(fmt.Sprintf("n%d", i)))
	}
	for i := range 4 + d.IntN(9) {
		pod := d.pod(fmt.Sprintf("x%d", i), 2)
		at(pod, "spec")["nodeName"] = fmt.Sprintf("n%d", d.IntN(nodes))
		if d.in(2) {
			at(pod, "spec")["priorityClassName"] = "low"
		}
		if d.in(1) {
			at(pod, "metadata")["deletionTimestamp"] = "2030-01-01T00:00:00Z"
		}
		m.Items = append(m.Items, pod)
	}
	m.Items = append(m.Items, d.pending(), object{
		"apiVersion": "v1", "kind": "Service", "metadata": object{"name": "w"}, "spec": object{"selector": object{"app": "w"}},
	})
	m.Items = append(m.Items, priorityClass("low", -5, "PreemptLowerPriority"), priorityClass("never", 10, "Never"))
	return m
}

func priorityClass(name string, value int, policy string) object {
	return object{
		"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": object{"name": name}, "value": value, "preemptionPolicy": policy,
	}
}

// policy has hard default constraints for spreading, now and then.
func (d dice) policy() object {
	profile := object{}
	if d.in(3) {
		profile["pluginConfig"] = []any{object{"name": "PodTopologySpread", "args": object{
			"defaultingType":     "List",
			"defaultConstraints": []any{object{"topologyKey": zoneKey, "maxSkew": 1 + d.IntN(2), "whenUnsatisfiable": "DoNotSchedule"}},
		}}}
	}
	return object{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": []any{profile}}
}

func (d dice) node(name string) object {
	labels := object{"disk": d.of("ssd", "hdd")}
	if d.in(9) {
		labels[zoneKey] = d.of("a", "b", "c")
	}
	if d.in(9) {
		labels[hostKey] = name
	}
	spec, taints := object{}, []any{}
	if d.in(3) {
		taints = append(taints, object{"key": "team", "value": d.of("x", "y"), "effect": "NoSchedule"})
	}
	if d.in(1) {
		taints = append(taints, object{"key": "bad", "value": "yes", "effect": "NoExecute"})
	}
	if d.in(2) {
		if spec["unschedulable"] = true; d.in(5) {
			taints = append(taints, object{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
		}
	}
	spec["taints"] = taints
	allocatable := object{"cpu": fmt.Sprint(2 + d.IntN(5)), "memory": fmt.Sprintf("%dGi", 4+d.IntN(5)), "pods": d.of("1", "2", "110", "110", "110")}
	return object{
		"apiVersion": "v1", "kind": "Node", "metadata": object{"name": name, "labels": labels}, "spec": spec,
		"status": object{"allocatable": allocatable},
	}
}

// pod is one that asks for so many cpu or less, and now and then for a port or for distance.
func (d dice) pod(name string, cpu int) object {
	container := object{"name": "c", "image": "i:1", "resources": object{"requests": object{
		"cpu": fmt.Sprintf("%dm", 100+d.IntN(1000*cpu)), "memory": fmt.Sprintf("%dMi", 100+d.IntN(2000)),
	}}}
	if d.in(3) {
		container["ports"] = []any{object{"containerPort": 80, "hostPort": 80 + d.IntN(2)}}
	}
	affinity := object{}
	if d.in(2) {
		affinity["podAntiAffinity"] = d.terms()
	}
	return object{
		"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name, "labels": object{"app": d.of("v", "w")}},
		"spec": object{"containers": []any{container}, "affinity": affinity},
	}
}

func (d dice) terms() object {
	var terms []any
	for _, app := range []string{"v", "w"} {
		if d.in(5) || app == "w" && len(terms) == 0 {
			terms = append(terms, object{"topologyKey": d.of(zoneKey, hostKey), "labelSelector": object{"matchLabels": object{"app": app}}})
		}
	}
	return object{"requiredDuringSchedulingIgnoredDuringExecution": terms}
}

// pending is the pod p, with one or two of the rules that can keep a pod from nodes.
func (d dice) pending() object {
	p := d.pod("p", 4)
	spec := at(p, "spec")
	rules := []func(){
		func() { spec["nodeSelector"] = object{"disk": d.of("ssd", "hdd", "nvme")} },
		func() {
			terms := []any{object{"matchExpressions": []any{object{"key": zoneKey, "operator": "In", "values": []any{d.of("a", "b", "d")}}}}}
			at(spec, "affinity")["nodeAffinity"] = object{"requiredDuringSchedulingIgnoredDuringExecution": object{"nodeSelectorTerms": terms}}
		},
		func() { at(spec, "affinity")["podAffinity"] = d.terms() },
		func() { at(spec, "affinity")["podAntiAffinity"] = d.terms() },
		func() { spec["topologySpreadConstraints"] = d.spread() },
		func() { spec["topologySpreadConstraints"] = d.spread() },
		func() { spec["topologySpreadConstraints"] = d.spread() },
		func() {
			spec["containers"].([]any)[0].(object)["ports"] = []any{object{"containerPort": 80, "hostPort": 80}, object{"containerPort": 81, "hostPort": 81}}
		},
		func() {
			spec["containers"].([]any)[0].(object)["resources"] = object{"requests": object{"cpu": fmt.Sprint(3 + d.IntN(4)), "memory": "4Gi"}}
		},
	}
	for range 1 + d.IntN(2) {
		rules[d.IntN(len(rules))]()
	}
	if d.in(3) {
		spec["tolerations"] = []any{object{"key": "team", "operator": "Exists"}}
	}
	if d.in(2) {
		spec["priorityClassName"] = "never"
	}
	return p
}

func (d dice) spread() (constraints []any) {
	for _, key := range []string{zoneKey, hostKey} {
		if key == hostKey && len(constraints) > 0 && d.in(5) {
			break
		}
		c := object{
			"topologyKey": key, "maxSkew": 1 + d.IntN(2), "whenUnsatisfiable": "DoNotSchedule",
			"labelSelector": object{"matchLabels": object{"app": d.of("v", "w")}},
		}
		if d.in(5) {
			c["minDomains"] = 2 + d.IntN(5)
		}
		if d.in(3) {
			c["nodeTaintsPolicy"] = d.of("Honor", "Ignore")
		}
		constraints = append(constraints, c)
	}
	return constraints
}
