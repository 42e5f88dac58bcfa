package resources

import (
	"math"
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
)

// String returns the amount as a Kubernetes quantity.
func (a Amount) String() string {
	return resource.NewMilliQuantity(a.Milli, resource.DecimalSI).String()
}

// MaxAmount is the largest amount of a resource in its base unit that an object may name or a pod
// may ask for in all: what a double holds exactly.
const MaxAmount = 1 << 53

// Amount is a quantity of one resource in thousandths of its unit, which is as exact as the API
// server keeps it.
type Amount struct {
	Name  string
	Milli int64
}

// Amounts is a list of resources sorted by name. An entry of zero differs from no entry.
type Amounts []Amount

func byName(a Amount, name string) int { return strings.Compare(a.Name, name) }

// Get returns the entry of a name.
func (a Amounts) Get(name string) (milli int64, has bool) {
	i, has := slices.BinarySearchFunc(a, name, byName)
	if !has {
		return 0, false
	}
	return a[i].Milli, true
}

// of is the amount of a name, 0 if it has no entry.
func (a Amounts) of(name string) int64 {
	milli, _ := a.Get(name)
	return milli
}

// with returns a list in which the entry of a name is what merge makes of the present one, 0 if there is none.
func (a Amounts) with(name string, merge func(present int64) int64) Amounts {
	i, has := slices.BinarySearchFunc(a, name, byName)
	if !has {
		a = slices.Insert(a, i, Amount{Name: name})
	}
	a[i].Milli = merge(a[i].Milli)
	return a
}

// Set puts in the entries of b, in the place of those that are there.
func (a Amounts) Set(b Amounts) Amounts {
	for _, q := range b {
		a = a.with(q.Name, func(int64) int64 { return q.Milli })
	}
	return a
}

// add sums the entries. What grows beyond int64 stays at its largest value.
func (a Amounts) add(b Amounts) Amounts {
	for _, q := range b {
		a = a.with(q.Name, func(present int64) int64 {
			if present > math.MaxInt64-q.Milli {
				return math.MaxInt64
			}
			return present + q.Milli
		})
	}
	return a
}

// Max keeps the larger entry of each name.
func (a Amounts) Max(b Amounts) Amounts {
	for _, q := range b {
		a = a.with(q.Name, func(present int64) int64 { return max(present, q.Milli) })
	}
	return a
}

// withDefaults returns a with those entries of b that it has no entry for.
func (a Amounts) withDefaults(b Amounts) Amounts {
	for _, q := range b {
		if _, has := a.Get(q.Name); !has {
			a = slices.Insert(a, indexOf(a, q.Name), q)
		}
	}
	return a
}

func indexOf(a Amounts, name string) int {
	i, _ := slices.BinarySearchFunc(a, name, byName)
	return i
}

// AmountsOf converts a checked list of the API, rounding up to thousandths as the API server's
// defaulting does.
func AmountsOf(list v1.ResourceList) Amounts {
	if len(list) == 0 {
		return nil
	}
	out := make(Amounts, 0, len(list)+2)
	for name, q := range list {
		out = append(out, Amount{string(name), q.MilliValue()})
	}
	slices.SortFunc(out, func(x, y Amount) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// Base returns the amount in the base unit of its resource, rounded up.
func (a Amount) Base() int64 {
	if a.Name == string(v1.ResourceCPU) {
		return a.Milli
	}
	return a.Milli/1000 + (a.Milli%1000+999)/1000
}

// QuantityFault says what is wrong with the quantity of a resource; "" if nothing is.
func QuantityFault(name string, q resource.Quantity) string {
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

// IsPlain reports whether a resource is cpu, memory or ephemeral-storage.
func IsPlain(name string) bool {
	return name == string(v1.ResourceCPU) || name == string(v1.ResourceMemory) || name == string(v1.ResourceEphemeralStorage)
}

// IsHugePages reports whether a resource is huge pages of some size.
func IsHugePages(name string) bool { return strings.HasPrefix(name, v1.ResourceHugePagesPrefix) }

// IsPodLevel reports whether a resource can be requested at the level of the pod.
func IsPodLevel(name string) bool {
	return name == string(v1.ResourceCPU) || name == string(v1.ResourceMemory) || IsHugePages(name)
}

// IsNative reports whether a name is in the namespace of Kubernetes itself.
func IsNative(name string) bool {
	return !strings.Contains(name, "/") || strings.Contains(name, v1.ResourceDefaultNamespacePrefix)
}

// IsExtended reports whether a resource is an extended one.
//
// Upstream: IsExtendedResourceName of pkg/apis/core/v1/helper/helpers.go, v1.36.3.
func IsExtended(name string) bool {
	return !IsNative(name) && !strings.HasPrefix(name, v1.DefaultResourceRequestsPrefix) &&
		len(validation.IsQualifiedName(v1.DefaultResourceRequestsPrefix+name)) == 0
}

// IsScheduled reports whether the scheduler counts a resource of that name.
//
// Upstream: Resource.Add of pkg/scheduler/framework/types.go and IsScalarResourceName of
// pkg/scheduler/util/utils.go, v1.36.3.
func IsScheduled(name string) bool {
	return IsHugePages(name) || strings.HasPrefix(name, v1.ResourceAttachableVolumesPrefix) ||
		strings.Contains(name, v1.ResourceDefaultNamespacePrefix) || IsExtended(name)
}

// isWhole reports whether only whole numbers of the resource make sense.
func isWhole(name string) bool { return name == string(v1.ResourcePods) || !IsNative(name) }

// MayOvercommit reports whether a request may be below its limit.
func MayOvercommit(name string) bool { return IsNative(name) && !IsHugePages(name) }

// List returns the amounts as the API has them.
func (a Amounts) List() v1.ResourceList {
	if len(a) == 0 {
		return nil
	}
	out := v1.ResourceList{}
	for _, q := range a {
		if q.Milli%1000 == 0 && q.Name != string(v1.ResourceCPU) {
			out[v1.ResourceName(q.Name)] = Quantity(q.Name, q.Milli/1000)
		} else {
			out[v1.ResourceName(q.Name)] = *resource.NewMilliQuantity(q.Milli, resource.DecimalSI)
		}
	}
	return out
}

// Quantity returns an amount in base units as a quantity of the API.
func Quantity(name string, value int64) resource.Quantity {
	switch {
	case name == string(v1.ResourceCPU):
		return *resource.NewMilliQuantity(value, resource.DecimalSI)
	case IsPlain(name) || IsHugePages(name):
		return *resource.NewQuantity(value, resource.BinarySI)
	}
	return *resource.NewQuantity(value, resource.DecimalSI)
}
