package manifest

import (
	"strconv"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// Replica is an object of which there can be any number of pods: a Pod, taken as a template,
// or what has a template of pods. How many it asks for does not count.
type Replica struct {
	Controller
	From document.Value // where metadata and spec of the pods stand
}

// replicaReaders read the kinds of which there can be any number of pods; nil: as Load does.
var replicaReaders = map[string]func(*validate.Checker, *decode.Object){
	"Pod": validate.CheckReplicaPod, "PodTemplate": validate.CheckPodTemplate,
	"ReplicationController": nil, "ReplicaSet": nil, "Deployment": nil, "StatefulSet": nil, "Job": nil, "CronJob": nil,
}

// Replicas reads documents as Load does, after it, but adds nothing to the Objects of the
// Loader: the objects may be among those that it has. The error lists every fault.
func (l *Loader) Replicas(docs ...*document.Document) ([]Replica, error) {
	objects := decode.Objects(docs, l.ignored, l.followed)
	var out []Replica
	var faults document.Errors
	for _, o := range objects {
		if len(o.Faults) == 0 && o.Kind.LeftOut {
			continue
		}
		if len(o.Faults) == 0 {
			out = append(out, l.replica(o))
		}
		faults = append(faults, o.Faults...)
	}
	return out, faults.Err()
}

// replica reads one object. It means nothing if the object has faults then.
func (l *Loader) replica(o *decode.Object) Replica {
	read, can := replicaReaders[o.Kind.Name]
	switch {
	case o.Kind.Name == "DaemonSet":
		o.Faults.Add(o.At, "kind", "has one pod for each node: there is no number of replicas to find")
		return Replica{}
	case !can:
		o.Faults.Add(o.At, "kind", "has no template of pods: what only stands beside them belongs to the manifests of the cluster")
		return Replica{}
	case read == nil:
		read = validate.Checks[o.Kind.GroupKind()]
	}
	read(l.check, o)
	l.check.End(&o.Faults)
	m, ok := o.Typed.(*validate.Controller)
	if !ok || m.Template == nil || len(o.Faults) > 0 {
		return Replica{}
	}
	out := Replica{Controller{ControllerSpec: m.ControllerSpec}, o.At.Find(m.TemplatePath)}
	if o.Kind.Name != "Pod" && o.Kind.Name != "PodTemplate" {
		l.compiler.AddOwner(o)
		out.Controller = l.controller(o, m)
	}
	out.Template = l.template(&o.Faults, admit.Source{Meta: &m.Template.ObjectMeta, Spec: &m.Template.Spec, At: out.From})
	return out
}

// Class returns the class of the pod of that number, from 0 on.
func (r *Replica) Class(n int) *cluster.Class {
	if r.Kind == "StatefulSet" {
		return r.StatefulPod(r.FirstOrdinal + n)
	}
	return r.Template.Class
}

// Uniform reports whether all pods are of one class.
func (r *Replica) Uniform() bool { return r.Kind != "StatefulSet" }

// PodName returns the name of the pod of that number.
func (r *Replica) PodName(n int) string { return r.Name + "-" + strconv.Itoa(r.FirstOrdinal+n) }
