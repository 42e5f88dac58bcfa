package validate

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

func checkNode(c *Checker, o *decode.Object) {
	n := decoded[v1.Node](c, o)
	c.meta(o, &n.ObjectMeta, false)
	c.Node(&o.Faults, o.At, n)
}

// Node checks what a node holds but its name.
//
// Upstream: ValidateNode of pkg/apis/core/validation, v1.36.3.
func (c *Checker) Node(faults *document.Errors, at document.Value, n *v1.Node) {
	c.avoidPods(faults, at, n)
	c.resources(faults, at, "status.capacity", n.Status.Capacity, nodeNames)
	c.resources(faults, at, "status.allocatable", n.Status.Allocatable, nodeNames)
	c.nodeDevices(faults, at, n)
	declaredFeatures(faults, at, n.Status.DeclaredFeatures)
	for i, t := range n.Spec.Taints {
		path := document.Path("spec", "taints", i)
		if what := c.LabelKey(t.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		if what := c.LabelValue(t.Value); what != "" {
			faults.Add(at, path+".value", "is not valid: %s", what)
		}
		if _, known := TaintEffects[t.Effect]; !known || t.Effect == "" {
			faults.Add(at, path+".effect", wrongEffect)
		}
		for j, other := range n.Spec.Taints[:i] {
			if other.Key == t.Key && other.Effect == t.Effect && c.NoErrorAt(at, path, document.Path("spec", "taints", j)) {
				faults.Add(at, path, "has the key and effect of another taint")
			}
		}
	}
}

// NodeTemplate checks the template of a pool.
func (c *Checker) NodeTemplate(faults *document.Errors, v document.Value, n *v1.Node) {
	for _, field := range []struct{ path, got, want string }{
		{"apiVersion", n.APIVersion, "v1"}, {"kind", n.Kind, "Node"},
	} {
		if field.got != "" && field.got != field.want {
			faults.Add(v, field.path, "must be %s: the template of a pool is a Node", field.want)
		}
	}
	for _, field := range []struct{ path, got string }{
		{"metadata.name", n.Name}, {"metadata.generateName", n.GenerateName}, {"metadata.namespace", n.Namespace},
	} {
		if field.got != "" {
			faults.Add(v, field.path, "has no place in a template: the pool names its nodes")
		}
	}
	c.Labels(faults, v, "metadata.labels", n.Labels)
	c.Node(faults, v, n)
	if len(resources.Allocatable(n)) == 0 && c.NoErrorAt(v, "status.capacity") {
		faults.Add(v, "status.allocatable", "is required: what the nodes offer, for example cpu, memory and pods")
	}
}
