package conformance

import "fmt"

var (
	// zoneNames are of zones of different size, and have the form that drivers of cloud disks expect.
	zoneNames = []string{"x-r1-a", "x-r1-b", "x-r1-c"}
	zones     = []string{zoneNames[0], zoneNames[0], zoneNames[0], zoneNames[1], zoneNames[1], zoneNames[2]}

	disks   = []string{"ssd", "hdd", "none"}
	sizes   = []string{"1", "2", "3", "10", "x"} // the label that Gt and Lt read
	keys    = []string{"dedicated", "gpu", "spot"}
	values  = []string{"", "a", "b"}
	effects = []string{"NoSchedule", "NoExecute", "PreferNoSchedule"}
	ips     = []string{"", "0.0.0.0", "10.0.0.1", "127.0.0.1"}
	images  = []string{
		"app", "app:latest", "app:2", "reg.example.com:5000/db", "reg.example.com:5000/db:9",
		"tools@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	}
)

// nodeName gives the i-th node a name that does not sort as the nodes are listed, so
// that order and name are distinguished.
func nodeName(i int) string { return fmt.Sprintf("n%03d", (i*7+3)%1000) }

func (g *generator) node(i int) object {
	meta := object{"name": nodeName(i)}
	labels := object{"kubernetes.io/hostname": meta["name"]}
	if g.chance(0.8) {
		labels["topology.kubernetes.io/zone"] = pick(g, zones...)
	}
	if g.chance(0.1) {
		labels["topology.kubernetes.io/region"] = pick(g, "r1", "r2")
	}
	if g.chance(0.05) {
		labels["failure-domain.beta.kubernetes.io/zone"] = pick(g, zones...)
	}
	if g.affinity > 0 || g.runtime > 0 {
		if g.chance(0.8) {
			labels["disk"] = pick(g, disks...)
		}
		if g.chance(0.7) {
			labels["size"] = pick(g, sizes...)
		}
	}
	if (g.podAffinity > 0 || g.spread > 0) && g.chance(0.7) {
		labels["rack"] = pick(g, "r1", "r2", "r3", "r4")
	}
	if g.chance(0.02) {
		labels = object{}
	}
	set(meta, "labels", labels)
	o := object{"apiVersion": "v1", "kind": "Node", "metadata": meta}
	spec, status := object{}, object{"allocatable": g.allocatable()}
	if g.chance(0.05) {
		status = object{"capacity": status["allocatable"]} // which is then allocatable too
	}
	if g.taints > 0 {
		set(spec, "taints", g.taintList())
		if g.chance(0.08) {
			spec["unschedulable"] = true
		}
	}
	if g.images > 0 {
		set(status, "images", g.nodeImages())
	}
	if g.declared > 0 {
		set(status, "declaredFeatures", some(g, 0.5, nodeFeatures...))
	}
	set(o, "spec", spec)
	o["status"] = status
	return o
}

func (g *generator) allocatable() object {
	a := object{
		"cpu":    pick(g, "2", "4", "4", "8", "3900m", "1"),
		"memory": pick(g, "4Gi", "8Gi", "8Gi", "16Gi", "7Gi", "4096Mi", "1G"),
		"pods":   pick(g, "110", "110", "10", "5", "3"),
	}
	if g.chance(g.spare) {
		a["cpu"], a["memory"], a["pods"] = "32", "64Gi", "110"
	}
	if g.chance(0.04) {
		delete(a, pick(g, "cpu", "memory", "pods"))
	}
	if g.chance(0.03) {
		a[pick(g, "cpu", "memory", "pods")] = "0"
	}
	if g.chance(g.extended) {
		a["example.com/gpu"] = pick(g, "0", "1", "2", "4", "8")
	}
	if g.chance(g.extended) {
		a["example.com/fpga"] = pick(g, "1", "3")
	}
	if g.chance(g.extended) {
		a["hugepages-2Mi"] = pick(g, "0", "64Mi", "256Mi")
	}
	if g.chance(g.extended) {
		a["ephemeral-storage"] = pick(g, "10Gi", "100Gi", "0")
	}
	return a
}

func (g *generator) taintList() []any {
	var out []any
	for _, key := range keys {
		for _, effect := range effects {
			if g.chance(g.taints * 0.15) {
				t := object{"key": key, "effect": effect}
				if v := pick(g, values...); v != "" {
					t["value"] = v
				}
				out = append(out, t)
			}
		}
	}
	return out
}

func (g *generator) nodeImages() []any {
	var out []any
	for _, name := range []string{
		"app:latest", "app:2", "reg.example.com:5000/db:latest", "reg.example.com:5000/db:9", images[5],
	} {
		if !g.chance(g.images * 0.5) {
			continue
		}
		const mb = 1 << 20
		names := []any{name}
		if g.chance(0.2) {
			names = append(names, "docker.io/library/"+name)
		}
		out = append(out, object{"names": names, "sizeBytes": pick(g, 0, 1, 23*mb, 23*mb+1, 200*mb, 999*mb, 1000*mb, 1001*mb, 3000*mb, 9000*mb)})
	}
	return out
}
