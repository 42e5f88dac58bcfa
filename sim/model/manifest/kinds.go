package manifest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// kind is a kind of objects, and whether it is read.
type kind struct {
	groupKind
	version     string // the one that is read; empty: any
	ignored     bool   // it cannot matter to scheduling
	unsupported string // why it is refused
}

// groupKind is a kind without its version.
type groupKind struct{ group, name string }

var kinds = func() map[groupKind]*kind {
	all := map[groupKind]*kind{}
	for _, k := range slices.Concat(readKinds(), ignoredKinds(), unsupportedKinds()) {
		all[k.groupKind] = k
	}
	return all
}()

// readKinds matter to scheduling and are supported.
func readKinds() []*kind {
	versions := map[string]string{"scheduling.x-k8s.io": "v1alpha1"}
	return kindsOf([][2]string{
		{"", "Node Pod Namespace ReplicationController Service LimitRange ResourceQuota PersistentVolume PersistentVolumeClaim"},
		{"apps", "ReplicaSet Deployment StatefulSet DaemonSet"},
		{"batch", "Job CronJob"},
		{"scheduling.k8s.io", "PriorityClass"},
		{"node.k8s.io", "RuntimeClass"},
		{"scheduling.x-k8s.io", "PodGroup"},
		{"storage.k8s.io", "StorageClass CSINode CSIDriver CSIStorageCapacity VolumeAttachment VolumeAttributesClass"},
		{"policy", "PodDisruptionBudget"},
	}, func(k *kind) { k.version = cmp.Or(versions[k.group], "v1") })
}

// KindsRead are the kinds of objects that matter to scheduling and are supported, sorted:
// group/kind, and the kind alone in the core group.
func KindsRead() []string {
	var out []string
	for _, k := range readKinds() {
		out = append(out, strings.TrimPrefix(k.group+"/"+k.name, "/"))
	}
	slices.Sort(out)
	return out
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
		k.ignored = true
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
			k := &kind{groupKind: groupKind{g[0], name}}
			set(k)
			all = append(all, k)
		}
	}
	return all
}

// typeMeta is what kind of object stands somewhere.
type typeMeta struct{ apiVersion, kind string }

// objectsOf are the objects of the documents, those in lists each by itself, in their order.
func objectsOf(docs []*document.Document) []*object {
	var objects []*object
	for _, doc := range docs {
		objects = spread(objects, doc.Root(), typeMeta{})
	}
	return objects
}

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
