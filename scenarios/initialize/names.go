package initialize

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// names replaces the names of a cluster by neutral ones. In a first pass over the objects it collects all names; assign
// then numbers the names of each sort in the order of the originals, so that sorting by name gives the same order.
type names struct {
	met      map[string]map[string]bool   // by sort
	neutral  map[string]map[string]string // by sort; nil while names are collected
	derived  map[string]map[string]func() string
	numerals map[string]bool      // keys of labels whose values are compared as numbers
	sets     map[string][2]string // volume and name of StatefulSets, by how their claims begin
	regional bool                 // there are volumes in several zones
	spared   map[string]bool      // names in well-known domains that stay
}

func newNames() *names {
	return &names{met: map[string]map[string]bool{}, derived: map[string]map[string]func() string{}, numerals: map[string]bool{},
		sets: map[string][2]string{}, spared: map[string]bool{}}
}

// assign assigns the neutral names of all collected names.
func (n *names) assign() {
	n.neutral = map[string]map[string]string{}
	for sort, met := range n.met {
		n.neutral[sort] = map[string]string{}
		all := make([]string, 0, len(met))
		for name := range met {
			all = append(all, name)
		}
		slices.Sort(all)
		width := len(strconv.Itoa(len(all)))
		if sort == "uid" {
			width = uidDigits
		}
		for i, name := range all {
			n.neutral[sort][name] = fmt.Sprintf(forms[sort], width, i+1)
		}
	}
	for sort, derived := range n.derived {
		if n.neutral[sort] == nil {
			n.neutral[sort] = map[string]string{}
		}
		for name, from := range derived {
			n.neutral[sort][name] = from()
		}
	}
}

// uidDigits is how long the last part of a UID is.
const uidDigits = 12

// forms are the formats of neutral names by sort; * is the width of the number. Values of labels have no dash, since the
// name of a ReplicaSet ends with one after a dash. Pods and their controllers are of one sort, since the names of pods begin
// with those of their controllers.
var forms = func() map[string]string {
	all := map[string]string{
		"value": "v%0*d", "key": "example.com/key-%0*d", "resource": "example.com/resource-%0*d", "disk": "vol-%0*d",
		"uid": "00000000-0000-4000-8000-%0*d", "image": "registry.example.com/image-%0*d:1", "driver": "driver-%0*d.example.com",
		"address": "2001:db8::%0*d", "zoneregion": "zone-%0*d", "zonepart": "%0*d",
	}
	for _, sort := range strings.Fields(`node namespace zone region type app container volume handler nodeid monitor owner
		priorityclass runtimeclass storageclass volumeattributesclass persistentvolume persistentvolumeclaim
		podgroup poddisruptionbudget service limitrange csistoragecapacity volumeattachment object`) {
		all[sort] = sort + "-%0*d"
	}
	return all
}()

// of returns the neutral name for a name of the sort. In the first pass it collects the name.
func (n *names) of(sort, name string) string {
	if name == "" || kept[sort] != nil && kept[sort](name) {
		if strings.Contains(name, "/") || sort == "driver" {
			n.spared[name] = true
		}
		return name
	}
	if derive := n.derived[sort][name]; derive != nil {
		return derive()
	}
	if n.neutral != nil {
		return n.neutral[sort][name]
	}
	if n.met[sort] == nil {
		n.met[sort] = map[string]bool{}
	}
	n.met[sort][name] = true
	return name
}

// derive registers a name whose neutral name is computed from others.
func (n *names) derive(sort, name string, from func() string) {
	if n.derived[sort] == nil {
		n.derived[sort] = map[string]func() string{}
	}
	n.derived[sort][name] = from
}

// ownNamespaces are the namespaces that every cluster has.
var ownNamespaces = strings.Fields("default kube-system kube-public kube-node-lease")

// keptWords returns the names in well-known domains that are not replaced, without those of Kubernetes itself.
func (n *names) keptWords() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(n.spared)), func(name string) bool { return slices.Contains(ownWords, name) })
}

// ownWords are the names of Kubernetes itself.
var ownWords = strings.Fields(`kubernetes.io/hostname kubernetes.io/os kubernetes.io/arch kubernetes.io/metadata.name
	beta.kubernetes.io/os beta.kubernetes.io/arch beta.kubernetes.io/instance-type node.kubernetes.io/instance-type
	topology.kubernetes.io/zone topology.kubernetes.io/region
	failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region
	node-role.kubernetes.io/control-plane node-role.kubernetes.io/master node-role.kubernetes.io/worker node-role.kubernetes.io/node
	node.kubernetes.io/not-ready node.kubernetes.io/unreachable node.kubernetes.io/unschedulable node.kubernetes.io/memory-pressure
	node.kubernetes.io/disk-pressure node.kubernetes.io/pid-pressure node.kubernetes.io/network-unavailable
	node.cloudprovider.kubernetes.io/uninitialized node.cloudprovider.kubernetes.io/shutdown
	node.kubernetes.io/exclude-from-external-load-balancers
	app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/component app.kubernetes.io/part-of
	app.kubernetes.io/managed-by app.kubernetes.io/version
	apps.kubernetes.io/pod-index statefulset.kubernetes.io/pod-name batch.kubernetes.io/job-name
	batch.kubernetes.io/controller-uid batch.kubernetes.io/job-completion-index
	scheduling.x-k8s.io/pod-group kubernetes.io/no-provisioner
	nvidia.com/gpu amd.com/gpu`)

// kept reports by sort whether a name is not replaced, since it is public.
var kept = map[string]func(string) bool{
	"namespace":     func(name string) bool { return slices.Contains(ownNamespaces, name) },
	"priorityclass": func(name string) bool { return strings.HasPrefix(name, "system-") },
	"driver":        func(name string) bool { return isPublic(name) || isPublic(strings.Split(name, "/")[0]) },
	"resource": func(name string) bool {
		domain, _, prefixed := strings.Cut(name, "/")
		return !prefixed || isPublic(domain)
	},
	"key": isPublicKey,
}

// publicDomains are the domains of Kubernetes and of vendors of drivers, devices and clouds.
var publicDomains = strings.Fields(`kubernetes.io k8s.io x-k8s.io berth.dev
	nvidia.com amd.com intel.com habana.ai xilinx.com mellanox.com
	google.com gke.io amazonaws.com aws.com azure.com aliyun.com alibabacloud.com digitalocean.com oraclecloud.com openstack.org
	openshift.io rancher.io vmware.com karpenter.sh volcano.sh kubeflow.org ray.io helm.sh istio.io argoproj.io
	cilium.io projectcalico.org longhorn.io ceph.com portworx.com`)

func isPublic(domain string) bool {
	return slices.ContainsFunc(publicDomains, func(public string) bool {
		return domain == public || strings.HasSuffix(domain, "."+public)
	})
}

// publicKeys are common label keys without a domain.
var publicKeys = strings.Fields(`app k8s-app component tier version job-name controller-uid pod-template-hash
	pod-template-generation controller-revision-hash`)

// ownParts are domains of Kubernetes in which users define keys, with the keys that Kubernetes defines.
var ownParts = map[string][]string{
	"node-role.kubernetes.io": {"control-plane", "master", "worker", "node"}, "node-restriction.kubernetes.io": nil,
}

func isPublicKey(key string) bool {
	domain, rest, prefixed := strings.Cut(key, "/")
	if !prefixed {
		return slices.Contains(publicKeys, key)
	}
	if public, own := ownParts[domain]; own {
		return slices.Contains(public, rest)
	}
	return isPublic(domain)
}

// sortOfKey returns the sort of the values of a label, or "" if they are not replaced.
func sortOfKey(key string) string {
	switch key {
	case "kubernetes.io/hostname":
		return "node"
	case "kubernetes.io/metadata.name":
		return "namespace"
	case "kubernetes.io/os", "kubernetes.io/arch", "beta.kubernetes.io/os", "beta.kubernetes.io/arch":
		return ""
	case "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type":
		return "type"
	case "scheduling.x-k8s.io/pod-group":
		return "podgroup"
	case "statefulset.kubernetes.io/pod-name", "job-name", "batch.kubernetes.io/job-name":
		return "app"
	}
	switch {
	case strings.HasSuffix(key, "/zone"):
		return "zone"
	case strings.HasSuffix(key, "/region"):
		return "region"
	}
	return "value"
}

// maxPlain is the largest number of digits of a number that is not replaced.
const maxPlain = 5

// value returns the neutral value of a label. Short numbers and booleans are not replaced.
func (n *names) value(key, value string) string {
	sort := sortOfKey(key)
	_, err := strconv.ParseInt(value, 10, 64)
	isNumber := err == nil
	switch {
	case sort == "", value == "true", value == "false", isNumber && (len(value) <= maxPlain || n.numerals[key]):
		return value
	case sort == "zone":
		parts := strings.Split(value, zoneSeparator)
		for i, part := range parts {
			parts[i] = n.zone(part)
		}
		return strings.Join(parts, zoneSeparator)
	}
	return n.of(sort, value)
}

// zoneSeparator separates the zones of a volume that is in several.
const zoneSeparator = "__"

// zone returns the neutral name of a zone. If volumes are in several zones, zones whose names begin with that of their
// region keep this property: zone-1-2 is in the region zone-1.
func (n *names) zone(name string) string {
	region, part, _ := cutLast(name)
	if n.regional && strings.Count(name, "-") == 2 {
		n.derive("zone", name, func() string { return n.of("zoneregion", region) + "-" + n.of("zonepart", part) })
	}
	return n.of("zone", name)
}

// image returns the neutral name of an image. An image without a tag has the tag latest.
func (n *names) image(name string) string {
	if name != "" && strings.LastIndex(name, ":") <= strings.LastIndex(name, "/") {
		name += ":latest"
	}
	return n.of("image", name)
}

// disk returns the neutral name of a disk. The zone before it, if any, is replaced too.
func (n *names) disk(name string) string {
	switch zone, id, placed := strings.Cut(strings.TrimPrefix(name, "aws://"), "/"); {
	case strings.HasPrefix(name, "aws://") && placed:
		return "aws://" + n.zone(zone) + "/" + n.of("disk", id)
	case strings.HasPrefix(name, "iqn."), strings.HasPrefix(name, "eui."), strings.HasPrefix(name, "naa."):
		return "iqn.2000-01.com.example:" + n.of("disk", name)
	}
	return n.of("disk", name)
}
