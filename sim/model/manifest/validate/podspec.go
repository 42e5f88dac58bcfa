package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// SpecCheck is the check of one PodSpec.
type SpecCheck struct {
	*Checker
	faults *document.Errors
	at     document.Value // the spec
	spec   *v1.PodSpec
}

func (s *SpecCheck) add(path, format string, args ...any) { s.faults.Add(s.at, path, format, args...) }

// NewSpecCheck returns a check of the spec at a place. It adds errors to faults.
func NewSpecCheck(c *Checker, faults *document.Errors, at document.Value, spec *v1.PodSpec) *SpecCheck {
	return &SpecCheck{c, faults, at, spec}
}

// podSpec checks what matters to scheduling of a spec, and refuses what is not supported yet.
//
// Upstream: ValidatePodSpec of pkg/apis/core/validation, v1.36.3.
func (c *Checker) podSpec(faults *document.Errors, at document.Value, spec *v1.PodSpec) {
	if !c.Rules.PodLevelRequests {
		spec.Resources = nil // as the API server drops it
	}
	s := &SpecCheck{c, faults, at, spec}
	s.unsupported()
	s.containers()
	s.PodResources()
	c.Labels(faults, at, "nodeSelector", spec.NodeSelector)
	if a := spec.Affinity; a != nil && a.NodeAffinity != nil {
		c.nodeAffinity(faults, at.Get("affinity").Get("nodeAffinity"), a.NodeAffinity)
	}
	c.podAffinity(faults, at, spec.Affinity)
	c.spreadConstraints(faults, at, spec.TopologySpreadConstraints)
	c.tolerations(faults, at, spec.Tolerations)
	c.overhead(faults, at, "overhead", spec.Overhead)
	s.gates()
	s.volumes()
	s.hostUsers()
	if spec.NodeName != "" {
		if what := c.subdomain(spec.NodeName); what != "" {
			s.add("nodeName", "is not valid: %s", what)
		}
	}
	if t := spec.TerminationGracePeriodSeconds; t != nil && (*t < 0 || *t > maxGraceSeconds) {
		s.add("terminationGracePeriodSeconds", "is out of range: 0 to %d", int64(maxGraceSeconds))
	}
	switch spec.RestartPolicy {
	case "", v1.RestartPolicyAlways, v1.RestartPolicyOnFailure, v1.RestartPolicyNever:
	default:
		s.add("restartPolicy", "is not a policy; Always, OnFailure and Never are")
	}
	if p := spec.PreemptionPolicy; p != nil && *p != v1.PreemptLowerPriority && *p != v1.PreemptNever {
		s.add("preemptionPolicy", "is not a policy; PreemptLowerPriority and Never are")
	}
}

// maxGraceSeconds keeps grace periods within the range of the clock: a hundred years.
const maxGraceSeconds = 100 * 366 * 86_400

// unsupported refuses what needs plugins that do not exist yet.
func (s *SpecCheck) unsupported() {
	if s.spec.NodeName != "" {
		return // what runs takes room all the same
	}
	needs := func(path, plugin string) {
		s.add(path, "is not supported: it needs the plugin %s; --skip-pods NAME leaves the pod out", plugin)
	}
	if len(s.spec.ResourceClaims) > 0 {
		needs("resourceClaims", "DynamicResources")
	}
	if s.spec.SchedulingGroup != nil {
		needs("schedulingGroup", "GangScheduling")
	}
}

func (s *SpecCheck) containers() {
	if len(s.spec.Containers) == 0 {
		s.add("containers", "is required: a pod has at least one container")
	}
	var names []string
	var ports hostPorts
	for i := range s.spec.Containers {
		names = s.container(names, document.Path("containers", i), &s.spec.Containers[i])
		ports = s.ports(ports, document.Path("containers", i, "ports"), &s.spec.Containers[i])
	}
	for i := range s.spec.InitContainers {
		names = s.container(names, document.Path("initContainers", i), &s.spec.InitContainers[i])
		s.ports(nil, document.Path("initContainers", i, "ports"), &s.spec.InitContainers[i])
	}
}

// container checks one container and returns the names with its own.
func (s *SpecCheck) container(names []string, path string, c *v1.Container) []string {
	if c.Name == "" {
		s.add(path+".name", "is required")
	} else if what := s.dnsLabel(c.Name); what != "" {
		s.add(path+".name", "is not valid: %s", what)
	}
	for _, name := range names {
		if name == c.Name && name != "" {
			s.add(path+".name", "is the name of another container of the pod")
		}
	}
	if c.Image == "" {
		s.add(path+".image", "is required")
	}
	if p := c.RestartPolicy; p != nil && *p != v1.ContainerRestartPolicyAlways &&
		*p != v1.ContainerRestartPolicyOnFailure && *p != v1.ContainerRestartPolicyNever {
		s.add(path+".restartPolicy", "is not a policy; Always, OnFailure and Never are")
	}
	s.restartRules(path, c)
	s.Requirements(path+".resources", &c.Resources, ContainerNames)
	return append(names, c.Name)
}

// Requirements checks requests and limits of a container or of the pod.
//
// Upstream: validateResourceRequirements of pkg/apis/core/validation, v1.36.3.
func (s *SpecCheck) Requirements(path string, r *v1.ResourceRequirements, rule nameRule) {
	if len(r.Limits)+len(r.Requests) == 0 {
		return
	}
	s.amounts(path+".limits", r.Limits, rule, func(name string) string {
		return hugePagesFault(name, r.Limits[v1.ResourceName(name)])
	})
	s.amounts(path+".requests", r.Requests, rule, func(name string) string { return s.requestFault(path, name, r) })
	if !s.LimitsFollow && hugePagesAlone(r.Limits, r.Requests) && s.NoErrorAt(s.at, path+".limits", path+".requests") {
		s.add(path, alone)
	}
}

// amounts checks the quantities of a list, those that are valid by themselves further.
func (s *SpecCheck) amounts(path string, list v1.ResourceList, rule nameRule, further func(name string) string) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		what := s.amountFault(rule, string(name), list[name])
		if what == "" {
			what = further(string(name))
		}
		if what != "" {
			s.add(decode.Join(path, string(name)), "%s", what)
		}
	}
}

// overhead checks what a pod asks for beside its containers.
//
// Upstream: validateOverhead of pkg/apis/core/validation, v1.36.3.
func (c *Checker) overhead(faults *document.Errors, at document.Value, path string, list v1.ResourceList) {
	s := &SpecCheck{c, faults, at, nil}
	s.amounts(path, list, ContainerNames, func(name string) string { return hugePagesFault(name, list[v1.ResourceName(name)]) })
	if hugePagesAlone(list) && c.NoErrorAt(at, path) {
		faults.Add(at, path, alone)
	}
}

// requestFault says what is wrong with the request for one resource, beside its limit.
func (s *SpecCheck) requestFault(path, name string, r *v1.ResourceRequirements) string {
	request := r.Requests[v1.ResourceName(name)]
	limit, limited := r.Limits[v1.ResourceName(name)]
	comparable := func() bool { return s.noErrorInAmount(path+".limits", r.Limits, name) }
	switch {
	case limited && !resources.MayOvercommit(name) && request.Cmp(limit) != 0 && comparable():
		return fmt.Sprintf("must be equal to its limit of %s: %s cannot be overcommitted", limit.String(), name)
	case limited && request.Cmp(limit) > 0 && comparable():
		return fmt.Sprintf("must not be above its limit of %s", limit.String())
	case !limited && !resources.MayOvercommit(name) && !s.LimitsFollow && comparable():
		return fmt.Sprintf("must have a limit too: %s cannot be overcommitted", name)
	case strings.HasPrefix(name, "deviceclass.resource.kubernetes.io/") && s.spec.NodeName == "":
		return "is not supported: it needs the plugin DynamicResources; --skip-pods NAME leaves the pod out"
	}
	return hugePagesFault(name, request)
}

// hugePagesFault wants whole pages.
func hugePagesFault(name string, q resource.Quantity) string {
	if !resources.IsHugePages(name) {
		return ""
	}
	size, err := resource.ParseQuantity(strings.TrimPrefix(name, v1.ResourceHugePagesPrefix))
	switch {
	case err != nil || size.Sign() <= 0 || size.MilliValue()%1000 != 0:
		return "is of a resource whose name is not valid: hugepages- is followed by the size of a page"
	case q.Value()%size.Value() != 0 || q.MilliValue()%1000 != 0:
		return "must be a multiple of the page size " + size.String()
	}
	return ""
}

const alone = "must name cpu or memory besides huge pages"

func hugePagesAlone(lists ...v1.ResourceList) bool {
	huge, ordinary := false, false
	for _, list := range lists {
		for name := range list {
			huge = huge || resources.IsHugePages(string(name))
			ordinary = ordinary || name == v1.ResourceCPU || name == v1.ResourceMemory
		}
	}
	return huge && !ordinary
}

// PodResources checks what is asked for at the level of the pod.
//
// Upstream: validatePodResources and validatePodResourceConsistency of pkg/apis/core/validation, v1.36.3.
func (s *SpecCheck) PodResources() {
	r := s.spec.Resources
	if r == nil {
		return
	}
	if s.spec.OS != nil && s.spec.OS.Name == v1.Windows {
		s.add("resources", "may not be set for a pod of Windows")
		return
	}
	if len(r.Claims) > 0 {
		s.add("resources.claims", "may not be set at the level of the pod")
	}
	s.Requirements("resources", r, podNames)
	d := resources.RequestsOf(s.spec, s.Rules.PodLevelDefaults)
	for _, a := range d.Aggregate(nil) {
		if milli, has := d.Pod.Get(a.Name); has && resources.IsPodLevel(a.Name) && milli < a.Milli && s.NoErrorInAmounts(a.Name) {
			s.add(decode.Join("resources.requests", a.Name), "must not be below what the containers ask for together, %s", a)
		}
	}
	limits := resources.AmountsOf(r.Limits)
	all := resources.EachList(s.spec, func(r v1.ResourceRequirements) resources.Amounts { return resources.AmountsOf(r.Limits) })
	for _, a := range all.Aggregate(nil) {
		if milli, has := limits.Get(a.Name); has && resources.IsHugePages(a.Name) && milli < a.Milli && s.NoErrorInAmounts(a.Name) {
			s.add(decode.Join("resources.limits", a.Name), "must not be below what the containers are limited to together, %s", a)
		}
	}
	for i := range s.spec.Containers {
		list, path := s.spec.Containers[i].Resources.Limits, document.Path("containers", i, "resources", "limits")
		for _, a := range resources.AmountsOf(list) {
			if milli, has := limits.Get(a.Name); has && resources.IsPodLevel(a.Name) && milli < a.Milli &&
				s.noErrorInAmount("resources.limits", r.Limits, a.Name) && s.noErrorInAmount(path, list, a.Name) {
				s.add(decode.Join(path, a.Name), "must not be above the limit of the pod")
			}
		}
	}
}

// noErrorInAmount reports whether nothing is wrong with the quantity of a resource in the list at path.
func (s *SpecCheck) noErrorInAmount(path string, list v1.ResourceList, name string) bool {
	return resources.QuantityFault(name, list[v1.ResourceName(name)]) == "" && s.NoErrorAt(s.at, decode.Join(path, name))
}

// NoErrorInAmounts reports whether nothing is wrong with what any part of the pod asks for of a resource.
func (s *SpecCheck) NoErrorInAmounts(name string) bool {
	all := s.noErrorInAmount("overhead", s.spec.Overhead, name)
	add := func(path string, r *v1.ResourceRequirements) {
		all = all && s.noErrorInAmount(path+".limits", r.Limits, name) && s.noErrorInAmount(path+".requests", r.Requests, name)
	}
	resources.EachContainer(s.spec, func(path string, c *v1.Container) { add(path+".resources", &c.Resources) })
	if s.spec.Resources != nil {
		add("resources", s.spec.Resources)
	}
	return all
}

// hostPorts are protocol, address and number of ports taken by a pod.
type hostPorts []string

// ports checks the ports of a container and returns those taken with its own.
func (s *SpecCheck) ports(taken hostPorts, path string, c *v1.Container) hostPorts {
	for i := range c.Ports {
		p := &c.Ports[i]
		if p.ContainerPort < 1 || p.ContainerPort > 65535 {
			s.add(decode.Join(path, i, "containerPort"), "must be between 1 and 65535")
		}
		if p.HostPort < 0 || p.HostPort > 65535 {
			s.add(decode.Join(path, i, "hostPort"), "must be between 1 and 65535")
		}
		switch p.Protocol {
		case "", v1.ProtocolTCP, v1.ProtocolUDP, v1.ProtocolSCTP:
		default:
			s.add(decode.Join(path, i, "protocol"), "is not a protocol; TCP, UDP and SCTP are")
		}
		if s.spec.HostNetwork && p.HostPort != 0 && p.HostPort != p.ContainerPort && s.NoErrorAt(s.at, decode.Join(path, i, "containerPort")) {
			s.add(decode.Join(path, i, "hostPort"), "must match containerPort when hostNetwork is true")
		}
		number := HostPort(s.spec, p)
		if number == 0 || !s.NoErrorAt(s.at, decode.Join(path, i, "hostPort"), decode.Join(path, i, "hostIP"), decode.Join(path, i, "protocol")) {
			continue
		}
		this := fmt.Sprintf("%s/%s/%d", Protocol(p), p.HostIP, number)
		for _, other := range taken {
			if other == this {
				s.add(decode.Join(path, i, "hostPort"), "is taken by another container of the pod")
			}
		}
		taken = append(taken, this)
	}
	return taken
}

// HostPort returns the port of the node that a port takes, 0 if none.
func HostPort(spec *v1.PodSpec, p *v1.ContainerPort) int32 {
	if p.HostPort == 0 && spec.HostNetwork {
		return p.ContainerPort
	}
	return p.HostPort
}

// Protocol returns the protocol of a port; TCP if it names none.
func Protocol(p *v1.ContainerPort) v1.Protocol {
	if p.Protocol == "" {
		return v1.ProtocolTCP
	}
	return p.Protocol
}

func (s *SpecCheck) gates() {
	for i, gate := range s.spec.SchedulingGates {
		path := document.Path("schedulingGates", i, "name")
		if what := s.LabelKey(gate.Name); what != "" {
			s.add(path, "is not valid: %s", what)
		}
		for j, other := range s.spec.SchedulingGates[:i] {
			if other.Name == gate.Name && s.NoErrorAt(s.at, document.Path("schedulingGates", j)) {
				s.add(path, "is set twice")
			}
		}
	}
}
