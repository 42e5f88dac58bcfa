package compile

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/encode"
)

// WithLabels returns the class of a pod of the source that has these labels.
func (compiler *Compiler) WithLabels(class cluster.Class, source admit.Source, labels map[string]string) cluster.Class {
	class.Labels = compiler.vocabulary.NewLabelSet(labels)
	source.Meta = &metav1.ObjectMeta{Namespace: source.Meta.Namespace, Labels: labels, OwnerReferences: source.Meta.OwnerReferences}
	var late document.Errors // of keys that the template could not be refused for
	compiler.podAffinity(&late, source, &class)
	compiler.spreading(&late, source, &class)
	return class
}

// OnNode returns the class of a pod that must be on the node of that name.
//
// Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity of pkg/controller/daemon/util, v1.36.3.
func (compiler *Compiler) OnNode(class cluster.Class, name string) *cluster.Class {
	class.HasRequired = true
	class.Required = cluster.NodeSelector{{Names: []cluster.Requirement{{
		Key:    compiler.vocabulary.Symbol("metadata.name"),
		Op:     cluster.In,
		Values: []cluster.Symbol{compiler.vocabulary.Symbol(name)},
	}}}}
	class.Object = encode.PodOnNode(class.Object, name)
	return compiler.Intern(class)
}

// RunsOn reports whether a DaemonSet wants a pod of the class on a node.
//
// Upstream: NodeShouldRunDaemonPod of pkg/controller/daemon/daemon_controller.go, v1.36.3.
func (compiler *Compiler) RunsOn(c *cluster.Class, n *cluster.NodeSpec) bool {
	if c.NodeName != "" && c.NodeName != n.Name {
		return false
	}
	for _, want := range c.NodeSelector {
		if value, has := n.Labels.Get(want.Key); !has || value != want.Value {
			return false
		}
	}
	if c.HasRequired && !c.Required.Matches(n.Labels, compiler.vocabulary.Symbol(n.Name), &compiler.vocabulary.Symbols) {
		return false
	}
	return !slices.ContainsFunc(n.Taints, func(taint cluster.Taint) bool {
		return taint.Effect != cluster.PreferNoSchedule && !cluster.Tolerated(c.Tolerations, taint)
	})
}
