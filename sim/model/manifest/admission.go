package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

// Admission is a plugin of the API server that changes or refuses objects as they are created.
//
// Upstream: AllOrderedPlugins of pkg/kubeapiserver/options/plugins.go, v1.36.3.
type Admission string

// The plugins that can be switched on, in the order in which they run. Others that can change
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
	// DefaultTolerationSeconds lets pods bear nodes that are not ready or unreachable for 300 s.
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

// Admissions are the plugins that can be switched on, in the order in which they run.
func Admissions() []Admission {
	return []Admission{
		LimitRanger, TaintNodesByCondition, PodNodeSelector, DefaultTolerationSeconds, PodTolerationRestriction,
		ExtendedResourceToleration,
	}
}

// leftOut are the plugins whose objects can be left out of account by a minus before the name.
var leftOut = []Admission{LimitRanger, resourceQuota}

// Admit switches plugins on by their names, for what is read from then on. A minus before the name leaves
// the objects of the plugin out of account. The error is about the name at the index.
func (l *Loader) Admit(names []string) (index int, err error) {
	for i, name := range names {
		plain, minus := strings.CutPrefix(name, "-")
		p, on := Admission(plain), !minus
		switch {
		case minus && !slices.Contains(leftOut, p):
			return i, fmt.Errorf("is not what can be left out; -%s and -%s are", leftOut[0], leftOut[1])
		case on && slices.Contains([]Admission{"Priority", "DefaultStorageClass", "RuntimeClass"}, p):
			return i, fmt.Errorf("is always on")
		case on && p == resourceQuota:
			return i, fmt.Errorf("cannot be enforced; -ResourceQuota leaves ResourceQuotas out of account")
		case on && !slices.Contains(Admissions(), p):
			hint := document.Meant(plain, AdmissionNames())
			if hint == "" {
				hint = "; these can: " + strings.Join(AdmissionNames()[:len(Admissions())], ", ")
			}
			return i, fmt.Errorf("is not an admission plugin that can be switched on%s", hint)
		}
		if was, said := l.admission[p]; said && was != on {
			return i, fmt.Errorf("is both switched on and left out")
		}
		l.admission[p] = on
	}
	l.check.limitsCome = l.admission[LimitRanger]
	return 0, nil
}

// Admits reports whether a plugin is switched on.
func (l *Loader) Admits(p Admission) bool { return l.admission[p] }

// Admission are the names that Admit has been given, in the order of AdmissionNames.
func (l *Loader) Admission() []string {
	names := []string{}
	for _, name := range AdmissionNames() {
		plain, minus := strings.CutPrefix(name, "-")
		if on, said := l.admission[Admission(plain)]; said && on != minus {
			names = append(names, name)
		}
	}
	return names
}

// AdmissionNames are the names that Admit takes.
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

// mutate is what the plugins that are switched on make of a pod that is about to be created. One
// that runs has been through them.
func (l *Loader) mutate(faults *document.Errors, p podSource) podSource {
	if p.lost || !slices.ContainsFunc(Admissions(), func(a Admission) bool { return l.admission[a] }) {
		return p
	}
	p.spec = p.spec.DeepCopy()
	if l.admission[LimitRanger] {
		l.giveLimits(faults, p)
	}
	if p.runs {
		return p
	}
	if l.admission[PodNodeSelector] {
		l.giveSelector(faults, p)
	}
	if l.admission[DefaultTolerationSeconds] {
		tolerateLostNodes(p.spec)
	}
	if l.admission[PodTolerationRestriction] {
		l.giveTolerations(faults, p)
	}
	if l.admission[ExtendedResourceToleration] {
		tolerateExtended(p.spec)
	}
	if l.admission[PodTolerationRestriction] {
		l.restrictTolerations(faults, p)
	}
	return p
}

// space is what admission knows of a namespace.
type space struct {
	annotations map[string]string
	at          document.Value
}

// registerNamespace makes the annotations of a namespace known before its pods are admitted.
func (l *Loader) registerNamespace(o *object) {
	n := o.typed.(*v1.Namespace)
	if o.name == "" {
		return
	}
	l.spaces[o.name] = space{n.Annotations, o.at}
	for _, a := range []struct {
		annotation string
		plugin     Admission
	}{
		{annotationSelector, PodNodeSelector}, {annotationTolerations, PodTolerationRestriction},
		{annotationAllowed, PodTolerationRestriction},
	} {
		if _, has := n.Annotations[a.annotation]; has && !l.admission[a.plugin] {
			l.warnOnce(a.annotation, o.at, "the annotation %s has no effect: the admission plugin %s is not switched on", a.annotation, a.plugin)
		}
	}
}

// copyAdmission makes l admit as another Loader does.
func (l *Loader) copyAdmission(from *Loader) {
	l.check.limitsCome = from.check.limitsCome
	l.admission, l.spaces, l.limits = maps.Clone(from.admission), maps.Clone(from.spaces), maps.Clone(from.limits)
}

// registerQuota refuses quotas unless they are left out: berth does not enforce them.
func (l *Loader) registerQuota(o *object) {
	if on, said := l.admission[resourceQuota]; said && !on {
		l.ignore(o.kind.name)
		return
	}
	o.faults.Add(o.at, "kind", "is not supported: quotas are not enforced; the field admission or --admission takes -ResourceQuota to leave them out of account")
}
