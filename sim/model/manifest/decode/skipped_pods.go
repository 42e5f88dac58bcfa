package decode

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-sim/berth/sim/files/document"
)

// SkippedPods are pods that the user has left out: pending ones, and those that controllers would create.
type SkippedPods struct {
	names     map[string]bool // name, or namespace/name, of a pod or of its controller
	selectors []labels.Selector
}

// NewSkippedPods reads names, as NAME or NAMESPACE/NAME, and label selectors, as kubectl takes them. The error is about
// the text at the index.
func NewSkippedPods(texts []string) (skipped SkippedPods, index int, err error) {
	skipped.names = map[string]bool{}
	for i, text := range texts {
		if !strings.ContainsAny(text, "=!,() ") {
			if strings.Trim(text, "/") == "" || strings.Count(text, "/") > 1 {
				return SkippedPods{}, i, fmt.Errorf("must be NAME, NAMESPACE/NAME or a label selector such as app=web")
			}
			skipped.names[text] = true
			continue
		}
		selector, err := labels.Parse(text)
		if err != nil {
			return SkippedPods{}, i, fmt.Errorf("must be NAME, NAMESPACE/NAME or a label selector such as app=web: %w", err)
		}
		skipped.selectors = append(skipped.selectors, selector)
	}
	return skipped, 0, nil
}

// templates are where the kinds that make pods have the template of them.
var templates = map[GroupKind]string{
	"ReplicationController": "spec.template", "apps/ReplicaSet": "spec.template", "apps/Deployment": "spec.template",
	"apps/StatefulSet": "spec.template", "apps/DaemonSet": "spec.template", "batch/Job": "spec.template",
	"batch/CronJob": "spec.jobTemplate.spec.template",
}

// Apply marks the objects that are left out.
func (s SkippedPods) Apply(objects []*Object) {
	if len(s.names)+len(s.selectors) == 0 {
		return
	}
	leftOut := map[*Kind]*Kind{}
	for _, o := range objects {
		if len(o.Faults) > 0 || !s.Matches(o.Kind.GroupKind(), o.At) {
			continue
		}
		if leftOut[o.Kind] == nil {
			leftOut[o.Kind] = &Kind{Group: o.Kind.Group, Name: o.Kind.Name, Ignored: true, LeftOut: true}
		}
		o.Kind = leftOut[o.Kind]
	}
}

// Matches reports whether an object is left out: a pod without a node, or a controller of pods.
func (s SkippedPods) Matches(kind GroupKind, at document.Value) bool {
	pod := at
	switch template, makesPods := templates[kind]; {
	case makesPods:
		pod = at.Find(template)
	case kind != "Pod" || at.Find("spec.nodeName").Text() != "":
		return false // what runs takes room all the same
	}
	if s.named(at.Find("metadata.namespace").Text(), at.Find("metadata.name").Text()) || s.named(ownerOf(at)) {
		return true
	}
	set := labels.Set{}
	for key, value := range pod.Find("metadata.labels").Entries() {
		set[key] = value.Text()
	}
	for _, selector := range s.selectors {
		if selector.Matches(set) {
			return true
		}
	}
	return false
}

func (s SkippedPods) named(namespace, name string) bool {
	if namespace == "" {
		namespace = "default"
	}
	return name != "" && (s.names[name] || s.names[namespace+"/"+name])
}

// ownerOf returns the namespace and the name of the controller of an object; no name: it has none.
func ownerOf(object document.Value) (namespace, name string) {
	for _, ref := range object.Find("metadata.ownerReferences").Items() {
		if ref.Get("controller").Text() == "true" {
			return object.Find("metadata.namespace").Text(), ref.Get("name").Text()
		}
	}
	return "", ""
}
