package manifest

import (
	"maps"
	"strings"

	v1 "k8s.io/api/core/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// LabelPodGroup is the label by which pods join a PodGroup of their namespace.
const LabelPodGroup = "scheduling.x-k8s.io/pod-group"

// maxRequests is how many different resources a pod can ask for: what the verdict of the plugin
// NodeResourcesFit has room for.
const maxRequests = 23

// podSource is what a pod is made from. Its parts have been checked.
type podSource struct {
	meta *metav1.ObjectMeta // with its namespace
	spec *v1.PodSpec
	at   document.Value // holds metadata and spec
	runs bool           // it has been created long ago
	lost bool           // its namespace is not known
}

// created tells whether the pod comes from an API server, and is not a pod or template to be.
func (p podSource) created() bool { return p.runs || p.meta.UID != "" }

// admitted is a pod after admission.
type admitted struct {
	class  cluster.Class
	group  string
	demand demand
}

// admit compiles a pod, with what its priority class and runtime class bring.
func (l *Loader) admit(faults *document.Errors, p podSource) admitted {
	p = l.mutate(faults, p)
	a := admitted{class: cluster.Class{
		Namespace:        l.vocabulary.Sym(p.meta.Namespace),
		Labels:           l.vocabulary.NewLabelSet(p.meta.Labels),
		SchedulerName:    p.spec.SchedulerName,
		NodeName:         p.spec.NodeName,
		Tolerations:      l.tolerations(p.spec.Tolerations),
		Containers:       len(p.spec.InitContainers) + len(p.spec.Containers),
		InitContainers:   len(p.spec.InitContainers),
		BestEffort:       isBestEffort(p.spec),
		Controller:       l.avoidedController(p.meta),
		TerminationGrace: clock.Second * v1.DefaultTerminationGracePeriodSeconds,
	}}
	c := &a.class
	if c.SchedulerName == "" {
		c.SchedulerName = v1.DefaultSchedulerName
	}
	if t := p.spec.TerminationGracePeriodSeconds; t != nil {
		c.TerminationGrace = clock.Second * clock.Time(*t)
	}
	c.Features = features(p.spec)
	for _, gate := range p.spec.SchedulingGates {
		c.Gates = append(c.Gates, gate.Name)
	}
	at := p.at.Get("spec")
	l.admitPriority(faults, p, c)
	d := demandOf(p.spec)
	selector := l.admitRuntime(faults, p, &d, c)
	c.NodeSelector = l.vocabulary.NewLabelSet(selector)
	l.affinity(at, p.spec, c)
	l.podAffinity(faults, p, c)
	l.spreading(faults, p, c)
	l.ports(p.spec, c)
	l.images(p.spec, c)
	if len(*faults) == 0 { // else it is only a matter of what else is wrong
		l.volumes(p.spec, c)
	}
	if name := l.fill(c, &d); name != "" && (&specCheck{&l.check, faults, at, p.spec}).knowsAmounts(name) {
		faults.Add(at, "containers", "ask for too much %s together: the largest amount is 2^53 of the base unit", name)
	}
	l.podDevices(faults, p, c)
	if len(c.Requests) > maxRequests {
		faults.Add(at, "containers", "ask for %d different resources; at most %d are supported", len(c.Requests), maxRequests)
	}
	a.group, a.demand = l.admitGroup(faults, p), d
	if l.keep {
		c.Object = l.keepPod(p, c, selector, &d)
	}
	return a
}

// admitGroup returns the PodGroup that the pod joins.
func (l *Loader) admitGroup(faults *document.Errors, p podSource) string {
	name := p.meta.Labels[LabelPodGroup]
	if name == "" {
		return ""
	}
	name = p.meta.Namespace + "/" + name
	if l.groups[name] == nil && !l.nameless["PodGroup"] && !p.lost {
		faults.Add(p.at, join("metadata.labels", LabelPodGroup), "names a PodGroup that does not exist in namespace %s",
			p.meta.Namespace)
	}
	return name
}

// admitRuntime honors the runtime class. It returns the node selector of both and adds to the demand
// and to the tolerations. A pod that has been created, which its priority shows too, has all three
// from its class already: they are taken as they stand if the class is not among the objects.
//
// Upstream: plugin/pkg/admission/runtimeclass/admission.go, v1.36.3.
func (l *Loader) admitRuntime(faults *document.Errors, p podSource, d *demand, c *cluster.Class) map[string]string {
	at, spec := p.at.Get("spec"), p.spec
	var rc *runtimeClass
	if spec.RuntimeClassName != nil {
		rc = l.runtimes[*spec.RuntimeClassName]
		switch {
		case rc == nil && l.nameless["RuntimeClass"], rc != nil && rc.faulty:
			return spec.NodeSelector
		case rc == nil && (p.created() || spec.Priority != nil):
			l.warnOnce("runtime class "+*spec.RuntimeClassName, at, "the RuntimeClass %s is not among the objects; spec.overhead is taken as it stands", *spec.RuntimeClassName)
			return spec.NodeSelector
		case rc == nil:
			faults.Add(at, "runtimeClassName", "is not the name of a RuntimeClass%s",
				document.Meant(*spec.RuntimeClassName, sortedKeys(l.runtimes)))
			return spec.NodeSelector
		}
	}
	switch {
	case rc == nil || !rc.hasOverhead:
		if spec.Overhead != nil {
			faults.Add(at, "overhead", "must not be set: no RuntimeClass of the pod has an overhead")
		}
	case len(spec.Overhead) > 0 && !equalAmounts(d.overhead, rc.overhead) && l.check.knows(at, "overhead"):
		faults.Add(at, "overhead", "differs from the overhead of the RuntimeClass %s", rc.Name)
	default:
		d.overhead = rc.overhead
	}
	if rc == nil {
		return spec.NodeSelector
	}
	c.Tolerations = append(c.Tolerations, l.tolerations(rc.tolerations)...)
	selector := maps.Clone(spec.NodeSelector)
	for _, key := range sortedKeys(rc.nodeSelector) {
		value, has := selector[key]
		if has && value != rc.nodeSelector[key] {
			faults.Add(at, join("nodeSelector", key), "conflicts with the node selector of the RuntimeClass %s, which wants %q",
				rc.Name, rc.nodeSelector[key])
			continue
		}
		if selector == nil {
			selector = map[string]string{}
		}
		selector[key] = rc.nodeSelector[key]
	}
	return selector
}

func equalAmounts(a, b amounts) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (l *Loader) affinity(at document.Value, spec *v1.PodSpec, c *cluster.Class) {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return
	}
	a := spec.Affinity.NodeAffinity
	c.Preferred = l.preferredTerms(a.PreferredDuringSchedulingIgnoredDuringExecution)
	if a.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return
	}
	c.Required, c.HasRequired = l.selector(a.RequiredDuringSchedulingIgnoredDuringExecution), true
	for i := range c.Required {
		if fault := c.Required[i].Fault; fault != "" {
			term := at.Find(join("affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", i))
			l.warnOnce("term: "+fault, term, "the term never matches a node: %s", fault)
		}
	}
}

// ports are the host ports of sidecars and containers, in this order.
//
// Upstream: GetHostPorts of pkg/scheduler/util/utils.go, v1.36.3.
func (l *Loader) ports(spec *v1.PodSpec, c *cluster.Class) {
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
				IP: l.vocabulary.Sym(ip), Protocol: l.vocabulary.Sym(string(protocol(p))), Port: number,
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
func (l *Loader) images(spec *v1.PodSpec, c *cluster.Class) {
	for i := range spec.InitContainers {
		c.Images = append(c.Images, l.vocabulary.Sym(normalImage(spec.InitContainers[i].Image)))
	}
	for i := range spec.Containers {
		c.Images = append(c.Images, l.vocabulary.Sym(normalImage(spec.Containers[i].Image)))
	}
	for i := range spec.Volumes {
		if image := spec.Volumes[i].Image; image != nil {
			c.Images = append(c.Images, l.vocabulary.Sym(normalImage(image.Reference)))
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
