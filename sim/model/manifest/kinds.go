package manifest

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// kind is what is done with the objects of one kind.
type kind struct {
	group, name string
	version     string // the one that is read; empty: any

	read     func(*checker, *object) // decodes and checks it; runs beside the others
	register func(*Loader, *object)  // makes it known to others
	compile  func(*Loader, *object)  // makes of it what the Loader keeps, when all are known
	admits   bool                    // compile finds faults of its own, in objects that have others too

	unsupported string // why it is refused
}

// groupKind is how kinds are looked up.
type groupKind struct{ group, name string }

var kinds = func() map[groupKind]*kind {
	all := map[groupKind]*kind{}
	for _, k := range slices.Concat(readKinds, ignoredKinds(), unsupportedKinds()) {
		all[groupKind{k.group, k.name}] = k
	}
	return all
}()

var readKinds = []*kind{
	{group: "", version: "v1", name: "Node", read: readNode, register: (*Loader).registerNode, compile: (*Loader).addNode},
	{group: "", version: "v1", name: "Pod", read: readPod, register: (*Loader).registerPod, compile: (*Loader).addPod, admits: true},
	{group: "", version: "v1", name: "Namespace", read: readNamespace, register: (*Loader).registerNamespace, compile: (*Loader).addNamespace},
	{group: "", version: "v1", name: "ReplicationController", read: readReplicationController, register: (*Loader).addOwner,
		compile: (*Loader).addController, admits: true},
	{group: "", version: "v1", name: "Service", read: readService, register: (*Loader).addService},
	{group: "apps", version: "v1", name: "ReplicaSet", read: readReplicaSet, register: (*Loader).addOwner,
		compile: (*Loader).addController, admits: true},
	{group: "apps", version: "v1", name: "Deployment", read: readDeployment, register: (*Loader).addOwner,
		compile: (*Loader).addController, admits: true},
	{group: "apps", version: "v1", name: "StatefulSet", read: readStatefulSet, register: (*Loader).registerStatefulSet,
		compile: (*Loader).addController, admits: true},
	{group: "apps", version: "v1", name: "DaemonSet", read: readDaemonSet, compile: (*Loader).addController, admits: true},
	{group: "batch", version: "v1", name: "Job", read: readJob, compile: (*Loader).addController, admits: true},
	{group: "batch", version: "v1", name: "CronJob", read: readCronJob, compile: (*Loader).addController, admits: true},
	{group: "scheduling.k8s.io", version: "v1", name: "PriorityClass", read: readPriorityClass, register: (*Loader).addPriorityClass},
	{group: "node.k8s.io", version: "v1", name: "RuntimeClass", read: readRuntimeClass, register: (*Loader).addRuntimeClass},
	{group: "scheduling.x-k8s.io", version: "v1alpha1", name: "PodGroup", read: readPodGroup, register: (*Loader).addPodGroup},
	{group: "", version: "v1", name: "LimitRange", read: readLimitRange, register: (*Loader).registerLimits},
	{group: "", version: "v1", name: "ResourceQuota", register: (*Loader).registerQuota},
	{group: "", version: "v1", name: "PersistentVolume", read: readPersistentVolume, compile: (*Loader).addPersistentVolume},
	{group: "", version: "v1", name: "PersistentVolumeClaim", read: readPersistentVolumeClaim, register: (*Loader).registerClaim,
		compile: (*Loader).addPersistentVolumeClaim},
	{group: "storage.k8s.io", version: "v1", name: "StorageClass", read: readStorageClass, register: (*Loader).registerStorageClass,
		compile: (*Loader).addStorageClass},
	{group: "storage.k8s.io", version: "v1", name: "CSINode", read: readCSINode, compile: (*Loader).addCSINode},
	{group: "storage.k8s.io", version: "v1", name: "CSIDriver", read: readCSIDriver, compile: (*Loader).addCSIDriver},
	{group: "storage.k8s.io", version: "v1", name: "CSIStorageCapacity", read: readStorageCapacity, compile: (*Loader).addStorageCapacity},
	{group: "storage.k8s.io", version: "v1", name: "VolumeAttachment", read: readVolumeAttachment, compile: (*Loader).addVolumeAttachment},
	{group: "storage.k8s.io", version: "v1", name: "VolumeAttributesClass", read: readVolumeAttributesClass},
	{group: "policy", version: "v1", name: "PodDisruptionBudget", read: readBudget, compile: (*Loader).addBudget},
}

// ignoredKinds cannot matter to scheduling.
func ignoredKinds() []*kind {
	return kindsOf([][2]string{
		{"", "ConfigMap Secret ServiceAccount Event Endpoints PodTemplate ComponentStatus"},
		{"apps", "ControllerRevision"},
		{"events.k8s.io", "Event"},
		{"coordination.k8s.io", "Lease LeaseCandidate"},
		{"discovery.k8s.io", "EndpointSlice"},
		{"networking.k8s.io", "Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR"},
		{"autoscaling", "HorizontalPodAutoscaler"},
		{"rbac.authorization.k8s.io", "Role RoleBinding ClusterRole ClusterRoleBinding"},
		{"apiextensions.k8s.io", "CustomResourceDefinition"},
		{"apiregistration.k8s.io", "APIService"},
		{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"},
		{"certificates.k8s.io", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest"},
		{"flowcontrol.apiserver.k8s.io", "FlowSchema PriorityLevelConfiguration"},
		{"metrics.k8s.io", "NodeMetrics PodMetrics"},
	}, func(k *kind) {
		k.register = func(l *Loader, o *object) { l.ignore(o.kind.name) }
	})
}

// unsupportedKinds would change scheduling, if what they need existed.
func unsupportedKinds() []*kind {
	refused := func(why string, groups ...[2]string) []*kind {
		return kindsOf(groups, func(k *kind) { k.unsupported = why })
	}
	return slices.Concat(
		refused("is not supported yet: it needs the plugin DynamicResources",
			[2]string{"resource.k8s.io", "ResourceClaim ResourceClaimTemplate DeviceClass ResourceSlice DeviceTaintRule"}),
		refused("is not supported yet: it needs the plugin GangScheduling", [2]string{"scheduling.k8s.io", "Workload PodGroup"}),
		refused("is not supported, as it can change anything: dump the pods that it has changed, and leave it out",
			[2]string{"admissionregistration.k8s.io", "MutatingWebhookConfiguration MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"}),
	)
}

func kindsOf(groups [][2]string, set func(*kind)) []*kind {
	var all []*kind
	for _, g := range groups {
		for _, name := range strings.Fields(g[1]) {
			k := &kind{group: g[0], name: name}
			set(k)
			all = append(all, k)
		}
	}
	return all
}

// typeMeta is what kind of object stands somewhere.
type typeMeta struct{ apiVersion, kind string }

// spread appends the object at v or, if it is a list, its items. An object need not name the kind that is
// assumed where it stands.
func spread(objects []*object, v document.Value, assumed typeMeta) []*object {
	o := &object{at: v}
	is, ok := o.typeMeta(assumed)
	if !ok {
		return append(objects, o)
	}
	if assumed, isList := listOf(is); isList {
		if !o.checkList() {
			return append(objects, o)
		}
		for _, item := range v.Get("items").Items() {
			objects = spread(objects, item, assumed)
		}
		return objects
	}
	group, version := is.split()
	k := kinds[groupKind{group, is.kind}]
	switch {
	case k == nil:
		o.unknown(is)
	case k.unsupported != "":
		o.faults.Add(v, "kind", "%s", k.unsupported)
	case k.version != "" && k.version != version:
		o.faults.Add(v, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, k.apiVersion())
	}
	o.kind = k
	return append(objects, o)
}

func (t typeMeta) split() (group, version string) {
	group, version, grouped := strings.Cut(t.apiVersion, "/")
	if !grouped {
		return "", t.apiVersion
	}
	return group, version
}

func (k *kind) apiVersion() string {
	if k.group == "" {
		return k.version
	}
	return k.group + "/" + k.version
}

// typeMeta reads apiVersion and kind. Where it reports false, the fault is noted.
func (o *object) typeMeta(assumed typeMeta) (typeMeta, bool) {
	if o.at.Kind() != document.Map {
		o.faults.Add(o.at, "", "is %v where a Kubernetes object is due", o.at.Kind())
		return assumed, false
	}
	is := assumed
	for _, f := range []struct {
		name string
		into *string
	}{{"apiVersion", &is.apiVersion}, {"kind", &is.kind}} {
		v := o.at.Get(f.name)
		switch {
		case v.Kind() == document.String && v.Text() != "":
			*f.into = v.Text()
		case v.Exists() && v.Kind() != document.Null && v.Kind() != document.String:
			o.faults.Add(o.at, f.name, "is %v where a string is due", v.Kind())
		case f.name == "kind" && *f.into == "" && o.at.Get("items").Kind() == document.List:
			o.faults.Add(o.at, f.name, "is missing behind the items: the file looks cut off, for kubectl writes kind: List at its end")
		case *f.into == "":
			o.faults.Add(o.at, f.name, "is required")
		}
	}
	return is, len(o.faults) == 0
}

// listOf reports whether the kind is a list, and of what if its name tells.
func listOf(is typeMeta) (assumed typeMeta, isList bool) {
	if is.kind == "List" && is.apiVersion == "v1" {
		return typeMeta{}, true
	}
	item, isList := strings.CutSuffix(is.kind, "List")
	group, _ := is.split()
	if _, known := kinds[groupKind{group, item}]; !isList || !known {
		return typeMeta{}, false
	}
	return typeMeta{is.apiVersion, item}, true
}

// checkList notes what a list has that no list has.
func (o *object) checkList() bool {
	for name, v := range o.at.Entries() {
		switch name {
		case "apiVersion", "kind", "metadata":
		case "items":
			if v.Kind() != document.List && v.Kind() != document.Null {
				o.faults.Add(o.at, name, "is %v where a list is due", v.Kind())
			}
		default:
			known := []string{"apiVersion", "kind", "metadata", "items"}
			o.faults.Add(o.at, name, "is an unknown field of a list%s", document.Meant(name, known))
		}
	}
	return len(o.faults) == 0
}

// unknown notes that there is no such kind, with what may have been meant.
func (o *object) unknown(is typeMeta) {
	var names, versions []string
	for at, k := range kinds {
		names = append(names, at.name)
		if at.name == is.kind && k.unsupported == "" && k.version != "" {
			versions = append(versions, k.apiVersion())
		}
	}
	slices.Sort(names)
	slices.Sort(versions)
	if len(versions) > 0 {
		o.faults.Add(o.at, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, strings.Join(versions, ", "))
		return
	}
	o.faults.Add(o.at, "kind", "is not a known kind of %s%s", is.apiVersion, document.Meant(is.kind, slices.Compact(names)))
}
