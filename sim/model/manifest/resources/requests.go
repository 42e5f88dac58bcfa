package resources

import (
	"slices"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/release"
)

// EachContainer calls f for the containers, then the init containers.
func EachContainer(spec *v1.PodSpec, f func(path string, c *v1.Container)) {
	for i := range spec.Containers {
		f(document.Path("containers", i), &spec.Containers[i])
	}
	for i := range spec.InitContainers {
		f(document.Path("initContainers", i), &spec.InitContainers[i])
	}
}

// Allocatable returns the capacity if the node does not say what of it is allocatable.
//
// Upstream: SetDefaults_NodeStatus of pkg/apis/core/v1/defaults.go, v1.36.3.
func Allocatable(n *v1.Node) v1.ResourceList {
	if n.Status.Allocatable == nil {
		return n.Status.Capacity
	}
	return n.Status.Allocatable
}

// NonZeroDefaults are what a container that asks for no cpu or memory counts with in scores.
//
// Upstream: pkg/scheduler/util/pod_resources.go, v1.36.3.
var NonZeroDefaults = Amounts{{"cpu", 100}, {"memory", 200 << 20 * 1000}}

// PodRequests is what the parts of a pod ask for, defaults of the API server included.
type PodRequests struct {
	containers []Amounts
	inits      []initRequests
	Pod        Amounts // Pod level requests
	Overhead   Amounts
	// others are other counts of the same containers: of each resource the highest counts.
	others []PodRequests
	exact  bool // containers are not given what they do not name
}

type initRequests struct {
	requests Amounts
	sidecar  bool // restartPolicy Always
}

// RequestsOf takes requests that are missing from the limits, and those of the pod as the defaults of the release say.
//
// Upstream: SetDefaults_Pod of pkg/apis/core/v1/defaults.go, v1.36.3, and DefaultPodLevelResources of pkg/api/pod/util.go,
// v1.37.2.
func RequestsOf(spec *v1.PodSpec, defaults release.PodLevelDefaults) PodRequests {
	d := EachList(spec, func(r v1.ResourceRequirements) Amounts {
		return AmountsOf(r.Requests).withDefaults(AmountsOf(r.Limits))
	})
	d.Overhead = AmountsOf(spec.Overhead)
	if spec.Resources != nil {
		d.Pod = d.podLevel(spec, defaults)
	}
	return d
}

// EachList gathers one list of each container.
func EachList(spec *v1.PodSpec, list func(v1.ResourceRequirements) Amounts) PodRequests {
	d := PodRequests{containers: make([]Amounts, len(spec.Containers))}
	for i := range spec.Containers {
		d.containers[i] = list(spec.Containers[i].Resources)
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		d.inits = append(d.inits, initRequests{list(c.Resources), IsSidecar(c)})
	}
	return d
}

// IsSidecar reports whether an init container runs beside those after it.
func IsSidecar(c *v1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways
}

// podLevel returns the pod level requests. Missing requests are what the containers ask for together, else the limit: of a
// pod with pod level limits, or of one with any pod level resources.
//
// Upstream: defaultHugePagePodLimits and defaultPodRequests of pkg/apis/core/v1/defaults.go, v1.36.3, and
// defaultPodLevelRequests of pkg/api/pod/util.go, v1.37.2.
func (d *PodRequests) podLevel(spec *v1.PodSpec, defaults release.PodLevelDefaults) Amounts {
	requests := slices.Clip(AmountsOf(spec.Resources.Requests))
	limits := givenLimits(spec)
	switch {
	case defaults == release.PodLevelDefaultsNone, len(requests)+len(limits) == 0:
		return requests
	case defaults == release.PodLevelDefaultsLimited && len(limits) == 0:
		return requests
	}
	for _, a := range d.Aggregate(nil) {
		if IsPodLevel(a.Name) && MayOvercommit(a.Name) {
			requests = requests.withDefaults(Amounts{a})
		}
	}
	for _, a := range limits {
		if IsPodLevel(a.Name) {
			requests = requests.withDefaults(Amounts{a})
		}
	}
	return requests
}

// PodLimits returns the pod level limits with the defaults of the release: those of huge pages that only containers have,
// and what all containers are limited to.
//
// Upstream: defaultPodLevelLimits of pkg/api/pod/util.go, v1.37.2.
func PodLimits(spec *v1.PodSpec, defaults release.PodLevelDefaults) Amounts {
	if defaults == release.PodLevelDefaultsNone {
		return AmountsOf(spec.Resources.Limits)
	}
	limits := givenLimits(spec)
	if defaults == release.PodLevelDefaultsLimited {
		return limits
	}
	d := RequestsOf(spec, defaults)
	all := EachList(spec, func(r v1.ResourceRequirements) Amounts { return AmountsOf(r.Limits) })
	together := all.Aggregate(nil)
	for _, request := range d.Pod {
		if of, has := together.Get(request.Name); has && IsPodLevel(request.Name) && limitsAll(spec, request.Name) {
			limits = limits.withDefaults(Amounts{{request.Name, max(of, request.Milli)}})
		}
	}
	return limits
}

// limitsAll reports whether every container has a limit of the resource.
func limitsAll(spec *v1.PodSpec, name string) bool {
	all := true
	EachContainer(spec, func(_ string, c *v1.Container) {
		_, has := c.Resources.Limits[v1.ResourceName(name)]
		all = all && has
	})
	return all
}

// givenLimits returns the pod level limits, with those of huge pages that only containers have.
func givenLimits(spec *v1.PodSpec) Amounts {
	limits := slices.Clip(AmountsOf(spec.Resources.Limits))
	if len(limits)+len(spec.Resources.Requests) == 0 {
		return nil
	}
	all := EachList(spec, func(r v1.ResourceRequirements) Amounts { return AmountsOf(r.Limits) })
	for _, a := range all.Aggregate(nil) {
		if _, requested := spec.Resources.Requests[v1.ResourceName(a.Name)]; IsHugePages(a.Name) && !requested {
			limits = limits.withDefaults(Amounts{a})
		}
	}
	return limits
}

// Aggregate returns what the containers ask for together; each of them counts with the given amounts for what it does
// not name. Sidecars run beside the containers and beside the init containers after them.
//
// Upstream: AggregateContainerRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (d *PodRequests) Aggregate(missing Amounts) Amounts {
	if d.exact {
		missing = nil
	}
	var sum, sidecars, highest Amounts
	for _, c := range d.containers {
		sum = sum.add(slices.Clone(c).withDefaults(missing))
	}
	for _, c := range d.inits {
		own := slices.Clone(c.requests).withDefaults(missing)
		if c.sidecar {
			sum = sum.add(own)
			sidecars = sidecars.add(own)
			own = sidecars
		} else {
			own = own.add(sidecars)
		}
		highest = highest.Max(own)
	}
	sum = sum.Max(highest)
	for i := range d.others {
		sum = sum.Max(d.others[i].Aggregate(missing))
	}
	return sum
}

// Total returns what the whole pod asks for.
//
// Upstream: PodRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (d *PodRequests) Total(podLevel bool, missing Amounts) Amounts {
	sum := d.Aggregate(missing)
	if podLevel {
		sum = sum.Set(d.Pod)
	}
	return sum.add(d.Overhead)
}

// NodeDefaults returns the defaults that count for a pod with pod level requests once it is on a
// node: those for which nothing is asked at any level.
//
// Upstream: getNonMissingContainerRequests of pkg/scheduler/framework/types.go, v1.36.3.
func (d *PodRequests) NodeDefaults(total Amounts) Amounts {
	var missing Amounts
	for _, a := range NonZeroDefaults {
		if _, has := total.Get(a.Name); !has {
			missing = append(missing, a)
		}
	}
	return missing
}

// NonZero returns the amounts of cpu and memory in base units.
func NonZero(a Amounts) [2]int64 {
	cpu, _ := a.Get("cpu")
	memory, _ := a.Get("memory")
	return [2]int64{Amount{"cpu", cpu}.Base(), Amount{"memory", memory}.Base()}
}
