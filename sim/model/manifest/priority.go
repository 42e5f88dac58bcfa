package manifest

import (
	"strings"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	systemPrefix          = "system-"
	highestUserPriority   = 1_000_000_000
	systemClusterCritical = 2 * highestUserPriority
)

// systemPriorities are the classes that every cluster has.
func systemPriorities() map[string]PriorityClass {
	return map[string]PriorityClass{
		"system-cluster-critical": {Name: "system-cluster-critical", Value: systemClusterCritical},
		"system-node-critical":    {Name: "system-node-critical", Value: systemClusterCritical + 1000},
	}
}

// PriorityClass returns the class of that name, built-in ones included.
func (l *Loader) PriorityClass(name string) (PriorityClass, bool) {
	p, ok := l.priorities[name]
	return p, ok
}

// Upstream: ValidatePriorityClass of pkg/apis/scheduling/validation, v1.36.3.
func readPriorityClass(c *checker, o *object) {
	p := decoded[schedulingv1.PriorityClass](c, o)
	c.meta(o, &p.ObjectMeta, false)
	if strings.HasPrefix(p.Name, systemPrefix) {
		system, known := systemPriorities()[p.Name]
		switch {
		case !known:
			o.faults.Add(o.at, "metadata.name", "is reserved: names with the prefix %s are the system's own", systemPrefix)
		case p.Value != system.Value:
			o.faults.Add(o.at, "value", "must be %d for %s", system.Value, p.Name)
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

func (l *Loader) addPriorityClass(o *object) {
	p := o.typed.(*schedulingv1.PriorityClass)
	if o.name == "" {
		return
	}
	out := PriorityClass{
		Name: o.name, Value: p.Value, Default: p.GlobalDefault, At: o.at,
		NeverPreempt: p.PreemptionPolicy != nil && *p.PreemptionPolicy == v1.PreemptNever,
		faulty:       len(o.faults) > 0,
	}
	l.priorities[o.name] = out
	l.PriorityClasses = append(l.PriorityClasses, out)
	if !out.Default {
		return
	}
	if l.fallback != nil {
		o.faults.Add(o.at, "globalDefault", "is set for %s at %s already", l.fallback.Name, place(l.fallback.At))
		return
	}
	l.fallback = &out
}

// admitPriority finds the priority of a pod by its class, else by the class with globalDefault, else 0.
// A pod that has been created carries the outcome in spec.priority: it is taken as it stands if no
// class is named, or if the one that is named is not among the objects. With the name of such a class,
// spec.priority alone tells that it has been created: nobody else writes it.
//
// Upstream: plugin/pkg/admission/priority/admission.go, v1.36.3, which sees pods as they are created.
func (l *Loader) admitPriority(faults *document.Errors, p podSource, c *cluster.Class) {
	spec, at := p.spec, p.at.Get("spec")
	name := spec.PriorityClassName
	class, known := l.priorities[name]
	created := p.created()
	if name == "" && l.fallback != nil && (!created || spec.Priority == nil && spec.PreemptionPolicy == nil) {
		class, known = *l.fallback, true
	}
	never := spec.PreemptionPolicy != nil && *spec.PreemptionPolicy == v1.PreemptNever
	switch {
	case class.faulty:
	case known:
		c.Priority, c.NeverPreempt = class.Value, class.NeverPreempt
		if spec.Priority != nil && *spec.Priority != class.Value {
			faults.Add(at, "priority", "differs from the value of the PriorityClass %s, %d", class.Name, class.Value)
		}
		if spec.PreemptionPolicy != nil && never != class.NeverPreempt {
			faults.Add(at, "preemptionPolicy", "differs from that of the PriorityClass %s", class.Name)
		}
		return
	case l.nameless["PriorityClass"]:
	case name != "" && spec.Priority == nil:
		faults.Add(at, "priorityClassName", "is not the name of a PriorityClass%s",
			document.Meant(name, sortedKeys(l.priorities)))
		return
	case name != "":
		l.warnOnce("priority class "+name, at, "the PriorityClass %s is not among the objects; spec.priority is taken as it stands", name)
	case !created && l.check.knows(at, "priorityClassName"):
		if spec.Priority != nil && *spec.Priority != 0 {
			faults.Add(at, "priority", "must not be set without a priorityClassName, whose value it takes: it is 0")
		}
		if never {
			faults.Add(at, "preemptionPolicy", "must not be set without a priorityClassName, whose policy it takes: it is %s", v1.PreemptLowerPriority)
		}
		return
	}
	if spec.Priority != nil {
		c.Priority = *spec.Priority
	}
	c.NeverPreempt = never
}
