package compile

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// features are those that the kubelet of the pod's node must declare.
//
// Upstream: InferForScheduling in k8s.io/component-helpers/nodedeclaredfeatures/features, v0.36.3.
func features(spec *v1.PodSpec) cluster.FeatureSet {
	var set cluster.FeatureSet
	for _, list := range [][]v1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			for _, rule := range list[i].RestartPolicyRules {
				if rule.Action == v1.ContainerRestartRuleActionRestartAllContainers {
					set |= cluster.RestartAllContainers
				}
			}
		}
	}
	if spec.HostNetwork && validate.HasOwnUserNamespace(spec) {
		set |= cluster.UserNamespacesHostNetwork
	}
	return set
}
