package manifest

import (
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// spreading writes the spread constraints of a class, and among which pods it belongs.
func (p *printer) spreading(c *cluster.Class) {
	v := p.l.vocabulary
	for i := range c.Spread {
		s := &c.Spread[i]
		action := "softly"
		if s.Hard {
			action = "hard"
		}
		p.line("  spread %s over %s: skew %d, at least %d, %s, affinity=%t taints=%t",
			action, v.Text(s.TopologyKey), s.MaxSkew, s.MinDomains, p.selector(s.Selector), s.HonorNodeAffinity, s.HonorNodeTaints)
	}
	if !c.SpreadSelector.IsEmpty() {
		p.line("  among: %s", p.selector(c.SpreadSelector))
	}
}

// loaderOf parses and loads objects.
func loaderOf(t *testing.T, text string) *Loader {
	t.Helper()
	docs, err := document.Parse("in.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l := New(cluster.NewVocabulary())
	if err := l.Load(docs...); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLabelsOfControllersSpread: labels that a controller gives to each pod have their part
// in matchLabelKeys and in what Services select.
func TestLabelsOfControllersSpread(t *testing.T) {
	l := loaderOf(t, `
{apiVersion: v1, kind: Service, metadata: {name: first}, spec: {selector: {apps.kubernetes.io/pod-index: "0"}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: a, image: a}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}, matchLabelKeys: [apps.kubernetes.io/pod-index]}
`)
	template := l.Controllers[0].Template
	for ordinal, among := range map[string]string{"0": "apps.kubernetes.io/pod-index In 0, app In db", "1": "app In db"} {
		p := &printer{l: l}
		c := template.WithLabels(map[string]string{"apps.kubernetes.io/pod-index": ordinal})
		if got := p.selector(c.SpreadSelector); got != among {
			t.Errorf("pod %s is among %q, want %q", ordinal, got, among)
		}
		if got, want := p.selector(c.Spread[0].Selector), "apps.kubernetes.io/pod-index In "+ordinal; got != want {
			t.Errorf("pod %s spreads among %q, want %q", ordinal, got, want)
		}
	}
	if s := template.Class.Spread[0].Selector; !s.IsEmpty() {
		t.Error("the template's own selector is not empty")
	}
}

// TestSiblingsKnowServices: a sibling knows the Services and controllers of a Loader, and
// keeps its own for itself.
func TestSiblingsKnowServices(t *testing.T) {
	l := loaderOf(t, "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {selector: {app: web}}}")
	s := l.NewSharing()
	docs, err := document.Parse("more.yaml", []byte("{apiVersion: v1, kind: Service, metadata: {name: b}, spec: {selector: {tier: x}}}"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Load(docs...); err != nil {
		t.Fatal(err)
	}
	for loader, want := range map[*Loader]int{l: 1, s: 2} {
		class, err := loader.Shape(Shape{Labels: map[string]string{"app": "web", "tier": "x"}})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(class.SpreadSelector.Requirements); n != want {
			t.Errorf("%d Services select the pod, want %d", n, want)
		}
	}
}
