package admit

import (
	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/sim/model/release"
)

// Stored returns the spec as the API server of a release with these rules would keep it, without what distinguishes the pod from others of its class.
func (a *Pod) Stored(rules *release.Rules) *v1.PodSpec {
	spec := a.Spec.DeepCopy()
	spec.NodeName, spec.NodeSelector, spec.Tolerations = "", a.NodeSelector, a.Tolerations
	if spec.SchedulerName == "" {
		spec.SchedulerName = v1.DefaultSchedulerName
	}
	spec.PriorityClassName, spec.Priority, spec.PreemptionPolicy = a.priorityClass, &a.Priority, new(v1.PreemptLowerPriority)
	if a.NeverPreempt {
		spec.PreemptionPolicy = new(v1.PreemptNever)
	}
	spec.Overhead = a.Requests.Overhead.List()
	giveSpecDefaults(spec)
	if a.Meta.UID == "" {
		mergeLabelKeys(spec, a.Meta.Labels, rules.SpreadKeysMerged)
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
				port.HostPort, port.Protocol = validate.HostPort(spec, port), validate.Protocol(port)
			}
		}
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
