package admit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// Annotations of namespaces.
const (
	annotationSelector    = "scheduler.alpha.kubernetes.io/node-selector"
	annotationTolerations = "scheduler.alpha.kubernetes.io/defaultTolerations"
	annotationAllowed     = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
)

// giveSelector joins the node selector of the pod's namespace to its own.
//
// Upstream: plugin/pkg/admission/podnodeselector/admission.go, v1.36.3, without a
// configuration file.
func (chain *Chain) giveSelector(faults *document.Errors, p Source) {
	ns := chain.namespaces[p.Meta.Namespace]
	text, has := ns.annotations[annotationSelector]
	if !has {
		return
	}
	selector, err := labels.ConvertSelectorToLabelsMap(text)
	if err != nil {
		faults.Add(ns.at, decode.Join("metadata.annotations", annotationSelector), "is not a node selector: %v", err)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		if own, has := p.Spec.NodeSelector[key]; has && own != selector[key] {
			faults.Add(p.At, decode.Join("spec.nodeSelector", key), "conflicts with the node selector of the namespace %s, which wants %q",
				p.Meta.Namespace, selector[key])
		}
	}
	p.Spec.NodeSelector = MergeLabels(selector, p.Spec.NodeSelector)
}

// unreachableSeconds is how long pods tolerate an unreachable node.
const unreachableSeconds int64 = 300

// tolerateUnreachableNodes lets the pod tolerate a node that is not ready or unreachable for a while, unless it
// says itself how long.
//
// Upstream: plugin/pkg/admission/defaulttolerationseconds/admission.go, v1.36.3.
func tolerateUnreachableNodes(spec *v1.PodSpec) {
	own := slices.Clone(spec.Tolerations)
	for _, key := range []string{v1.TaintNodeNotReady, v1.TaintNodeUnreachable} {
		says := func(t v1.Toleration) bool {
			return (t.Key == key || t.Key == "") && (t.Effect == v1.TaintEffectNoExecute || t.Effect == "")
		}
		if !slices.ContainsFunc(own, says) {
			seconds := unreachableSeconds
			spec.Tolerations = append(spec.Tolerations, v1.Toleration{
				Key: key, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute, TolerationSeconds: &seconds,
			})
		}
	}
}

// giveTolerations gives the pod the tolerations of its namespace, and a toleration of memory pressure
// unless it is of the quality of service BestEffort.
//
// Upstream: plugin/pkg/admission/podtolerationrestriction/admission.go, v1.36.3, without a
// configuration file.
func (chain *Chain) giveTolerations(faults *document.Errors, p Source) {
	more := chain.tolerationsOf(faults, p.Meta.Namespace, annotationTolerations)
	if !resources.IsBestEffort(p.Spec, chain.defaultsBefore()) {
		more = append(more, v1.Toleration{
			Key: v1.TaintNodeMemoryPressure, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoSchedule,
		})
	}
	if len(more) > 0 {
		p.Spec.Tolerations = mergeTolerations(append(p.Spec.Tolerations, more...))
	}
}

// restrictTolerations refuses tolerations that the namespace does not allow, wherever the pod has them
// from: it comes when all plugins have run.
func (chain *Chain) restrictTolerations(faults *document.Errors, p Source) {
	allowed := chain.tolerationsOf(faults, p.Meta.Namespace, annotationAllowed)
	all := p.Spec.Tolerations
	if name := p.Spec.RuntimeClassName; name != nil && chain.runtimes[*name] != nil {
		all = slices.Concat(all, chain.runtimes[*name].tolerations)
	}
	for _, t := range all {
		covers := func(a v1.Toleration) bool { return covers(&a, &t) }
		if len(allowed) > 0 && !slices.ContainsFunc(allowed, covers) && chain.check.NoErrorAt(p.At, "spec.tolerations", "spec.runtimeClassName") {
			faults.Add(p.At.Get("spec"), "tolerations", "have one that the namespace %s does not allow: %s", p.Meta.Namespace, asJSON(&t))
		}
	}
}

func asJSON(t *v1.Toleration) string {
	text, err := json.Marshal(t)
	if err != nil {
		return fmt.Sprint(*t)
	}
	return string(text)
}

// tolerationsOf reads an annotation of a namespace; none are not a fault.
func (chain *Chain) tolerationsOf(faults *document.Errors, namespace, annotation string) []v1.Toleration {
	ns := chain.namespaces[namespace]
	text := ns.annotations[annotation]
	if text == "" {
		return nil
	}
	var out []v1.Toleration
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		faults.Add(ns.at, decode.Join("metadata.annotations", annotation), "is not a list of tolerations in JSON: %v", err)
		return nil
	}
	return out
}

// mergeTolerations leaves out tolerations that others cover; of equal ones the first stays.
//
// Upstream: MergeTolerations of pkg/util/tolerations/tolerations.go, v1.36.3.
func mergeTolerations(all []v1.Toleration) []v1.Toleration {
	var out []v1.Toleration
	for i := range all {
		t := &all[i]
		covered := func(other v1.Toleration) bool { return covers(&other, t) }
		behind := func(other v1.Toleration) bool { return !sameToleration(&other, t) && covers(&other, t) }
		if !slices.ContainsFunc(out, covered) && !slices.ContainsFunc(all[i+1:], behind) {
			out = append(out, *t)
		}
	}
	return out
}

// covers reports whether whatever t tolerates a does too.
//
// Upstream: isSuperset of pkg/util/tolerations/tolerations.go, v1.36.3.
func covers(a, t *v1.Toleration) bool {
	switch {
	case sameToleration(a, t):
		return true
	case t.Key != a.Key && (a.Key != "" || a.Operator != v1.TolerationOpExists):
		return false
	case t.Effect != a.Effect && a.Effect != "":
		return false
	case a.Effect == v1.TaintEffectNoExecute && a.TolerationSeconds != nil &&
		(t.TolerationSeconds == nil || *t.TolerationSeconds > *a.TolerationSeconds):
		return false
	}
	switch a.Operator {
	case v1.TolerationOpEqual, "":
		return t.Operator == v1.TolerationOpEqual && t.Value == a.Value
	}
	return a.Operator == v1.TolerationOpExists
}

func sameToleration(a, b *v1.Toleration) bool {
	x, y := a.TolerationSeconds, b.TolerationSeconds
	return a.MatchToleration(b) && (x == nil) == (y == nil) && (x == nil || *x == *y)
}

// tolerateExtended lets the pod tolerate taints named as the extended resources that its containers
// ask for.
//
// Upstream: plugin/pkg/admission/extendedresourcetoleration/admission.go, v1.36.3.
func tolerateExtended(spec *v1.PodSpec) {
	names := map[string]bool{}
	for _, list := range [][]v1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			for _, of := range []v1.ResourceList{list[i].Resources.Requests, list[i].Resources.Limits} {
				for name := range of {
					names[string(name)] = resources.IsExtended(string(name))
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t := v1.Toleration{Key: name, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoSchedule}
		same := func(other v1.Toleration) bool { return other.MatchToleration(&t) }
		if names[name] && !slices.ContainsFunc(spec.Tolerations, same) {
			spec.Tolerations = append(spec.Tolerations, t)
		}
	}
}
