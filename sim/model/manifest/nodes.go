package manifest

import (
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// DefaultPods is how many pods a node of a NodeTemplate takes if the template does not say: the
// default of the kubelet. A Node object that does not say takes none, as upstream reads it.
const DefaultPods = 110

func readNode(c *checker, o *object) {
	n := decoded[v1.Node](c, o)
	c.meta(o, &n.ObjectMeta, false)
	c.node(&o.faults, o.at, n)
}

// node checks what a node holds but its name.
//
// Upstream: ValidateNode of pkg/apis/core/validation, v1.36.3.
func (c *checker) node(faults *document.Errors, at document.Value, n *v1.Node) {
	c.avoids(faults, at, n)
	c.resources(faults, at, "status.capacity", n.Status.Capacity, nodeNames)
	c.resources(faults, at, "status.allocatable", n.Status.Allocatable, nodeNames)
	c.nodeDevices(faults, at, n)
	declaredFeatures(faults, at, n.Status.DeclaredFeatures)
	for i, t := range n.Spec.Taints {
		path := document.Path("spec", "taints", i)
		if what := c.labelKey(t.Key); what != "" {
			faults.Add(at, path+".key", "is not valid: %s", what)
		}
		if what := c.labelValue(t.Value); what != "" {
			faults.Add(at, path+".value", "is not valid: %s", what)
		}
		if _, known := effects[t.Effect]; !known || t.Effect == "" {
			faults.Add(at, path+".effect", wrongEffect)
		}
		for j, other := range n.Spec.Taints[:i] {
			if other.Key == t.Key && other.Effect == t.Effect && c.knows(at, path, document.Path("spec", "taints", j)) {
				faults.Add(at, path, "has the key and effect of another taint")
			}
		}
	}
}

func (l *Loader) addNode(o *object) {
	spec := l.compiler.nodeSpec(o.typed.(*v1.Node))
	spec.Name = o.name
	if amountIn(spec.Allocatable, cluster.Pods) == 0 {
		l.warnings.once("node without pods", o.at, "no pod fits on the node %s: its status.allocatable has no pods", o.name)
	}
	l.admission.warnOfConditions(o, o.typed.(*v1.Node))
	l.compiler.warnOfDevices(o, o.typed.(*v1.Node))
	l.Nodes = append(l.Nodes, Node{Spec: spec, At: o.at})
}

// nodeSpec compiles a node but its name.
func (cp *compiler) nodeSpec(n *v1.Node) cluster.NodeSpec {
	spec := cluster.NodeSpec{
		Labels:          cp.vocabulary.NewLabelSet(n.Labels),
		Unschedulable:   n.Spec.Unschedulable,
		Allocatable:     cp.quantities(amountsOf(allocatable(n))),
		Conditions:      conditions(n),
		Features:        cluster.FeaturesOf(n.Status.DeclaredFeatures),
		PreferAvoidPods: cp.avoidedBy(n),
		AttachesNone:    cp.attachesNone(n),
		Devices:         cp.devicesOf(n),
	}
	for _, t := range cp.chain.taintsOf(n) {
		spec.Taints = append(spec.Taints, cluster.Taint{
			Key: cp.vocabulary.Sym(t.Key), Value: cp.vocabulary.Sym(t.Value), Effect: effects[t.Effect],
		})
	}
	if cp.keep {
		spec.Object = keepNode(n)
	}
	known := map[cluster.Sym]bool{}
	for _, image := range n.Status.Images {
		for _, name := range image.Names {
			sym := cp.vocabulary.Sym(name)
			if !known[sym] {
				known[sym] = true
				spec.Images = append(spec.Images, cluster.NodeImage{Name: sym, Size: image.SizeBytes})
			}
		}
	}
	return spec
}

// attachesNone are the kinds of volumes of which the node says that it can attach 0. They are kept
// beside the amounts, where only rules look that know such a limit.
func (cp *compiler) attachesNone(n *v1.Node) (out []cluster.Resource) {
	var names []string
	for name, q := range allocatable(n) {
		if q.IsZero() && strings.HasPrefix(string(name), v1.ResourceAttachableVolumesPrefix) {
			names = append(names, string(name))
		}
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, cp.vocabulary.Resource(name))
	}
	return out
}

// allocatable is the capacity if the node does not say what of it is allocatable.
//
// Upstream: SetDefaults_NodeStatus of pkg/apis/core/v1/defaults.go, v1.36.3.
func allocatable(n *v1.Node) v1.ResourceList {
	if n.Status.Allocatable == nil {
		return n.Status.Capacity
	}
	return n.Status.Allocatable
}

func amountIn(list []cluster.Quantity, r cluster.Resource) int64 {
	for _, q := range list {
		if q.Resource == r {
			return q.Amount
		}
	}
	return 0
}

// NodeTemplate is a Node without a name, of which many nodes are made.
type NodeTemplate struct {
	spec       cluster.NodeSpec
	vocabulary *cluster.Vocabulary
}

// NodeTemplate reads a Node that has no name: the template of a pool. Its allocatable resources default to its
// capacity, and their pods to DefaultPods; a template without any resources is an error.
// It may be given devices that it does not name.
func (l *Loader) NodeTemplate(v document.Value, devices *DeviceOptions) (NodeTemplate, error) {
	var n v1.Node
	var faults document.Errors
	l.check.decode(&faults, v, &n)
	l.check.nodeTemplate(&faults, v, &n)
	if devices != nil {
		giveDevices(&faults, v, &n, devices)
	}
	l.check.settle(&faults)
	if len(faults) > 0 {
		return NodeTemplate{}, faults.Err()
	}
	t := NodeTemplate{spec: l.compiler.nodeSpec(&n), vocabulary: l.vocabulary}
	if _, given := allocatable(&n)[v1.ResourcePods]; !given {
		t.spec.Allocatable = append(t.spec.Allocatable, cluster.Quantity{Resource: cluster.Pods, Amount: DefaultPods})
		slices.SortFunc(t.spec.Allocatable, func(x, y cluster.Quantity) int { return int(x.Resource - y.Resource) })
	}
	return t, nil
}

// nodeTemplate checks the template of a pool.
func (c *checker) nodeTemplate(faults *document.Errors, v document.Value, n *v1.Node) {
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
	c.labels(faults, v, "metadata.labels", n.Labels)
	c.node(faults, v, n)
	if len(allocatable(n)) == 0 && c.knows(v, "status.capacity") {
		faults.Add(v, "status.allocatable", "is required: what the nodes offer, for example cpu, memory and pods")
	}
}

// Instance returns a node of that name, labelled with its host name (unless the template has that
// label) and, if zone is not empty, with that zone. Its taints, resources and images are shared among all instances.
func (t NodeTemplate) Instance(name, zone string) cluster.NodeSpec {
	spec := t.spec
	spec.Name = name
	if _, given := spec.Labels.Get(t.vocabulary.Hostname); !given {
		spec.Labels = spec.Labels.With(t.vocabulary.Hostname, t.vocabulary.Sym(name))
	}
	if zone != "" {
		spec.Labels = spec.Labels.With(t.vocabulary.Sym(v1.LabelTopologyZone), t.vocabulary.Sym(zone))
	}
	return spec
}

// Spec is what the instances have in common.
func (t NodeTemplate) Spec() cluster.NodeSpec { return t.spec }
