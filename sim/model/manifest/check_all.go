package manifest

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// checks decode and check the objects of one kind, each by itself.
var checks = map[groupKind]func(*checker, *object){
	{"", "Node"}: readNode, {"", "Pod"}: readPod, {"", "Namespace"}: readNamespace, {"", "Service"}: readService,
	{"", "LimitRange"}: readLimitRange, {"", "ReplicationController"}: readReplicationController,
	{"", "PersistentVolume"}: readPersistentVolume, {"", "PersistentVolumeClaim"}: readPersistentVolumeClaim,
	{"apps", "ReplicaSet"}: readReplicaSet, {"apps", "Deployment"}: readDeployment,
	{"apps", "StatefulSet"}: readStatefulSet, {"apps", "DaemonSet"}: readDaemonSet,
	{"batch", "Job"}: readJob, {"batch", "CronJob"}: readCronJob,
	{"scheduling.k8s.io", "PriorityClass"}: readPriorityClass, {"node.k8s.io", "RuntimeClass"}: readRuntimeClass,
	{"scheduling.x-k8s.io", "PodGroup"}:         readPodGroup,
	{"storage.k8s.io", "StorageClass"}:          readStorageClass,
	{"storage.k8s.io", "CSINode"}:               readCSINode,
	{"storage.k8s.io", "CSIDriver"}:             readCSIDriver,
	{"storage.k8s.io", "CSIStorageCapacity"}:    readStorageCapacity,
	{"storage.k8s.io", "VolumeAttachment"}:      readVolumeAttachment,
	{"storage.k8s.io", "VolumeAttributesClass"}: readVolumeAttributesClass,
	{"policy", "PodDisruptionBudget"}:           readBudget,
}

func groupKindOf(o *object) groupKind {
	if o.kind == nil {
		return groupKind{}
	}
	return o.kind.groupKind
}

// checkAll decodes and checks the objects, each by itself and several at a time.
func checkAll(objects []*object, fresh checker) {
	const batch = 16
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+len(objects)/batch) {
		workers.Go(func() {
			c := fresh
			for {
				from := int(next.Add(batch)) - batch
				if from >= len(objects) {
					return
				}
				for _, o := range objects[from:min(from+batch, len(objects))] {
					if read := checks[groupKindOf(o)]; len(o.faults) == 0 && read != nil {
						read(&c, o)
						c.settle(&o.faults)
					}
				}
			}
		})
	}
	workers.Wait()
}
