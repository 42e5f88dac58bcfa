//go:build before1.37

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// queued is what the queue holds.
type queued = *framework.QueuedPodInfo

func podOf(q queued) *v1.Pod { return q.Pod }

// setNext has the scheduler ask f for the next pod.
func (k *kube) setNext(f func(klog.Logger) (queued, error)) { k.scheduler.NextPod = f }

// defaultPodLevelResources was part of the defaults of a pod.
func defaultPodLevelResources(*core.Pod) {}
