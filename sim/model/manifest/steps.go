package manifest

import (
	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// step is what a Loader does with the objects of one kind, once each is checked by itself.
type step struct {
	register func(*Loader, *object) // makes it known to others
	add      func(*Loader, *object) // makes of it what the Loader keeps, when all are known
	admits   bool                   // add finds errors of its own, in objects that have others too
}

var steps = map[groupKind]step{
	{"", "Node"}:                  {register: registerNode, add: (*Loader).addNode},
	{"", "Pod"}:                   {register: registerPod, add: (*Loader).addPod, admits: true},
	{"", "Namespace"}:             {register: registerNamespace, add: (*Loader).addNamespace},
	{"", "Service"}:               {register: registerService},
	{"", "LimitRange"}:            {register: registerLimits},
	{"", "ResourceQuota"}:         {register: registerQuota},
	{"", "ReplicationController"}: {register: registerController, add: (*Loader).addController, admits: true},
	{"apps", "ReplicaSet"}:        {register: registerController, add: (*Loader).addController, admits: true},
	{"apps", "Deployment"}:        {register: registerController, add: (*Loader).addController, admits: true},
	{"apps", "StatefulSet"}:       {register: registerStatefulSet, add: (*Loader).addController, admits: true},
	{"apps", "DaemonSet"}:         {add: (*Loader).addController, admits: true},
	{"batch", "Job"}:              {add: (*Loader).addController, admits: true},
	{"batch", "CronJob"}:          {add: (*Loader).addController, admits: true},

	{"scheduling.k8s.io", "PriorityClass"}: {register: registerPriorityClass},
	{"node.k8s.io", "RuntimeClass"}:        {register: registerRuntimeClass},
	{"scheduling.x-k8s.io", "PodGroup"}:    {register: (*Loader).addPodGroup},
	{"policy", "PodDisruptionBudget"}:      {add: addBudget},

	{"", "PersistentVolume"}:                 {add: addVolume},
	{"", "PersistentVolumeClaim"}:            {register: registerClaim, add: addClaim},
	{"storage.k8s.io", "StorageClass"}:       {register: registerStorageClass, add: addStorageClass},
	{"storage.k8s.io", "CSINode"}:            {add: addCSINode},
	{"storage.k8s.io", "CSIDriver"}:          {add: addCSIDriver},
	{"storage.k8s.io", "CSIStorageCapacity"}: {add: addCapacity},
	{"storage.k8s.io", "VolumeAttachment"}:   {add: addAttachment},
}

func registerNode(l *Loader, o *object)      { l.compiler.registerNode(o) }
func registerService(l *Loader, o *object)   { l.compiler.addService(o) }
func registerNamespace(l *Loader, o *object) { l.admission.registerNamespace(o) }

func registerPod(l *Loader, o *object) {
	l.compiler.addPodOfDeployment(o)
	l.claims.addPod(o)
}

func registerController(l *Loader, o *object) { l.compiler.addOwner(o) }

func registerStatefulSet(l *Loader, o *object) {
	l.compiler.addOwner(o)
	l.claims.addStatefulSet(o)
}

func registerLimits(l *Loader, o *object) {
	if l.admission.registerLimits(o) {
		l.ignore(o.kind.name)
	}
}

func registerQuota(l *Loader, o *object) {
	if l.admission.registerQuota(o) {
		l.ignore(o.kind.name)
	}
}

func registerPriorityClass(l *Loader, o *object) {
	l.admission.registerPriorityClass(o)
	if o.name != "" {
		l.PriorityClasses = append(l.PriorityClasses, l.admission.priorities[o.name])
	}
}

func registerRuntimeClass(l *Loader, o *object) { l.admission.registerRuntimeClass(o) }
func registerStorageClass(l *Loader, o *object) { l.admission.registerStorageClass(o) }
func registerClaim(l *Loader, o *object)        { l.claims.addClaim(o) }

func addBudget(l *Loader, o *object) {
	l.Budgets = append(l.Budgets, Budget{Budget: l.compiler.budget(o), At: o.at})
}

func addVolume(l *Loader, o *object) {
	l.Storage.Volumes = append(l.Storage.Volumes, l.compiler.volume(o))
}

func addClaim(l *Loader, o *object) {
	claim := l.compiler.claimObject(o)
	claim.Owner = l.claims.podOf(o.typed.(*v1.PersistentVolumeClaim), o.namespace)
	l.Storage.Claims = append(l.Storage.Claims, claim)
}

func addStorageClass(l *Loader, o *object) {
	l.Storage.Classes = append(l.Storage.Classes, l.compiler.storageClass(o))
}

func addCSINode(l *Loader, o *object) {
	l.Storage.CSINodes = append(l.Storage.CSINodes, l.compiler.csiNode(o))
}

func addCSIDriver(l *Loader, o *object) {
	d := o.typed.(*storagev1.CSIDriver)
	if d.Spec.StorageCapacity != nil && *d.Spec.StorageCapacity {
		l.Storage.Tracked = append(l.Storage.Tracked, l.vocabulary.Sym(o.name))
	}
}

func addCapacity(l *Loader, o *object) {
	l.Storage.Capacities = append(l.Storage.Capacities, l.compiler.storageCapacity(o))
}

func addAttachment(l *Loader, o *object) {
	a := o.typed.(*storagev1.VolumeAttachment)
	if a.Spec.Source.PersistentVolumeName == nil {
		return // the scheduler counts those of persistent volumes only
	}
	l.Storage.Attachments = append(l.Storage.Attachments, cluster.Attachment{
		Node: l.vocabulary.Sym(a.Spec.NodeName), Attacher: l.vocabulary.Sym(a.Spec.Attacher), Volume: *a.Spec.Source.PersistentVolumeName,
	})
}
