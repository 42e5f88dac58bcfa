package admit

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// Admission is a plugin of the API server that changes or refuses objects as they are created.
//
// Upstream: AllOrderedPlugins of pkg/kubeapiserver/options/plugins.go, v1.36.3.
type Admission string

// The plugins that can be enabled, in the order in which they run. Others that can change
// scheduling always run: Priority, DefaultStorageClass, RuntimeClass.
const (
	// LimitRanger gives containers the requests and limits of the LimitRanges of their
	// namespace, and refuses pods that do not keep to them.
	LimitRanger Admission = "LimitRanger"
	// TaintNodesByCondition gives nodes the taints that their conditions and
	// spec.unschedulable call for.
	TaintNodesByCondition Admission = "TaintNodesByCondition"
	// PodNodeSelector gives pods the node selector of their namespace.
	PodNodeSelector Admission = "PodNodeSelector"
	// DefaultTolerationSeconds lets pods tolerate nodes that are not ready or unreachable for 300 s.
	DefaultTolerationSeconds Admission = "DefaultTolerationSeconds"
	// PodTolerationRestriction gives pods the tolerations of their namespace, and refuses those
	// that the namespace does not allow.
	PodTolerationRestriction Admission = "PodTolerationRestriction"
	// ExtendedResourceToleration lets pods tolerate taints named as the extended resources
	// that they ask for.
	ExtendedResourceToleration Admission = "ExtendedResourceToleration"

	// resourceQuota can only be left out.
	resourceQuota Admission = "ResourceQuota"
)

// Admissions returns the plugins that can be enabled, in the order in which they run.
func Admissions() []Admission {
	return []Admission{
		LimitRanger, TaintNodesByCondition, PodNodeSelector, DefaultTolerationSeconds, PodTolerationRestriction,
		ExtendedResourceToleration,
	}
}

// leftOut are the plugins whose objects can be ignored by a minus before the name.
var leftOut = []Admission{LimitRanger, resourceQuota}

// Enable enables plugins by name, for what is read from then on. A minus before the name leaves
// the objects of the plugin unread. The error is about the name at the index.
func (chain *Chain) Enable(names []string) (index int, err error) {
	for i, name := range names {
		plain, minus := strings.CutPrefix(name, "-")
		p, on := Admission(plain), !minus
		switch {
		case minus && !slices.Contains(leftOut, p):
			return i, fmt.Errorf("is not what can be left out; -%s and -%s are", leftOut[0], leftOut[1])
		case on && slices.Contains([]Admission{"Priority", "DefaultStorageClass", "RuntimeClass"}, p):
			return i, fmt.Errorf("is always on")
		case on && p == resourceQuota:
			return i, fmt.Errorf("cannot be enforced; -ResourceQuota ignores ResourceQuotas")
		case on && !slices.Contains(Admissions(), p):
			hint := document.Meant(plain, AdmissionNames())
			if hint == "" {
				hint = "; these can: " + strings.Join(AdmissionNames()[:len(Admissions())], ", ")
			}
			return i, fmt.Errorf("is not an admission plugin that can be enabled%s", hint)
		}
		if was, said := chain.plugins[p]; said && was != on {
			return i, fmt.Errorf("is both enabled and left out")
		}
		chain.plugins[p] = on
	}
	chain.check.LimitsFollow = chain.plugins[LimitRanger]
	return 0, nil
}

// Enabled reports whether a plugin is enabled.
func (chain *Chain) Enabled(p Admission) bool { return chain.plugins[p] }

// Names returns the names that Enable was given, in the order of AdmissionNames.
func (chain *Chain) Names() []string {
	names := []string{}
	for _, name := range AdmissionNames() {
		plain, minus := strings.CutPrefix(name, "-")
		if on, said := chain.plugins[Admission(plain)]; said && on != minus {
			names = append(names, name)
		}
	}
	return names
}

// AdmissionNames returns the names that Enable accepts.
func AdmissionNames() []string {
	var names []string
	for _, p := range Admissions() {
		names = append(names, string(p))
	}
	for _, p := range leftOut {
		names = append(names, "-"+string(p))
	}
	return names
}

// mutate is what the plugins that are enabled make of a pod that is about to be created. One
// that runs has been through them.
func (chain *Chain) mutate(faults *document.Errors, p Source) Source {
	if p.UnknownNamespace || !slices.ContainsFunc(Admissions(), func(a Admission) bool { return chain.plugins[a] }) {
		return p
	}
	p.Spec = p.Spec.DeepCopy()
	if chain.plugins[LimitRanger] {
		chain.giveLimits(faults, p)
	}
	if p.Running {
		return p
	}
	if chain.plugins[PodNodeSelector] {
		chain.giveSelector(faults, p)
	}
	if chain.plugins[DefaultTolerationSeconds] {
		tolerateUnreachableNodes(p.Spec)
	}
	if chain.plugins[PodTolerationRestriction] {
		chain.giveTolerations(faults, p)
	}
	if chain.plugins[ExtendedResourceToleration] {
		tolerateExtended(p.Spec)
	}
	if chain.plugins[PodTolerationRestriction] {
		chain.restrictTolerations(faults, p)
	}
	return p
}

// namespace is what admission knows of a namespace.
type namespace struct {
	annotations map[string]string
	at          document.Value
}

// RegisterNamespace makes the annotations of a namespace known before its pods are admitted.
func (chain *Chain) RegisterNamespace(o *decode.Object) {
	n := o.Typed.(*v1.Namespace)
	if o.Name == "" {
		return
	}
	chain.namespaces[o.Name] = namespace{n.Annotations, o.At}
	for _, a := range []struct {
		annotation string
		plugin     Admission
	}{
		{annotationSelector, PodNodeSelector}, {annotationTolerations, PodTolerationRestriction},
		{annotationAllowed, PodTolerationRestriction},
	} {
		if _, has := n.Annotations[a.annotation]; has && !chain.plugins[a.plugin] {
			chain.warnings.Once(a.annotation, o.At, "the annotation %s has no effect: the admission plugin %s is not enabled", a.annotation, a.plugin)
		}
	}
}

// RegisterQuota refuses quotas, since berth does not enforce them, or reports that they are left out.
func (chain *Chain) RegisterQuota(o *decode.Object) (ignored bool) {
	if on, said := chain.plugins[resourceQuota]; said && !on {
		return true
	}
	o.Faults.Add(o.At, "kind", "is not supported: quotas are not enforced; the field admission or --admission takes -ResourceQuota to ignore them")
	return false
}
