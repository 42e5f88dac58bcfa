//go:build !before1.36

package main

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/apis/storage"
	"k8s.io/kubernetes/pkg/apis/storage/validation"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// newRecorder makes a recorder of events that records nothing.
func newRecorder(string) events.EventRecorderLogger { return &events.FakeRecorder{} }

func validateCSINode(n *storage.CSINode) field.ErrorList { return validation.ValidateCSINode(n) }

// schedulePod finds a node for a pod.
func (k *kube) schedulePod(profile framework.Framework, state cycleState, pod *framework.PodInfo) (scheduler.ScheduleResult, error) {
	return k.scheduler.SchedulePod(k.ctx, profile, state, &framework.QueuedPodInfo{PodInfo: pod})
}
