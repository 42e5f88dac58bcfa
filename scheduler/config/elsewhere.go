package config

import "slices"

// family is a project whose plugins are built into a scheduler of their own.
type family struct {
	name    string
	plugins []foreignPlugin
}

// foreignPlugin is a plugin that berth does not have.
type foreignPlugin struct {
	name  string
	needs string // what a simulation would have to know for it
}

// preempting are those of them that preempt in the place of DefaultPreemption.
var preempting = []string{"CapacityScheduling", "CompatibleDefaultPreemption", "CrossNodePreemption", "ElasticQuota", "PreemptionToleration"}

// families are the plugins of others that scheduler configurations name most.
//
// Upstream: cmd/scheduler/main.go of sigs.k8s.io/scheduler-plugins v0.33.5, cmd/koord-scheduler/main.go of
// github.com/koordinator-sh/koordinator, pkg/plugins of github.com/gocrane/crane-scheduler, and pkg/simulator/plugin of
// github.com/alibaba/open-simulator.
var families = []family{
	{"sigs.k8s.io/scheduler-plugins", []foreignPlugin{
		{"CapacityScheduling", "ElasticQuota objects"},
		{"CrossNodePreemption", "its own search for victims"},
		{"NetworkOverhead", "AppGroup and NetworkTopology objects"},
		{"TopologicalSort", "AppGroup objects"},
		{"NodeResourceTopologyMatch", "NodeResourceTopology objects and the NUMA zones of nodes"},
		{"PreemptionToleration", "its annotations of priority classes"},
		{"SySched", "profiles of system calls"},
		{"TargetLoadPacking", "measured load of nodes"},
		{"LoadVariationRiskBalancing", "measured load of nodes"},
		{"LowRiskOverCommitment", "measured load of nodes"},
		{"Peaks", "measured load of nodes and models of their power"},
	}},
	{"Koordinator", []foreignPlugin{
		{"LoadAwareScheduling", "NodeMetric objects, which are measured load"},
		{"NodeNUMAResource", "the NUMA zones of nodes"},
		{"Reservation", "Reservation objects"},
		{"ElasticQuota", "ElasticQuota objects"},
		{"DeviceShare", "Device objects"},
		{"BatchResourceFit", "its batch resources"},
		{"CompatibleDefaultPreemption", "DefaultPreemption, which does the same"},
		{"DefaultPreBind", "its patches of pods"},
		{"NodeResourcesFitPlus", "its strategies by resource"},
		{"ScarceResourceAvoidance", "its formula of scarce resources"},
		{"SchedulingHint", "hints in annotations of pods"},
	}},
	{"crane-scheduler", []foreignPlugin{{"Dynamic", "measured load of nodes, in annotations"}}},
	{"open-simulator", []foreignPlugin{
		{"Simon", "its formula"}, {"Open-Local", "local storage in annotations of nodes"}, {"Open-Gpu-Share", "GPUs in annotations of nodes"},
	}},
}

// elsewhere returns the project that has a plugin, and what the plugin needs; "" if none is known.
func elsewhere(name string) (project, needs string) {
	for _, f := range families {
		if i := slices.IndexFunc(f.plugins, func(p foreignPlugin) bool { return p.name == name }); i >= 0 {
			return f.name, f.plugins[i].needs
		}
	}
	return "", ""
}
