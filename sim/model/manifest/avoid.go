package manifest

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// avoidable are the kinds of controllers whose pods a node can ask to be spared.
//
// Upstream: CalculateNodePreferAvoidPodsPriorityMap of
// pkg/scheduler/algorithm/priorities/node_prefer_avoid_pods.go, v1.16.15.
var avoidable = map[string]bool{"ReplicationController": true, "ReplicaSet": true}

// avoids reads the annotation by which a node asks for no more pods of some controllers.
func avoids(n *v1.Node) (v1.AvoidPods, error) {
	var list v1.AvoidPods
	text := n.Annotations[v1.PreferAvoidPodsAnnotationKey]
	if text == "" {
		return list, nil
	}
	err := json.Unmarshal([]byte(text), &list)
	return list, err
}

// avoids checks the annotation.
//
// Upstream: ValidateAvoidPodsInNodeAnnotations of pkg/apis/core/validation, v1.36.3.
func (c *checker) avoids(faults *document.Errors, at document.Value, n *v1.Node) {
	path := join("metadata.annotations", v1.PreferAvoidPodsAnnotationKey)
	list, err := avoids(n)
	if err != nil {
		faults.Add(at, path, "is not valid: %v", err)
	}
	for i := range list.PreferAvoidPods {
		controller := list.PreferAvoidPods[i].PodSignature.PodController
		switch {
		case controller == nil:
			faults.Add(at, path, "is not valid: preferAvoidPods[%d] lacks podSignature.podController", i)
		case controller.Controller == nil || !*controller.Controller:
			faults.Add(at, path, "is not valid: preferAvoidPods[%d].podSignature.podController.controller must be true", i)
		}
	}
}

// registerNode notes the controllers whose pods the node asks to be spared, before any pod
// is compiled: pods of other controllers need not be told apart by them.
func (cp *compiler) registerNode(o *object) {
	list, err := avoids(o.typed.(*v1.Node))
	if err != nil {
		return
	}
	for i := range list.PreferAvoidPods {
		if c := list.PreferAvoidPods[i].PodSignature.PodController; c != nil && avoidable[c.Kind] {
			cp.avoided[controllerKey(c.Kind, string(c.UID))] = true
		}
	}
}

// avoidedBy are the controllers whose pods the node asks to be spared.
func (cp *compiler) avoidedBy(n *v1.Node) []cluster.Sym {
	list, err := avoids(n)
	if err != nil {
		return nil
	}
	var out []cluster.Sym
	for i := range list.PreferAvoidPods {
		if c := list.PreferAvoidPods[i].PodSignature.PodController; c != nil && avoidable[c.Kind] {
			out = append(out, cp.vocabulary.Sym(controllerKey(c.Kind, string(c.UID))))
		}
	}
	return out
}

// avoidedController is the controller of a pod if some node asks for its pods to be spared,
// else 0.
func (cp *compiler) avoidedController(meta *metav1.ObjectMeta) cluster.Sym {
	ref := metav1.GetControllerOfNoCopy(meta)
	if ref == nil || !cp.avoided[controllerKey(ref.Kind, string(ref.UID))] {
		return 0
	}
	return cp.vocabulary.Sym(controllerKey(ref.Kind, string(ref.UID)))
}

func controllerKey(kind, uid string) string { return kind + "/" + uid }
