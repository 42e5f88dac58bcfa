package manifest

import (
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/berth-sim/berth/sim/files/document"
)

const (
	systemPrefix          = "system-"
	highestUserPriority   = 1_000_000_000
	systemClusterCritical = 2 * highestUserPriority
)

// PriorityClass is a PriorityClass object or one of the built-in ones.
type PriorityClass struct {
	Name         string
	Value        int32
	NeverPreempt bool // preemptionPolicy Never
	Default      bool // globalDefault
	At           document.Value
	faulty       bool // the rest is not known
}

// systemPriorities are the values of the classes that every cluster has.
var systemPriorities = map[string]int32{
	"system-cluster-critical": systemClusterCritical,
	"system-node-critical":    systemClusterCritical + 1000,
}

// builtInClasses are the classes that every cluster has.
func builtInClasses() map[string]PriorityClass {
	out := map[string]PriorityClass{}
	for name, value := range systemPriorities {
		out[name] = PriorityClass{Name: name, Value: value}
	}
	return out
}

// Upstream: ValidatePriorityClass of pkg/apis/scheduling/validation, v1.36.3.
func readPriorityClass(c *checker, o *object) {
	p := decoded[schedulingv1.PriorityClass](c, o)
	c.meta(o, &p.ObjectMeta, false)
	if strings.HasPrefix(p.Name, systemPrefix) {
		value, known := systemPriorities[p.Name]
		switch {
		case !known:
			o.faults.Add(o.at, "metadata.name", "is reserved: names with the prefix %s are the system's own", systemPrefix)
		case p.Value != value:
			o.faults.Add(o.at, "value", "must be %d for %s", value, p.Name)
		case p.GlobalDefault:
			o.faults.Add(o.at, "globalDefault", "must be false for %s", p.Name)
		}
	} else if p.Value > highestUserPriority {
		o.faults.Add(o.at, "value", "is too large: the highest priority for users is %d", highestUserPriority)
	}
	if policy := p.PreemptionPolicy; policy != nil && *policy != v1.PreemptLowerPriority && *policy != v1.PreemptNever {
		o.faults.Add(o.at, "preemptionPolicy", "is not a policy; PreemptLowerPriority and Never are")
	}
}

// registerPriorityClass makes a class known to the pods that name it.
func (ch *chain) registerPriorityClass(o *object) {
	p := o.typed.(*schedulingv1.PriorityClass)
	if o.name == "" {
		return
	}
	out := PriorityClass{
		Name: o.name, Value: p.Value, Default: p.GlobalDefault, At: o.at,
		NeverPreempt: p.PreemptionPolicy != nil && *p.PreemptionPolicy == v1.PreemptNever,
		faulty:       len(o.faults) > 0,
	}
	ch.priorities[o.name] = out
	if !out.Default {
		return
	}
	if ch.fallback != nil {
		o.faults.Add(o.at, "globalDefault", "is set for %s at %s already", ch.fallback.Name, place(ch.fallback.At))
		return
	}
	ch.fallback = &out
}

// admitPriority finds the priority of a pod by its class, else by the class with globalDefault, else 0.
// A pod that has been created carries the outcome in spec.priority: it is taken as it stands if no
// class is named, or if the one that is named is not among the objects. With the name of such a class,
// spec.priority alone tells that it has been created: nobody else writes it.
//
// Upstream: plugin/pkg/admission/priority/admission.go, v1.36.3, which sees pods as they are created.
func (ch *chain) admitPriority(faults *document.Errors, a *admitted) {
	spec, at := a.spec, a.at.Get("spec")
	name := spec.PriorityClassName
	class, known := ch.priorities[name]
	created := a.created()
	if name == "" && ch.fallback != nil && (!created || spec.Priority == nil && spec.PreemptionPolicy == nil) {
		class, known = *ch.fallback, true
	}
	if spec.Priority == nil && name == "" && ch.fallback != nil {
		a.priorityClass = ch.fallback.Name
	}
	never := spec.PreemptionPolicy != nil && *spec.PreemptionPolicy == v1.PreemptNever
	switch {
	case class.faulty:
	case known:
		a.priority, a.neverPreempt = class.Value, class.NeverPreempt
		if spec.Priority != nil && *spec.Priority != class.Value {
			faults.Add(at, "priority", "differs from the value of the PriorityClass %s, %d", class.Name, class.Value)
		}
		if spec.PreemptionPolicy != nil && never != class.NeverPreempt {
			faults.Add(at, "preemptionPolicy", "differs from that of the PriorityClass %s", class.Name)
		}
		return
	case ch.unnamed["PriorityClass"]:
	case name != "" && spec.Priority == nil:
		faults.Add(at, "priorityClassName", "is not the name of a PriorityClass%s",
			document.Meant(name, slices.Sorted(maps.Keys(ch.priorities))))
		return
	case name != "":
		ch.warnings.once("priority class "+name, at, "the PriorityClass %s is not among the objects; spec.priority is taken as it stands", name)
	case !created && ch.check.knows(at, "priorityClassName"):
		if spec.Priority != nil && *spec.Priority != 0 {
			faults.Add(at, "priority", "must not be set without a priorityClassName, whose value it takes: it is 0")
		}
		if never {
			faults.Add(at, "preemptionPolicy", "must not be set without a priorityClassName, whose policy it takes: it is %s", v1.PreemptLowerPriority)
		}
		return
	}
	if spec.Priority != nil {
		a.priority = *spec.Priority
	}
	a.neverPreempt = never
}
