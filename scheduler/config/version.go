package config

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/release"
)

// version is a version of KubeSchedulerConfiguration, as the last Kubernetes release that has it reads it.
type version struct {
	apiVersion string
	kubernetes string // the release whose defaults are used
	// defaults returns the plugins that a profile has unless it disables them. Only those of the current version differ
	// between releases of Kubernetes.
	defaults func(*release.Rules) pluginSets
	// appends: a default plugin that is enabled again is there twice.
	appends bool
	// pointsOnly: multiPoint has no effect, and what an extension point disables are its own defaults alone.
	pointsOnly bool
	// lists: PodTopologySpread takes defaultConstraints without defaultingType: List.
	lists bool
	// scorers: the scoring strategies of NodeResourcesFit are plugins of their own.
	scorers bool
}

// versions are the versions that are read, the current one first.
//
// Upstream, for v1: see defaultsOf. For v1beta3: pkg/scheduler/apis/config/
// v1beta3/default_plugins.go, v1.28.15; what v1 has in addition was behind feature gates that were off. For v1beta2:
// pkg/scheduler/apis/config/v1beta2/default_plugins.go, v1.27.16, whose mergePlugins leaves out multiPoint and whose
// mergePluginSet leaves out what is disabled. For v1beta1: pkg/scheduler/apis/config/v1beta1/default_plugins.go and
// defaults.go, v1.22.17, whose mergePluginSet appends what is enabled to the defaults.
//
// Differs: SchedulingGates and Coscheduling are in all of them. Both do nothing to the pods of that time.
var versions = []*version{
	{apiVersion: apiVersion, defaults: func(rules *release.Rules) pluginSets { return pluginSets{multiPoint: setOf(defaultsOf(rules))} }},
	{
		apiVersion: "kubescheduler.config.k8s.io/v1beta3", kubernetes: "v1.28.15",
		defaults: always(pluginSets{multiPoint: setOf(slices.DeleteFunc(slices.Clone(defaults), func(w weighted) bool {
			return w.name == "DynamicResources" || w.name == "NodeDeclaredFeatures"
		}))}),
	},
	{
		apiVersion: "kubescheduler.config.k8s.io/v1beta2", kubernetes: "v1.27.16", pointsOnly: true,
		defaults: betaDefaults(
			[]string{
				"NodeResourcesFit", "NodePorts", "VolumeRestrictions", "PodTopologySpread", "InterPodAffinity", "VolumeBinding",
				"VolumeZone", "NodeAffinity",
			},
			[]string{
				"InterPodAffinity", "PodTopologySpread", "TaintToleration", "NodeAffinity", "NodeResourcesFit",
				"NodeResourcesBalancedAllocation",
			},
			"NodeResourcesFit"),
	},
	{
		apiVersion: "kubescheduler.config.k8s.io/v1beta1", kubernetes: "v1.22.17", pointsOnly: true,
		appends: true, lists: true, scorers: true,
		defaults: betaDefaults(
			[]string{
				"NodeResourcesFit", "NodePorts", "VolumeRestrictions", "PodTopologySpread", "InterPodAffinity", "VolumeBinding",
				"NodeAffinity",
			},
			[]string{"InterPodAffinity", "PodTopologySpread", "TaintToleration", "NodeAffinity"},
			leastAllocated),
	},
}

// betaDefaults are the defaults of v1beta1 and v1beta2, which differ at preFilter and preScore, and by the plugin
// that scores requested resources.
func betaDefaults(preFilter, preScore []string, resourceScore string) func(*release.Rules) pluginSets {
	return always(pluginSets{
		multiPoint: setOfNames("SchedulingGates", "Coscheduling"),
		points: [scheduler.NumExtensionPoints]pluginSet{
			scheduler.QueueSort: setOfNames("PrioritySort"),
			scheduler.PreFilter: setOfNames(preFilter...),
			scheduler.Filter: setOfNames(
				"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions",
				"NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity"),
			scheduler.PostFilter: setOfNames("DefaultPreemption"),
			scheduler.PreScore:   setOfNames(preScore...),
			scheduler.Score: setOf([]weighted{
				{"NodeResourcesBalancedAllocation", 1}, {"ImageLocality", 1}, {"InterPodAffinity", 1}, {resourceScore, 1},
				{"NodeAffinity", 1}, {"PodTopologySpread", 2}, {"TaintToleration", 1},
			}),
			scheduler.Reserve: setOfNames("VolumeBinding"),
			scheduler.PreBind: setOfNames("VolumeBinding"),
			scheduler.Bind:    setOfNames("DefaultBinder"),
		},
	})
}

// always returns defaults that are those of every release.
func always(sets pluginSets) func(*release.Rules) pluginSets {
	return func(*release.Rules) pluginSets { return sets }
}

// weighted is a plugin of a default list. Weight 0 stands for none given.
type weighted struct {
	name   string
	weight int64
}

func setOf(list []weighted) pluginSet {
	var set pluginSet
	for _, w := range list {
		set.enabled = append(set.enabled, enabledPlugin{name: w.name, weight: w.weight})
	}
	return set
}

func setOfNames(names ...string) pluginSet {
	var list []weighted
	for _, name := range names {
		list = append(list, weighted{name, 0})
	}
	return setOf(list)
}

// versionOf returns the version that has an apiVersion; nil if none has it.
func versionOf(apiVersion string) *version {
	for _, v := range versions {
		if v.apiVersion == apiVersion {
			return v
		}
	}
	return nil
}

// isCurrent reports whether nothing is converted.
func (v *version) isCurrent() bool { return v.apiVersion == apiVersion }

// merge puts the sets of a profile over the defaults, of which those that are not in the registry are left out.
func (v *version) merge(registry scheduler.Registry, rules *release.Rules, custom pluginSets) pluginSets {
	defaults := v.defaults(rules)
	merged := pluginSets{multiPoint: v.mergeSet(v.registered(registry, defaults.multiPoint), custom.multiPoint)}
	for point := range merged.points {
		set := v.mergeSet(v.registered(registry, defaults.points[point]), custom.points[point])
		if v.pointsOnly {
			set.disabled = nil
		}
		merged.points[point] = set
	}
	return merged
}

// registered returns a default set without the plugins that are not in the registry.
func (v *version) registered(registry scheduler.Registry, set pluginSet) pluginSet {
	var kept pluginSet
	for _, e := range set.enabled {
		if _, exists := registry[e.name]; exists || v.isScorer(e.name) {
			kept.enabled = append(kept.enabled, e)
		}
	}
	return kept
}

// mergeSet puts a user's set over the default one.
func (v *version) mergeSet(base, custom pluginSet) pluginSet {
	if !v.appends {
		return mergeSet(base, custom)
	}
	merged := pluginSet{disabled: custom.disabled, partial: custom.partial}
	for _, e := range base.enabled {
		if !custom.disables(all) && !custom.disables(e.name) {
			merged.enabled = append(merged.enabled, e)
		}
	}
	merged.enabled = append(merged.enabled, custom.enabled...)
	return merged
}

// short returns the apiVersion without the group.
func (v *version) short() string { return v.apiVersion[strings.LastIndexByte(v.apiVersion, '/')+1:] }
