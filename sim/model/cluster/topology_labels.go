package cluster

// The labels of a node that the API server copies to a pod that is bound to it.
const (
	zoneLabel   = "topology.kubernetes.io/zone"
	regionLabel = "topology.kubernetes.io/region"
)

// topologyLabels is what a vocabulary knows of the labels that bound pods get from their nodes.
type topologyLabels struct {
	selected bool // some selector of pods names one of the two
	classes  map[labeledClass]*Class
}

// labeledClass is a class and the labels that its pods get. A value of 0 is none: the node lacks the label.
type labeledClass struct {
	of           ClassID
	zone, region Symbol
}

// NoteSelectorKey notes that a selector of pods names a label. CopyTopologyLabels needs to know it before pods are bound.
func (v *Vocabulary) NoteSelectorKey(key Symbol) {
	if name := v.Text(key); name == zoneLabel || name == regionLabel {
		v.topologyLabels.selected = true
	}
}

// CopyTopologyLabels gives a bound pod the zone and the region of its node as labels, over those that it has. The pod then is
// of another class, which has no Serial, since records say what the pod was created as. Where no selector names one of the
// labels it does nothing: they cannot matter.
//
// Upstream: plugin/pkg/admission/podtopologylabels, v1.35.4.
func (c *Cluster) CopyTopologyLabels(id PodID) {
	p := c.expect(id, Bound, "labeled")
	if !c.Vocabulary.topologyLabels.selected {
		return
	}
	before := p.Class
	class := c.Vocabulary.withTopologyOf(before, c.Node(p.Node).Labels)
	if class == before {
		return
	}
	c.Topology.countPod(p, p.Node, -1, false)
	p.Class = class
	c.Topology.countPod(p, p.Node, 1, false)
	c.changed(p.Node, PodsChanged)
}

// withTopologyOf returns the class of pods of a class that have the zone and the region of a node as labels.
func (v *Vocabulary) withTopologyOf(class *Class, node LabelSet) *Class {
	labels, key := class.Labels, labeledClass{of: class.ID}
	for _, label := range []struct {
		name string
		into *Symbol
	}{{zoneLabel, &key.zone}, {regionLabel, &key.region}} {
		symbol, known := v.Lookup(label.name)
		if !known {
			continue
		}
		value, has := node.Get(symbol)
		if is, labeled := labels.Get(symbol); !has || labeled && is == value {
			continue
		}
		*label.into = value
		labels = labels.With(symbol, value)
	}
	if key == (labeledClass{of: class.ID}) {
		return class
	}
	t := &v.topologyLabels
	if t.classes[key] == nil {
		if t.classes == nil {
			t.classes = map[labeledClass]*Class{}
		}
		labeled := *class
		labeled.Labels = labels
		t.classes[key] = v.AddTrialClass(labeled)
	}
	return t.classes[key]
}
