package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
)

// limitRange is a LimitRange, defaults of the API server included.
type limitRange struct {
	name   string
	limits []v1.LimitRangeItem
	faulty bool // the limits are not known
}

// readLimitRange checks a LimitRange and gives it its defaults.
//
// Upstream: ValidateLimitRange of pkg/apis/core/validation and SetDefaults_LimitRangeItem of
// pkg/apis/core/v1/defaults.go, v1.36.3.
func readLimitRange(c *checker, o *object) {
	r := decoded[v1.LimitRange](c, o)
	c.meta(o, &r.ObjectMeta, true)
	for i := range r.Spec.Limits {
		path := document.Path("spec", "limits", i)
		item := &r.Spec.Limits[i]
		defaultLimits(item)
		c.limitType(o, path+".type", item.Type)
		for j, other := range r.Spec.Limits[:i] {
			if other.Type == item.Type && c.knows(o.at, document.Path("spec", "limits", j, "type")) {
				o.faults.Add(o.at, path+".type", "is the type of another entry")
			}
		}
		c.limitLists(o, path, item)
		c.limitOrder(o, path, item)
	}
}

// defaultLimits fills in what follows from other lists of an entry for containers.
func defaultLimits(item *v1.LimitRangeItem) {
	if item.Type != v1.LimitTypeContainer {
		return
	}
	fill := func(to *v1.ResourceList, from v1.ResourceList) {
		for name, q := range from {
			if *to == nil {
				*to = v1.ResourceList{}
			}
			if _, has := (*to)[name]; !has {
				(*to)[name] = q
			}
		}
	}
	fill(&item.Default, item.Max)
	fill(&item.DefaultRequest, item.Default)
	fill(&item.DefaultRequest, item.Min)
}

func (c *checker) limitType(o *object, path string, t v1.LimitType) {
	bad := validation.IsQualifiedName(string(t))
	switch {
	case len(bad) > 0:
		o.faults.Add(o.at, path, "is not valid: %s", strings.Join(bad, "; "))
	case t == v1.LimitTypePod, t == v1.LimitTypeContainer, t == v1.LimitTypePersistentVolumeClaim:
	case !strings.Contains(string(t), "/"):
		o.faults.Add(o.at, path, "is not a type of limits; Container, Pod and PersistentVolumeClaim are")
	}
}

// limitLists checks each list of an entry by itself.
func (c *checker) limitLists(o *object, path string, item *v1.LimitRangeItem) {
	rule := limitNames(item.Type)
	c.resources(&o.faults, o.at, path+".min", item.Min, rule)
	c.resources(&o.faults, o.at, path+".max", item.Max, rule)
	if item.Type == v1.LimitTypePod {
		if len(item.Default) > 0 {
			o.faults.Add(o.at, path+".default", "must not be given for the type Pod")
		}
		if len(item.DefaultRequest) > 0 {
			o.faults.Add(o.at, path+".defaultRequest", "must not be given for the type Pod")
		}
	} else {
		c.resources(&o.faults, o.at, path+".default", item.Default, rule)
		c.resources(&o.faults, o.at, path+".defaultRequest", item.DefaultRequest, rule)
	}
	for _, name := range slices.Sorted(maps.Keys(item.MaxLimitRequestRatio)) {
		if what := c.resourceName(rule, string(name)); what != "" {
			o.faults.Add(o.at, join(path, "maxLimitRequestRatio", string(name)), "is of a resource whose name is not valid: %s", what)
		} else if ratio := item.MaxLimitRequestRatio[name]; ratio.CmpInt64(1) < 0 {
			o.faults.Add(o.at, join(path, "maxLimitRequestRatio", string(name)), "must be at least 1")
		} else if ratio.CmpInt64(MaxAmount) > 0 {
			o.faults.Add(o.at, join(path, "maxLimitRequestRatio", string(name)), "is too large: the largest amount is 2^53 of the base unit")
		}
	}
	if item.Type == v1.LimitTypePersistentVolumeClaim {
		_, least := item.Min[v1.ResourceStorage]
		_, most := item.Max[v1.ResourceStorage]
		if !least && !most && c.knows(o.at, path+".type", path+".min", path+".max") {
			o.faults.Add(o.at, path, "must have a min or max of storage")
		}
	}
}

// limitOrder checks the lists of an entry against each other, where each is valid by itself: min, default request,
// default and max must not fall.
func (c *checker) limitOrder(o *object, path string, item *v1.LimitRangeItem) {
	type named struct {
		name string
		list v1.ResourceList
	}
	lists := []named{{"min", item.Min}, {"defaultRequest", item.DefaultRequest}, {"default", item.Default}, {"max", item.Max}}
	if item.Type == v1.LimitTypePod {
		lists = slices.Delete(lists, 1, 3) // which it must not have
	}
	add := func(list string, name v1.ResourceName, format string, args ...any) {
		known := c.resourceName(limitNames(item.Type), string(name)) == ""
		for _, l := range lists {
			known = known && quantityFault(string(name), l.list[name]) == "" && c.knows(o.at, join(path, l.name, string(name)))
		}
		if known {
			o.faults.Add(o.at, join(path, list, string(name)), format, args...)
		}
	}
	for i, upper := range lists {
		for _, lower := range lists[:i] {
			for _, name := range slices.Sorted(maps.Keys(lower.list)) {
				low := lower.list[name]
				if high, has := upper.list[name]; has && low.Cmp(high) > 0 {
					add(lower.name, name, "must not be above %s, %s", upper.name, high.String())
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.Default)) {
		request, has := item.DefaultRequest[name]
		if limit := item.Default[name]; has && !mayOvercommit(string(name)) && limit.Cmp(request) != 0 {
			add("defaultRequest", name, "must be equal to default: %s cannot be overcommitted", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.MaxLimitRequestRatio)) {
		ratio := item.MaxLimitRequestRatio[name]
		least, has := item.Min[name]
		most, alsoHas := item.Max[name]
		if has && alsoHas && ratio.CmpInt64(MaxAmount) <= 0 && ratio.AsApproximateFloat64() > most.AsApproximateFloat64()/least.AsApproximateFloat64() {
			add("maxLimitRequestRatio", name, "must not be above max/min")
		}
	}
}

// limitNames are the resources that limits of a type can be about.
func limitNames(t v1.LimitType) nameRule {
	if t == v1.LimitTypePod || t == v1.LimitTypeContainer {
		return containerNames
	}
	return nodeNames
}

// registerLimits makes the limits of a namespace known before its pods are admitted, or reports that they
// are left out.
func (ch *chain) registerLimits(o *object) (ignored bool) {
	on, said := ch.plugins[LimitRanger]
	r := o.typed.(*v1.LimitRange)
	switch {
	case said && !on:
		return true
	case !said:
		o.faults.Add(o.at, "kind", "needs the admission plugin LimitRanger, which is not switched on; the field admission or --admission "+
			"takes LimitRanger, or -LimitRanger to leave LimitRanges out of account")
		return false
	}
	namespace := o.namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	for i := range r.Spec.Limits {
		if r.Spec.Limits[i].Type == v1.LimitTypePersistentVolumeClaim {
			ch.warnings.once("limits of claims", o.at, "limits of the type PersistentVolumeClaim are not checked")
		}
	}
	ch.limits[namespace] = append(slices.Clip(ch.limits[namespace]), limitRange{o.name, r.Spec.Limits, len(o.faults) > 0})
	return false
}

// giveLimits gives the containers of a pod the defaults of its namespace, and refuses a pod that
// does not keep to its limits. LimitRanges come in the order of the documents, upstream in none. What
// is asked for is checked only now: a limit that was missing may be there. A pod that runs is left as
// it is.
//
// Upstream: plugin/pkg/admission/limitranger/admission.go, v1.36.3.
func (ch *chain) giveLimits(faults *document.Errors, p podSource) {
	var ranges []limitRange
	if !p.runs {
		ranges = ch.limits[p.meta.Namespace]
		settleRequests(p.spec)
	}
	if ch.unnamed["LimitRange"] || slices.ContainsFunc(ranges, func(r limitRange) bool { return r.faulty }) {
		return
	}
	for _, r := range ranges {
		for i := range r.limits {
			if r.limits[i].Type == v1.LimitTypeContainer {
				eachContainer(p.spec, func(_ string, c *v1.Container) { giveDefaults(&c.Resources, &r.limits[i]) })
			}
		}
	}
	c := *ch.check
	c.limitsCome = false
	s := &specCheck{&c, faults, p.at.Get("spec"), p.spec}
	before := len(*faults)
	eachContainer(p.spec, func(path string, c *v1.Container) { s.requirements(path+".resources", &c.Resources, containerNames) })
	s.podResources()
	d := c.doubts
	if d.settle(faults); len(*faults) > before {
		return // the defaults do not go with what the pod says itself
	}
	for _, r := range ranges {
		for i := range r.limits {
			s.keepsTo(r.name, &r.limits[i])
		}
	}
}

// settleRequests writes the requests that follow from limits into the spec, and limits of huge pages
// that follow from those of containers: defaults of the API server come before admission.
func settleRequests(spec *v1.PodSpec) {
	d := demandOf(spec)
	var limits amounts
	if spec.Resources != nil {
		limits = podLimits(spec)
	}
	eachContainer(spec, func(_ string, c *v1.Container) { addMissing(&c.Resources.Requests, c.Resources.Limits) })
	if spec.Resources == nil {
		return
	}
	addMissing(&spec.Resources.Limits, limits.list())
	addMissing(&spec.Resources.Requests, d.pod.list())
}

func giveDefaults(r *v1.ResourceRequirements, item *v1.LimitRangeItem) {
	addMissing(&r.Limits, item.Default)
	addMissing(&r.Requests, item.DefaultRequest)
}

func addMissing(to *v1.ResourceList, from v1.ResourceList) {
	for name, q := range from {
		if *to == nil {
			*to = v1.ResourceList{}
		}
		if _, has := (*to)[name]; !has {
			(*to)[name] = q.DeepCopy()
		}
	}
}

// eachContainer calls f for the containers, then the init containers.
func eachContainer(spec *v1.PodSpec, f func(path string, c *v1.Container)) {
	for i := range spec.Containers {
		f(document.Path("containers", i), &spec.Containers[i])
	}
	for i := range spec.InitContainers {
		f(document.Path("initContainers", i), &spec.InitContainers[i])
	}
}

// keepsTo checks a pod against one entry of a LimitRange.
func (s *specCheck) keepsTo(name string, item *v1.LimitRangeItem) {
	check := func(path string, requests, limits amounts) {
		for _, what := range limitFaults(item, requests, limits) {
			s.add(path, "do not keep to the LimitRange %s: %s", name, what)
		}
	}
	switch item.Type {
	case v1.LimitTypeContainer:
		eachContainer(s.spec, func(path string, c *v1.Container) {
			if s.knows(s.at, path+".resources") {
				check(path+".resources", amountsOf(c.Resources.Requests), amountsOf(c.Resources.Limits))
			}
		})
	case v1.LimitTypePod:
		known := s.knows(s.at, "resources")
		eachContainer(s.spec, func(path string, _ *v1.Container) { known = known && s.knows(s.at, path+".resources") })
		if !known {
			return
		}
		of := func(list func(v1.ResourceRequirements) v1.ResourceList) amounts {
			all := listsOf(s.spec, func(r v1.ResourceRequirements) amounts { return amountsOf(list(r)) })
			sum := all.aggregate(nil)
			if s.spec.Resources == nil {
				return sum
			}
			for _, a := range amountsOf(list(*s.spec.Resources)) {
				if a.name == string(v1.ResourceCPU) || a.name == string(v1.ResourceMemory) {
					sum = sum.set(amounts{a})
				}
			}
			return sum
		}
		check("containers", of(func(r v1.ResourceRequirements) v1.ResourceList { return r.Requests }),
			of(func(r v1.ResourceRequirements) v1.ResourceList { return r.Limits }))
	}
}

// limitFaults says what of an entry requests and limits do not keep to.
func limitFaults(item *v1.LimitRangeItem, requests, limits amounts) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, least := range amountsOf(item.Min) {
		request, requested := requests.get(least.name)
		limit, limited := limits.get(least.name)
		switch {
		case !requested:
			say("at least %s of %s must be requested, none is", least, least.name)
		case request < least.milli:
			say("at least %s of %s must be requested, it is %s", least, least.name, amount{least.name, request})
		case limited && limit < least.milli:
			say("the limit of %s must be at least %s, it is %s", least.name, least, amount{least.name, limit})
		}
	}
	for _, most := range amountsOf(item.Max) {
		request, _ := requests.get(most.name)
		limit, limited := limits.get(most.name)
		switch {
		case !limited:
			say("the limit of %s must be at most %s, there is none", most.name, most)
		case limit > most.milli:
			say("the limit of %s must be at most %s, it is %s", most.name, most, amount{most.name, limit})
		case request > most.milli:
			say("at most %s of %s may be requested, it is %s", most, most.name, amount{most.name, request})
		}
	}
	for _, ratio := range amountsOf(item.MaxLimitRequestRatio) {
		request, _ := requests.get(ratio.name)
		limit, _ := limits.get(ratio.name)
		switch {
		case request == 0:
			say("the limit of %s must be at most %s times its request, which is none", ratio.name, ratio)
		case limit == 0:
			say("the limit of %s must be at most %s times its request, and it is none", ratio.name, ratio)
		case float64(limit)/float64(request)*1000 > float64(ratio.milli):
			say("the limit of %s must be at most %s times its request, it is %g times", ratio.name, ratio, float64(limit)/float64(request))
		}
	}
	return out
}
