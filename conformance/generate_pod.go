package conformance

import (
	"fmt"
	"slices"
	"time"
)

// running is a pod that has a node already, whether it fits there or not.
func (g *generator) running(i int) object {
	o := g.pod(fmt.Sprintf("r%03d", i))
	spec := o["spec"].(object)
	delete(spec, "schedulingGates")
	node := g.IntN(g.nodes)
	if g.opened[node] {
		closePorts(spec) // no kubelet lets two pods share a host port
	}
	g.opened[node] = true
	spec["nodeName"] = nodeName(node)
	// Pods that are equal in priority and start are distinguished by chance upstream, so no
	// two on a node start at once; on different nodes they do.
	start := creation.Add(-time.Hour + time.Duration(g.started[node])*time.Minute)
	g.started[node]++
	o["status"] = object{"phase": "Running", "startTime": start.Format(time.RFC3339)}
	if g.chance(g.resized) {
		g.resize(o)
	}
	if g.chance(g.budgets * 0.15) {
		g.terminate(o)
	}
	return o
}

// pending is a pod to be placed.
func (g *generator) pending(i int) object {
	o := g.pod(fmt.Sprintf("p%03d", i))
	if g.chance(g.priorities * 0.1) {
		node := g.someNode()
		if g.queue { // docs/fidelity.md: a nomination to a node that does not exist
			node = nodeName(g.IntN(g.nodes))
		}
		o["status"] = object{"nominatedNodeName": node}
		if g.chance(0.2) {
			g.delete(o)
		}
	}
	return o
}

// delete has a pending pod be deleted. It keeps its nomination until the queue has popped it.
func (g *generator) delete(pod object) {
	meta := pod["metadata"].(object)
	meta["deletionTimestamp"], meta["finalizers"] = "2026-01-01T01:00:00Z", []any{"example.com/later"}
}

func (g *generator) pod(name string) object {
	meta := object{"name": name}
	if g.chance(0.1) {
		meta["namespace"] = "other"
	}
	if g.labeled() {
		meta["namespace"] = pick(g, namespaces...)
		g.self = g.podLabels()
		set(meta, "labels", g.self)
	}
	if g.chance(g.owners) {
		g.own(meta)
	}
	spec := object{}
	leveled := g.chance(g.podLevel)
	spec["containers"] = g.containers("c", g.between(1, 2), leveled)
	if g.chance(g.parts) {
		inits := g.containers("i", g.between(1, 3), leveled)
		for _, c := range inits {
			if g.chance(0.4) {
				c.(object)["restartPolicy"] = "Always"
			}
		}
		spec["initContainers"] = inits
	}
	if leveled {
		spec["resources"] = g.podResources()
	}
	if g.chance(g.runtime) {
		spec["runtimeClassName"] = "sandboxed"
	}
	if g.taints > 0 {
		set(spec, "tolerations", g.tolerations())
	}
	if g.chance(g.affinity) {
		g.placeBy(spec)
	}
	g.relate(spec)
	if g.chance(g.ports) {
		g.open(spec)
	}
	g.rank(spec)
	if g.chance(g.images * 0.1) {
		others, _ := spec["volumes"].([]any)
		spec["volumes"] = append(others, object{"name": "data", "image": object{"reference": pick(g, images...)}})
	}
	if g.chance(g.gates) {
		spec["schedulingGates"] = []any{object{"name": "example.com/later"}}
	}
	if g.second && g.chance(0.4) {
		spec["schedulerName"] = secondProfile
	}
	if g.chance(0.01) {
		spec["nodeSelector"] = object{"kubernetes.io/hostname": nodeName(0)}
	}
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
}

// rank gives the pod a priority.
func (g *generator) rank(spec object) {
	if !g.chance(g.priorities) {
		return
	}
	spec["priorityClassName"] = priorityName(g.IntN(len(priorities)))
	if g.chance(0.03) {
		spec["priorityClassName"] = pick(g, "system-cluster-critical", "system-node-critical")
	}
}

// relate gives the pod what depends on other pods and objects.
func (g *generator) relate(spec object) {
	if g.chance(g.podAffinity) {
		g.attract(spec)
	}
	if g.chance(g.spread) {
		g.spreadOut(spec)
	}
	if g.chance(g.volumes) {
		g.podVolumes(spec)
	}
	if g.chance(g.declared) {
		g.declare(spec)
	}
}

// containers ask for little where the pod asks for more at its own level.
func (g *generator) containers(prefix string, n int, little bool) []any {
	var out []any
	for i := range n {
		c := object{"name": fmt.Sprintf("%s%d", prefix, i), "image": "pause:3"}
		if g.chance(g.images) {
			c["image"] = pick(g, images...)
		}
		requests, limits := object{}, object{}
		cpu := pick(g, "", "0", "100m", "250m", "500m", "1", "1500m", "100500u", "0.3", "5e-1")
		memory := pick(g, "", "0", "128Mi", "512Mi", "1Gi", "2Gi", "100M", "1.5Gi", "123456789", "1e9")
		if little {
			cpu, memory = pick(g, "", "0", "100m"), pick(g, "", "0", "128Mi")
		}
		for _, r := range []struct{ name, amount string }{{"cpu", cpu}, {"memory", memory}} {
			switch {
			case r.amount == "":
			case g.chance(0.2):
				limits[r.name] = r.amount
			default:
				requests[r.name] = r.amount
			}
		}
		if g.chance(g.extended * 0.5) {
			limits["example.com/gpu"] = pick(g, "1", "2", "4", "0")
		}
		if g.chance(g.extended * 0.2) {
			limits["example.com/fpga"] = "1"
		}
		if g.chance(g.extended * 0.3) {
			requests["ephemeral-storage"] = pick(g, "1Gi", "10Gi", "0")
		}
		if g.chance(g.extended*0.3) && !little && cpu != "" {
			limits["hugepages-2Mi"] = pick(g, "2Mi", "64Mi")
		}
		resources := object{}
		set(resources, "requests", requests)
		set(resources, "limits", limits)
		set(c, "resources", resources)
		out = append(out, c)
	}
	return out
}

// podResources are more than all containers ask for together.
func (g *generator) podResources() object {
	requests, limits := object{}, object{}
	for _, r := range []struct{ name, amount string }{{"cpu", pick(g, "600m", "1", "2")}, {"memory", pick(g, "1Gi", "2Gi")}} {
		switch g.IntN(4) {
		case 0:
		case 1:
			limits[r.name] = r.amount
		default:
			requests[r.name] = r.amount
		}
	}
	if len(requests)+len(limits) == 0 {
		requests["cpu"] = "1"
	}
	r := object{}
	set(r, "requests", requests)
	set(r, "limits", limits)
	return r
}

func (g *generator) tolerations() []any {
	var out []any
	for _, key := range keys {
		if !g.chance(g.taints * 0.5) {
			continue
		}
		t := object{"key": key}
		if g.chance(0.6) {
			t["effect"] = pick(g, effects...)
		}
		switch g.IntN(3) {
		case 0:
			t["operator"] = "Exists"
		case 1:
			t["operator"] = "Equal"
			t["value"] = pick(g, values...)
		default:
			t["value"] = pick(g, values...)
		}
		if t["value"] == "" {
			delete(t, "value")
		}
		out = append(out, t)
	}
	if g.chance(0.05) {
		all := object{"operator": "Exists"}
		if g.chance(0.5) {
			all["effect"] = pick(g, effects...)
		}
		out = append(out, all)
	}
	return out
}

// closePorts takes the ports away.
func closePorts(spec object) {
	delete(spec, "hostNetwork")
	for _, c := range slices.Concat(spec["containers"].([]any), initContainers(spec)) {
		delete(c.(object), "ports")
	}
}

func initContainers(spec object) []any {
	inits, _ := spec["initContainers"].([]any)
	return inits
}

// open asks for host ports.
func (g *generator) open(spec object) {
	host := g.chance(0.1)
	if host {
		spec["hostNetwork"] = true
	}
	for i, c := range slices.Concat(spec["containers"].([]any), initContainers(spec)) {
		var ports []any
		for j := range g.between(0, 2) {
			number := 8080 + 10*i + j // no two alike in a pod
			p := object{"containerPort": number}
			if !host || g.chance(0.5) {
				p["hostPort"] = number
			}
			if ip := pick(g, ips...); ip != "" && !host {
				p["hostIP"] = ip
			}
			if g.chance(0.3) {
				p["protocol"] = pick(g, "UDP", "SCTP", "TCP")
			}
			ports = append(ports, p)
		}
		set(c.(object), "ports", ports)
	}
}
