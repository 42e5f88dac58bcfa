//go:build before1.34

package main

import (
	"cmp"
	"context"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
	"slices"

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// What moves between packages from release to release.
type (
	volumeAttributesClass = storagev1beta1.VolumeAttributesClass
	cycleState            = *framework.CycleState
	nodeInfo              = *framework.NodeInfo
	status                = framework.Status
	statusCode            = framework.Code
	statusReader          = framework.NodeToStatusReader
	nodeInfoLister        = framework.NodeInfoLister
	nodePluginScores      = framework.NodePluginScores
	nominatingInfo        = framework.NominatingInfo
	postFilterResult      = framework.PostFilterResult
	postFilterPlugin      = framework.PostFilterPlugin
	preBindPlugin         = framework.PreBindPlugin
)

const (
	codeError        = framework.Error
	codeUnresolvable = framework.UnschedulableAndUnresolvable
)

// orderVictims orders victims of equal importance by name. Upstream leaves them in the order in which the node has them as
// long as they are few, so that order is made that of names.
func orderVictims(d *defaultpreemption.DefaultPreemption) {
	d.Evaluator.Interface = byName{d.Evaluator.Interface}
}

type byName struct{ preemption.Interface }

// SelectVictimsOnNode is upstream's answer for a node whose pods are sorted.
func (b byName) SelectVictimsOnNode(ctx context.Context, state *framework.CycleState, pod *v1.Pod, node *framework.NodeInfo,
	pdbs []*policyv1.PodDisruptionBudget) ([]*v1.Pod, int, *framework.Status) {
	slices.SortFunc(node.Pods, func(a, b *framework.PodInfo) int { return cmp.Compare(a.Pod.Name, b.Pod.Name) })
	return b.Interface.SelectVictimsOnNode(ctx, state, pod, node, pdbs)
}
