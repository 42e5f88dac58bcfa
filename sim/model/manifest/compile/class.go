package compile

import (
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/encode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// maxRequests is how many different resources a pod can ask for: what the verdict of the plugin
// NodeResourcesFit has room for.
const maxRequests = 23

var qualityOfService = map[v1.PodQOSClass]cluster.QoS{
	v1.PodQOSBestEffort: cluster.BestEffort, v1.PodQOSBurstable: cluster.Burstable, v1.PodQOSGuaranteed: cluster.Guaranteed,
}

// Class compiles an admitted pod.
func (compiler *Compiler) Class(faults *document.Errors, a *admit.Pod) cluster.Class {
	out := cluster.Class{
		Namespace:        compiler.vocabulary.Symbol(a.Meta.Namespace),
		Labels:           compiler.vocabulary.NewLabelSet(a.Meta.Labels),
		SchedulerName:    a.Spec.SchedulerName,
		Priority:         a.Priority,
		NeverPreempt:     a.NeverPreempt,
		NodeName:         a.Spec.NodeName,
		Tolerations:      compiler.tolerations(a.Tolerations),
		Containers:       len(a.Spec.InitContainers) + len(a.Spec.Containers),
		InitContainers:   len(a.Spec.InitContainers),
		QoS:              qualityOfService[resources.QoSOf(a.Spec, &a.Requests, compiler.check.Rules.PodLevelDefaults)],
		Controller:       compiler.avoidedController(a.Meta),
		TerminationGrace: clock.Second * v1.DefaultTerminationGracePeriodSeconds,
		Features:         features(a.Spec),
		NodeSelector:     compiler.vocabulary.NewLabelSet(a.NodeSelector),
	}
	if out.SchedulerName == "" {
		out.SchedulerName = v1.DefaultSchedulerName
	}
	if t := a.Spec.TerminationGracePeriodSeconds; t != nil {
		out.TerminationGrace = clock.Second * clock.Time(*t)
	}
	for _, gate := range a.Spec.SchedulingGates {
		out.Gates = append(out.Gates, gate.Name)
	}
	at := a.At.Get("spec")
	compiler.warnUnsupported(at, a.Spec)
	compiler.affinity(at, a.Spec, &out)
	compiler.podAffinity(faults, a.Source, &out)
	compiler.spreading(faults, a.Source, &out)
	compiler.ports(a.Spec, &out)
	compiler.images(a.Spec, &out)
	if len(*faults) == 0 { // volumes of a pod with errors may be incomplete
		compiler.volumes(a.Spec, &out)
	}
	if name := compiler.setRequests(&out, &a.Requests); name != "" && validate.NewSpecCheck(compiler.check, faults, at, a.Spec).NoErrorInAmounts(name) {
		faults.Add(at, "containers", "ask for too much %s together: the largest amount is 2^53 of the base unit", name)
	}
	compiler.podDevices(faults, a.Source, &out)
	if len(out.Requests) > maxRequests {
		faults.Add(at, "containers", "ask for %d different resources; at most %d are supported", len(out.Requests), maxRequests)
	}
	if compiler.KeepObjects {
		out.Object = encode.Pod(a.Meta, a.Stored(compiler.check.Rules))
	}
	return out
}

// warnUnsupported warns of what is refused of a pod without a node. A pod that has one keeps it.
func (compiler *Compiler) warnUnsupported(at document.Value, spec *v1.PodSpec) {
	if spec.NodeName != "" && (len(spec.ResourceClaims) > 0 || spec.SchedulingGroup != nil) {
		compiler.warnings.Once("unsupported", at,
			"pods on nodes have resource claims or a scheduling group, which are not supported: they count by their requests alone, also where they are re-created")
	}
}

func (compiler *Compiler) affinity(at document.Value, spec *v1.PodSpec, c *cluster.Class) {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return
	}
	a := spec.Affinity.NodeAffinity
	c.Preferred = compiler.preferredTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
	if a.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	c.Required, c.HasRequired = compiler.selector(a.RequiredDuringSchedulingIgnoredDuringExecution), true
	for i := range c.Required {
		if fault := c.Required[i].Fault; fault != "" {
			term := at.Find(decode.Join("affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", i))
			compiler.warnings.Once("term: "+fault, term, "the term never matches a node: %s", fault)
		}
	}
}

// ports are the host ports of sidecars and containers, in this order.
//
// Upstream: GetHostPorts of pkg/scheduler/util/utils.go, v1.36.3.
func (compiler *Compiler) ports(spec *v1.PodSpec, c *cluster.Class) {
	add := func(container *v1.Container) {
		for i := range container.Ports {
			p := &container.Ports[i]
			number := validate.HostPort(spec, p)
			if number <= 0 {
				continue
			}
			ip := p.HostIP
			if ip == "" {
				ip = "0.0.0.0"
			}
			c.Ports = append(c.Ports, cluster.HostPort{
				IP: compiler.vocabulary.Symbol(ip), Protocol: compiler.vocabulary.Symbol(string(validate.Protocol(p))), Port: number,
			})
		}
	}
	for i := range spec.InitContainers {
		if resources.IsSidecar(&spec.InitContainers[i]) {
			add(&spec.InitContainers[i])
		}
	}
	for i := range spec.Containers {
		add(&spec.Containers[i])
	}
}

// images are the names of all images, as often as they are named, those of image volumes last.
//
// Upstream: sumImageScores of framework/plugins/imagelocality/image_locality.go, v1.36.3.
func (compiler *Compiler) images(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.InitContainers {
		c.Images = append(c.Images, compiler.vocabulary.Symbol(normalImage(spec.InitContainers[i].Image)))
	}
	for i := range spec.Containers {
		c.Images = append(c.Images, compiler.vocabulary.Symbol(normalImage(spec.Containers[i].Image)))
	}
	for i := range spec.Volumes {
		if image := spec.Volumes[i].Image; image != nil {
			c.Images = append(c.Images, compiler.vocabulary.Symbol(normalImage(image.Reference)))
			c.ImageVolumes++
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
