package manifest

import (
	"slices"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// What a container that asks for no cpu or memory counts with in scores.
//
// Upstream: pkg/scheduler/util/pod_resources.go, v1.36.3.
var defaultRequests = amounts{{"cpu", 100}, {"memory", 200 << 20 * 1000}}

// demand is what the parts of a pod ask for, defaults of the API server included.
type demand struct {
	containers []amounts
	inits      []initDemand
	pod        amounts // pod level requests
	overhead   amounts
}

type initDemand struct {
	requests amounts
	sidecar  bool // restartPolicy Always
}

// demandOf takes requests that are missing from the limits.
//
// Upstream: SetDefaults_Pod of pkg/apis/core/v1/defaults.go, v1.36.3.
func demandOf(spec *v1.PodSpec) demand {
	d := listsOf(spec, func(r v1.ResourceRequirements) amounts {
		return amountsOf(r.Requests).lacking(amountsOf(r.Limits))
	})
	d.overhead = amountsOf(spec.Overhead)
	if spec.Resources != nil {
		d.pod = d.podLevel(spec)
	}
	return d
}

// listsOf gathers one list of each container.
func listsOf(spec *v1.PodSpec, list func(v1.ResourceRequirements) amounts) demand {
	d := demand{containers: make([]amounts, len(spec.Containers))}
	for i := range spec.Containers {
		d.containers[i] = list(spec.Containers[i].Resources)
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		d.inits = append(d.inits, initDemand{list(c.Resources), isSidecar(c)})
	}
	return d
}

func isSidecar(c *v1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == v1.ContainerRestartPolicyAlways
}

// podLevel returns the pod level requests. Where there are pod level limits, missing requests are
// what the containers ask for together, else the limit.
//
// Upstream: defaultHugePagePodLimits and defaultPodRequests of pkg/apis/core/v1/defaults.go, v1.36.3.
func (d *demand) podLevel(spec *v1.PodSpec) amounts {
	requests := slices.Clip(amountsOf(spec.Resources.Requests))
	limits := podLimits(spec)
	if len(limits) == 0 {
		return requests
	}
	for _, a := range d.aggregate(nil) {
		if isPodLevel(a.name) && mayOvercommit(a.name) {
			requests = requests.lacking(amounts{a})
		}
	}
	for _, a := range limits {
		if isPodLevel(a.name) {
			requests = requests.lacking(amounts{a})
		}
	}
	return requests
}

// podLimits returns the pod level limits, with those of huge pages that only containers have.
func podLimits(spec *v1.PodSpec) amounts {
	limits := slices.Clip(amountsOf(spec.Resources.Limits))
	if len(limits)+len(spec.Resources.Requests) == 0 {
		return nil
	}
	all := listsOf(spec, func(r v1.ResourceRequirements) amounts { return amountsOf(r.Limits) })
	for _, a := range all.aggregate(nil) {
		if _, requested := spec.Resources.Requests[v1.ResourceName(a.name)]; isHugePages(a.name) && !requested {
			limits = limits.lacking(amounts{a})
		}
	}
	return limits
}

// aggregate is what the containers ask for together; each of them counts with the given amounts for what it
// does not name. Sidecars run beside the containers and beside the init containers after them.
//
// Upstream: AggregateContainerRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (d *demand) aggregate(missing amounts) amounts {
	var sum, sidecars, highest amounts
	for _, c := range d.containers {
		sum = sum.add(slices.Clone(c).lacking(missing))
	}
	for _, c := range d.inits {
		own := slices.Clone(c.requests).lacking(missing)
		if c.sidecar {
			sum = sum.add(own)
			sidecars = sidecars.add(own)
			own = sidecars
		} else {
			own = own.add(sidecars)
		}
		highest = highest.most(own)
	}
	return sum.most(highest)
}

// total is what the whole pod asks for.
//
// Upstream: PodRequests of k8s.io/component-helpers/resource/helpers.go, v0.36.3.
func (d *demand) total(podLevel bool, missing amounts) amounts {
	sum := d.aggregate(missing)
	if podLevel {
		sum = sum.set(d.pod)
	}
	return sum.add(d.overhead)
}

// fill puts what the pod asks for into its class. It returns the resource whose amount is too large,
// if any.
func (cp *compiler) fill(class *cluster.Class, d *demand) (tooLarge string) {
	total := d.total(true, nil)
	for _, a := range total {
		if a.base() > MaxAmount {
			return a.name
		}
	}
	class.Requests = cp.quantities(total)
	class.ScoreRequests = class.Requests
	if len(d.pod) > 0 {
		class.ScoreRequests = cp.quantities(d.total(false, nil))
	}
	scored := d.total(false, defaultRequests)
	class.ScoreNonZero = nonZero(scored)
	class.NonZero = class.ScoreNonZero
	if len(d.pod) > 0 {
		class.NonZero = nonZero(d.total(true, d.nodeDefaults(total)))
	}
	return ""
}

// nodeDefaults are the defaults that count for a pod with pod level requests once it is on a node:
// those for which nothing is asked at any level.
//
// Upstream: getNonMissingContainerRequests of pkg/scheduler/framework/types.go, v1.36.3.
func (d *demand) nodeDefaults(total amounts) amounts {
	var missing amounts
	for _, a := range defaultRequests {
		if _, has := total.get(a.name); !has {
			missing = append(missing, a)
		}
	}
	return missing
}

func nonZero(a amounts) [2]int64 {
	cpu, _ := a.get("cpu")
	memory, _ := a.get("memory")
	return [2]int64{amount{"cpu", cpu}.base(), amount{"memory", memory}.base()}
}
