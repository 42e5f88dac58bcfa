package manifest

import (
	"strings"

	v1 "k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxRequests is how many different resources a pod can ask for: what the verdict of the plugin
// NodeResourcesFit has room for.
const maxRequests = 23

// class compiles an admitted pod.
func (cp *compiler) class(faults *document.Errors, a *admitted) cluster.Class {
	out := cluster.Class{
		Namespace:        cp.vocabulary.Sym(a.meta.Namespace),
		Labels:           cp.vocabulary.NewLabelSet(a.meta.Labels),
		SchedulerName:    a.spec.SchedulerName,
		Priority:         a.priority,
		NeverPreempt:     a.neverPreempt,
		NodeName:         a.spec.NodeName,
		Tolerations:      cp.tolerations(a.tolerations),
		Containers:       len(a.spec.InitContainers) + len(a.spec.Containers),
		InitContainers:   len(a.spec.InitContainers),
		BestEffort:       isBestEffort(a.spec),
		Controller:       cp.avoidedController(a.meta),
		TerminationGrace: clock.Second * v1.DefaultTerminationGracePeriodSeconds,
		Features:         features(a.spec),
		NodeSelector:     cp.vocabulary.NewLabelSet(a.nodeSelector),
	}
	if out.SchedulerName == "" {
		out.SchedulerName = v1.DefaultSchedulerName
	}
	if t := a.spec.TerminationGracePeriodSeconds; t != nil {
		out.TerminationGrace = clock.Second * clock.Time(*t)
	}
	for _, gate := range a.spec.SchedulingGates {
		out.Gates = append(out.Gates, gate.Name)
	}
	at := a.at.Get("spec")
	cp.affinity(at, a.spec, &out)
	cp.podAffinity(faults, a.podSource, &out)
	cp.spreading(faults, a.podSource, &out)
	cp.ports(a.spec, &out)
	cp.images(a.spec, &out)
	if len(*faults) == 0 { // volumes of a pod with errors may be incomplete
		cp.volumes(a.spec, &out)
	}
	if name := cp.fill(&out, &a.requests); name != "" && (&specCheck{cp.check, faults, at, a.spec}).knowsAmounts(name) {
		faults.Add(at, "containers", "ask for too much %s together: the largest amount is 2^53 of the base unit", name)
	}
	cp.podDevices(faults, a.podSource, &out)
	if len(out.Requests) > maxRequests {
		faults.Add(at, "containers", "ask for %d different resources; at most %d are supported", len(out.Requests), maxRequests)
	}
	if cp.keep {
		out.Object = keptPod(a.meta, a.stored())
	}
	return out
}

func (cp *compiler) affinity(at document.Value, spec *v1.PodSpec, c *cluster.Class) {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return
	}
	a := spec.Affinity.NodeAffinity
	c.Preferred = cp.preferredTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
	if a.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	c.Required, c.HasRequired = cp.selector(a.RequiredDuringSchedulingIgnoredDuringExecution), true
	for i := range c.Required {
		if fault := c.Required[i].Fault; fault != "" {
			term := at.Find(join("affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", i))
			cp.warnings.once("term: "+fault, term, "the term never matches a node: %s", fault)
		}
	}
}

// ports are the host ports of sidecars and containers, in this order.
//
// Upstream: GetHostPorts of pkg/scheduler/util/utils.go, v1.36.3.
func (cp *compiler) ports(spec *v1.PodSpec, c *cluster.Class) {
	add := func(container *v1.Container) {
		for i := range container.Ports {
			p := &container.Ports[i]
			number := hostPort(spec, p)
			if number <= 0 {
				continue
			}
			ip := p.HostIP
			if ip == "" {
				ip = "0.0.0.0"
			}
			c.Ports = append(c.Ports, cluster.HostPort{
				IP: cp.vocabulary.Sym(ip), Protocol: cp.vocabulary.Sym(string(protocol(p))), Port: number,
			})
		}
	}
	for i := range spec.InitContainers {
		if isSidecar(&spec.InitContainers[i]) {
			add(&spec.InitContainers[i])
		}
	}
	for i := range spec.Containers {
		add(&spec.Containers[i])
	}
}

// images are the names of all images, as often as they are named.
//
// Upstream: sumImageScores of framework/plugins/imagelocality/image_locality.go, v1.36.3.
func (cp *compiler) images(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.InitContainers {
		c.Images = append(c.Images, cp.vocabulary.Sym(normalImage(spec.InitContainers[i].Image)))
	}
	for i := range spec.Containers {
		c.Images = append(c.Images, cp.vocabulary.Sym(normalImage(spec.Containers[i].Image)))
	}
	for i := range spec.Volumes {
		if image := spec.Volumes[i].Image; image != nil {
			c.Images = append(c.Images, cp.vocabulary.Sym(normalImage(image.Reference)))
		}
	}
}

// normalImage gives an image without a tag the tag latest.
func normalImage(name string) string {
	if strings.LastIndex(name, ":") <= strings.LastIndex(name, "/") {
		return name + ":latest"
	}
	return name
}
