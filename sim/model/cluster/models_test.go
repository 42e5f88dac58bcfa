package cluster

import (
	"slices"
	"testing"
)

// The models that a class gets are those of the nodes that its selector admits, those that
// come later included. What it names itself counts alone.
func TestModels(t *testing.T) {
	c := New(NewVocabulary())
	gpu := c.Resource("example.com/gpu")
	node := func(name, model, product string) {
		labels := c.NewLabelSet(map[string]string{"kubernetes.io/hostname": name, "model": model, "product": product})
		addNode(t, c, NodeSpec{Name: name, Labels: labels, Devices: DeviceSpec{gpu, 2, c.Symbol(model)}})
	}
	class := func(key string, r DeviceRequest) *Class {
		r.Kind, r.Count, r.Milli = gpu, 1, WholeDevice
		return c.AddClass(key, Class{Devices: r})
	}
	wants := func(key string, op Operator, value string) NodeTerm {
		return NodeTerm{Labels: []Requirement{{Key: c.Symbol(key), Op: op, Values: []Symbol{c.Symbol(value)}}}}
	}
	product := class("product", DeviceRequest{Selector: NodeSelector{wants("product", In, "small"), wants("product", In, "large")}})
	others := class("others", DeviceRequest{Selector: NodeSelector{wants("model", NotIn, "T4")}})
	named := class("named", DeviceRequest{Models: []Symbol{c.Symbol("H100")}, Selector: NodeSelector{wants("model", In, "T4")}})
	check := func(when string, class *Class, want ...string) {
		t.Helper()
		var got []string
		for _, model := range c.Devices.Models(class) {
			got = append(got, c.Text(model))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s the models are %q, not %q", when, got, want)
		}
	}
	check("without nodes", product, noSuchModel)
	node("a", "T4", "small")
	node("b", "T4", "small")
	check("of one model", product, "T4")
	check("of no other model", others, noSuchModel)
	before := c.Devices.Models(product)
	node("c", "P100", "large")
	node("d", "A10", "medium")
	check("of three models", product, "P100", "T4")
	check("of three models", others, "A10", "P100")
	check("by name", named, "H100")
	check("of whoever does not care", class("any", DeviceRequest{}))
	if len(before) != 1 || len(c.Devices.models.seen) != 3 {
		t.Errorf("an answer of before has %d models, nodes look in %d ways", len(before), len(c.Devices.models.seen))
	}
	if pod := c.Devices.TargetPod(product); len(pod.Models) != 2 || pod.Count != 1 {
		t.Errorf("expected is %+v", pod)
	}
}
