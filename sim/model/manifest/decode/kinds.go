package decode

import (
	"cmp"
	"slices"
	"strings"
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

// olderVersions are those that Kubernetes served beside v1 in 1.20 or later. Their fields are those of v1, and mean the
// same except for the selector of a PodDisruptionBudget. The package release says which releases served each.
//
// Source: the deprecated API migration guide of Kubernetes, and staging/src/k8s.io/api of v1.20.0 to v1.37.2.
var olderVersions = map[GroupKind][]string{
	"policy/PodDisruptionBudget":           {"v1beta1"},
	"batch/CronJob":                        {"v1beta1"},
	"node.k8s.io/RuntimeClass":             {"v1beta1"},
	"scheduling.k8s.io/PriorityClass":      {"v1beta1"},
	"storage.k8s.io/StorageClass":          {"v1beta1"},
	"storage.k8s.io/CSIDriver":             {"v1beta1"},
	"storage.k8s.io/CSINode":               {"v1beta1"},
	"storage.k8s.io/VolumeAttachment":      {"v1beta1"},
	"storage.k8s.io/CSIStorageCapacity":    {"v1beta1"},
	"storage.k8s.io/VolumeAttributesClass": {"v1beta1", "v1alpha1"},
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
		{"extensions", "Ingress NetworkPolicy PodSecurityPolicy"},
		{"policy", "PodSecurityPolicy"},
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
		refused("it needs the plugin GangScheduling", [2]string{"scheduling.k8s.io", "Workload PodGroup CompositePodGroup"}),
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

// APIVersion returns the group and version that is read, as objects name it.
func (k *Kind) APIVersion() string {
	if k.Group == "" {
		return k.version
	}
	return k.Group + "/" + k.version
}

// Converts reports whether objects of a version are read as those of another one.
func (k *Kind) Converts(version string) bool { return slices.Contains(k.older, version) }
