package manifest

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// DefaultPods is how many pods a node of a NodeTemplate takes if the template does not say: the
// default of the kubelet. A Node object that does not say takes none, as upstream reads it.
const DefaultPods = 110

func (l *Loader) addNode(o *decode.Object) {
	spec := l.compiler.NodeSpec(o.Typed.(*v1.Node))
	spec.Name = o.Name
	if amountIn(spec.Allocatable, cluster.Pods) == 0 {
		l.warnings.Once("node without pods", o.At, "no pod fits on the node %s: its status.allocatable has no pods", o.Name)
	}
	l.admission.WarnOfConditions(o, o.Typed.(*v1.Node))
	l.compiler.WarnOfDevices(o, o.Typed.(*v1.Node))
	l.Nodes = append(l.Nodes, Node{Spec: spec, At: o.At})
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
	l.check.Decode(&faults, v, &n)
	l.check.NodeTemplate(&faults, v, &n)
	if devices != nil {
		giveDevices(&faults, v, &n, devices)
	}
	l.check.End(&faults)
	if len(faults) > 0 {
		return NodeTemplate{}, faults.Err()
	}
	t := NodeTemplate{spec: l.compiler.NodeSpec(&n), vocabulary: l.vocabulary}
	if _, given := resources.Allocatable(&n)[v1.ResourcePods]; !given {
		t.spec.Allocatable = append(t.spec.Allocatable, cluster.Quantity{Resource: cluster.Pods, Amount: DefaultPods})
		slices.SortFunc(t.spec.Allocatable, func(x, y cluster.Quantity) int { return int(x.Resource - y.Resource) })
	}
	return t, nil
}

// Instance returns a node of that name, labeled with its host name (unless the template has that
// label) and, if zone is not empty, with that zone. Its taints, resources and images are shared among all instances.
func (t NodeTemplate) Instance(name, zone string) cluster.NodeSpec {
	spec := t.spec
	spec.Name = name
	if _, given := spec.Labels.Get(t.vocabulary.Hostname); !given {
		spec.Labels = spec.Labels.With(t.vocabulary.Hostname, t.vocabulary.Symbol(name))
	}
	if zone != "" {
		spec.Labels = spec.Labels.With(t.vocabulary.Symbol(v1.LabelTopologyZone), t.vocabulary.Symbol(zone))
	}
	return spec
}

// Spec returns what the instances have in common.
func (t NodeTemplate) Spec() cluster.NodeSpec { return t.spec }
