package decode

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// Kind is a kind of objects, and whether it is read.
type Kind struct {
	Group, Name string

	version     string   // the one that is read; empty: any
	older       []string // versions that releases of the last years served, with the same fields
	Ignored     bool     // it cannot matter to scheduling
	LeftOut     bool     // it could matter, and the user has it left out
	Caveat      string   // why it may matter that the kind is ignored; empty: it does not. DIR stands for the folder
	unsupported string   // why it is refused
}

// FullName returns the kind and its group as kubectl takes them: NodePool.karpenter.sh, and Pod.
func (k *Kind) FullName() string { return strings.TrimSuffix(k.Name+"."+k.Group, ".") }

// GroupKind is a kind without its version: group/kind, and the kind alone in the core group.
type GroupKind string

// NewGroupKind returns the kind of a group; that of the core group is empty.
func NewGroupKind(group, name string) GroupKind {
	return GroupKind(strings.TrimPrefix(group+"/"+name, "/"))
}

// GroupKind returns the kind without its version; empty for an object of which none is known.
func (k *Kind) GroupKind() GroupKind {
	if k == nil {
		return ""
	}
	return NewGroupKind(k.Group, k.Name)
}

var kinds = func() map[GroupKind]*Kind {
	all := map[GroupKind]*Kind{}
	for _, k := range slices.Concat(readKinds(), IgnoredKinds(), unsupportedKinds(), unsupportedForeignKinds(), podMakers(), []*Kind{kustomization, kustomizeComponent, chart}) {
		all[k.GroupKind()] = k
	}
	return all
}()

// readKinds matter to scheduling and are supported.
func readKinds() []*Kind {
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
	}, func(k *Kind) { k.version, k.older = cmp.Or(versions[k.Group], "v1"), olderVersions[k.GroupKind()] })
}

// olderVersions are those that Kubernetes 1.20 to 1.36 served beside v1. Their fields are those of v1, and mean the
// same except for the selector of a PodDisruptionBudget.
//
// Source: the deprecated API migration guide of Kubernetes, and staging/src/k8s.io/api of v1.20.0 to v1.36.3.
var olderVersions = map[GroupKind][]string{
	"policy/PodDisruptionBudget":           {"v1beta1"},             // until 1.24
	"batch/CronJob":                        {"v1beta1"},             // until 1.24
	"node.k8s.io/RuntimeClass":             {"v1beta1"},             // until 1.24
	"scheduling.k8s.io/PriorityClass":      {"v1beta1"},             // until 1.21
	"storage.k8s.io/StorageClass":          {"v1beta1"},             // until 1.21
	"storage.k8s.io/CSIDriver":             {"v1beta1"},             // until 1.21
	"storage.k8s.io/CSINode":               {"v1beta1"},             // until 1.21
	"storage.k8s.io/VolumeAttachment":      {"v1beta1"},             // until 1.21
	"storage.k8s.io/CSIStorageCapacity":    {"v1beta1"},             // until 1.26
	"storage.k8s.io/VolumeAttributesClass": {"v1beta1", "v1alpha1"}, // until 1.36
}

// KindsRead returns the kinds of objects that matter to scheduling and are supported, as GroupKinds, sorted.
func KindsRead() []string {
	var out []string
	for _, k := range readKinds() {
		out = append(out, string(k.GroupKind()))
	}
	slices.Sort(out)
	return out
}

// IgnoredKinds cannot matter to scheduling.
func IgnoredKinds() []*Kind {
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
	}, func(k *Kind) {
		k.Ignored = true
		if k.Name == "HorizontalPodAutoscaler" {
			k.Caveat = "numbers of replicas stay as they are"
		}
	})
}

// unsupportedKinds are those of Kubernetes itself that change scheduling and that berth does not model.
func unsupportedKinds() []*Kind {
	return slices.Concat(
		refused("it needs the plugin DynamicResources",
			[2]string{"resource.k8s.io", "ResourceClaim ResourceClaimTemplate DeviceClass ResourceSlice DeviceTaintRule"}),
		refused("it needs the plugin GangScheduling", [2]string{"scheduling.k8s.io", "Workload PodGroup"}),
		refused("it can change any object: dump the pods that it has changed",
			[2]string{"admissionregistration.k8s.io", "MutatingWebhookConfiguration MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"}),
	)
}

func refused(why string, groups ...[2]string) []*Kind {
	return kindsOf(groups, func(k *Kind) { k.unsupported = why })
}

func kindsOf(groups [][2]string, set func(*Kind)) []*Kind {
	var all []*Kind
	for _, g := range groups {
		for _, name := range strings.Fields(g[1]) {
			k := &Kind{Group: g[0], Name: name}
			set(k)
			all = append(all, k)
		}
	}
	return all
}

// typeMeta is what kind of object stands somewhere.
type typeMeta struct{ apiVersion, kind string }

// Objects returns the objects of the documents, those in lists each by itself, in their order.
func Objects(docs []*document.Document, ignored Ignored) []*Object {
	r := reader{ignored: ignored, foreign: map[GroupKind]*Kind{}}
	for _, doc := range docs {
		r.flatten(doc.Root(), typeMeta{})
	}
	return r.objects
}

// reader finds the objects of documents and their kinds.
type reader struct {
	ignored Ignored
	foreign map[GroupKind]*Kind // met, of groups that Kubernetes does not have
	objects []*Object
}

// flatten appends the object at v or, if it is a list, its items. An object need not name the kind that is
// assumed where it stands.
func (r *reader) flatten(v document.Value, assumed typeMeta) {
	o := &Object{At: v}
	if IsKustomization(v) {
		o.Kind = kustomization
		r.objects = append(r.objects, o)
		return
	}
	if IsChart(v) {
		o.Kind = r.chart(o)
		r.objects = append(r.objects, o)
		return
	}
	is, ok := o.typeMeta(assumed)
	if !ok {
		r.objects = append(r.objects, o)
		return
	}
	if assumed, isList := listOf(is, v); isList {
		if !o.checkList() {
			r.objects = append(r.objects, o)
			return
		}
		for _, item := range v.Get("items").Items() {
			r.flatten(item, assumed)
		}
		return
	}
	o.Kind = r.kind(o, is)
	_, o.Version = is.split()
	r.objects = append(r.objects, o)
}

// kind is the kind of an object; where it is none that is read or left out, the fault is noted.
func (r *reader) kind(o *Object, is typeMeta) *Kind {
	group, version := is.split()
	k := kinds[NewGroupKind(group, is.kind)]
	if r.ignored.Matches(group, is.kind) {
		return r.other(Kind{Group: group, Name: is.kind, Ignored: true, LeftOut: true})
	}
	switch {
	case k == nil && isForeign(group, is.kind):
		return r.other(Kind{Group: group, Name: is.kind, Ignored: true})
	case k == nil:
		o.unknown(is)
	case k.unsupported != "":
		o.Faults.Add(o.At, "kind", "is not supported: %s; --ignore %s leaves it out", k.unsupported, k.FullName())
	case k.version != "" && k.version != version && !slices.Contains(k.older, version):
		o.Faults.Add(o.At, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, k.APIVersion())
	}
	return k
}

// chart is the kind of a Helm chart. Unless charts are left out, the fault is noted.
func (r *reader) chart(o *Object) *Kind {
	if r.ignored.Matches(chart.Group, chart.Name) {
		return r.other(Kind{Group: chart.Group, Name: chart.Name, Ignored: true, LeftOut: true})
	}
	why := strings.ReplaceAll(chart.unsupported, "DIR", filepath.Dir(o.At.File()))
	o.Faults.Add(o.At, "", "is not supported: %s; --ignore %s leaves it out", why, chart.Name)
	return chart
}

// other is a kind that is none of those that are known, the same one for all of its objects.
func (r *reader) other(k Kind) *Kind {
	known := r.foreign[k.GroupKind()]
	if known == nil {
		known = &k
		r.foreign[k.GroupKind()] = known
	}
	return known
}

func (t typeMeta) split() (group, version string) {
	group, version, grouped := strings.Cut(t.apiVersion, "/")
	if !grouped {
		return "", t.apiVersion
	}
	return group, version
}

// APIVersion returns the group and version that is read, as objects name it.
func (k *Kind) APIVersion() string {
	if k.Group == "" {
		return k.version
	}
	return k.Group + "/" + k.version
}

// typeMeta reads apiVersion and kind. Where it reports false, the fault is noted.
func (o *Object) typeMeta(assumed typeMeta) (typeMeta, bool) {
	if o.At.Kind() != document.Map {
		o.Faults.Add(o.At, "", "must be a Kubernetes object, got %v", o.At.Kind())
		return assumed, false
	}
	is := assumed
	for _, f := range []struct {
		name string
		into *string
	}{{"apiVersion", &is.apiVersion}, {"kind", &is.kind}} {
		v := o.At.Get(f.name)
		switch {
		case v.Kind() == document.String && v.Text() != "":
			*f.into = v.Text()
		case v.Exists() && v.Kind() != document.Null && v.Kind() != document.String:
			o.Faults.Add(o.At, f.name, "must be a string, got %v", v.Kind())
		case f.name == "kind" && *f.into == "" && o.At.Get("items").Kind() == document.List:
			o.Faults.Add(o.At, f.name, "is missing behind the items: the file appears truncated, since kubectl writes kind: List at its end")
		case *f.into == "":
			o.Faults.Add(o.At, f.name, "is required")
		}
	}
	return is, len(o.Faults) == 0
}

// listOf reports whether the object is a list, and of what if its name tells.
func listOf(is typeMeta, at document.Value) (assumed typeMeta, isList bool) {
	if is.kind == "List" && is.apiVersion == "v1" {
		return typeMeta{}, true
	}
	item, isList := strings.CutSuffix(is.kind, "List")
	group, _ := is.split()
	if !isList {
		return typeMeta{}, false
	}
	_, known := kinds[NewGroupKind(group, item)]
	if !known && !(isForeign(group, item) && at.Get("items").Kind() == document.List) {
		return typeMeta{}, false
	}
	return typeMeta{is.apiVersion, item}, true
}

// checkList notes what a list has that no list has.
func (o *Object) checkList() bool {
	for name, v := range o.At.Entries() {
		switch name {
		case "apiVersion", "kind", "metadata":
		case "items":
			if v.Kind() != document.List && v.Kind() != document.Null {
				o.Faults.Add(o.At, name, "must be a list, got %v", v.Kind())
			}
		default:
			known := []string{"apiVersion", "kind", "metadata", "items"}
			o.Faults.Add(o.At, name, "is an unknown field of a list%s", document.Meant(name, known))
		}
	}
	return len(o.Faults) == 0
}

// unknown notes that there is no such kind, with what may have been meant.
func (o *Object) unknown(is typeMeta) {
	var names, versions []string
	for _, k := range kinds {
		names = append(names, k.Name)
		if k.Name == is.kind && k.unsupported == "" && k.version != "" {
			versions = append(versions, k.APIVersion())
		}
	}
	slices.Sort(names)
	slices.Sort(versions)
	if len(versions) > 0 {
		o.Faults.Add(o.At, "apiVersion", "is not supported for kind %s; supported is %s", is.kind, strings.Join(versions, ", "))
		return
	}
	o.Faults.Add(o.At, "kind", "is not a known kind of %s%s", is.apiVersion, document.Meant(is.kind, slices.Compact(names)))
}
