package cluster

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/fragment"
)

// noSuchModel is the model that pods accept whose node selector or required affinity admits the
// model of no node. It is not a valid value of a label.
const noSuchModel = "(none)"

// nodeLabels are the model and the labels of a node with devices, as selectors see them.
type nodeLabels struct {
	model  Symbol
	labels LabelSet
}

// nodeLabelsKey is equal for nodes of equal nodeLabels.
type nodeLabelsKey struct {
	model      Symbol
	labelClass int32
}

// modelTable holds which models pods accept. Selectors are evaluated once for each class and
// nodeLabels.
type modelTable struct {
	seen     []nodeLabels // of all nodes that there have been
	known    map[nodeLabelsKey]bool
	accepted map[ClassID]*acceptance `hash:"kept"`
}

// acceptance is which models a class accepts, judged by the first entries of modelTable.seen.
type acceptance struct {
	seen   int
	models []Symbol // in ascending order
}

func newModelTable() modelTable {
	return modelTable{known: map[nodeLabelsKey]bool{}, accepted: map[ClassID]*acceptance{}}
}

// add takes in a node that is new or has changed.
func (t *modelTable) add(n *Node, j *journal) {
	key := nodeLabelsKey{n.Devices.Model, n.LabelClass}
	if n.Devices.Count > 0 && !t.known[key] {
		t.known[key] = true
		if j.isOpen() {
			j.note(func() {
				delete(t.known, key)
				t.seen = t.seen[:len(t.seen)-1]
				clear(t.accepted)
			})
		}
		t.seen = append(t.seen, nodeLabels{n.Devices.Model, n.Labels})
	}
}

// Models returns the models of devices that pods of the class can get: those that they name
// themselves, else those of the nodes that their node selector and required affinity admit, as far
// as these refer to the model. They are in ascending order; none: any.
func (t *Devices) Models(class *Class) []Symbol {
	r, m := &class.Devices, &t.models
	if len(r.Models) > 0 || len(r.Selector) == 0 {
		return r.Models
	}
	a := m.accepted[class.ID]
	if a == nil {
		a = &acceptance{}
		m.accepted[class.ID] = a
	}
	for ; a.seen < len(m.seen); a.seen++ {
		l := &m.seen[a.seen]
		if !slices.Contains(a.models, l.model) && r.Selector.Matches(l.labels, 0, &t.vocabulary.Symbols) {
			a.models = append(slices.Clone(a.models), l.model) // others may have the list as it was
			slices.Sort(a.models)
		}
	}
	if len(a.models) == 0 {
		return []Symbol{t.vocabulary.Symbol(noSuchModel)}
	}
	return a.models
}

// TargetPod returns a pod of the class as part of a target workload.
func (t *Devices) TargetPod(class *Class) fragment.Pod {
	pod := class.Fragment()
	for _, model := range t.Models(class) {
		pod.Models = append(pod.Models, int32(model))
	}
	return pod
}
