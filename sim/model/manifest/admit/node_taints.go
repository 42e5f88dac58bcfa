package admit

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// conditionTaints are the keys of the taints that conditions of a node call for.
//
// Upstream: nodeConditionToTaintKeyStatusMap of
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3.
var conditionTaints = map[v1.NodeConditionType]map[v1.ConditionStatus]string{
	v1.NodeReady: {
		v1.ConditionFalse: v1.TaintNodeNotReady, v1.ConditionUnknown: v1.TaintNodeUnreachable,
	},
	v1.NodeMemoryPressure:     {v1.ConditionTrue: v1.TaintNodeMemoryPressure},
	v1.NodeDiskPressure:       {v1.ConditionTrue: v1.TaintNodeDiskPressure},
	v1.NodeNetworkUnavailable: {v1.ConditionTrue: v1.TaintNodeNetworkUnavailable},
	v1.NodePIDPressure:        {v1.ConditionTrue: v1.TaintNodePIDPressure},
}

// TaintsOf returns the taints of a node. With TaintNodesByCondition they are those that a cluster
// would have given it: what its conditions and spec.unschedulable call for, and nothing that they
// do not. A node that reports no conditions counts as ready.
//
// Upstream: doNoScheduleTaintingPass, processTaintBaseEviction and markNodeAsReachable of
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3; the plugin itself,
// plugin/pkg/admission/nodetaint, taints nodes until they have become ready.
func (chain *Chain) TaintsOf(n *v1.Node) []v1.Taint {
	if !chain.plugins[TaintNodesByCondition] {
		return n.Spec.Taints
	}
	ours := func(t v1.Taint) bool {
		switch t.Key {
		case v1.TaintNodeUnschedulable:
			return t.Effect == v1.TaintEffectNoSchedule
		case v1.TaintNodeNotReady, v1.TaintNodeUnreachable:
			return t.Effect != v1.TaintEffectPreferNoSchedule && len(n.Status.Conditions) > 0
		case v1.TaintNodeMemoryPressure, v1.TaintNodeDiskPressure, v1.TaintNodeNetworkUnavailable, v1.TaintNodePIDPressure:
			return t.Effect == v1.TaintEffectNoSchedule && len(n.Status.Conditions) > 0
		}
		return false
	}
	return append(slices.DeleteFunc(slices.Clone(n.Spec.Taints), ours), taintsForConditions(n)...)
}

// WarnOfConditions warns of a node whose conditions call for a taint that it has not.
func (chain *Chain) WarnOfConditions(o *decode.Object, n *v1.Node) {
	if chain.plugins[TaintNodesByCondition] {
		return
	}
	for _, t := range taintsForConditions(n) {
		has := func(other v1.Taint) bool { return other.Key == t.Key }
		if t.Key != v1.TaintNodeUnschedulable && !slices.ContainsFunc(n.Spec.Taints, has) {
			chain.warnings.Once("taint "+t.Key, o.At, "the conditions of the node %s call for the taint %s, which it has not; "+
				"the admission plugin TaintNodesByCondition would give it that", o.Name, t.Key)
		}
	}
}

// taintsForConditions are the taints that conditions and spec.unschedulable call for.
func taintsForConditions(n *v1.Node) []v1.Taint {
	var out []v1.Taint
	for _, c := range n.Status.Conditions {
		key, calls := conditionTaints[c.Type][c.Status]
		if !calls {
			continue
		}
		out = append(out, v1.Taint{Key: key, Effect: v1.TaintEffectNoSchedule})
		if c.Type == v1.NodeReady {
			out = append(out, v1.Taint{Key: key, Effect: v1.TaintEffectNoExecute})
		}
	}
	if n.Spec.Unschedulable {
		out = append(out, v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule})
	}
	return out
}
