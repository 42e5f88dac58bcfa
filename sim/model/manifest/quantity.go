package manifest

import (
	"maps"
	"math"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// MaxAmount is the largest amount of a resource in its base unit that an object may name or a pod
// may ask for in all: what a double holds exactly.
const MaxAmount = 1 << 53

// amount is a quantity of one resource in thousandths of its unit, which is as exact as the API
// server keeps it.
type amount struct {
	name  string
	milli int64
}

// amounts is a list of resources sorted by name. An entry of zero differs from no entry.
type amounts []amount

func byName(a amount, name string) int { return strings.Compare(a.name, name) }

func (a amounts) get(name string) (milli int64, has bool) {
	i, has := slices.BinarySearchFunc(a, name, byName)
	if !has {
		return 0, false
	}
	return a[i].milli, true
}

// with returns a list in which the entry of a name is what merge makes of the present one, 0 if there is none.
func (a amounts) with(name string, merge func(present int64) int64) amounts {
	i, has := slices.BinarySearchFunc(a, name, byName)
	if !has {
		a = slices.Insert(a, i, amount{name: name})
	}
	a[i].milli = merge(a[i].milli)
	return a
}

// set puts in the entries of b, in the place of those that are there.
func (a amounts) set(b amounts) amounts {
	for _, q := range b {
		a = a.with(q.name, func(int64) int64 { return q.milli })
	}
	return a
}

// add sums the entries. What grows beyond int64 stays at its largest value.
func (a amounts) add(b amounts) amounts {
	for _, q := range b {
		a = a.with(q.name, func(present int64) int64 {
			if present > math.MaxInt64-q.milli {
				return math.MaxInt64
			}
			return present + q.milli
		})
	}
	return a
}

// most keeps the larger entry of each name.
func (a amounts) most(b amounts) amounts {
	for _, q := range b {
		a = a.with(q.name, func(present int64) int64 { return max(present, q.milli) })
	}
	return a
}

// lacking returns a with those entries of b that it has no entry for.
func (a amounts) lacking(b amounts) amounts {
	for _, q := range b {
		if _, has := a.get(q.name); !has {
			a = slices.Insert(a, indexOf(a, q.name), q)
		}
	}
	return a
}

func indexOf(a amounts, name string) int {
	i, _ := slices.BinarySearchFunc(a, name, byName)
	return i
}

// amountsOf converts a checked list of the API, rounding up to thousandths as the API server's
// defaulting does.
func amountsOf(list v1.ResourceList) amounts {
	if len(list) == 0 {
		return nil
	}
	out := make(amounts, 0, len(list)+2)
	for name, q := range list {
		out = append(out, amount{string(name), q.MilliValue()})
	}
	slices.SortFunc(out, func(x, y amount) int { return strings.Compare(x.name, y.name) })
	return out
}

// base is the amount in the base unit of its resource, rounded up.
func (a amount) base() int64 {
	if a.name == string(v1.ResourceCPU) {
		return a.milli
	}
	return a.milli/1000 + (a.milli%1000+999)/1000
}

// quantities are the amounts in base units that are not zero, ordered by resource, for all names that
// the scheduler counts.
func (cp *compiler) quantities(list amounts) []cluster.Quantity {
	var out []cluster.Quantity
	for _, a := range list {
		if value := a.base(); value != 0 && cp.isScheduled(a.name) {
			out = append(out, cluster.Quantity{Resource: cp.vocabulary.Resource(a.name), Amount: value})
		}
	}
	slices.SortFunc(out, func(x, y cluster.Quantity) int { return int(x.Resource - y.Resource) })
	return out
}

// resources checks the quantities of the list at path: names by the given rule, not negative, not too
// large, whole where they must be.
func (c *checker) resources(faults *document.Errors, at document.Value, path string, list v1.ResourceList, rule nameRule) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if what := c.amountFault(rule, string(name), list[name]); what != "" {
			faults.Add(at, join(path, string(name)), "%s", what)
		}
	}
}

// amountFault says what is wrong with the quantity of one resource, or with its name.
func (c *checker) amountFault(rule nameRule, name string, q resource.Quantity) string {
	if what := c.resourceName(rule, name); what != "" {
		return "is of a resource whose name is not valid: " + what
	}
	return quantityFault(name, q)
}

func quantityFault(name string, q resource.Quantity) string {
	switch {
	case q.Sign() < 0:
		return "must not be negative"
	case name == string(v1.ResourceCPU) && q.Cmp(maxCPU) > 0, name != string(v1.ResourceCPU) && q.CmpInt64(MaxAmount) > 0:
		return "is too large: the largest amount is 2^53 of the base unit"
	case isWhole(name) && q.MilliValue()%1000 != 0:
		return "must be an integer"
	}
	return ""
}

var maxCPU = *resource.NewMilliQuantity(MaxAmount, resource.DecimalSI)

// nameRule says which names of resources may stand somewhere.
type nameRule uint8

const (
	nodeNames nameRule = iota // any
	containerNames
	podNames // what can be asked for at the level of the pod
)

// resourceName says what is wrong with the name of a resource; "" if nothing is.
func (c *checker) resourceName(rule nameRule, name string) string {
	switch {
	case rule == nodeNames || rule == containerNames && isPlain(name):
		return ""
	case rule == podNames && !isPodLevel(name):
		return "only cpu, memory and hugepages-* can be asked for at the level of the pod"
	}
	return remembered(&c.resourceNames, name, containerResource)
}

// containerResource says what is wrong with the name of a resource that a container asks for.
//
// Upstream: validateContainerResourceName of pkg/apis/core/validation, v1.36.3.
func containerResource(name string) []string {
	bad := validation.IsQualifiedName(name)
	switch {
	case len(bad) > 0 || isPlain(name):
		return bad
	case !strings.Contains(name, "/") && !isHugePages(name):
		return []string{"it is not a standard resource of containers; other names need a domain in front: example.com/" + name}
	case !isNative(name) && !isExtended(name):
		return []string{"it does not follow the standard for names of extended resources"}
	}
	return nil
}

func isPlain(name string) bool {
	return name == string(v1.ResourceCPU) || name == string(v1.ResourceMemory) || name == string(v1.ResourceEphemeralStorage)
}

func isHugePages(name string) bool { return strings.HasPrefix(name, v1.ResourceHugePagesPrefix) }

func isPodLevel(name string) bool {
	return name == string(v1.ResourceCPU) || name == string(v1.ResourceMemory) || isHugePages(name)
}

// isNative reports whether a name is in the namespace of Kubernetes itself.
func isNative(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, v1.ResourceDefaultNamespacePrefix)
}

func isExtended(name string) bool {
	return !isNative(name) && !strings.HasPrefix(name, v1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(v1.DefaultResourceRequestsPrefix+name)) == 0
}

// isScheduled remembers what isScheduled says, for names that are dear to check.
func (cp *compiler) isScheduled(name string) bool {
	if isPlain(name) || name == string(v1.ResourcePods) {
		return true
	}
	is, known := cp.scheduled[name]
	if !known {
		is = isScheduled(name)
		cp.scheduled[name] = is
	}
	return is
}

// isScheduled reports whether the scheduler counts a resource of that name.
//
// Upstream: Resource.Add of pkg/scheduler/framework/types.go and IsScalarResourceName of
// pkg/scheduler/util/utils.go, v1.36.3.
func isScheduled(name string) bool {
	return isHugePages(name) || strings.HasPrefix(name, v1.ResourceAttachableVolumesPrefix) ||
		strings.Contains(name, v1.ResourceDefaultNamespacePrefix) || isExtended(name)
}

// isWhole reports whether only whole numbers of the resource make sense.
func isWhole(name string) bool { return name == string(v1.ResourcePods) || !isNative(name) }

// mayOvercommit reports whether a request may be below its limit.
func mayOvercommit(name string) bool { return isNative(name) && !isHugePages(name) }

// list is the amounts as the API has them.
func (a amounts) list() v1.ResourceList {
	if len(a) == 0 {
		return nil
	}
	out := v1.ResourceList{}
	for _, q := range a {
		if q.milli%1000 == 0 && q.name != string(v1.ResourceCPU) {
			out[v1.ResourceName(q.name)] = quantityOf(q.name, q.milli/1000)
		} else {
			out[v1.ResourceName(q.name)] = *resource.NewMilliQuantity(q.milli, resource.DecimalSI)
		}
	}
	return out
}

// quantityOf is an amount in base units as a quantity of the API.
func quantityOf(name string, value int64) resource.Quantity {
	switch {
	case name == string(v1.ResourceCPU):
		return *resource.NewMilliQuantity(value, resource.DecimalSI)
	case isPlain(name) || isHugePages(name):
		return *resource.NewQuantity(value, resource.BinarySI)
	}
	return *resource.NewQuantity(value, resource.DecimalSI)
}
