package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// podTerms shows the terms of a class that are about other pods.
func (p *printer) podTerms(c *cluster.Class) {
	for _, t := range c.Affinity {
		p.line("  near %s", p.podTerm(t))
	}
	for _, t := range c.PreferredAffinity {
		p.line("  likes %d %s", t.Weight, p.podTerm(t.Term))
	}
	for _, t := range c.AntiAffinity {
		p.line("  apart %s", p.podTerm(t))
	}
	for _, t := range c.PreferredAntiAffinity {
		p.line("  dislikes %d %s", t.Weight, p.podTerm(t.Term))
	}
}

func (p *printer) podTerm(t *cluster.PodTerm) string {
	v := p.l.vocabulary
	var names []string
	for _, n := range t.Namespaces {
		names = append(names, v.Text(n))
	}
	text := fmt.Sprintf("by %s: %s; in %s", v.Text(t.TopologyKey), p.selector(t.Selector), strings.Join(names, ","))
	if !t.NamespaceSelector.Nothing {
		text += " and where " + p.selector(t.NamespaceSelector)
	}
	return text
}

func (p *printer) selector(s cluster.LabelSelector) string {
	switch {
	case s.Nothing:
		return "(none)"
	case s.IsEmpty():
		return "(all)"
	}
	return p.term(&cluster.NodeTerm{Labels: s.Requirements})
}

// TestLabelKeysOfControllers: a pod has labels that its template does not have, and they
// count for matchLabelKeys.
func TestLabelKeysOfControllers(t *testing.T) {
	l := New(cluster.NewVocabulary())
	docs, err := document.Parse("in.yaml", []byte(`
metadata: {labels: {app: web}}
spec:
  containers: [{name: a, image: a}]
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack, labelSelector: {}, matchLabelKeys: [app, n]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	template, err := l.Template(docs[0].Root(), TemplateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := &printer{l: l}
	p.podTerms(template.Class)
	p.podTerms(template.WithLabels(map[string]string{"n": "1"}))
	p.podTerms(template.WithLabels(map[string]string{"app": "db"}))
	want := `  near by rack: app In web; in default
  near by rack: app In web, n In 1; in default
  near by rack: app In db; in default
`
	if p.String() != want {
		t.Errorf("got\n%swant\n%s", p, want)
	}
	if template.WithLabels(nil) != template.Class {
		t.Error("without more labels it is another class")
	}
}

// TestClassesOfTerms: pods that differ in a term alone are not of one class, and no two
// roles of a term are one.
func TestClassesOfTerms(t *testing.T) {
	l := New(cluster.NewVocabulary())
	term := l.vocabulary.AddPodTerm(cluster.PodTerm{})
	other := l.vocabulary.AddPodTerm(cluster.PodTerm{TopologyKey: 1})
	required := []*cluster.PodTerm{term}
	seen := map[*cluster.Class]int{}
	for i, c := range []cluster.Class{
		{}, {Affinity: required}, {AntiAffinity: required}, {Affinity: []*cluster.PodTerm{other}}, {Affinity: []*cluster.PodTerm{term, term}},
		{PreferredAffinity: []cluster.WeightedPodTerm{{Weight: 1, Term: term}}}, {PreferredAffinity: []cluster.WeightedPodTerm{{Weight: 2, Term: term}}},
		{PreferredAntiAffinity: []cluster.WeightedPodTerm{{Weight: 1, Term: term}}},
	} {
		class := l.compiler.Intern(c)
		if first, known := seen[class]; known {
			t.Errorf("%d and %d are of one class", first, i)
		}
		seen[class] = i
	}
}
