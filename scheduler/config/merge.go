package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/release"
)

// enabledPlugin is an entry of an enabled list.
type enabledPlugin struct {
	name   string
	weight int64          // 0: none given
	at     document.Value // the entry; zero for defaults
}

// pluginSet is what one section of a profile (an extension point or multiPoint)
// enables and disables.
type pluginSet struct {
	enabled  []enabledPlugin
	disabled []string
	partial  bool // an entry was left out because its plugin does not exist
}

func (s pluginSet) disables(name string) bool { return slices.Contains(s.disabled, name) }

// all is the name that disables every plugin.
const all = "*"

// pluginSets are the sections of a profile.
type pluginSets struct {
	multiPoint pluginSet
	points     [scheduler.NumExtensionPoints]pluginSet
}

// mergeSet puts a user's set over the default one: a default that is enabled again
// keeps its place, what is disabled goes, the rest of the user's comes after.
//
// Upstream: mergePluginSet in pkg/scheduler/apis/config/v1/default_plugins.go, v1.36.3.
func mergeSet(base, custom pluginSet) pluginSet {
	merged := pluginSet{disabled: custom.disabled, partial: custom.partial}
	again := map[string]int{} // the last entry of each name
	for i, e := range custom.enabled {
		again[e.name] = i
	}
	replaced := map[int]bool{}
	if !custom.disables(all) {
		for _, e := range base.enabled {
			if custom.disables(e.name) {
				continue
			}
			if i, ok := again[e.name]; ok {
				e = custom.enabled[i]
				replaced[i] = true
			}
			merged.enabled = append(merged.enabled, e)
		}
	}
	for i, e := range custom.enabled {
		if !replaced[i] {
			if last := again[e.name]; replaced[last] {
				e.at = custom.enabled[last].at // where the name is too much
			}
			merged.enabled = append(merged.enabled, e)
		}
	}
	return merged
}

// enabledTwice is the fault of an entry whose plugin the same section has already.
const enabledTwice = "is enabled twice"

// fault is something wrong with an entry of an enabled list.
type fault struct {
	enabledPlugin
	what       string
	unmakeable bool // the factory failed
}

// pluginTable knows the plugins of a registry and, as far as they have been asked
// for, their extension points.
type pluginTable struct {
	registry scheduler.Registry
	rules    *release.Rules
	args     map[string]any
	points   map[string][]scheduler.ExtensionPoint
	broken   map[string]error
}

func newPluginTable(registry scheduler.Registry, rules *release.Rules, args map[string]any) *pluginTable {
	return &pluginTable{registry, rules, args, map[string][]scheduler.ExtensionPoint{}, map[string]error{}}
}

// extends reports whether the plugin takes part in the point.
func (t *pluginTable) extends(name string, point scheduler.ExtensionPoint) bool {
	return slices.Contains(t.pointsOf(name), point)
}

// pointsOf are the points of a plugin; none where it cannot be made, which check
// reports.
func (t *pluginTable) pointsOf(name string) []scheduler.ExtensionPoint {
	points, known := t.points[name]
	if !known {
		var err error
		if points, err = t.registry.ExtensionPointsOf(name, t.args[name], t.rules); err != nil {
			t.broken[name] = err
		}
		t.points[name] = points
	}
	return points
}

// expand works out what runs at every point. Entries of plugins that cannot be made
// are left out and reported.
//
// Upstream: NewFramework, updatePluginList and expandMultiPointPlugins in
// pkg/scheduler/framework/runtime/framework.go, v1.36.3.
func (t *pluginTable) expand(sets pluginSets) ([scheduler.NumExtensionPoints][]scheduler.PluginRef, []fault) {
	faults := t.makeable(&sets)
	weights := t.weights(sets)
	reported := map[enabledPlugin]bool{} // an entry of multiPoint is met at every point
	var expanded [scheduler.NumExtensionPoints][]scheduler.PluginRef
	for point := range scheduler.NumExtensionPoints {
		specific, found := t.specific(sets.points[point], point)
		faults = append(faults, found...)
		list := specific
		if !sets.points[point].disables(all) {
			multi, overriding, twice := t.multiPoint(sets, specific, point)
			for _, e := range twice {
				if !reported[e] {
					faults = append(faults, fault{e, enabledTwice, false})
					reported[e] = true
				}
			}
			list = slices.Concat(overriding, multi, without(specific, overriding))
		}
		for _, name := range list {
			ref := scheduler.PluginRef{Name: name}
			if point == scheduler.Score {
				ref.Weight = weights[name]
			}
			expanded[point] = append(expanded[point], ref)
		}
	}
	return expanded, faults
}

// makeable removes the entries whose plugins cannot be made, reporting each plugin
// once.
func (t *pluginTable) makeable(sets *pluginSets) []fault {
	var faults []fault
	reported := map[string]bool{}
	keep := func(list []enabledPlugin) []enabledPlugin {
		var kept []enabledPlugin
		for _, e := range list {
			t.pointsOf(e.name)
			err := t.broken[e.name]
			if err == nil {
				kept = append(kept, e)
			} else if !reported[e.name] {
				faults = append(faults, fault{e, err.Error(), true})
				reported[e.name] = true
			}
		}
		return kept
	}
	sets.multiPoint.enabled = keep(sets.multiPoint.enabled)
	for i := range sets.points {
		sets.points[i].enabled = keep(sets.points[i].enabled)
	}
	return faults
}

// specific are the names that the section of the point enables itself.
func (t *pluginTable) specific(set pluginSet, point scheduler.ExtensionPoint) ([]string, []fault) {
	var names []string
	var faults []fault
	for _, e := range set.enabled {
		switch {
		case !t.extends(e.name, point):
			faults = append(faults, fault{e, t.notAt(e.name, point), false})
		case slices.Contains(names, e.name):
			faults = append(faults, fault{e, enabledTwice, false})
		default:
			names = append(names, e.name)
		}
	}
	return names, faults
}

// notAt says why a plugin cannot be enabled at a point.
func (t *pluginTable) notAt(name string, point scheduler.ExtensionPoint) string {
	var at []string
	for _, p := range t.pointsOf(name) {
		at = append(at, p.String())
	}
	if len(at) == 0 {
		at = []string{"nothing"}
	}
	return fmt.Sprintf("does not extend %s, it extends %s", point, strings.Join(at, ", "))
}

// multiPoint are the names that multiPoint brings to the point, and those of the
// specific ones that override such a name, in the order of the specific section; twice
// are entries of names that it has brought already.
func (t *pluginTable) multiPoint(sets pluginSets, specific []string, point scheduler.ExtensionPoint) (multi, overriding []string, twice []enabledPlugin) {
	var overridden []string
	for _, e := range sets.multiPoint.enabled {
		switch {
		case !t.extends(e.name, point) || sets.points[point].disables(e.name):
		case slices.Contains(specific, e.name):
			overridden = append(overridden, e.name)
		case slices.Contains(multi, e.name):
			twice = append(twice, e)
		default:
			multi = append(multi, e.name)
		}
	}
	for _, name := range specific {
		if slices.Contains(overridden, name) {
			overriding = append(overriding, name)
		}
	}
	return multi, overriding, twice
}

// weights are the weights of the score plugins: the score section beats multiPoint,
// and no weight is 1.
//
// Upstream: getValidScoreWeights in pkg/scheduler/framework/runtime/framework.go, v1.36.3.
func (t *pluginTable) weights(sets pluginSets) map[string]int64 {
	weights := map[string]int64{}
	for _, e := range slices.Concat(sets.points[scheduler.Score].enabled, sets.multiPoint.enabled) {
		if _, known := weights[e.name]; !known {
			weights[e.name] = max(e.weight, 1)
		}
	}
	return weights
}

func without(list, drop []string) []string {
	var rest []string
	for _, name := range list {
		if !slices.Contains(drop, name) {
			rest = append(rest, name)
		}
	}
	return rest
}
