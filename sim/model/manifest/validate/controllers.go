package validate

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// ControllerSpec is what a controller says of its pods: a Deployment, ReplicaSet, ReplicationController,
// StatefulSet, DaemonSet, Job or CronJob.
type ControllerSpec struct {
	Kind, Namespace, Name string
	Replicas              int  // of Deployment, ReplicaSet, ReplicationController and StatefulSet
	FirstOrdinal          int  // of a StatefulSet: the number of its first pod
	OrderedReady          bool // of a StatefulSet: a pod is made when all before it run (podManagementPolicy OrderedReady)

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

// Controller is a controller as read, before its template is admitted.
type Controller struct {
	ControllerSpec
	Template     *v1.PodTemplateSpec
	TemplatePath string // where the template stands
	UID          types.UID
	Selector     *metav1.LabelSelector
	Claims       []v1.PersistentVolumeClaim // volumeClaimTemplates of a StatefulSet
}

func checkDeployment(c *Checker, o *decode.Object) {
	d := decoded[appsv1.Deployment](c, o)
	c.controller(o, &d.ObjectMeta, &Controller{Template: &d.Spec.Template})
	setReplicas(o, d.Spec.Replicas)
	c.selects(o, "spec.selector", d.Spec.Selector)
}

func checkReplicaSet(c *Checker, o *decode.Object) {
	r := decoded[appsv1.ReplicaSet](c, o)
	c.controller(o, &r.ObjectMeta, &Controller{Template: &r.Spec.Template})
	setReplicas(o, r.Spec.Replicas)
	c.selects(o, "spec.selector", r.Spec.Selector)
}

func checkReplicationController(c *Checker, o *decode.Object) {
	r := decoded[v1.ReplicationController](c, o)
	m := &Controller{Template: r.Spec.Template}
	c.controller(o, &r.ObjectMeta, m)
	setReplicas(o, r.Spec.Replicas)
	switch {
	case len(r.Spec.Selector) > 0:
		c.selects(o, "spec.selector", &metav1.LabelSelector{MatchLabels: r.Spec.Selector})
	case m.Template != nil:
		m.Selector = &metav1.LabelSelector{MatchLabels: m.Template.Labels}
	}
}

func checkStatefulSet(c *Checker, o *decode.Object) {
	s := decoded[appsv1.StatefulSet](c, o)
	m := &Controller{Template: &s.Spec.Template}
	m.OrderedReady = s.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
	c.controller(o, &s.ObjectMeta, m)
	setReplicas(o, s.Spec.Replicas)
	c.selects(o, "spec.selector", s.Spec.Selector)
	if s.Spec.Ordinals != nil {
		m.FirstOrdinal = int(s.Spec.Ordinals.Start)
		if m.FirstOrdinal < 0 {
			o.Faults.Add(o.At, "spec.ordinals.start", "must not be negative")
		}
	}
	switch s.Spec.PodManagementPolicy {
	case "", appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
	default:
		o.Faults.Add(o.At, "spec.podManagementPolicy", "is not a policy; OrderedReady and Parallel are")
	}
	m.Claims = s.Spec.VolumeClaimTemplates
	c.claimTemplates(o, m.Claims)
}

func checkDaemonSet(c *Checker, o *decode.Object) {
	d := decoded[appsv1.DaemonSet](c, o)
	d.Spec.Template.Spec.Tolerations = daemonTolerations(&d.Spec.Template.Spec)
	c.controller(o, &d.ObjectMeta, &Controller{Template: &d.Spec.Template})
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

func checkJob(c *Checker, o *decode.Object) {
	j := decoded[batchv1.Job](c, o)
	m := &Controller{Template: &j.Spec.Template}
	c.controller(o, &j.ObjectMeta, m)
	setJob(o, "spec", &j.Spec)
	if j.Spec.ManualSelector != nil && *j.Spec.ManualSelector {
		c.selects(o, "spec.selector", j.Spec.Selector)
	}
}

func checkCronJob(c *Checker, o *decode.Object) {
	j := decoded[batchv1.CronJob](c, o)
	m := &Controller{Template: &j.Spec.JobTemplate.Spec.Template, TemplatePath: "spec.jobTemplate.spec.template"}
	m.Schedule, m.ConcurrencyPolicy = j.Spec.Schedule, string(j.Spec.ConcurrencyPolicy)
	c.controller(o, &j.ObjectMeta, m)
	setJob(o, "spec.jobTemplate.spec", &j.Spec.JobTemplate.Spec)
	m.Suspended = m.Suspended || j.Spec.Suspend != nil && *j.Spec.Suspend
	if j.Spec.TimeZone != nil {
		m.TimeZone = *j.Spec.TimeZone
	}
	if m.Schedule == "" {
		o.Faults.Add(o.At, "spec.schedule", "is required")
	}
	switch j.Spec.ConcurrencyPolicy {
	case batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent:
	case "":
		m.ConcurrencyPolicy = string(batchv1.AllowConcurrent)
	default:
		o.Faults.Add(o.At, "spec.concurrencyPolicy", "is not a policy; Allow, Forbid and Replace are")
	}
}

// controller checks what all controllers have and keeps m as what the object is.
func (c *Checker) controller(o *decode.Object, meta *metav1.ObjectMeta, m *Controller) {
	o.Typed = m
	c.meta(o, meta, true)
	if m.TemplatePath == "" {
		m.TemplatePath = "spec.template"
	}
	m.Kind, m.Namespace, m.Name, m.At = o.Kind.Name, o.Namespace, o.Name, o.At
	m.Owner, m.UID = Owner(meta), meta.UID
	at := o.At.Find(m.TemplatePath)
	if m.Template == nil {
		o.Faults.Add(at, "", "is required")
		return
	}
	c.Template(&o.Faults, at, m.Template)
	if ns := m.Template.Namespace; ns != "" && ns != o.Namespace && c.NoErrorAt(o.At, "metadata.namespace") {
		o.Faults.Add(at, "metadata.namespace", "differs from the namespace of the %s, %s", o.Kind.Name, o.Namespace)
	}
	m.Template.Namespace = o.Namespace
	restart := m.Template.Spec.RestartPolicy
	isJob := o.Kind.Group == "batch"
	switch {
	case isJob && restart != v1.RestartPolicyOnFailure && restart != v1.RestartPolicyNever:
		o.Faults.Add(at, "spec.restartPolicy", "must be OnFailure or Never in a %s", o.Kind.Name)
	case !isJob && restart != "" && restart != v1.RestartPolicyAlways:
		o.Faults.Add(at, "spec.restartPolicy", "must be Always in a %s", o.Kind.Name)
	}
}

// setReplicas sets their number, 1 if it is not given.
func setReplicas(o *decode.Object, n *int32) {
	m := o.Typed.(*Controller)
	m.Replicas = 1
	if n != nil {
		m.Replicas = int(*n)
	}
	if m.Replicas < 0 {
		o.Faults.Add(o.At, "spec.replicas", "must not be negative")
	}
}

// selects checks that the selector of a controller is there and selects its own template.
func (c *Checker) selects(o *decode.Object, path string, s *metav1.LabelSelector) {
	if s == nil || len(s.MatchLabels)+len(s.MatchExpressions) == 0 {
		if c.NoErrorAt(o.At, path) {
			o.Faults.Add(o.At, path, "is required and must not be empty")
		}
		return
	}
	before := len(o.Faults)
	if c.labelSelector(&o.Faults, o.At, path, s); len(o.Faults) > before {
		return
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		panic(err) // of a selector that is valid
	}
	m := o.Typed.(*Controller)
	m.Selector = s
	if m.Template != nil && !selector.Matches(labels.Set(m.Template.Labels)) && c.NoErrorAt(o.At, path, m.TemplatePath+".metadata.labels") {
		o.Faults.Add(o.At, m.TemplatePath+".metadata.labels", "are not what the selector %q selects", selector.String())
	}
}

// setJob reads how many pods a job runs.
//
// Upstream: SetDefaults_Job of pkg/apis/batch/v1/defaults.go, v1.36.3.
func setJob(o *decode.Object, path string, spec *batchv1.JobSpec) {
	m := o.Typed.(*Controller)
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
		o.Faults.Add(o.At, path+".parallelism", "must not be negative")
	}
	if m.Completions < 0 {
		o.Faults.Add(o.At, path+".completions", "must not be negative")
	}
	if m.Indexed && spec.Completions == nil {
		o.Faults.Add(o.At, path+".completions", "is required when completionMode is Indexed")
	}
}

// Owner names the controller of an object.
func Owner(meta *metav1.ObjectMeta) string {
	if ref := metav1.GetControllerOfNoCopy(meta); ref != nil {
		return ref.Kind + "/" + ref.Name
	}
	return ""
}
