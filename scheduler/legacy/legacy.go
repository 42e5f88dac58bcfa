// Package legacy holds the predicates and priorities of kube-scheduler 1.12 to 1.19 under
// their old names, as plugins of profiles of the family scheduler.Legacy: a predicate
// is a filter, a priority is a score of 0 to 10. Where a rule is still the same, the
// current plugin does the work.
//
// It follows v1.16.15 (k8s.io/kubernetes/pkg/scheduler), the last minor release whose
// priorities give 0 to 10.
package legacy

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
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
	{name: CheckNodeCondition, make: scheduler.WithArgs(ConditionArgs{}, newCheckNodeCondition), byDefault: true},
	{name: "CheckNodeUnschedulable", make: scheduler.WithoutArgs(newCheckNodeUnschedulable), byDefault: true, mandatory: true},
	{name: GeneralPredicates, make: scheduler.WithArgs(FitArgs{}, newGeneralPredicates), byDefault: true},
	{name: "HostName", make: scheduler.WithoutArgs(newHostName)},
	{name: "PodFitsHostPorts", make: scheduler.WithoutArgs(newPodFitsHostPorts)},
	{name: "MatchNodeSelector", make: scheduler.WithoutArgs(newMatchNodeSelector)},
	{name: PodFitsResources, make: scheduler.WithArgs(FitArgs{}, newPodFitsResources)},
	{name: "NoDiskConflict", make: scheduler.WithoutArgs(newNoDiskConflict), byDefault: true},
	{name: "PodToleratesNodeTaints", make: scheduler.WithoutArgs(newPodToleratesNodeTaints), byDefault: true, mandatory: true},
	{name: "PodToleratesNodeNoExecuteTaints", make: scheduler.WithoutArgs(newPodToleratesNoExecute)},
	{name: CheckNodeLabelPresence, make: scheduler.WithArgs(LabelsArgs{}, newLabelsPresence)},
	{name: CheckServiceAffinity, make: scheduler.WithArgs(ServiceAffinityArgs{}, newServiceAffinity)},
	{name: ebsDisks.rule, make: countVolumes(ebsDisks), byDefault: true},
	{name: gceDisks.rule, make: countVolumes(gceDisks), byDefault: true},
	{name: csiVolumes.rule, make: countVolumes(csiVolumes), byDefault: true},
	{name: azureDisks.rule, make: countVolumes(azureDisks), byDefault: true},
	{name: cinderDisks.rule, make: countVolumes(cinderDisks)},
	{name: CheckVolumeBinding, make: scheduler.WithArgs(plugins.DefaultVolumeBindingArgs(), newCheckVolumeBinding), byDefault: true},
	{name: "NoVolumeZoneConflict", make: scheduler.WithoutArgs(newNoVolumeZoneConflict), byDefault: true},
	{name: CheckNodeMemoryPressure, make: scheduler.WithArgs(ConditionArgs{}, newCheckMemoryPressure), byDefault: true},
	{name: CheckNodePIDPressure, make: scheduler.WithArgs(ConditionArgs{}, newCheckPIDPressure), byDefault: true},
	{name: CheckNodeDiskPressure, make: scheduler.WithArgs(ConditionArgs{}, newCheckDiskPressure), byDefault: true},
	{name: "EvenPodsSpread", make: scheduler.WithoutArgs(newEvenPodsSpread), byDefault: true},
	{name: "MatchInterPodAffinity", make: scheduler.WithoutArgs(newMatchInterPodAffinity), byDefault: true},
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
	{"BalancedResourceAllocation", scheduler.WithoutArgs(newBalancedResources), 1},
	{EqualPriority, scheduler.WithoutArgs(newEqual), 0},
	{"EvenPodsSpreadPriority", scheduler.WithoutArgs(newEvenPodsSpreadScore), 1},
	{"ImageLocalityPriority", scheduler.WithoutArgs(newImageLocality), 1},
	{InterPodAffinityPriority, scheduler.WithArgs(InterPodAffinityPriorityArgs{HardWeight: 1}, newInterPodAffinityPriority), 1},
	{LeastRequestedPriority, scheduler.WithoutArgs(newLeastRequested), 1},
	{MostRequestedPriority, scheduler.WithoutArgs(newMostRequested), 0},
	{"NodeAffinityPriority", scheduler.WithoutArgs(newNodeAffinity), 1},
	{NodeLabelPriority, scheduler.WithArgs(LabelsArgs{}, newLabelPreference), 0},
	{"NodePreferAvoidPodsPriority", scheduler.WithoutArgs(newPreferAvoidPods), avoidPodsWeight},
	{RequestedToCapacityRatioPriority, scheduler.WithArgs(defaultRatioArgs(), newRequestedToCapacityRatio), 0},
	{"SelectorSpreadPriority", scheduler.WithoutArgs(newSelectorSpread), 1},
	{ServiceAntiAffinityPriority, scheduler.WithArgs(AntiAffinityArgs{}, newServiceAntiAffinity), 0},
	{"ServiceSpreadingPriority", scheduler.WithoutArgs(newServiceSpreading), 0},
	{"TaintTolerationPriority", scheduler.WithoutArgs(newTaintToleration), 1},
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

// Registry returns all rules by name, and what else a profile of this family has.
func Registry() scheduler.Registry {
	r := scheduler.Registry{
		AlwaysCheckAllPredicates: scheduler.WithArgs(CheckAllArgs{}, newCheckAll),
		PodPassesBasicChecks:     scheduler.WithoutArgs(newBasicChecks),
		defaultPreemption:        scheduler.WithoutArgs(newPreemption),
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

// Predicates returns the names of all predicates, in the order in which a node meets them.
func Predicates() []string { return namesOf(func(predicate) bool { return true }) }

// DefaultPredicates returns those of the provider DefaultProvider.
func DefaultPredicates() []string { return namesOf(func(p predicate) bool { return p.byDefault }) }

// MandatoryPredicates returns those that every profile has, named or not.
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

// Priorities returns the names of all priorities, sorted.
func Priorities() []string {
	var names []string
	for _, p := range priorities {
		names = append(names, p.name)
	}
	return slices.Sorted(slices.Values(names))
}

// DefaultPriorities returns those of the provider DefaultProvider, with their weights.
func DefaultPriorities() []scheduler.PluginRef {
	var refs []scheduler.PluginRef
	for _, p := range priorities {
		if p.weight != 0 {
			refs = append(refs, scheduler.PluginRef{Name: p.name, Weight: p.weight})
		}
	}
	return refs
}

// Conditions returns the names of the predicates that take ConditionArgs.
func Conditions() []string {
	return []string{CheckNodeCondition, CheckNodeMemoryPressure, CheckNodeDiskPressure, CheckNodePIDPressure}
}

// AmountPredicates returns the names of the predicates that check amounts of resources. They take FitArgs.
func AmountPredicates() []string {
	registry := Registry()
	return namesOf(func(p predicate) bool {
		checks, err := registry.ChecksOf(p.name, nil)
		return err == nil && checks&scheduler.CheckResources != 0
	})
}

// VolumeCounts returns the names of the predicates that take VolumeCountArgs.
func VolumeCounts() []string {
	return []string{ebsDisks.rule, gceDisks.rule, azureDisks.rule, cinderDisks.rule}
}

// named is the name of a rule.
type named string

// Name implements scheduler.Plugin.
func (n named) Name() string { return string(n) }
