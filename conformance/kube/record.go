package main

import (
	"cmp"
	"context"
	"slices"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/berth-sim/berth/conformance/protocol"
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
		r.k.now.Rejected[node.Node().Name] = protocol.Verdict{
			Plugin:       status.Plugin(),
			Unresolvable: status.Code() == fwk.UnschedulableAndUnresolvable,
			Reasons:      slices.Sorted(slices.Values(status.Reasons())),
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
		scores := map[string]int64{protocol.TotalScore: node.TotalScore}
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
