// Package legacy holds the predicates and priorities of kube-scheduler 1.12 to 1.19 under
// their old names, as plugins of profiles of the generation scheduler.Legacy: a predicate
// is a filter, a priority is a score of 0 to 10. Where a rule is the same today, the plugin
// of today does the work.
//
// It follows v1.16.15 (k8s.io/kubernetes/pkg/scheduler), the last minor release whose
// priorities give 0 to 10.
package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
)

// predicate is a filter that a Policy can name.
type predicate struct {
	name      string
	make      scheduler.Factory
	byDefault bool // the provider has it
	mandatory bool // every Policy has it
}

// predicates are all, in the order in which a node meets them.
//
// Upstream: predicatesOrdering, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15, and
// pkg/scheduler/algorithmprovider/defaults/defaults.go. Differs: the provider has both the rules
// about taints and those about conditions of nodes whose place they took in 1.12; these then
// have ConditionArgs.AsTaints.
var predicates = []predicate{
	{name: CheckNodeCondition, make: newCheckNodeCondition, byDefault: true},
	{name: "CheckNodeUnschedulable", make: newCheckNodeUnschedulable, byDefault: true, mandatory: true},
	{name: GeneralPredicates, make: newGeneralPredicates, byDefault: true},
	{name: "HostName", make: newHostName},
	{name: "PodFitsHostPorts", make: newPodFitsHostPorts},
	{name: "MatchNodeSelector", make: newMatchNodeSelector},
	{name: PodFitsResources, make: newPodFitsResources},
	{name: "NoDiskConflict", make: newNoDiskConflict, byDefault: true},
	{name: "PodToleratesNodeTaints", make: newPodToleratesNodeTaints, byDefault: true, mandatory: true},
	{name: "PodToleratesNodeNoExecuteTaints", make: newPodToleratesNoExecute},
	{name: CheckNodeLabelPresence, make: newLabelsPresence},
	{name: CheckServiceAffinity, make: newServiceAffinity},
	{name: ebsDisks.rule, make: countVolumes(ebsDisks), byDefault: true},
	{name: gceDisks.rule, make: countVolumes(gceDisks), byDefault: true},
	{name: csiVolumes.rule, make: countVolumes(csiVolumes), byDefault: true},
	{name: azureDisks.rule, make: countVolumes(azureDisks), byDefault: true},
	{name: cinderDisks.rule, make: countVolumes(cinderDisks)},
	{name: CheckVolumeBinding, make: newCheckVolumeBinding, byDefault: true},
	{name: "NoVolumeZoneConflict", make: newNoVolumeZoneConflict, byDefault: true},
	{name: CheckNodeMemoryPressure, make: newCheckMemoryPressure, byDefault: true},
	{name: CheckNodePIDPressure, make: newCheckPIDPressure, byDefault: true},
	{name: CheckNodeDiskPressure, make: newCheckDiskPressure, byDefault: true},
	{name: "EvenPodsSpread", make: newEvenPodsSpread, byDefault: true},
	{name: "MatchInterPodAffinity", make: newMatchInterPodAffinity, byDefault: true},
}

// priority is a score that a Policy can name.
type priority struct {
	name   string
	make   scheduler.Factory
	weight int64 // of the provider; 0: it does not have it
}

// avoidPodsWeight outweighs everything else.
const avoidPodsWeight = 10_000

// priorities are all, by name.
//
// Upstream: pkg/scheduler/algorithmprovider/defaults/register_priorities.go, v1.16.15.
var priorities = []priority{
	{"BalancedResourceAllocation", newBalancedResources, 1},
	{EqualPriority, newEqual, 0},
	{"EvenPodsSpreadPriority", newEvenPodsSpreadScore, 1},
	{"ImageLocalityPriority", newImageLocality, 1},
	{InterPodAffinityPriority, newInterPodAffinityPriority, 1},
	{LeastRequestedPriority, newLeastRequested, 1},
	{MostRequestedPriority, newMostRequested, 0},
	{"NodeAffinityPriority", newNodeAffinity, 1},
	{NodeLabelPriority, newLabelPreference, 0},
	{"NodePreferAvoidPodsPriority", newPreferAvoidPods, avoidPodsWeight},
	{RequestedToCapacityRatioPriority, newRequestedToCapacityRatio, 0},
	{"SelectorSpreadPriority", newSelectorSpread, 1},
	{ServiceAntiAffinityPriority, newServiceAntiAffinity, 0},
	{"ServiceSpreadingPriority", newServiceSpreading, 0},
	{"TaintTolerationPriority", newTaintToleration, 1},
}

// Names of rules that configurations and their readers have to do with.
const (
	CheckNodeCondition               = "CheckNodeCondition"
	CheckNodeDiskPressure            = "CheckNodeDiskPressure"
	CheckNodeLabelPresence           = "CheckNodeLabelPresence"
	CheckNodeMemoryPressure          = "CheckNodeMemoryPressure"
	CheckNodePIDPressure             = "CheckNodePIDPressure"
	CheckServiceAffinity             = "CheckServiceAffinity"
	CheckVolumeBinding               = "CheckVolumeBinding"
	EqualPriority                    = "EqualPriority"
	GeneralPredicates                = "GeneralPredicates"
	InterPodAffinityPriority         = "InterPodAffinityPriority"
	LeastRequestedPriority           = "LeastRequestedPriority"
	MaxCSIVolumeCount                = "MaxCSIVolumeCountPred"
	MostRequestedPriority            = "MostRequestedPriority"
	NodeLabelPriority                = "NodeLabelPriority"
	PodFitsResources                 = "PodFitsResources"
	RequestedToCapacityRatioPriority = "RequestedToCapacityRatioPriority"
	ServiceAntiAffinityPriority      = "ServiceAntiAffinityPriority"
)

// Registry returns all rules by name, and what else a profile of this generation has.
func Registry() scheduler.Registry {
	r := scheduler.Registry{
		AlwaysCheckAllPredicates: newCheckAll, PodPassesBasicChecks: newBasicChecks, defaultPreemption: newPreemption,
	}
	for _, p := range predicates {
		r[p.name] = p.make
	}
	for _, p := range priorities {
		r[p.name] = p.make
	}
	for _, name := range unchanged {
		r[name] = current[name]
	}
	return r
}

// Predicates are the names of all predicates, in the order in which a node meets them.
func Predicates() []string { return namesOf(func(predicate) bool { return true }) }

// DefaultPredicates are those of the provider DefaultProvider.
func DefaultPredicates() []string { return namesOf(func(p predicate) bool { return p.byDefault }) }

// MandatoryPredicates are those that every profile has, named or not.
func MandatoryPredicates() []string { return namesOf(func(p predicate) bool { return p.mandatory }) }

func namesOf(which func(predicate) bool) []string {
	var names []string
	for _, p := range predicates {
		if which(p) {
			names = append(names, p.name)
		}
	}
	return names
}

// Priorities are the names of all priorities, sorted.
func Priorities() []string {
	var names []string
	for _, p := range priorities {
		names = append(names, p.name)
	}
	return slices.Sorted(slices.Values(names))
}

// DefaultPriorities are those of the provider DefaultProvider, with their weights.
func DefaultPriorities() []scheduler.PluginRef {
	var refs []scheduler.PluginRef
	for _, p := range priorities {
		if p.weight != 0 {
			refs = append(refs, scheduler.PluginRef{Name: p.name, Weight: p.weight})
		}
	}
	return refs
}

// Conditions are the names of the predicates that take ConditionArgs.
func Conditions() []string {
	return []string{CheckNodeCondition, CheckNodeMemoryPressure, CheckNodeDiskPressure, CheckNodePIDPressure}
}

// VolumeCounts are the names of the predicates that take VolumeCountArgs.
func VolumeCounts() []string {
	return []string{ebsDisks.rule, gceDisks.rule, azureDisks.rule, cinderDisks.rule}
}

// named is the name of a rule.
type named string

// Name implements scheduler.Plugin.
func (n named) Name() string { return string(n) }
