package main

import (
	"reflect"
	"runtime"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
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
	plugins := privateField[[]postFilterPlugin](reflect.ValueOf(f).Elem(), "postFilterPlugins")
	for _, p := range *plugins {
		if d, is := p.(*defaultpreemption.DefaultPreemption); is {
			out = append(out, d)
		}
	}
	return out
}

// byNameAmongEqual is an order in which names decide where it does not.
func byNameAmongEqual[T any](moreImportant func(a, b T) bool, name func(T) string) func(a, b T) bool {
	return func(a, b T) bool {
		switch {
		case moreImportant(a, b):
			return true
		case moreImportant(b, a):
			return false
		}
		return name(a) < name(b)
	}
}

// evicting is called for each victim before it is evicted, and waits until the pod that the victims make room for is back
// in the queue: upstream does both side by side. It returns what to call after.
func (k *kube) evicting(victims int) (done func()) {
	if k.handled != nil {
		<-k.handled
	}
	k.victims.Store(int32(victims))
	return func() { k.evictions.Add(1) }
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
	// The preemptor is released before the last victim is evicted.
	for releasesEarly && k.now.Nominated != "" && (k.victims.Load() == 0 || k.evictions.Load() < k.victims.Load()) {
		runtime.Gosched()
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
