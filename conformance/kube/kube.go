package main

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	clientset "k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/berth-sim/berth/conformance/protocol"
)

// kube is a real kube-scheduler that is driven attempt by attempt. The API server, the
// informers and the order of the queue are the harness'; all else is upstream's.
type kube struct {
	ctx       context.Context
	stop      context.CancelFunc
	scheduler *scheduler.Scheduler
	store     *store
	clock     *clocktesting.FakeClock // of the queue
	heap      bool
	workers   int       // parallelism
	start     time.Time // when pods that are bound from now on start, a second apart

	now        protocol.Attempt   // being recorded
	preempting []reflect.Value    // what keeps the pods for which others are being evicted, by profile
	bound      chan struct{}      // binding is over
	lost       bool               // the pod lost its node again
	erred      map[types.UID]bool // the last attempt of the pod ended with an error
	leaving    []*v1.Pod          // victims that have not left yet
	victims    atomic.Int32       // of the attempt that are to be evicted, once the first is; and those that were
	evictions  atomic.Int32
	handled    chan struct{} // closed when the failure of the pod is dealt with
	err        error         // a fault of the harness
}

// decide has kube-scheduler decide a case. Where it would choose among equals by chance, it takes the smallest name.
func decide(c *protocol.Case) ([]protocol.Attempt, error) {
	in, err := admit(c.Objects)
	if err != nil {
		return nil, err
	}
	k := &kube{heap: c.Heap, workers: 1, bound: make(chan struct{}, 1), start: in.latestStart}
	if err := k.make(c.Configuration); err != nil {
		return nil, err
	}
	defer k.stop()
	k.record()
	if err := k.fill(in); err != nil {
		return nil, err
	}
	if c.Queue {
		return k.queued()
	}
	return k.all(in.pending)
}

// all attempts the pods in their order; one that preempted again at once.
func (k *kube) all(pods []*v1.Pod) ([]protocol.Attempt, error) {
	var out []protocol.Attempt
	for _, pod := range pods {
		for again := true; again; {
			tried := k.attempt(pod)
			if k.err != nil {
				return nil, k.err
			}
			if !tried {
				break
			}
			out = append(out, k.now)
			again = len(k.now.Victims) > 0
		}
	}
	return out, nil
}

// fill tells the scheduler of all objects.
func (k *kube) fill(w *admitted) error {
	for _, o := range w.objects {
		if err := k.store.put(o); err != nil {
			return err
		}
	}
	for _, pod := range slices.Concat(w.running, w.pending) {
		if err := k.store.put(pod); err != nil {
			return err
		}
		k.clock.Step(tick)
	}
	return nil
}

// tick is the time between two pods or attempts. No backoff ends in it.
const tick = time.Microsecond

// make builds the scheduler of a configuration.
func (k *kube) make(configuration []byte) error {
	cfg, err := configurationOf(configuration)
	if err != nil {
		return err
	}
	k.ctx, k.stop = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	client := &clientset.Clientset{}
	client.AddReactor("*", "*", k.serve)
	k.store, k.clock = newStore(client), clocktesting.NewFakeClock(creation)
	k.scheduler, err = scheduler.New(k.ctx, client, k.store, nil,
		newRecorder,
		scheduler.WithComponentConfigVersion(cfg.APIVersion),
		scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithExtenders(cfg.Extenders...),
		scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore),
		scheduler.WithParallelism(int32(k.workers)), scheduler.WithClock(k.clock),
	)
	if err != nil {
		return err
	}
	for _, profile := range k.scheduler.Profiles {
		for _, d := range preemptions(profile) {
			k.preempting = append(k.preempting, patient(d, k.evicting))
		}
	}
	return nil
}

// record has the scheduler's profiles written down, and takes chance out of them.
func (k *kube) record() {
	for name, profile := range k.scheduler.Profiles {
		for _, d := range preemptions(profile) {
			orderVictims(d)
			d.Evaluator.Interface = &pinned{Interface: d.Evaluator.Interface, k: k, real: preemption.Evaluator{Interface: d}}
		}
		pinVolumes(profile, k)
		k.scheduler.Profiles[name] = &recorder{Framework: profile, k: k}
	}
	k.erred = map[types.UID]bool{}
	handle := k.scheduler.FailureHandler
	k.scheduler.FailureHandler = func(ctx context.Context, f framework.Framework, pod *framework.QueuedPodInfo, answer *status, n *nominatingInfo, start time.Time) {
		k.now.Message = answer.Message()
		k.erred[pod.Pod.UID] = answer.Code() == codeError
		handle(ctx, f, pod, answer, n, start)
		close(k.handled)
		if k.now.Node != "" {
			k.lost = true
			k.bound <- struct{}{}
		}
	}
}

// attempt runs one cycle for the pod, or for the next one of the queue if it is nil, binding
// included; false when it is gated, or skipped since it is being deleted.
func (k *kube) attempt(pod *v1.Pod) bool {
	k.now = protocol.Attempt{Start: k.startIndex(), Rejected: map[string]protocol.Verdict{}, Scores: map[string]map[string]int64{}}
	k.handled = make(chan struct{})
	k.victims.Store(0)
	k.evictions.Store(0)
	var tried *v1.Pod
	k.setNext(func(logger klog.Logger) (queued, error) {
		next, err := k.next(logger, pod)
		if next != nil {
			tried = podOf(next)
			k.now.Pod = tried.Namespace + "/" + tried.Name
		}
		return next, err
	})
	k.clock.Step(tick)
	k.scheduler.ScheduleOne(k.ctx)
	k.evicted()
	if tried != nil && tried.DeletionTimestamp != nil {
		k.finalize(tried)
		tried = nil
	}
	k.complete()
	return tried != nil
}

// complete waits until the pod is bound, if it is to be, and fills in what follows from the rest of the attempt.
func (k *kube) complete() {
	if k.now.Node != "" {
		<-k.bound
		if len(k.now.Feasible) == 0 {
			k.now.Feasible, k.now.Ties = []string{k.now.Node}, []string{k.now.Node}
		}
		if k.lost {
			k.now.Node, k.lost = "", false
		}
	}
	slices.Sort(k.now.Feasible)
	slices.Sort(k.now.Ties)
	slices.Sort(k.now.Cleared)
}

// finalize has a pod be gone that the scheduler skipped since it is being deleted.
func (k *kube) finalize(skipped *v1.Pod) {
	if err := k.store.drop(skipped); err != nil && k.err == nil {
		k.err = err
	}
}

// startIndex is where the next search begins, which upstream keeps to itself.
func (k *kube) startIndex() int {
	return int(reflect.ValueOf(k.scheduler).Elem().FieldByName("nextStartNodeIndex").Int())
}
