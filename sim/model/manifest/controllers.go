package manifest

import (
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// controllerSpec is what a controller says of its pods: a Deployment, ReplicaSet, ReplicationController,
// StatefulSet, DaemonSet, Job or CronJob.
type controllerSpec struct {
	Kind, Namespace, Name string
	Replicas              int  // of Deployment, ReplicaSet, ReplicationController and StatefulSet
	FirstOrdinal          int  // of a StatefulSet: the number of its first pod
	OneByOne              bool // of a StatefulSet: a pod is made when all before it run (podManagementPolicy OrderedReady)

	Parallelism int // of Job and CronJob: how many pods run at a time
	// Completions, of Job and CronJob, is how many pods must succeed; 0 if any success ends the work
	// (completions left out while parallelism is given).
	Completions int
	Indexed     bool // of Job and CronJob: completionMode Indexed
	Suspended   bool // of Job and CronJob: spec.suspend

	Schedule          string // of a CronJob
	TimeZone          string // of a CronJob; empty if not given
	ConcurrencyPolicy string // of a CronJob: Allow, Forbid or Replace

	Owner string // kind/name of the controller that made it; empty if there is none
	At    document.Value
}

// madeOf is a controller as read, before its template is admitted.
type madeOf struct {
	controllerSpec
	template *v1.PodTemplateSpec
	path     string // where the template stands
	uid      types.UID
	selector *metav1.LabelSelector
	claims   []v1.PersistentVolumeClaim // volumeClaimTemplates of a StatefulSet
}

func readDeployment(c *checker, o *object) {
	d := decoded[appsv1.Deployment](c, o)
	c.controller(o, &d.ObjectMeta, &madeOf{template: &d.Spec.Template})
	setReplicas(o, d.Spec.Replicas)
	c.selects(o, "spec.selector", d.Spec.Selector)
}

func readReplicaSet(c *checker, o *object) {
	r := decoded[appsv1.ReplicaSet](c, o)
	c.controller(o, &r.ObjectMeta, &madeOf{template: &r.Spec.Template})
	setReplicas(o, r.Spec.Replicas)
	c.selects(o, "spec.selector", r.Spec.Selector)
}

func readReplicationController(c *checker, o *object) {
	r := decoded[v1.ReplicationController](c, o)
	m := &madeOf{template: r.Spec.Template}
	c.controller(o, &r.ObjectMeta, m)
	setReplicas(o, r.Spec.Replicas)
	switch {
	case len(r.Spec.Selector) > 0:
		c.selects(o, "spec.selector", &metav1.LabelSelector{MatchLabels: r.Spec.Selector})
	case m.template != nil:
		m.selector = &metav1.LabelSelector{MatchLabels: m.template.Labels}
	}
}

func readStatefulSet(c *checker, o *object) {
	s := decoded[appsv1.StatefulSet](c, o)
	m := &madeOf{template: &s.Spec.Template}
	m.OneByOne = s.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
	c.controller(o, &s.ObjectMeta, m)
	setReplicas(o, s.Spec.Replicas)
	c.selects(o, "spec.selector", s.Spec.Selector)
	if s.Spec.Ordinals != nil {
		m.FirstOrdinal = int(s.Spec.Ordinals.Start)
		if m.FirstOrdinal < 0 {
			o.faults.Add(o.at, "spec.ordinals.start", "must not be negative")
		}
	}
	switch s.Spec.PodManagementPolicy {
	case "", appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
	default:
		o.faults.Add(o.at, "spec.podManagementPolicy", "is not a policy; OrderedReady and Parallel are")
	}
	m.claims = s.Spec.VolumeClaimTemplates
	c.claimTemplates(o, m.claims)
}

func readDaemonSet(c *checker, o *object) {
	d := decoded[appsv1.DaemonSet](c, o)
	d.Spec.Template.Spec.Tolerations = daemonTolerations(&d.Spec.Template.Spec)
	c.controller(o, &d.ObjectMeta, &madeOf{template: &d.Spec.Template})
	c.selects(o, "spec.selector", d.Spec.Selector)
}

// daemonTolerations are those of a pod with what the DaemonSet controller adds.
//
// Upstream: AddOrUpdateDaemonPodTolerations of pkg/controller/daemon/util, v1.36.3.
func daemonTolerations(spec *v1.PodSpec) []v1.Toleration {
	out := spec.Tolerations
	add := func(effect v1.TaintEffect, keys ...string) {
		for _, key := range keys {
			out = append(out, v1.Toleration{Key: key, Operator: v1.TolerationOpExists, Effect: effect})
		}
	}
	add(v1.TaintEffectNoExecute, v1.TaintNodeNotReady, v1.TaintNodeUnreachable)
	add(v1.TaintEffectNoSchedule, v1.TaintNodeDiskPressure, v1.TaintNodeMemoryPressure, v1.TaintNodePIDPressure,
		v1.TaintNodeUnschedulable)
	if spec.HostNetwork {
		add(v1.TaintEffectNoSchedule, v1.TaintNodeNetworkUnavailable)
	}
	return out
}

func readJob(c *checker, o *object) {
	j := decoded[batchv1.Job](c, o)
	m := &madeOf{template: &j.Spec.Template}
	c.controller(o, &j.ObjectMeta, m)
	setJob(o, "spec", &j.Spec)
	if j.Spec.ManualSelector != nil && *j.Spec.ManualSelector {
		c.selects(o, "spec.selector", j.Spec.Selector)
	}
}

func readCronJob(c *checker, o *object) {
	j := decoded[batchv1.CronJob](c, o)
	m := &madeOf{template: &j.Spec.JobTemplate.Spec.Template, path: "spec.jobTemplate.spec.template"}
	m.Schedule, m.ConcurrencyPolicy = j.Spec.Schedule, string(j.Spec.ConcurrencyPolicy)
	c.controller(o, &j.ObjectMeta, m)
	setJob(o, "spec.jobTemplate.spec", &j.Spec.JobTemplate.Spec)
	m.Suspended = m.Suspended || j.Spec.Suspend != nil && *j.Spec.Suspend
	if j.Spec.TimeZone != nil {
		m.TimeZone = *j.Spec.TimeZone
	}
	if m.Schedule == "" {
		o.faults.Add(o.at, "spec.schedule", "is required")
	}
	switch j.Spec.ConcurrencyPolicy {
	case batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent:
	case "":
		m.ConcurrencyPolicy = string(batchv1.AllowConcurrent)
	default:
		o.faults.Add(o.at, "spec.concurrencyPolicy", "is not a policy; Allow, Forbid and Replace are")
	}
}

// controller checks what all controllers have and keeps m as what the object is.
func (c *checker) controller(o *object, meta *metav1.ObjectMeta, m *madeOf) {
	o.typed = m
	c.meta(o, meta, true)
	if m.path == "" {
		m.path = "spec.template"
	}
	m.Kind, m.Namespace, m.Name, m.At = o.kind.name, o.namespace, o.name, o.at
	m.Owner, m.uid = owner(meta), meta.UID
	at := o.at.Find(m.path)
	if m.template == nil {
		o.faults.Add(at, "", "is required")
		return
	}
	c.template(&o.faults, at, m.template)
	if ns := m.template.Namespace; ns != "" && ns != o.namespace && c.knows(o.at, "metadata.namespace") {
		o.faults.Add(at, "metadata.namespace", "differs from the namespace of the %s, %s", o.kind.name, o.namespace)
	}
	m.template.Namespace = o.namespace
	restart := m.template.Spec.RestartPolicy
	isJob := o.kind.group == "batch"
	switch {
	case isJob && restart != v1.RestartPolicyOnFailure && restart != v1.RestartPolicyNever:
		o.faults.Add(at, "spec.restartPolicy", "must be OnFailure or Never in a %s", o.kind.name)
	case !isJob && restart != "" && restart != v1.RestartPolicyAlways:
		o.faults.Add(at, "spec.restartPolicy", "must be Always in a %s", o.kind.name)
	}
}

// setReplicas sets their number, 1 if it is not given.
func setReplicas(o *object, n *int32) {
	m := o.typed.(*madeOf)
	m.Replicas = 1
	if n != nil {
		m.Replicas = int(*n)
	}
	if m.Replicas < 0 {
		o.faults.Add(o.at, "spec.replicas", "must not be negative")
	}
}

// selects checks that the selector of a controller is there and selects its own template.
func (c *checker) selects(o *object, path string, s *metav1.LabelSelector) {
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		if c.knows(o.at, path) {
			o.faults.Add(o.at, path, "is required and must not be empty")
		}
		return
	}
	before := len(o.faults)
	if c.labelSelector(&o.faults, o.at, path, s); len(o.faults) > before {
		return
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		panic(err) // of a selector that is valid
	}
	m := o.typed.(*madeOf)
	m.selector = s
	if m.template != nil && !selector.Matches(labels.Set(m.template.Labels)) && c.knows(o.at, path, m.path+".metadata.labels") {
		o.faults.Add(o.at, m.path+".metadata.labels", "are not what the selector %q selects", selector.String())
	}
}

// setJob reads how many pods a job runs.
//
// Upstream: SetDefaults_Job of pkg/apis/batch/v1/defaults.go, v1.36.3.
func setJob(o *object, path string, spec *batchv1.JobSpec) {
	m := o.typed.(*madeOf)
	m.Parallelism = 1
	if spec.Parallelism != nil {
		m.Parallelism = int(*spec.Parallelism)
	}
	switch {
	case spec.Completions != nil:
		m.Completions = int(*spec.Completions)
	case spec.Parallelism == nil:
		m.Completions = 1
	}
	m.Indexed = spec.CompletionMode != nil && *spec.CompletionMode == batchv1.IndexedCompletion
	m.Suspended = spec.Suspend != nil && *spec.Suspend
	if m.Parallelism < 0 {
		o.faults.Add(o.at, path+".parallelism", "must not be negative")
	}
	if m.Completions < 0 {
		o.faults.Add(o.at, path+".completions", "must not be negative")
	}
	if m.Indexed && spec.Completions == nil {
		o.faults.Add(o.at, path+".completions", "is required when completionMode is Indexed")
	}
}

func (l *Loader) addController(o *object) {
	m := o.typed.(*madeOf)
	if m.template == nil {
		return
	}
	out := l.controller(o, m)
	out.Template = l.template(&o.faults, podSource{
		meta: &m.template.ObjectMeta, spec: &m.template.Spec, at: o.at.Find(m.path), lost: !l.check.knows(o.at, "metadata.namespace"),
	})
	if out.Template != nil {
		l.Controllers = append(l.Controllers, out)
	}
}

// controller makes the controller the owner of the pods of its template, and compiles its templates of claims.
// They take the place of volumes of their names.
func (l *Loader) controller(o *object, m *madeOf) Controller {
	l.compiler.own(o, m)
	out := Controller{controllerSpec: m.controllerSpec}
	for i := range m.claims {
		pvc := &m.claims[i]
		out.claims = append(out.claims, claimTemplate{pvc.Name, l.compiler.claim(&pvc.ObjectMeta, &pvc.Spec)})
		m.template.Spec.Volumes = slices.DeleteFunc(m.template.Spec.Volumes, func(v v1.Volume) bool { return v.Name == pvc.Name })
	}
	return out
}

// claimTemplate is one of the volumeClaimTemplates of a StatefulSet.
type claimTemplate struct {
	name  string
	claim cluster.Claim
}

// StatefulPod is the class of the pod of an ordinal that the controller, a StatefulSet, makes: it has labels
// and claims of its own.
//
// Upstream: newVersionedStatefulSetPod, updateIdentity and updateStorage of pkg/controller/statefulset, v1.36.3.
func (c *Controller) StatefulPod(ordinal int) *cluster.Class {
	name := fmt.Sprintf("%s-%d", c.Name, ordinal)
	class := c.Template.withLabels(map[string]string{
		"statefulset.kubernetes.io/pod-name": name,
		"apps.kubernetes.io/pod-index":       strconv.Itoa(ordinal),
	})
	shared := class.Volumes // with the template: to be read only
	class.Volumes = make([]cluster.PodVolume, 0, len(c.claims)+len(shared))
	for i := range c.claims {
		claim := c.claims[i].claim
		claim.Namespace, claim.Name = class.Namespace, c.claims[i].name+"-"+name
		class.Volumes = append(class.Volumes, cluster.PodVolume{Kind: cluster.ClaimVolume, Name: claim.Name, Template: &claim})
	}
	class.Volumes = append(class.Volumes, shared...)
	return c.Template.compiler.intern(class)
}

// DaemonPod is the class of the pod that the controller, a DaemonSet, makes for a node; nil if it
// wants none there.
func (c *Controller) DaemonPod(n *cluster.NodeSpec) *cluster.Class {
	if !c.Template.RunsOn(n) {
		return nil
	}
	return c.Template.OnNode(n.Name)
}
