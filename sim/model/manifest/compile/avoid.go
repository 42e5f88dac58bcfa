package compile

import (
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// avoidable are the kinds of controllers whose pods a node can ask to be spared.
//
// Upstream: CalculateNodePreferAvoidPodsPriorityMap of
// pkg/scheduler/algorithm/priorities/node_prefer_avoid_pods.go, v1.16.15.
var avoidable = map[string]bool{"ReplicationController": true, "ReplicaSet": true}

// RegisterNode notes the controllers whose pods the node asks to be spared, before any pod
// is compiled: pods of other controllers need not be distinguished by them.
func (compiler *Compiler) RegisterNode(o *decode.Object) {
	list, err := validate.AvoidPods(o.Typed.(*v1.Node))
	if err != nil {
		return
	}
	for i := range list.PreferAvoidPods {
		if c := list.PreferAvoidPods[i].PodSignature.PodController; c != nil && avoidable[c.Kind] {
			compiler.avoided[controllerKey(c.Kind, string(c.UID))] = true
		}
	}
}

// avoidedBy are the controllers whose pods the node asks to be spared.
func (compiler *Compiler) avoidedBy(n *v1.Node) []cluster.Symbol {
	list, err := validate.AvoidPods(n)
	if err != nil {
		return nil
	}
	var out []cluster.Symbol
	for i := range list.PreferAvoidPods {
		if c := list.PreferAvoidPods[i].PodSignature.PodController; c != nil && avoidable[c.Kind] {
			out = append(out, compiler.vocabulary.Symbol(controllerKey(c.Kind, string(c.UID))))
		}
	}
	return out
}

// avoidedController is the controller of a pod if some node asks for its pods to be spared,
// else 0.
func (compiler *Compiler) avoidedController(meta *metav1.ObjectMeta) cluster.Symbol {
	ref := metav1.GetControllerOfNoCopy(meta)
	if ref == nil || !compiler.avoided[controllerKey(ref.Kind, string(ref.UID))] {
		return 0
	}
	return compiler.vocabulary.Symbol(controllerKey(ref.Kind, string(ref.UID)))
}

func controllerKey(kind, uid string) string { return kind + "/" + uid }
