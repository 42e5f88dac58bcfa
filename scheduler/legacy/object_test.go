package legacy_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// fields is part of an object of the API.
type fields = map[string]any

// object is an object of the API, from a line: JSON, or a node or a pod in short:
//
//	node n1 cpu=4 memory=8Gi pods=10 label=disk:ssd taint=key:value:NoSchedule image=web:1@500Mi
//	     condition=MemoryPressure:True unschedulable avoid=ReplicaSet/uid
//	pod p1 node=n1 cpu=500m memory=1Gi ns=other priority=5 label=app:web selector=disk:ssd image=web:1 init=init:1
//	     tolerate=key:value:NoSchedule port=80 owner=ReplicaSet/uid terminating
//	     ebs=vol-1 gce=disk gce-ro=disk azure=disk claim=name
//
// A node has 110 pods unless it says so, a key can come several times.
func (s *script) object(line string) any {
	if strings.HasPrefix(line, "{") {
		var raw any
		if err := json.Unmarshal([]byte(line), &raw); err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		return raw
	}
	words := strings.Fields(line)
	switch words[0] {
	case "node":
		return s.nodeObject(words[1], words[2:])
	case "pod":
		return s.podObject(words[1], words[2:])
	}
	s.t.Fatalf("%s: is neither a node nor a pod", line)
	return nil
}

func (s *script) nodeObject(name string, words []string) any {
	labels, annotations := fields{"kubernetes.io/hostname": name}, fields{}
	allocatable := fields{"cpu": "8", "memory": "32Gi", "pods": "110"}
	spec, status := fields{}, fields{"allocatable": allocatable}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		parts := strings.Split(value, ":")
		switch key {
		case "label":
			labels[parts[0]] = parts[1]
		case "taint":
			add(spec, "taints", fields{"key": parts[0], "value": parts[1], "effect": parts[2]})
		case "unschedulable":
			spec["unschedulable"] = true
		case "condition":
			add(status, "conditions", fields{"type": parts[0], "status": parts[1]})
		case "image":
			image, size, _ := strings.Cut(value, "@")
			add(status, "images", fields{"names": []string{image}, "sizeBytes": s.bytes(size)})
		case "avoid":
			kind, uid, _ := strings.Cut(value, "/")
			controller := fields{"apiVersion": "v1", "kind": kind, "name": "x", "uid": uid, "controller": true}
			avoids := fields{"preferAvoidPods": []any{fields{"podSignature": fields{"podController": controller}}}}
			text, _ := json.Marshal(avoids)
			annotations["scheduler.alpha.kubernetes.io/preferAvoidPods"] = string(text)
		default:
			allocatable[key] = value
		}
	}
	meta := fields{"name": name, "labels": labels, "annotations": annotations}
	return fields{"apiVersion": "v1", "kind": "Node", "metadata": meta, "spec": spec, "status": status}
}

func (s *script) podObject(name string, words []string) any {
	labels, requests := fields{}, fields{}
	container := fields{"name": "main", "image": "main", "resources": fields{"requests": requests, "limits": fields{}}}
	meta, spec := fields{"name": name, "namespace": "default", "labels": labels}, fields{"containers": []any{container}}
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		parts := strings.Split(value, ":")
		switch key {
		case "node":
			spec["nodeName"] = value
		case "ns":
			meta["namespace"] = value
		case "label":
			labels[parts[0]] = parts[1]
		case "priority":
			var n json.Number = json.Number(value)
			spec["priority"], meta["uid"] = n, name // it has been created: the priority is taken as it stands
		case "selector":
			spec["nodeSelector"] = fields{parts[0]: parts[1]}
		case "image":
			container["image"] = value
		case "more":
			add(spec, "containers", fields{"name": "more", "image": value})
		case "init":
			add(spec, "initContainers", fields{"name": "init", "image": value})
		case "tolerate":
			add(spec, "tolerations", fields{"key": parts[0], "value": parts[1], "effect": parts[2]})
		case "port":
			container["ports"] = []any{fields{"containerPort": json.Number(value), "hostPort": json.Number(value)}}
		case "owner":
			kind, uid, _ := strings.Cut(value, "/")
			owner := fields{"apiVersion": "apps/v1", "kind": kind, "name": "x", "uid": uid, "controller": true}
			meta["ownerReferences"] = []any{owner}
		case "ebs":
			s.volume(spec, "awsElasticBlockStore", fields{"volumeID": value})
		case "gce", "gce-ro":
			s.volume(spec, "gcePersistentDisk", fields{"pdName": value, "readOnly": key == "gce-ro"})
		case "azure":
			s.volume(spec, "azureDisk", fields{"diskName": value, "diskURI": "/" + value, "kind": "Managed"})
		case "claim":
			s.volume(spec, "persistentVolumeClaim", fields{"claimName": value})
		case "terminating":
			meta["deletionTimestamp"] = "2024-01-01T00:00:00Z"
		default:
			requests[key] = value
			if strings.Contains(key, "/") {
				container["resources"].(fields)["limits"].(fields)[key] = value
			}
		}
	}
	return fields{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
}

// volume adds a volume to the spec of a pod.
func (s *script) volume(spec fields, source string, of fields) {
	list, _ := spec["volumes"].([]any)
	add(spec, "volumes", fields{"name": fmt.Sprintf("v%d", len(list)), source: of})
}

// add appends to a list of an object.
func add(to fields, key string, value any) {
	list, _ := to[key].([]any)
	to[key] = append(list, value)
}

// bytes is a number of mebibytes, as 500Mi.
func (s *script) bytes(text string) int64 {
	var n int64
	if err := json.Unmarshal([]byte(strings.TrimSuffix(text, "Mi")), &n); err != nil || !strings.HasSuffix(text, "Mi") {
		s.t.Fatalf("%q is not a size in Mi", text)
	}
	return n << 20
}
