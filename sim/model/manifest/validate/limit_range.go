package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// checkLimitRange checks a LimitRange and gives it its defaults.
//
// Upstream: ValidateLimitRange of pkg/apis/core/validation and SetDefaults_LimitRangeItem of
// pkg/apis/core/v1/defaults.go, v1.36.3.
func checkLimitRange(c *Checker, o *decode.Object) {
	r := decoded[v1.LimitRange](c, o)
	c.meta(o, &r.ObjectMeta, true)
	for i := range r.Spec.Limits {
		path := document.Path("spec", "limits", i)
		item := &r.Spec.Limits[i]
		defaultLimits(item)
		c.limitType(o, path+".type", item.Type)
		for j, other := range r.Spec.Limits[:i] {
			if other.Type == item.Type && c.NoErrorAt(o.At, document.Path("spec", "limits", j, "type")) {
				o.Faults.Add(o.At, path+".type", "is the type of another entry")
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

func (c *Checker) limitType(o *decode.Object, path string, t v1.LimitType) {
	bad := validation.IsQualifiedName(string(t))
	switch {
	case len(bad) > 0:
		o.Faults.Add(o.At, path, "is not valid: %s", strings.Join(bad, "; "))
	case t == v1.LimitTypePod, t == v1.LimitTypeContainer, t == v1.LimitTypePersistentVolumeClaim:
	case !strings.Contains(string(t), "/"):
		o.Faults.Add(o.At, path, "is not a type of limits; Container, Pod and PersistentVolumeClaim are")
	}
}

// limitLists checks each list of an entry by itself.
func (c *Checker) limitLists(o *decode.Object, path string, item *v1.LimitRangeItem) {
	rule := limitNames(item.Type)
	c.resources(&o.Faults, o.At, path+".min", item.Min, rule)
	c.resources(&o.Faults, o.At, path+".max", item.Max, rule)
	if item.Type == v1.LimitTypePod {
		if len(item.Default) > 0 {
			o.Faults.Add(o.At, path+".default", "must not be given for the type Pod")
		}
		if len(item.DefaultRequest) > 0 {
			o.Faults.Add(o.At, path+".defaultRequest", "must not be given for the type Pod")
		}
	} else {
		c.resources(&o.Faults, o.At, path+".default", item.Default, rule)
		c.resources(&o.Faults, o.At, path+".defaultRequest", item.DefaultRequest, rule)
	}
	for _, name := range slices.Sorted(maps.Keys(item.MaxLimitRequestRatio)) {
		if what := c.resourceName(rule, string(name)); what != "" {
			o.Faults.Add(o.At, decode.Join(path, "maxLimitRequestRatio", string(name)), "is of a resource whose name is not valid: %s", what)
		} else if ratio := item.MaxLimitRequestRatio[name]; ratio.CmpInt64(1) < 0 {
			o.Faults.Add(o.At, decode.Join(path, "maxLimitRequestRatio", string(name)), "must be at least 1")
		} else if ratio.CmpInt64(resources.MaxAmount) > 0 {
			o.Faults.Add(o.At, decode.Join(path, "maxLimitRequestRatio", string(name)), "is too large: the largest amount is 2^53 of the base unit")
		}
	}
	if item.Type == v1.LimitTypePersistentVolumeClaim {
		_, least := item.Min[v1.ResourceStorage]
		_, most := item.Max[v1.ResourceStorage]
		if !least && !most && c.NoErrorAt(o.At, path+".type", path+".min", path+".max") {
			o.Faults.Add(o.At, path, "must have a min or max of storage")
		}
	}
}

// limitOrder checks the lists of an entry against each other, where each is valid by itself: min, default request,
// default and max must not fall.
func (c *Checker) limitOrder(o *decode.Object, path string, item *v1.LimitRangeItem) {
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
			known = known && resources.QuantityFault(string(name), l.list[name]) == "" && c.NoErrorAt(o.At, decode.Join(path, l.name, string(name)))
		}
		if known {
			o.Faults.Add(o.At, decode.Join(path, list, string(name)), format, args...)
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
		if limit := item.Default[name]; has && !resources.MayOvercommit(string(name)) && limit.Cmp(request) != 0 {
			add("defaultRequest", name, "must be equal to default: %s cannot be overcommitted", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(item.MaxLimitRequestRatio)) {
		ratio := item.MaxLimitRequestRatio[name]
		least, has := item.Min[name]
		most, alsoHas := item.Max[name]
		if has && alsoHas && ratio.CmpInt64(resources.MaxAmount) <= 0 && ratio.AsApproximateFloat64() > most.AsApproximateFloat64()/least.AsApproximateFloat64() {
			add("maxLimitRequestRatio", name, "must not be above max/min")
		}
	}
}

// limitNames are the resources that limits of a type can be about.
func limitNames(t v1.LimitType) nameRule {
	if t == v1.LimitTypePod || t == v1.LimitTypeContainer {
		return ContainerNames
	}
	return nodeNames
}

// EnforceLimits checks a pod against one entry of a LimitRange.
func (s *SpecCheck) EnforceLimits(name string, item *v1.LimitRangeItem) {
	check := func(path string, requests, limits resources.Amounts) {
		for _, what := range limitFaults(item, requests, limits) {
			s.add(path, "do not keep to the LimitRange %s: %s", name, what)
		}
	}
	switch item.Type {
	case v1.LimitTypeContainer:
		resources.EachContainer(s.spec, func(path string, c *v1.Container) {
			if s.NoErrorAt(s.at, path+".resources") {
				check(path+".resources", resources.AmountsOf(c.Resources.Requests), resources.AmountsOf(c.Resources.Limits))
			}
		})
	case v1.LimitTypePod:
		known := s.NoErrorAt(s.at, "resources")
		resources.EachContainer(s.spec, func(path string, _ *v1.Container) { known = known && s.NoErrorAt(s.at, path+".resources") })
		if !known {
			return
		}
		of := func(list func(v1.ResourceRequirements) v1.ResourceList) resources.Amounts {
			all := resources.EachList(s.spec, func(r v1.ResourceRequirements) resources.Amounts { return resources.AmountsOf(list(r)) })
			sum := all.Aggregate(nil)
			if s.spec.Resources == nil {
				return sum
			}
			for _, a := range resources.AmountsOf(list(*s.spec.Resources)) {
				if a.Name == string(v1.ResourceCPU) || a.Name == string(v1.ResourceMemory) {
					sum = sum.Set(resources.Amounts{a})
				}
			}
			return sum
		}
		check("containers", of(func(r v1.ResourceRequirements) v1.ResourceList { return r.Requests }),
			of(func(r v1.ResourceRequirements) v1.ResourceList { return r.Limits }))
	}
}

// limitFaults says what of an entry requests and limits do not keep to.
func limitFaults(item *v1.LimitRangeItem, requests, limits resources.Amounts) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, least := range resources.AmountsOf(item.Min) {
		request, requested := requests.Get(least.Name)
		limit, limited := limits.Get(least.Name)
		switch {
		case !requested:
			say("at least %s of %s must be requested, none is", least, least.Name)
		case request < least.Milli:
			say("at least %s of %s must be requested, it is %s", least, least.Name, resources.Amount{Name: least.Name, Milli: request})
		case limited && limit < least.Milli:
			say("the limit of %s must be at least %s, it is %s", least.Name, least, resources.Amount{Name: least.Name, Milli: limit})
		}
	}
	for _, most := range resources.AmountsOf(item.Max) {
		request, _ := requests.Get(most.Name)
		limit, limited := limits.Get(most.Name)
		switch {
		case !limited:
			say("a limit of %s is required, at most %s", most.Name, most)
		case limit > most.Milli:
			say("the limit of %s must be at most %s, it is %s", most.Name, most, resources.Amount{Name: most.Name, Milli: limit})
		case request > most.Milli:
			say("at most %s of %s may be requested, it is %s", most, most.Name, resources.Amount{Name: most.Name, Milli: request})
		}
	}
	for _, ratio := range resources.AmountsOf(item.MaxLimitRequestRatio) {
		request, _ := requests.Get(ratio.Name)
		limit, _ := limits.Get(ratio.Name)
		switch {
		case request == 0:
			say("a request of %s is required: its limit must be at most %s times the request", ratio.Name, ratio)
		case limit == 0:
			say("a limit of %s is required, at most %s times its request", ratio.Name, ratio)
		case float64(limit)/float64(request)*1000 > float64(ratio.Milli):
			say("the limit of %s must be at most %s times its request, it is %g times", ratio.Name, ratio, float64(limit)/float64(request))
		}
	}
	return out
}
