package main

import (
	"cmp"
	"context"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/berth-sim/berth/conformance/protocol"
)

// recorder is a profile of kube-scheduler that writes down what its plugins answer.
type recorder struct {
	framework.Framework
	k *kube
}

// RunFilterPluginsWithNominatedPods notes the verdict on a node.
func (r *recorder) RunFilterPluginsWithNominatedPods(ctx context.Context, state cycleState, pod *v1.Pod, node nodeInfo) *status {
	answer := r.Framework.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
	if answer.IsRejected() {
		r.k.now.Rejected[node.Node().Name] = protocol.Verdict{
			Plugin:       answer.Plugin(),
			Unresolvable: answer.Code() == codeUnresolvable,
			Reasons:      slices.Sorted(slices.Values(answer.Reasons())),
		}
	}
	return answer
}

// RunScorePlugins notes the scores, and has the smallest name of the best be taken.
func (r *recorder) RunScorePlugins(ctx context.Context, state cycleState, pod *v1.Pod, nodes []nodeInfo) ([]nodePluginScores, *status) {
	list, answer := r.Framework.RunScorePlugins(ctx, state, pod, nodes)
	if !answer.IsSuccess() {
		return list, answer
	}
	now := &r.k.now
	best := 0
	for i := range list {
		if c := cmp.Compare(list[i].TotalScore, list[best].TotalScore); c > 0 || c == 0 && list[i].Name < list[best].Name {
			best = i
		}
	}
	if !r.k.heap {
		defer prefer(&list[best])
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
	return list, answer
}

// RunPostFilterPlugins notes what preemption nominated.
func (r *recorder) RunPostFilterPlugins(ctx context.Context, state cycleState, pod *v1.Pod, m statusReader) (*postFilterResult, *status) {
	result, answer := r.Framework.RunPostFilterPlugins(ctx, state, pod, inOrder{m})
	if answer.IsSuccess() && result != nil && result.NominatingInfo != nil {
		r.k.now.Nominated = result.NominatedNodeName
	}
	return result, answer
}

// RunReservePluginsReserve notes the node that the pod is assumed on.
func (r *recorder) RunReservePluginsReserve(ctx context.Context, state cycleState, pod *v1.Pod, node string) *status {
	r.k.now.Node = node
	return r.Framework.RunReservePluginsReserve(ctx, state, pod, node)
}

// RunPostBindPlugins says that binding is over.
func (r *recorder) RunPostBindPlugins(ctx context.Context, state cycleState, pod *v1.Pod, node string) {
	r.Framework.RunPostBindPlugins(ctx, state, pod, node)
	r.k.bound <- struct{}{}
}

// inOrder lists nodes in their order in the cluster, upstream in that of a map.
type inOrder struct{ statusReader }

// NodesForStatusCode is upstream's answer, sorted.
func (r inOrder) NodesForStatusCode(lister nodeInfoLister, code statusCode) ([]nodeInfo, error) {
	all, err := lister.List()
	if err != nil {
		return nil, err
	}
	place := make(map[string]int, len(all))
	for i, n := range all {
		place[n.Node().Name] = i
	}
	nodes, err := r.statusReader.NodesForStatusCode(lister, code)
	slices.SortFunc(nodes, func(a, b nodeInfo) int {
		return cmp.Compare(place[a.Node().Name], place[b.Node().Name])
	})
	return nodes, err
}
