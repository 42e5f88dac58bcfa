package validate

import (
	"encoding/json"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// AvoidPods reads the annotation by which a node asks for no more pods of some controllers.
func AvoidPods(n *v1.Node) (v1.AvoidPods, error) {
	var list v1.AvoidPods
	text := n.Annotations[v1.PreferAvoidPodsAnnotationKey]
	if text == "" {
		return list, nil
	}
	err := json.Unmarshal([]byte(text), &list)
	return list, err
}

// avoidPods checks the annotation.
//
// Upstream: ValidateAvoidPodsInNodeAnnotations of pkg/apis/core/validation, v1.36.3.
func (c *Checker) avoidPods(faults *document.Errors, at document.Value, n *v1.Node) {
	path := decode.Join("metadata.annotations", v1.PreferAvoidPodsAnnotationKey)
	list, err := AvoidPods(n)
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
