package plugins_test

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
)

// filtersThat are the filters of the registries whose checks satisfy f, sorted.
func filtersThat(t *testing.T, f func(scheduler.Checks) bool) []string {
	var names []string
	for _, registry := range []scheduler.Registry{plugins.Registry(), legacy.Registry()} {
		for name := range registry {
			points, err := registry.ExtensionPointsOf(name, nil, nil)
			if err != nil || !slices.Contains(points, scheduler.Filter) {
				continue // AlwaysCheckAllPredicates cannot do without arguments
			}
			checks, err := registry.ChecksOf(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if f(checks) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// TestFiltersDeclareWhatTheyCheck: explanations, capacity and the law on overcommitment rely on it.
func TestFiltersDeclareWhatTheyCheck(t *testing.T) {
	if names := filtersThat(t, func(c scheduler.Checks) bool { return c == 0 }); len(names) > 0 {
		t.Errorf("%v declare nothing", names)
	}
	for checks, want := range map[scheduler.Checks][]string{
		scheduler.CheckAllResources: {"GeneralPredicates", "NodeResourcesFit", "PodFitsResources"},
		scheduler.CheckDevices:      {"NodeDevicesFit"},
		scheduler.CheckTaints:       {"PodToleratesNodeNoExecuteTaints", "PodToleratesNodeTaints", "TaintToleration"},
		scheduler.CheckCordon:       {"CheckNodeUnschedulable", "NodeUnschedulable"},
		scheduler.CheckNodeSelector: {"GeneralPredicates", "MatchNodeSelector", "NodeAffinity"},
		scheduler.CheckPorts:        {"GeneralPredicates", "NodePorts", "PodFitsHostPorts"},
		scheduler.CheckSpread:       {"EvenPodsSpread", "PodTopologySpread"},
		scheduler.CheckPodAffinity:  {"InterPodAffinity", "MatchInterPodAffinity"},
		scheduler.CheckSharedVolume: {"NoDiskConflict", "VolumeRestrictions"},
	} {
		if names := filtersThat(t, func(c scheduler.Checks) bool { return c&checks != 0 }); !slices.Equal(names, want) {
			t.Errorf("checks %b: %v, want %v", checks, names, want)
		}
	}
}

func TestAllPredicatesCheckWhatEachChecks(t *testing.T) {
	args := legacy.CheckAllArgs{Predicates: []string{"HostName", "NoDiskConflict"}, Registry: legacy.Registry()}
	checks, err := legacy.Registry().ChecksOf(legacy.AlwaysCheckAllPredicates, args)
	if want := scheduler.CheckOther | scheduler.CheckSharedVolume; err != nil || checks != want {
		t.Errorf("checks = %b, %v; want %b", checks, err, want)
	}
	if _, err := legacy.Registry().ChecksOf("Nobody", nil); err == nil {
		t.Error("an unknown plugin checks something")
	}
}
