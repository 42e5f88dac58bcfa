package conformance

import (
	"cmp"
	"context"
	"reflect"
	"runtime"
	"slices"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"

	berth "github.com/berth-sim/berth/scheduler"
)

// recorder is a profile of kube-scheduler that writes down what its plugins answer.
type recorder struct {
	framework.Framework
	k *kube
}

// RunFilterPluginsWithNominatedPods notes the verdict on a node.
func (r *recorder) RunFilterPluginsWithNominatedPods(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
	status := r.Framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
	if status.IsRejected() {
		r.k.now.Rejected[node.Node().Name] = Verdict{
			status.Plugin(), status.Code() == fwk.UnschedulableAndUnresolvable, slices.Sorted(slices.Values(status.Reasons())),
		}
	}
	return status
}

// RunScorePlugins notes the scores, and has the heap take the smallest name of the best.
// A randomizer decides between equal totals only.
func (r *recorder) RunScorePlugins(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) ([]fwk.NodePluginScores, *fwk.Status) {
	list, status := r.Framework.RunScorePlugins(ctx, state, pod, nodes)
	if !status.IsSuccess() {
		return list, status
	}
	now := &r.k.now
	best := 0
	for i := range list {
		if c := cmp.Compare(list[i].TotalScore, list[best].TotalScore); c > 0 || c == 0 && list[i].Name < list[best].Name {
			best = i
		}
	}
	if !r.k.heap {
		list[best].Randomizer = 1
	}
	for i := range list {
		node := &list[i]
		now.Feasible = append(now.Feasible, node.Name)
		scores := map[string]int64{berth.TotalScore: node.TotalScore}
		for _, s := range node.Scores {
			scores[s.Name] = s.Score
		}
		now.Scores[node.Name] = scores
		if node.TotalScore == list[best].TotalScore {
			now.Ties = append(now.Ties, node.Name)
		}
	}
	return list, status
}

// RunPostFilterPlugins notes what preemption nominated.
func (r *recorder) RunPostFilterPlugins(ctx context.Context, state fwk.CycleState, pod *v1.Pod, m fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	result, status := r.Framework.RunPostFilterPlugins(ctx, state, pod, inOrder{m})
	if status.IsSuccess() && result != nil && result.NominatingInfo != nil {
		r.k.now.Nominated = result.NominatedNodeName
	}
	return result, status
}

// RunReservePluginsReserve notes the node that the pod is assumed on.
func (r *recorder) RunReservePluginsReserve(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node string) *fwk.Status {
	r.k.now.Node = node
	return r.Framework.RunReservePluginsReserve(ctx, state, pod, node)
}

// RunPostBindPlugins says that binding is over.
func (r *recorder) RunPostBindPlugins(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node string) {
	r.Framework.RunPostBindPlugins(ctx, state, pod, node)
	r.k.bound <- struct{}{}
}

// inOrder lists nodes in their order in the cluster, upstream in that of a map.
type inOrder struct{ fwk.NodeToStatusReader }

// NodesForStatusCode is upstream's answer, sorted.
func (r inOrder) NodesForStatusCode(lister fwk.NodeInfoLister, code fwk.Code) ([]fwk.NodeInfo, error) {
	all, err := lister.List()
	if err != nil {
		return nil, err
	}
	place := make(map[string]int, len(all))
	for i, n := range all {
		place[n.Node().Name] = i
	}
	nodes, err := r.NodeToStatusReader.NodesForStatusCode(lister, code)
	slices.SortFunc(nodes, func(a, b fwk.NodeInfo) int {
		return cmp.Compare(place[a.Node().Name], place[b.Node().Name])
	})
	return nodes, err
}

// pinned is preemption without chance: the search begins at the first node, and among
// equally good candidates the smallest name is taken.
type pinned struct {
	preemption.Interface
	k    *kube
	real preemption.Evaluator
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

// patient has victims evicted when the pod that they make room for is back in the queue:
// upstream does both side by side.
func (k *kube) patient(e *preemption.Executor) *preemption.Executor {
	evict := e.PreemptPod
	e.PreemptPod = func(ctx context.Context, c preemption.Candidate, by preemption.ExecutorPreemptor, victim *v1.Pod, plugin string) error {
		if k.handled != nil {
			<-k.handled
		}
		return evict(ctx, c, by, victim, plugin)
	}
	return e
}

// evicted waits until preemption has evicted its victims, which it does beside the cycle, and
// has them leave. In a cluster too they leave later: the kubelet ends them first.
func (k *kube) evicted() {
	for _, e := range k.executors {
		of := reflect.ValueOf(e).Elem()
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
	_, n := p.Interface.GetOffsetAndNumCandidates(nodes)
	return 0, n
}

// CandidatesToVictimsMap leaves the evaluator no choice but the one that was made here
// by upstream's own SelectCandidate, so that all but the last tie, which it breaks in
// the order of a map, is decided by it.
func (p *pinned) CandidatesToVictimsMap(candidates []preemption.Candidate) map[string]*extenderv1.Victims {
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
