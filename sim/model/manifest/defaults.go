package manifest

import (
	v1 "k8s.io/api/core/v1"
)

// stored is the spec as the API server would keep it, without what distinguishes the pod from others of its
// class.
func (a *admitted) stored() *v1.PodSpec {
	spec := a.spec.DeepCopy()
	spec.NodeName, spec.NodeSelector, spec.Tolerations = "", a.nodeSelector, a.tolerations
	if spec.SchedulerName == "" {
		spec.SchedulerName = v1.DefaultSchedulerName
	}
	spec.PriorityClassName, spec.Priority, spec.PreemptionPolicy = a.priorityClass, &a.priority, new(v1.PreemptLowerPriority)
	if a.neverPreempt {
		spec.PreemptionPolicy = new(v1.PreemptNever)
	}
	spec.Overhead = a.requests.overhead.list()
	giveSpecDefaults(spec)
	if a.meta.UID == "" {
		mergeLabelKeys(spec, a.meta.Labels)
	}
	return spec
}

// giveSpecDefaults are the defaults of a new pod that something outside of it can go by.
//
// Upstream: SetDefaults_Pod, SetDefaults_PodSpec and defaultHostNetworkPorts of
// pkg/apis/core/v1/defaults.go, v1.36.3.
// Differs: what only concerns how containers run is left as it is.
func giveSpecDefaults(spec *v1.PodSpec) {
	if spec.RestartPolicy == "" {
		spec.RestartPolicy = v1.RestartPolicyAlways
	}
	if spec.TerminationGracePeriodSeconds == nil {
		spec.TerminationGracePeriodSeconds = new(int64(v1.DefaultTerminationGracePeriodSeconds))
	}
	for _, containers := range [][]v1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			requestLimits(&containers[i].Resources)
			for k := range containers[i].Ports {
				port := &containers[i].Ports[k]
				port.HostPort, port.Protocol = hostPort(spec, port), protocol(port)
			}
		}
	}
}

// mergeLabelKeys puts what matchLabelKeys and mismatchLabelKeys name into the selectors.
//
// Upstream: mutatePodAffinity and mutateTopologySpreadConstraints of
// pkg/registry/core/pod/strategy.go, v1.36.3.
func mergeLabelKeys(spec *v1.PodSpec, labels map[string]string) {
	for i := range spec.TopologySpreadConstraints {
		s := &spec.TopologySpreadConstraints[i]
		s.LabelSelector = withLabelKeys(s.LabelSelector, labels, s.MatchLabelKeys, nil)
	}
	merge := func(required []v1.PodAffinityTerm, preferred []v1.WeightedPodAffinityTerm) {
		for i := range required {
			t := &required[i]
			t.LabelSelector = withLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
		for i := range preferred {
			t := &preferred[i].PodAffinityTerm
			t.LabelSelector = withLabelKeys(t.LabelSelector, labels, t.MatchLabelKeys, t.MismatchLabelKeys)
		}
	}
	if a := spec.Affinity; a != nil && a.PodAffinity != nil {
		merge(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		merge(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

// requestLimits requests the limits that are not requested otherwise.
//
// Upstream: SetDefaults_Pod of pkg/apis/core/v1/defaults.go, v1.36.3.
func requestLimits(r *v1.ResourceRequirements) {
	for name, limit := range r.Limits {
		if _, requested := r.Requests[name]; requested {
			continue
		}
		if r.Requests == nil {
			r.Requests = v1.ResourceList{}
		}
		r.Requests[name] = limit
	}
}
