package validate

import (
	"github.com/berth-sim/berth/sim/files/parallel"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// Checks decode and check the objects of one kind, each by itself.
var Checks = map[decode.GroupKind]func(*Checker, *decode.Object){
	"Node": checkNode, "Pod": checkPod, "Namespace": checkNamespace, "Service": checkService,
	"LimitRange": checkLimitRange, "ReplicationController": checkReplicationController,
	"PersistentVolume": checkPersistentVolume, "PersistentVolumeClaim": checkPersistentVolumeClaim,
	"apps/ReplicaSet": checkReplicaSet, "apps/Deployment": checkDeployment,
	"apps/StatefulSet": checkStatefulSet, "apps/DaemonSet": checkDaemonSet,
	"batch/Job": checkJob, "batch/CronJob": checkCronJob,
	"scheduling.k8s.io/PriorityClass": checkPriorityClass, "node.k8s.io/RuntimeClass": checkRuntimeClass,
	"scheduling.x-k8s.io/PodGroup":         checkPodGroup,
	"storage.k8s.io/StorageClass":          checkStorageClass,
	"storage.k8s.io/CSINode":               checkCSINode,
	"storage.k8s.io/CSIDriver":             checkCSIDriver,
	"storage.k8s.io/CSIStorageCapacity":    checkStorageCapacity,
	"storage.k8s.io/VolumeAttachment":      checkVolumeAttachment,
	"storage.k8s.io/VolumeAttributesClass": checkVolumeAttributesClass,
	"policy/PodDisruptionBudget":           checkBudget,
}

// All decodes and checks the objects, each by itself and several at a time. Each batch has a checker like fresh.
func All(objects []*decode.Object, fresh Checker) {
	const batch = 16
	parallel.Each((len(objects)+batch-1)/batch, func(i int) {
		c := fresh
		for _, o := range objects[i*batch : min((i+1)*batch, len(objects))] {
			if check := Checks[o.Kind.GroupKind()]; len(o.Faults) == 0 && check != nil && !o.Kind.Ignored {
				check(&c, o)
				c.End(&o.Faults)
			}
		}
	})
}
