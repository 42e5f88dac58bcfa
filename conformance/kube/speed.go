package main

import (
	"cmp"
	"fmt"
	"reflect"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/berth-sim/berth/conformance/protocol"
)

// measure is how many pods kube-scheduler decides in a second.
func measure(m *protocol.Measurement) (float64, error) {
	in, err := admit(m.Case.Objects)
	if err != nil {
		return 0, err
	}
	k := &kube{workers: m.Workers, start: in.latestStart}
	if err := k.make(m.Case.Configuration); err != nil {
		return 0, err
	}
	defer k.stop()
	if err := k.fill(in); err != nil {
		return 0, err
	}
	snapshot := *privateField[*cache.Snapshot](reflect.ValueOf(k.scheduler).Elem(), "nodeInfoSnapshot")
	began, done := time.Now(), 0
	for ; done < min(len(in.pending), m.Pods) && time.Since(began) < m.Time; done++ {
		if err := k.decideOnce(snapshot, in.pending[done].DeepCopy()); err != nil {
			return 0, err
		}
	}
	return float64(done) / time.Since(began).Seconds(), nil
}

// decideOnce decides a pod, again if it preempts.
func (k *kube) decideOnce(snapshot *cache.Snapshot, pod *v1.Pod) error {
	preempted, err := k.decide(snapshot, pod)
	if preempted {
		k.evicted()
		preempted, err = k.decide(snapshot, pod)
	}
	if preempted {
		return fmt.Errorf("pod %s preempted twice", pod.Name)
	}
	return cmp.Or(err, k.err)
}

// decide is the core of kube-scheduler's cycle for one pod. It reports whether other pods had
// to go for it.
func (k *kube) decide(snapshot *cache.Snapshot, pod *v1.Pod) (preempted bool, err error) {
	logger := klog.FromContext(k.ctx)
	if err := k.scheduler.Cache.UpdateSnapshot(logger, snapshot); err != nil {
		return false, err
	}
	profile, state := k.scheduler.Profiles[pod.Spec.SchedulerName], framework.NewCycleState()
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return false, err
	}
	result, err := k.schedulePod(profile, state, info)
	if fit, misfit := err.(*framework.FitError); misfit {
		answer, status := profile.RunPostFilterPlugins(k.ctx, state, pod, fit.Diagnosis.NodeToStatus)
		if !status.IsSuccess() {
			return false, status.AsError()
		}
		pod.Status.NominatedNodeName = answer.NominatedNodeName
		return true, nil
	}
	if err != nil {
		return false, err
	}
	pod.Spec.NodeName = result.SuggestedHost
	if err := k.scheduler.Cache.AssumePod(logger, pod); err != nil {
		return false, err
	}
	return false, profile.RunReservePluginsReserve(k.ctx, state, pod, result.SuggestedHost).AsError()
}
