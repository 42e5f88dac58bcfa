package manifest

import (
	"strconv"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Replica is an object of which there can be any number of pods: a Pod, taken as a template,
// or what has a template of pods. How many it asks for does not count.
type Replica struct {
	Controller
	From document.Value // where metadata and spec of the pods stand
}

// replicaReaders read the kinds of which there can be any number of pods; nil: as Load does.
var replicaReaders = map[string]func(*checker, *object){
	"Pod": readReplicaPod, "PodTemplate": readPodTemplate,
	"ReplicationController": nil, "ReplicaSet": nil, "Deployment": nil, "StatefulSet": nil, "Job": nil, "CronJob": nil,
}

// Replicas reads documents as Load does, after it, but adds nothing to the Objects of the
// Loader: the objects may be among those that it has. The error lists every fault.
func (l *Loader) Replicas(docs ...*document.Document) ([]Replica, error) {
	objects := objectsOf(docs)
	var out []Replica
	var faults document.Errors
	for _, o := range objects {
		if len(o.faults) == 0 {
			out = append(out, l.replica(o))
		}
		faults = append(faults, o.faults...)
	}
	return out, faults.Err()
}

// replica reads one object. It means nothing if the object has faults then.
func (l *Loader) replica(o *object) Replica {
	read, can := replicaReaders[o.kind.name]
	switch {
	case o.kind.name == "DaemonSet":
		o.faults.Add(o.at, "kind", "has one pod for each node: there is no number of replicas to find")
		return Replica{}
	case !can:
		o.faults.Add(o.at, "kind", "has no template of pods: what only stands beside them belongs to the manifests of the cluster")
		return Replica{}
	case read == nil:
		read = checks[o.kind.groupKind]
	}
	read(l.check, o)
	l.check.settle(&o.faults)
	m, ok := o.typed.(*madeOf)
	if !ok || m.template == nil || len(o.faults) > 0 {
		return Replica{}
	}
	out := Replica{Controller{controllerSpec: m.controllerSpec}, o.at.Find(m.path)}
	if o.kind.name != "Pod" && o.kind.name != "PodTemplate" {
		l.compiler.addOwner(o)
		out.Controller = l.controller(o, m)
	}
	out.Template = l.template(&o.faults, podSource{meta: &m.template.ObjectMeta, spec: &m.template.Spec, at: out.From})
	return out
}

// readReplicaPod reads a pod as if it were a template: where it runs and who it is do not count.
func readReplicaPod(c *checker, o *object) {
	pod := decoded[v1.Pod](c, o)
	c.meta(o, &pod.ObjectMeta, true)
	c.podSpec(&o.faults, o.at.Get("spec"), &pod.Spec)
	pod.Spec.NodeName = ""
	o.typed = replicaOf(o, "", &v1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: o.namespace, Labels: pod.Labels, Annotations: pod.Annotations, OwnerReferences: pod.OwnerReferences,
		},
		Spec: pod.Spec,
	})
}

func readPodTemplate(c *checker, o *object) {
	t := decoded[v1.PodTemplate](c, o)
	c.meta(o, &t.ObjectMeta, true)
	c.template(&o.faults, o.at.Get("template"), &t.Template)
	t.Template.Namespace = o.namespace
	o.typed = replicaOf(o, "template", &t.Template)
}

func replicaOf(o *object, path string, template *v1.PodTemplateSpec) *madeOf {
	m := &madeOf{template: template, path: path}
	m.Kind, m.Namespace, m.Name, m.At = o.kind.name, o.namespace, o.name, o.at
	return m
}

// Class is the class of the pod of that number, from 0 on.
func (r *Replica) Class(n int) *cluster.Class {
	if r.Kind == "StatefulSet" {
		return r.StatefulPod(r.FirstOrdinal + n)
	}
	return r.Template.Class
}

// Uniform reports whether all pods are of one class.
func (r *Replica) Uniform() bool { return r.Kind != "StatefulSet" }

// PodName is the name of the pod of that number.
func (r *Replica) PodName(n int) string { return r.Name + "-" + strconv.Itoa(r.FirstOrdinal+n) }
