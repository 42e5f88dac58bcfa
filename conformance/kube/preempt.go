package main

import (
	"context"
	"reflect"
	"runtime"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// pinned is preemption without chance: the search begins at the first node, and among
// equally good candidates the smallest name is taken.
type pinned struct {
	preemption.Interface
	k     *kube
	real  preemption.Evaluator
	shown bool // to the extenders, which see all candidates
}

// preemptions are the DefaultPreemption of a profile, if it has it.
func preemptions(f framework.Framework) []*defaultpreemption.DefaultPreemption {
	var out []*defaultpreemption.DefaultPreemption
	plugins := privateField[[]fwk.PostFilterPlugin](reflect.ValueOf(f).Elem(), "postFilterPlugins")
	for _, p := range *plugins {
		if d, is := p.(*defaultpreemption.DefaultPreemption); is {
			out = append(out, d)
		}
	}
	return out
}

// byNameAmongEqual orders pods of equal importance by name, upstream as its sort happens to leave them.
func byNameAmongEqual(moreImportant func(a, b *v1.Pod) bool) func(a, b *v1.Pod) bool {
	return func(a, b *v1.Pod) bool {
		switch {
		case moreImportant(a, b):
			return true
		case moreImportant(b, a):
			return false
		}
		return a.Name < b.Name
	}
}

// patient has victims evicted when the pod that they make room for is back in the queue: upstream does both side by
// side. It returns what keeps the pods for which others are being evicted.
func (k *kube) patient(d *defaultpreemption.DefaultPreemption) reflect.Value {
	evict := d.Executor.PreemptPod
	d.Executor.PreemptPod = func(ctx context.Context, c preemption.Candidate, by preemption.ExecutorPreemptor, victim *v1.Pod, plugin string) error {
		if k.handled != nil {
			<-k.handled
		}
		return evict(ctx, c, by, victim, plugin)
	}
	return reflect.ValueOf(d.Executor).Elem()
}

// evicted waits until preemption has evicted its victims, which it does beside the cycle, and
// has them leave. In a cluster too they leave later: the kubelet ends them first.
func (k *kube) evicted() {
	for _, of := range k.preempting {
		lock, preempting := privateField[sync.RWMutex](of, "mu"), privateField[sets.Set[types.UID]](of, "preempting")
		for busy := true; busy; {
			lock.RLock()
			busy = preempting.Len() > 0
			lock.RUnlock()
			runtime.Gosched()
		}
	}
	for _, victim := range k.leaving {
		if err := k.store.drop(victim); err != nil && k.err == nil {
			k.err = err
		}
	}
	k.leaving = nil
}

// GetOffsetAndNumCandidates is upstream's answer except for the offset.
func (p *pinned) GetOffsetAndNumCandidates(nodes int32) (int32, int32) {
	p.shown = len(p.k.scheduler.Extenders) == 0
	_, n := p.Interface.GetOffsetAndNumCandidates(nodes)
	return 0, n
}

// CandidatesToVictimsMap leaves the evaluator no choice but the one that was made here
// by upstream's own SelectCandidate, so that all but the last tie, which it breaks in
// the order of a map, is decided by it. Where there are extenders, upstream asks for them first.
func (p *pinned) CandidatesToVictimsMap(candidates []preemption.Candidate) map[string]*extenderv1.Victims {
	if !p.shown {
		p.shown = true
		return p.Interface.CandidatesToVictimsMap(candidates)
	}
	chosen := p.real.SelectCandidate(p.k.ctx, candidates)
	for _, c := range candidates {
		if c.Name() < chosen.Name() && p.equal(c, chosen) {
			chosen = c
		}
	}
	return map[string]*extenderv1.Victims{chosen.Name(): chosen.Victims()}
}

// equal reports whether upstream takes either of two candidates, now and then.
func (p *pinned) equal(a, b preemption.Candidate) bool {
	if a.Name() == b.Name() {
		return true
	}
	const tries = 64 // a map of two begins with the same one every time in 1 of 2^63 cases
	for range tries {
		if p.real.SelectCandidate(p.k.ctx, []preemption.Candidate{a, b}).Name() == a.Name() {
			return true
		}
	}
	return false
}
