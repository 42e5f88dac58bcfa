package admit

import (
	"maps"
	"slices"

	"k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
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

// builtInClasses are the classes that every cluster has.
func builtInClasses() map[string]PriorityClass {
	out := map[string]PriorityClass{}
	for name, value := range validate.SystemPriorities {
		out[name] = PriorityClass{Name: name, Value: value}
	}
	return out
}

// RegisterPriorityClass makes a class known to the pods that name it.
func (chain *Chain) RegisterPriorityClass(o *decode.Object) {
	p := o.Typed.(*schedulingv1.PriorityClass)
	if o.Name == "" {
		return
	}
	out := PriorityClass{
		Name: o.Name, Value: p.Value, Default: p.GlobalDefault, At: o.At,
		NeverPreempt: p.PreemptionPolicy != nil && *p.PreemptionPolicy == v1.PreemptNever,
		faulty:       len(o.Faults) > 0,
	}
	chain.Priorities[o.Name] = out
	if !out.Default {
		return
	}
	if chain.fallback != nil {
		o.Faults.Add(o.At, "globalDefault", "is set for %s at %s already", chain.fallback.Name, decode.Position(chain.fallback.At))
		return
	}
	chain.fallback = &out
}

// admitPriority finds the priority of a pod by its class, else by the class with globalDefault, else 0.
// A pod that has been created carries the outcome in spec.priority: it is taken as it stands if no
// class is named, or if the one that is named is not among the objects. With the name of such a class,
// spec.priority alone tells that it has been created: nothing else writes it.
//
// Upstream: plugin/pkg/admission/priority/admission.go, v1.36.3, which sees pods as they are created.
func (chain *Chain) admitPriority(faults *document.Errors, a *Pod) {
	spec, at := a.Spec, a.At.Get("spec")
	name := spec.PriorityClassName
	class, known := chain.Priorities[name]
	created := a.wasCreated()
	if name == "" && chain.fallback != nil && (!created || spec.Priority == nil && spec.PreemptionPolicy == nil) {
		class, known = *chain.fallback, true
	}
	if spec.Priority == nil && name == "" && chain.fallback != nil {
		a.priorityClass = chain.fallback.Name
	}
	never := spec.PreemptionPolicy != nil && *spec.PreemptionPolicy == v1.PreemptNever
	switch {
	case class.faulty:
	case known:
		a.Priority, a.NeverPreempt = class.Value, class.NeverPreempt
		if spec.Priority != nil && *spec.Priority != class.Value {
			faults.Add(at, "priority", "differs from the value of the PriorityClass %s, %d", class.Name, class.Value)
		}
		if spec.PreemptionPolicy != nil && never != class.NeverPreempt {
			faults.Add(at, "preemptionPolicy", "differs from that of the PriorityClass %s", class.Name)
		}
		return
	case chain.unnamed["PriorityClass"]:
	case name != "" && spec.Priority == nil:
		faults.Add(at, "priorityClassName", "is not the name of a PriorityClass%s",
			document.Meant(name, slices.Sorted(maps.Keys(chain.Priorities))))
		return
	case name != "":
		chain.warnings.Once("priority class "+name, at, "the PriorityClass %s is not among the objects; spec.priority is taken as it stands", name)
	case !created && chain.check.NoErrorAt(at, "priorityClassName"):
		if spec.Priority != nil && *spec.Priority != 0 {
			faults.Add(at, "priority", "must not be set without a priorityClassName, whose value it takes: it is 0")
		}
		if never {
			faults.Add(at, "preemptionPolicy", "must not be set without a priorityClassName, whose policy it takes: it is %s", v1.PreemptLowerPriority)
		}
		return
	}
	if spec.Priority != nil {
		a.Priority = *spec.Priority
	}
	a.NeverPreempt = never
}
