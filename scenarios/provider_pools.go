package scenarios

import (
	"cmp"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// poolLabels are the labels by which providers and autoscalers name the pool of a node.
var poolLabels = []string{
	"karpenter.sh/nodepool", "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool", "kubernetes.azure.com/agentpool", "agentpool",
}

// nameProviderPools puts the nodes of a snapshot into the pools that their labels name.
func nameProviderPools(v *cluster.Vocabulary, nodes []manifest.Node) {
	for i := range nodes {
		spec := &nodes[i].Spec
		for _, key := range poolLabels {
			if value, ok := spec.Labels.Get(v.Symbol(key)); ok {
				spec.Pool = cmp.Or(spec.Pool, v.Text(value))
			}
		}
	}
}
