package conformance

import "fmt"

// storageClasses are by name how the claims of pods come by a volume.
var storageClasses = []struct {
	name, provisioner, mode string
}{
	{"local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer"},
	{"zonal", "csi.example.com", "WaitForFirstConsumer"},
	{"tracked", "tracked.example.com", "WaitForFirstConsumer"},
	{"instant", "csi.example.com", "Immediate"},
	{"disk", "kubernetes.io/gce-pd", "WaitForFirstConsumer"},
}

// drivers are those that CSINodes have limits for.
var drivers = []string{"csi.example.com", "tracked.example.com", "pd.csi.storage.gke.io", "ebs.csi.aws.com"}

// storageObjects are classes, drivers, what nodes can attach, volumes and claims.
func (g *generator) storageObjects() []object {
	var out []object
	for _, c := range storageClasses {
		if !g.chance(0.97) {
			continue
		}
		if c.mode != "Immediate" {
			g.delayed = append(g.delayed, c.name)
		}
		meta := object{"name": c.name}
		if c.name == "zonal" && g.chance(0.5) {
			meta["annotations"] = object{"storageclass.kubernetes.io/is-default-class": "true"}
		}
		o := object{
			"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": meta, "provisioner": c.provisioner,
			"volumeBindingMode": c.mode,
		}
		if c.mode == "Immediate" && g.chance(0.3) {
			delete(o, "volumeBindingMode")
		}
		if c.name != "local" && g.chance(0.5) {
			o["allowedTopologies"] = g.allowedTopologies()
		}
		out = append(out, o)
	}
	out = append(out, g.driverObjects()...)
	for i := range g.nodes {
		if g.chance(0.7) {
			out = append(out, g.csiNode(i))
		}
	}
	g.claims = g.between(4, 14)
	g.free = g.between(0, 10)
	for i := range g.free {
		out = append(out, g.freeVolume(i))
	}
	for i := range g.claims {
		out = append(out, g.claimObjects(i)...)
	}
	for i := range g.between(2, 10) {
		out = append(out, g.attachment(i))
	}
	return out
}

func (g *generator) allowedTopologies() []any {
	var terms []any
	for range g.between(1, 2) {
		terms = append(terms, object{"matchLabelExpressions": []any{g.topologyRequirement()}})
	}
	if len(terms) == 2 && fmt.Sprint(terms[0]) == fmt.Sprint(terms[1]) {
		terms = terms[:1] // no two alike are allowed
	}
	return terms
}

func (g *generator) topologyRequirement() object {
	values := some(g, 0.5, zoneNames...)
	if len(values) == 0 {
		values = []any{zoneNames[0]}
	}
	return object{"key": "topology.kubernetes.io/zone", "values": values}
}

// driverObjects are a driver that tracks what is left, and what is left.
func (g *generator) driverObjects() []object {
	var out []object
	if g.chance(0.9) {
		spec := object{}
		if g.chance(0.9) {
			spec["storageCapacity"] = g.chance(0.85)
		}
		out = append(out, object{
			"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": object{"name": "tracked.example.com"}, "spec": spec,
		})
	}
	for i := range g.between(0, 4) {
		o := object{
			"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "storageClassName": pick(g, "tracked", "tracked", "zonal"),
			"metadata": object{"name": fmt.Sprintf("left%d", i), "namespace": "default"},
		}
		if g.chance(0.9) {
			o["nodeTopology"] = pick(g, object{}, object{"matchLabels": object{"topology.kubernetes.io/zone": pick(g, zones...)}},
				object{"matchLabels": object{"kubernetes.io/hostname": g.someNode()}})
		}
		given := g.chance(0.9)
		if given {
			o["capacity"] = pick(g, "0", "5Gi", "10Gi", "100Gi")
		}
		if g.chance(0.3) {
			if size := pick(g, "1Gi", "5Gi", "10Gi"); given { // kube-scheduler 1.37 panics when only this is given
				o["maximumVolumeSize"] = size
			}
		}
		out = append(out, o)
	}
	return out
}

func (g *generator) csiNode(i int) object {
	var list []any
	for _, name := range drivers {
		if !g.chance(0.6) {
			continue
		}
		d := object{"name": name, "nodeID": nodeName(i), "topologyKeys": some(g, 0.3, "topology.kubernetes.io/zone", "kubernetes.io/hostname")}
		if g.chance(0.85) {
			d["allocatable"] = object{"count": pick(g, 0, 1, 1, 2, 3, 10)}
			if g.chance(0.1) {
				d["allocatable"] = object{}
			}
		}
		list = append(list, d)
	}
	meta := object{"name": nodeName(i)}
	if g.chance(0.6) {
		meta["annotations"] = object{"storage.alpha.kubernetes.io/migrated-plugins": pick(g,
			"kubernetes.io/gce-pd", "kubernetes.io/aws-ebs,kubernetes.io/gce-pd", "")}
	}
	if list == nil {
		list = []any{}
	}
	return object{"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": meta, "spec": object{"drivers": list}}
}

func (g *generator) attachment(i int) object {
	return object{
		"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": object{"name": fmt.Sprintf("attached%d", i)},
		"spec": object{
			"attacher": pick(g, drivers...), "nodeName": g.someNode(),
			"source": object{"persistentVolumeName": fmt.Sprintf("b%02d", g.IntN(g.claims))},
		},
		"status": object{"attached": true},
	}
}

// podVolumes are one to three volumes of a pod.
func (g *generator) podVolumes(spec object) {
	volumes, _ := spec["volumes"].([]any)
	for i := range g.between(1, 3) {
		v := g.podVolume()
		v["name"] = fmt.Sprintf("v%d", i)
		volumes = append(volumes, v)
	}
	spec["volumes"] = volumes
}

func (g *generator) podVolume() object {
	readOnly := g.chance(0.4)
	switch g.IntN(12) {
	case 0:
		return object{"gcePersistentDisk": object{"pdName": pick(g, "disk1", "disk2"), "readOnly": readOnly}}
	case 1:
		return object{"awsElasticBlockStore": object{"volumeID": pick(g, "vol-1", "vol-2"), "readOnly": readOnly}}
	case 2:
		return object{"iscsi": object{
			"targetPortal": pick(g, "10.0.0.1:3260", "10.0.0.2:3260"), "iqn": pick(g, "iqn.2026-01.com.example:a", "iqn.2026-01.com.example:b"),
			"lun": g.IntN(2), "readOnly": readOnly,
		}}
	case 3:
		r := object{"monitors": some(g, 0.6, "m1", "m2", "m3"), "image": pick(g, "img1", "img2"), "readOnly": readOnly}
		if len(r["monitors"].([]any)) == 0 {
			r["monitors"] = []any{"m1"}
		}
		if g.chance(0.5) {
			r["pool"] = pick(g, "rbd", "fast")
		}
		return object{"rbd": r}
	case 4:
		// The PV controller would bind claims of other classes before the pod is tried.
		if len(g.delayed) > 0 {
			return object{"ephemeral": object{"volumeClaimTemplate": object{"spec": g.ownClaimSpec()}}}
		}
	case 5:
		return pick(g, object{"csi": object{"driver": pick(g, drivers...)}}, object{"emptyDir": object{}},
			object{"azureDisk": object{"diskName": "d", "diskURI": "/subscriptions/x/resourceGroups/y/providers/Microsoft.Compute/disks/d", "kind": "Managed"}},
			object{"cinder": object{"volumeID": pick(g, "cinder-1", "cinder-2")}},
			object{"portworxVolume": object{"volumeID": "pwx-1"}})
	}
	claim := claimName(g.IntN(g.claims))
	if g.chance(0.02) {
		claim = "missing"
	}
	return object{"persistentVolumeClaim": object{"claimName": claim, "readOnly": readOnly}}
}
