package conformance

import (
	"fmt"
	"strings"
)

func claimName(i int) string { return fmt.Sprintf("c%02d", i) }

func (g *generator) className() string { return storageClasses[g.IntN(len(storageClasses))].name }

// claimSpec asks for a volume that does not exist yet.
func (g *generator) claimSpec(class string) object {
	spec := object{
		"accessModes": []any{pick(g, "ReadWriteOnce", "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")},
		"resources":   object{"requests": object{"storage": pick(g, "1Gi", "5Gi", "5Gi", "10Gi", "5368709121")}},
	}
	if class != "" {
		spec["storageClassName"] = class
	}
	if g.chance(0.1) {
		spec["volumeMode"] = pick(g, "Block", "Filesystem")
	}
	if g.chance(0.06) {
		spec["volumeAttributesClassName"] = pick(g, "gold", "silver")
	}
	if g.chance(0.1) {
		spec["selector"] = object{"matchLabels": object{"kind": pick(g, "fast", "slow")}}
	}
	return spec
}

// ownClaimSpec is that of a pod's own claim. Some name a volume, each another one.
func (g *generator) ownClaimSpec() object {
	spec := g.claimSpec(pick(g, g.delayed...))
	if g.free > 0 && g.chance(0.3) {
		g.free--
		spec["volumeName"] = fmt.Sprintf("f%02d", g.free)
		spec["storageClassName"] = pick(g, "local", "local", "zonal", "disk")
		spec["accessModes"] = []any{pick(g, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany")}
	}
	return spec
}

// freeVolume is one that a claim may find, or that is reserved for one.
func (g *generator) freeVolume(i int) object {
	spec := g.volumeSpec(fmt.Sprintf("free-%d", i%4))
	spec["storageClassName"] = pick(g, "local", "local", "zonal", "disk")
	if g.chance(0.15) {
		spec["claimRef"] = object{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": claimName(g.IntN(g.claims))}
	}
	return g.volume(fmt.Sprintf("f%02d", i), spec, pick(g, "Available", "Available", "Available", "Available", "Released", "Pending"))
}

func (g *generator) volume(name string, spec object, phase string) object {
	meta, labels := object{"name": name}, object{}
	if g.chance(0.3) {
		labels["kind"] = pick(g, "fast", "slow")
	}
	if g.chance(0.3) {
		labels[pick(g, "topology.kubernetes.io/zone", "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")] =
			pick(g, zoneNames[0], zoneNames[1], strings.Join(zoneNames[:2], "__"), strings.Join(zoneNames[1:], "__"), strings.Join(zoneNames, "__"))
	}
	if g.chance(0.08) {
		labels[pick(g, "topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region")] = pick(g, "r1", "r2", "r1__r2")
	}
	set(meta, "labels", labels)
	if g.chance(0.03) {
		meta["deletionTimestamp"], meta["finalizers"] = "2026-01-01T01:00:00Z", []any{"kubernetes.io/pv-protection"}
	}
	if class, has := spec["storageClassName"]; has && g.chance(0.05) {
		meta["annotations"] = object{"volume.beta.kubernetes.io/storage-class": class}
		delete(spec, "storageClassName")
	}
	return object{"apiVersion": "v1", "kind": "PersistentVolume", "metadata": meta, "spec": spec, "status": object{"phase": phase}}
}

// volumeSpec is what a volume is, with a handle that others may share.
func (g *generator) volumeSpec(handle string) object {
	modes := some(g, 0.6, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany")
	if len(modes) == 0 {
		modes = []any{"ReadWriteOnce"}
	}
	if g.chance(0.15) {
		modes = []any{"ReadWriteOncePod"}
	}
	spec := object{
		"capacity": object{"storage": pick(g, "1Gi", "5Gi", "5Gi", "10Gi", "20Gi", "5368709119")}, "accessModes": modes,
	}
	if g.chance(0.08) {
		spec["volumeMode"] = "Block"
	}
	local := false
	switch g.IntN(6) {
	case 0:
		spec["gcePersistentDisk"] = object{"pdName": handle}
	case 1:
		spec["awsElasticBlockStore"] = object{"volumeID": "vol-" + handle}
	case 2:
		spec["local"], local = object{"path": "/mnt/" + handle}, true
	default:
		spec["csi"] = object{"driver": pick(g, drivers...), "volumeHandle": handle}
		if g.chance(0.06) {
			spec["volumeAttributesClassName"] = pick(g, "gold", "silver")
		}
	}
	if local || g.chance(0.4) {
		key, op, values := pick(g, "kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/zone"), "In", []any{}
		for range g.between(1, 3) {
			if key == "kubernetes.io/hostname" {
				values = append(values, g.someNode())
			} else {
				values = append(values, pick(g, zones...))
			}
		}
		if g.chance(0.1) {
			op = "NotIn"
		}
		spec["nodeAffinity"] = object{"required": object{"nodeSelectorTerms": []any{
			object{"matchExpressions": []any{object{"key": key, "operator": op, "values": values}}},
		}}}
	}
	return spec
}

// claimObjects are a claim and, where it is bound, its volume.
func (g *generator) claimObjects(i int) []object {
	name, class := claimName(i), g.className()
	if g.chance(0.1) {
		class = "" // the default one, if there is any
	}
	if g.chance(0.03) {
		class = "unknown"
	}
	meta := object{"name": name}
	claim := object{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": meta, "spec": g.claimSpec(class)}
	if g.chance(0.03) {
		meta["deletionTimestamp"], meta["finalizers"] = "2026-01-01T01:00:00Z", []any{"kubernetes.io/pvc-protection"}
	}
	if !g.chance(0.5) {
		switch {
		case g.chance(0.08):
			meta["annotations"] = object{"volume.kubernetes.io/selected-node": g.someNode()}
		case class != "" && g.chance(0.05):
			meta["annotations"] = object{"volume.beta.kubernetes.io/storage-class": class}
			delete(claim["spec"].(object), "storageClassName")
		}
		claim["status"] = object{"phase": "Pending"}
		return []object{claim}
	}
	pv := fmt.Sprintf("b%02d", i)
	spec := claim["spec"].(object)
	spec["volumeName"] = pv
	if g.chance(0.97) {
		meta["annotations"] = object{"pv.kubernetes.io/bind-completed": "yes"}
	}
	claim["status"] = object{"phase": pick(g, "Bound", "Bound", "Bound", "Bound", "Bound", "Bound", "Bound", "Bound", "Bound", "Lost")}
	if g.chance(0.04) {
		return []object{claim} // its volume is gone
	}
	of := g.volumeSpec(fmt.Sprintf("handle-%d", i%6))
	of["claimRef"] = object{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": name}
	if class != "" {
		of["storageClassName"] = class
	}
	return []object{claim, g.volume(pv, of, "Bound")}
}
