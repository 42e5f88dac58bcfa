package manifest

import (
	"k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// step is what a Loader does with the objects of one kind, once each is checked by itself.
type step struct {
	register     func(*Loader, *decode.Object) // makes it known to others
	add          func(*Loader, *decode.Object) // makes of it what the Loader keeps, when all are known
	checksFaulty bool                          // add finds errors of its own, in objects that have others too
}

var steps = map[decode.GroupKind]step{
	"Node":                  {register: registerNode, add: (*Loader).addNode},
	"Pod":                   {register: registerPod, add: (*Loader).addPod, checksFaulty: true},
	"Namespace":             {register: registerNamespace, add: (*Loader).addNamespace},
	"Service":               {register: registerService},
	"LimitRange":            {register: registerLimits},
	"ResourceQuota":         {register: registerQuota},
	"ReplicationController": {register: registerController, add: (*Loader).addController, checksFaulty: true},
	"apps/ReplicaSet":       {register: registerController, add: (*Loader).addController, checksFaulty: true},
	"apps/Deployment":       {register: registerController, add: (*Loader).addController, checksFaulty: true},
	"apps/StatefulSet":      {register: registerStatefulSet, add: (*Loader).addController, checksFaulty: true},
	"apps/DaemonSet":        {add: (*Loader).addController, checksFaulty: true},
	"batch/Job":             {add: (*Loader).addController, checksFaulty: true},
	"batch/CronJob":         {add: (*Loader).addController, checksFaulty: true},

	"scheduling.k8s.io/PriorityClass": {register: registerPriorityClass},
	"node.k8s.io/RuntimeClass":        {register: registerRuntimeClass},
	"scheduling.x-k8s.io/PodGroup":    {register: (*Loader).addPodGroup},
	"policy/PodDisruptionBudget":      {add: addBudget},

	"PersistentVolume":                  {add: addVolume},
	"PersistentVolumeClaim":             {register: registerClaim, add: addClaim},
	"storage.k8s.io/StorageClass":       {register: registerStorageClass, add: addStorageClass},
	"storage.k8s.io/CSINode":            {add: addCSINode},
	"storage.k8s.io/CSIDriver":          {add: addCSIDriver},
	"storage.k8s.io/CSIStorageCapacity": {add: addCapacity},
	"storage.k8s.io/VolumeAttachment":   {add: addAttachment},
}

func registerNode(l *Loader, o *decode.Object) { l.compiler.RegisterNode(o) }

func registerService(l *Loader, o *decode.Object) { l.compiler.AddService(o) }

func registerNamespace(l *Loader, o *decode.Object) { l.admission.RegisterNamespace(o) }

func registerPod(l *Loader, o *decode.Object) {
	l.compiler.AddPodOfDeployment(o)
	l.claims.addPod(o)
}

func registerController(l *Loader, o *decode.Object) { l.compiler.AddOwner(o) }

func registerStatefulSet(l *Loader, o *decode.Object) {
	l.compiler.AddOwner(o)
	l.claims.addStatefulSet(o)
}

func registerLimits(l *Loader, o *decode.Object) {
	if l.admission.RegisterLimits(o) {
		countKind(&l.LeftOut, KindCount{o.Kind.FullName(), 1})
	}
}

func registerQuota(l *Loader, o *decode.Object) {
	if l.admission.RegisterQuota(o) {
		countKind(&l.LeftOut, KindCount{o.Kind.FullName(), 1})
	}
}

func registerPriorityClass(l *Loader, o *decode.Object) {
	l.admission.RegisterPriorityClass(o)
	if o.Name != "" {
		l.PriorityClasses = append(l.PriorityClasses, l.admission.Priorities[o.Name])
	}
}

func registerRuntimeClass(l *Loader, o *decode.Object) { l.admission.RegisterRuntimeClass(o) }

func registerStorageClass(l *Loader, o *decode.Object) { l.admission.RegisterStorageClass(o) }

func registerClaim(l *Loader, o *decode.Object) { l.claims.addClaim(o) }

func addBudget(l *Loader, o *decode.Object) {
	l.Budgets = append(l.Budgets, Budget{Budget: l.compiler.Budget(o), At: o.At})
}

func addVolume(l *Loader, o *decode.Object) {
	l.Storage.Volumes = append(l.Storage.Volumes, l.compiler.PersistentVolume(o))
}

func addClaim(l *Loader, o *decode.Object) {
	claim := l.compiler.PersistentVolumeClaim(o)
	claim.Owner = l.claims.podOf(o.Typed.(*v1.PersistentVolumeClaim), o.Namespace)
	l.Storage.Claims = append(l.Storage.Claims, claim)
}

func addStorageClass(l *Loader, o *decode.Object) {
	l.Storage.Classes = append(l.Storage.Classes, l.compiler.StorageClass(o))
}

func addCSINode(l *Loader, o *decode.Object) {
	l.Storage.CSINodes = append(l.Storage.CSINodes, l.compiler.CSINode(o))
}

func addCSIDriver(l *Loader, o *decode.Object) {
	l.Storage.Drivers = append(l.Storage.Drivers, l.compiler.CSIDriver(o))
}

func addCapacity(l *Loader, o *decode.Object) {
	l.Storage.Capacities = append(l.Storage.Capacities, l.compiler.StorageCapacity(o))
}

func addAttachment(l *Loader, o *decode.Object) {
	a := o.Typed.(*storagev1.VolumeAttachment)
	if a.Spec.Source.PersistentVolumeName == nil {
		return // the scheduler counts those of persistent volumes only
	}
	l.Storage.Attachments = append(l.Storage.Attachments, cluster.Attachment{
		Node: l.vocabulary.Symbol(a.Spec.NodeName), Attacher: l.vocabulary.Symbol(a.Spec.Attacher), Volume: *a.Spec.Source.PersistentVolumeName,
	})
}
