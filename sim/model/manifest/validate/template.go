package validate

import (
	"errors"
	"strings"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// Template checks a PodTemplateSpec.
func (c *Checker) Template(faults *document.Errors, at document.Value, t *v1.PodTemplateSpec) {
	c.Labels(faults, at, "metadata.labels", t.Labels)
	if t.Namespace != "" {
		c.namespace(faults, at, t.Namespace)
	}
	c.podSpec(faults, at.Get("spec"), &t.Spec)
	if len(t.Spec.EphemeralContainers) > 0 {
		faults.Add(at, "spec.ephemeralContainers", "have no place in a template")
	}
	if t.Annotations[devices.GPUIndex] != "" {
		faults.Add(at, decode.Join(devices.AnnotationsPath, devices.GPUIndex), "has no place in a template: a pod on a node says which GPUs it holds")
	}
	if t.Spec.NodeName != "" && len(t.Spec.SchedulingGates) > 0 {
		faults.Add(at, "spec.nodeName", "cannot be set while there are scheduling gates")
	}
}

// CheckName says why a name is not one for a Kubernetes object; nil if it is.
func CheckName(name string) error {
	if bad := validation.IsDNS1123Subdomain(name); len(bad) > 0 {
		return errors.New("is not valid: " + strings.Join(bad, "; "))
	}
	return nil
}
