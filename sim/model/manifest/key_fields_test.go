package manifest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// irrelevant are the fields of the API that no plugin of the scheduler reads, by type and field, with
// the reason. Pods that differ only in these are of one class.
var irrelevant = reasons(map[string]string{
	"the pod's identity, not its class": `ObjectMeta.Name ObjectMeta.GenerateName ObjectMeta.SelfLink ObjectMeta.UID
		ObjectMeta.ResourceVersion ObjectMeta.Generation`,
	"the pod's life, which Pod has": `ObjectMeta.CreationTimestamp ObjectMeta.DeletionTimestamp
		ObjectMeta.DeletionGracePeriodSeconds ObjectMeta.Finalizers`,
	"bookkeeping of the API server": `ObjectMeta.ManagedFields OwnerReference.BlockOwnerDeletion`,
	"how the kubelet runs containers": `PodSpec.RestartPolicy PodSpec.ActiveDeadlineSeconds PodSpec.DNSPolicy PodSpec.DNSConfig
		PodSpec.HostPID PodSpec.HostIPC PodSpec.ShareProcessNamespace PodSpec.SecurityContext PodSpec.ImagePullSecrets
		PodSpec.Hostname PodSpec.Subdomain PodSpec.HostAliases PodSpec.ReadinessGates PodSpec.EnableServiceLinks
		PodSpec.SetHostnameAsFQDN PodSpec.OS PodSpec.HostnameOverride PodSpec.ServiceAccountName
		PodSpec.DeprecatedServiceAccount PodSpec.AutomountServiceAccountToken
		Container.Name Container.Command Container.Args Container.WorkingDir Container.EnvFrom Container.Env
		Container.ResizePolicy Container.VolumeMounts Container.VolumeDevices Container.LivenessProbe
		Container.ReadinessProbe Container.StartupProbe Container.Lifecycle Container.TerminationMessagePath
		Container.TerminationMessagePolicy Container.ImagePullPolicy Container.SecurityContext Container.Stdin
		Container.StdinOnce Container.TTY ContainerPort.Name ContainerRestartRule.ExitCodes ImageVolumeSource.PullPolicy`,
	"they share the requests of the pod, and templates have none":                       `PodSpec.EphemeralContainers`,
	"refused, and of a pod with a node left out: they need the plugin DynamicResources": `PodSpec.ResourceClaims ResourceRequirements.Claims`,
	"refused, and of a pod with a node left out: it needs the plugin GangScheduling":    `PodSpec.SchedulingGroup`,
	"volumes that no plugin reads": `VolumeSource.HostPath VolumeSource.EmptyDir VolumeSource.GitRepo VolumeSource.Secret
		VolumeSource.NFS VolumeSource.Glusterfs VolumeSource.FlexVolume VolumeSource.CephFS VolumeSource.Flocker
		VolumeSource.DownwardAPI VolumeSource.FC VolumeSource.ConfigMap VolumeSource.Quobyte
		VolumeSource.PhotonPersistentDisk VolumeSource.Projected VolumeSource.ScaleIO VolumeSource.StorageOS`,
	"inline volumes of a CSI driver are not attached": `VolumeSource.CSI`,
	"a volume without a handle counts by its name":    `AzureFileVolumeSource.* VsphereVirtualDiskVolumeSource.*`,
	"how a volume is mounted": `GCEPersistentDiskVolumeSource.FSType GCEPersistentDiskVolumeSource.Partition
		AWSElasticBlockStoreVolumeSource.FSType AWSElasticBlockStoreVolumeSource.Partition
		AWSElasticBlockStoreVolumeSource.ReadOnly
		ISCSIVolumeSource.TargetPortal ISCSIVolumeSource.Lun ISCSIVolumeSource.ISCSIInterface ISCSIVolumeSource.FSType
		ISCSIVolumeSource.Portals ISCSIVolumeSource.DiscoveryCHAPAuth ISCSIVolumeSource.SessionCHAPAuth
		ISCSIVolumeSource.SecretRef ISCSIVolumeSource.InitiatorName
		RBDVolumeSource.FSType RBDVolumeSource.RadosUser RBDVolumeSource.Keyring RBDVolumeSource.SecretRef
		CinderVolumeSource.FSType CinderVolumeSource.ReadOnly CinderVolumeSource.SecretRef
		PortworxVolumeSource.FSType PortworxVolumeSource.ReadOnly
		AzureDiskVolumeSource.DiskName AzureDiskVolumeSource.CachingMode AzureDiskVolumeSource.FSType
		AzureDiskVolumeSource.ReadOnly AzureDiskVolumeSource.Kind PersistentVolumeClaimVolumeSource.ReadOnly`,
	"the claim takes its name and labels from the pod":          `PersistentVolumeClaimTemplate.ObjectMeta`,
	"what a new volume is filled with does not limit its place": `PersistentVolumeClaimSpec.DataSource PersistentVolumeClaimSpec.DataSourceRef`,
	"binding goes by the request":                               `VolumeResourceRequirements.Limits`,
})

// reasons turns lists of fields by reason around.
func reasons(lists map[string]string) map[string]string {
	out := map[string]string{}
	for reason, fields := range lists {
		for _, field := range strings.Fields(fields) {
			out[field] = reason
		}
	}
	return out
}

// A change of one field of a pod. The pod before it is keyedPod, prepared.
type change struct{ prepare, change func(*v1.PodTemplateSpec) }

// TestEveryFieldIsInTheKeyOrIrrelevant: a field that a new version of the API brings is in neither list, so
// a developer has to decide about it.
func TestEveryFieldIsInTheKeyOrIrrelevant(t *testing.T) {
	for _, fault := range undecidedFields(reflect.TypeFor[v1.PodTemplateSpec]()) {
		t.Error(fault)
	}
}

// TestUndecidedFieldsAreFound plants a type with fields that nobody has decided about.
func TestUndecidedFieldsAreFound(t *testing.T) {
	type Toleration struct{ Key, Shade string }
	type PodSpec struct {
		Tolerations []Toleration
		Moon        *string
	}
	got := undecidedFields(reflect.TypeFor[struct{ Spec PodSpec }]())
	want := []string{
		"PodSpec.Moon is neither in keyed nor in irrelevant", "Toleration.Shade is neither in keyed nor in irrelevant",
	}
	got = slices.DeleteFunc(got, func(fault string) bool { return strings.HasSuffix(fault, "no such field") })
	if !slices.Equal(got, want) {
		t.Errorf("undecided fields are %q, want %q", got, want)
	}
}

// undecidedFields lists the fields below a pod template that are not in exactly one of keyed and irrelevant,
// and what these lists name in vain.
func undecidedFields(template reflect.Type) []string {
	w := &fieldWalk{seen: map[reflect.Type]bool{}, met: map[string]bool{}}
	for i := range template.NumField() {
		w.walk(template.Field(i).Type)
	}
	for name := range keyed {
		if !w.met[name] {
			w.faults = append(w.faults, name+" is in keyed, and there is no such field")
		}
	}
	for name := range irrelevant {
		if !w.met[name] {
			w.faults = append(w.faults, name+" is in irrelevant, and there is no such field")
		}
	}
	slices.Sort(w.faults)
	return w.faults
}

type fieldWalk struct {
	seen   map[reflect.Type]bool
	met    map[string]bool
	faults []string
}

func (w *fieldWalk) walk(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[resource.Quantity]() || w.seen[t] {
		return
	}
	w.seen[t] = true
	for i := range t.NumField() {
		name := t.Name() + "." + t.Field(i).Name
		if _, all := irrelevant[t.Name()+".*"]; all {
			w.met[t.Name()+".*"] = true
			continue
		}
		_, isKeyed := keyed[name]
		_, isIrrelevant := irrelevant[name]
		w.met[name] = true
		switch {
		case isKeyed && isIrrelevant:
			w.faults = append(w.faults, name+" is both in keyed and in irrelevant")
		case isKeyed:
			w.walk(t.Field(i).Type)
		case !isIrrelevant:
			w.faults = append(w.faults, name+" is neither in keyed nor in irrelevant")
		}
	}
}

// TestKeyedFieldsChangeTheClass: two pods that differ in a field of keyed are of two classes.
func TestKeyedFieldsChangeTheClass(t *testing.T) {
	for name, c := range keyed {
		t.Run(name, func(t *testing.T) {
			l := loaderForKeys(t)
			before, after := keyedPod(), keyedPod()
			if c.prepare != nil {
				c.prepare(before)
				c.prepare(after)
			}
			c.change(after)
			if same := compiled(t, l, before) == compiled(t, l, after); same {
				t.Error("the class is the same")
			}
			first, second := compiled(t, l, before), compiled(t, l, before)
			if first != second {
				t.Error("equal pods are of two classes")
			}
		})
	}
}

func compiled(t *testing.T, l *Loader, pod *v1.PodTemplateSpec) *cluster.Class {
	t.Helper()
	text, err := document.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.Template(parsed(t, string(text))[0].Root(), TemplateOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out.Class
}

func parsed(t *testing.T, text string) []*document.Document {
	t.Helper()
	docs, err := document.Parse("in.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// loaderForKeys knows the objects that keyedPod and its changes refer to.
func loaderForKeys(t *testing.T) *Loader {
	t.Helper()
	l := New(cluster.NewVocabulary())
	err := l.Load(parsed(t, `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 100
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sandboxed}
handler: h
overhead: {podFixed: {cpu: 100m}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web, namespace: shop}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "i:1"}]}}
---
apiVersion: v1
kind: Node
metadata:
  name: n
  annotations:
    scheduler.alpha.kubernetes.io/preferAvoidPods: '{"preferAvoidPods": [{"podSignature": {"podController": {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u1", "controller": true}}}]}'
status: {allocatable: {pods: "10"}}
`)...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// keyedPod is a pod with something of everything that matters.
func keyedPod() *v1.PodTemplateSpec {
	return &v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Labels: map[string]string{"app": "web"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "u1", Controller: new(true)}},
		},
		Spec: v1.PodSpec{
			InitContainers: []v1.Container{{Name: "init", Image: "i:1"}},
			Containers: []v1.Container{{
				Name: "main", Image: "i:1", Resources: v1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "4")},
				Ports: []v1.ContainerPort{{ContainerPort: 80, HostPort: 80}},
			}},
			Tolerations: []v1.Toleration{{Key: "k", Operator: v1.TolerationOpEqual, Value: "v", Effect: v1.TaintEffectNoExecute}},
			Affinity: &v1.Affinity{
				NodeAffinity: &v1.NodeAffinity{
					RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{
						MatchExpressions: []v1.NodeSelectorRequirement{{Key: "k", Operator: v1.NodeSelectorOpIn, Values: []string{"v"}}},
					}}},
					PreferredDuringSchedulingIgnoredDuringExecution: []v1.PreferredSchedulingTerm{{Weight: 1, Preference: v1.NodeSelectorTerm{
						MatchExpressions: []v1.NodeSelectorRequirement{{Key: "k", Operator: v1.NodeSelectorOpExists}},
					}}},
				},
				PodAffinity: &v1.PodAffinity{
					RequiredDuringSchedulingIgnoredDuringExecution:  []v1.PodAffinityTerm{podTerm()},
					PreferredDuringSchedulingIgnoredDuringExecution: []v1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: podTerm()}},
				},
				PodAntiAffinity: &v1.PodAntiAffinity{
					RequiredDuringSchedulingIgnoredDuringExecution:  []v1.PodAffinityTerm{podTerm()},
					PreferredDuringSchedulingIgnoredDuringExecution: []v1.WeightedPodAffinityTerm{{Weight: 1, PodAffinityTerm: podTerm()}},
				},
			},
			TopologySpreadConstraints: []v1.TopologySpreadConstraint{{
				MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: v1.DoNotSchedule,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}},
			}},
		},
	}
}

func podTerm() v1.PodAffinityTerm {
	return v1.PodAffinityTerm{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{
		MatchLabels:      map[string]string{"a": "b"},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "c", Operator: metav1.LabelSelectorOpIn, Values: []string{"d"}}},
	}}
}

func list(name v1.ResourceName, amount string) v1.ResourceList {
	return v1.ResourceList{name: resource.MustParse(amount)}
}
