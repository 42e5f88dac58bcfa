package main

import (
	"reflect"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/heap"

	"github.com/berth-sim/berth/conformance/protocol"
)

// queued attempts pods in the order of the queue, until none is in it that could be tried.
func (k *kube) queued() ([]protocol.Attempt, error) {
	var out []protocol.Attempt
	queue := k.scheduler.SchedulingQueue
	for len(queue.PodsInActiveQ()) > 0 || slices.ContainsFunc(queue.PodsInBackoffQ(), k.mayReturn) {
		tried := k.attempt(nil)
		if k.err != nil {
			return nil, k.err
		}
		if tried {
			out = append(out, k.now)
		}
	}
	return out, nil
}

// mayReturn reports whether a pod can leave the backoff queue before its backoff ends, which it
// never does here: one that failed with an error cannot.
func (k *kube) mayReturn(pod *v1.Pod) bool { return !k.erred[pod.UID] }

// next is the next pod: that one, or the first of the queue if it is nil. It returns none if the pod is gated.
func (k *kube) next(logger klog.Logger, pod *v1.Pod) (queued, error) {
	if pod == nil {
		return k.scheduler.SchedulingQueue.Pop(logger)
	}
	return k.pop(logger, pod)
}

// pop activates a pod and takes it out of the queue in upstream's way, for which it hides the other active pods meanwhile.
func (k *kube) pop(logger klog.Logger, pod *v1.Pod) (queued, error) {
	queue := k.scheduler.SchedulingQueue
	queue.Activate(logger, map[string]*v1.Pod{"": pod})
	active := reflect.ValueOf(queue).Elem().FieldByName("activeQ").Elem().Elem()
	pods := privateField[*heap.Heap[queued]](active, "queue")
	all := *pods
	defer func() { *pods = all }()
	list := all.List()
	i := slices.IndexFunc(list, func(q queued) bool { return podOf(q).UID == pod.UID })
	if i < 0 {
		return nil, nil
	}
	all.Delete(list[i])
	*pods = heap.New(func(q queued) string { return string(podOf(q).UID) }, func(_, _ queued) bool { return false })
	(*pods).AddOrUpdate(list[i])
	return queue.Pop(logger)
}
