package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
)

// profile is one entry of profiles, being read.
type profile struct {
	at     document.Value
	config scheduler.ProfileConfig
	sets   pluginSets
	given  map[string]document.Value // pluginConfig: the args by plugin, as they were written

	dropped []droppedPlugin
	gang    gangEntries
}

// profiles reads all profiles, or makes the default one where there are none.
func (f *reading) profiles(c *configuration) {
	f.percentage(f.root, c.PercentageOfNodesToScore)
	sections := c.Profiles
	if len(sections) == 0 {
		sections = []document.Value{{}}
	}
	named := map[string]document.Value{}
	for _, at := range sections {
		var section profileSection
		if at.Exists() {
			f.errors.Append(document.Decode(at, &section))
		}
		p := &profile{at: at, given: map[string]document.Value{}}
		p.config.SchedulerName = f.schedulerName(at, section.SchedulerName, len(sections) == 1)
		if before, twice := named[p.config.SchedulerName]; twice {
			f.errors.Add(at, "schedulerName", "is the name of %s too", before.Path())
		} else if p.config.SchedulerName != "" {
			named[p.config.SchedulerName] = at
		}
		f.percentage(at, section.PercentageOfNodesToScore)
		for _, given := range []*int32{section.PercentageOfNodesToScore, c.PercentageOfNodesToScore} {
			if given != nil {
				p.config.Percentage = int(*given)
				break
			}
		}
		f.plugins(p, &section)
		f.policy.Profiles = append(f.policy.Profiles, p.config)
	}
}

// schedulerName returns the name of a profile: only a profile that is alone need not
// give one.
func (f *reading) schedulerName(at document.Value, given *string, alone bool) string {
	switch {
	case given == nil && alone:
		return DefaultSchedulerName
	case given == nil:
		f.errors.Add(at, "schedulerName", "is missing; it is needed where there are several profiles")
		return ""
	case *given == "":
		f.errors.Add(at, "schedulerName", "must not be empty")
	}
	return *given
}

// plugins reads which plugins the profile has, and their arguments.
func (f *reading) plugins(p *profile, section *profileSection) {
	errorsBefore := len(f.errors)
	f.pluginConfig(p, section.PluginConfig)
	f.pluginSets(p, &section.Plugins)
	for _, set := range []setSection{section.Plugins.PlacementGenerate, section.Plugins.PlacementScore} {
		for _, v := range set.Enabled {
			f.errors.Add(v, "", "this extension point is not supported yet")
		}
	}
	table := newPluginTable(f.reader.Registry, f.rules, p.config.Args)
	var faults []fault
	p.config.Points, faults = table.expand(p.sets)
	for _, fault := range faults {
		f.fault(p, fault)
	}
	f.withoutDropped(p)
	f.gangDiffers(p)
	f.queueSort(p)
	if len(f.errors) > errorsBefore {
		return // what is lacking may only be misspelled
	}
	f.halves(p)
	if n := len(p.config.Points[scheduler.QueueSort]); n != 1 {
		f.errors.Add(f.anchor(p), "", "profile %q needs exactly one queueSort plugin, has %d", p.config.SchedulerName, n)
	}
	if len(p.config.Points[scheduler.Bind]) == 0 {
		f.errors.Add(f.anchor(p), "", "profile %q needs a bind plugin", p.config.SchedulerName)
	}
}

// multiPointName is the section for all extension points of a plugin.
const multiPointName = "multiPoint"

// pluginSets reads the sections of a profile and puts them over the defaults of its version.
func (f *reading) pluginSets(p *profile, section *pluginsSection) {
	var custom pluginSets
	for point, set := range section.byPoint() {
		custom.points[point] = f.pluginSet(p, scheduler.ExtensionPoint(point).String(), set)
	}
	multi := section.MultiPoint
	switch given := len(multi.Enabled)+len(multi.Disabled) > 0; {
	case given && f.version.scorers:
		f.errors.Add(p.at, "plugins.multiPoint", "is not a field of %s, but of the versions after it", f.version.short())
	case given && f.version.pointsOnly:
		f.policy.Warnings.Add(p.at, "plugins.multiPoint", "has no effect in %s: Kubernetes %s does not read it either",
			f.version.short(), f.version.kubernetes)
	default:
		custom.multiPoint = f.pluginSet(p, multiPointName, multi)
	}
	p.gang = takeGang(&custom)
	p.sets = f.version.merge(f.reader.Registry, f.rules, custom)
	f.drop(p, multiPointName, &p.sets.multiPoint)
	for point := range p.sets.points {
		f.drop(p, scheduler.ExtensionPoint(point).String(), &p.sets.points[point])
	}
	f.resourceScore(p)
}

// halves are plugins that fail at these points when they have not prepared at another one.
//
// Upstream: getPreFilterState, getPreScoreState and getStateData of their files, v1.36.3.
var halves = []struct {
	name     string
	prepares scheduler.ExtensionPoint
	needs    []scheduler.ExtensionPoint
}{
	{"NodePorts", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"NodeResourcesFit", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"VolumeRestrictions", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"VolumeBinding", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter, scheduler.Reserve, scheduler.PreBind}},
	{"PodTopologySpread", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"PodTopologySpread", scheduler.PreScore, []scheduler.ExtensionPoint{scheduler.Score}},
	{"InterPodAffinity", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"InterPodAffinity", scheduler.PreScore, []scheduler.ExtensionPoint{scheduler.Score}},
	{"DynamicResources", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter, scheduler.Score, scheduler.Reserve, scheduler.PreBind}},
	{"NodeDeclaredFeatures", scheduler.PreFilter, []scheduler.ExtensionPoint{scheduler.Filter}},
	{"TaintToleration", scheduler.PreScore, []scheduler.ExtensionPoint{scheduler.Score}},
}

// halves refuses a plugin at a point for which it prepares at another one that is
// disabled: upstream then fails every pod that gets so far.
func (f *reading) halves(p *profile) {
	at := func(point scheduler.ExtensionPoint, name string) bool {
		return slices.ContainsFunc(p.config.Points[point], func(ref scheduler.PluginRef) bool { return ref.Name == name })
	}
	for _, half := range halves {
		if at(half.prepares, half.name) {
			continue
		}
		for _, point := range half.needs {
			if at(point, half.name) {
				f.errors.Add(f.anchor(p), "plugins", "%s is enabled at %s, but not at %s: kube-scheduler would fail every pod",
					half.name, point, half.prepares)
				break
			}
		}
	}
}

// anchor is where faults of the profile as a whole are reported.
func (f *reading) anchor(p *profile) document.Value {
	if p.at.Exists() {
		return p.at
	}
	return f.root
}

// fault reports what expanding the plugins found. A plugin that cannot be made is a
// fault of its arguments, where it has some.
func (f *reading) fault(p *profile, found fault) {
	if found.what == enabledTwice && f.version.appends {
		found.what += ": it is a default plugin, which v1beta1 needs disabled in the same section"
	}
	switch args := p.given[found.name]; {
	case found.unmakeable && args.Exists():
		f.errors.Add(args, "", "%s", found.what)
	case found.at.Exists():
		f.errors.Add(found.at, "name", "%s", found.what)
	default:
		f.errors.Add(f.anchor(p), "", "plugin %s: %s", found.name, found.what)
	}
}

// pluginSet reads a section, leaving out the plugins that do not exist.
func (f *reading) pluginSet(p *profile, name string, section setSection) pluginSet {
	var set pluginSet
	for _, v := range section.Enabled {
		var e pluginEntry
		f.errors.Append(document.Decode(v, &e))
		enabled := enabledPlugin{name: e.Name, at: v}
		if e.Weight != nil {
			enabled.weight = int64(*e.Weight)
		}
		if enabled.weight < 0 {
			f.errors.Add(v, "weight", "must not be negative")
		}
		if !f.carriesOver(e.Name, true) {
			continue
		}
		if !f.exists(e.Name) && f.drops(e.Name, false) {
			f.dropped(p, e.Name, name)
			continue
		}
		if f.found(v, e.Name) {
			set.enabled = append(set.enabled, enabled)
		} else {
			set.partial = true
		}
	}
	for _, v := range section.Disabled {
		var e pluginEntry
		f.errors.Append(document.Decode(v, &e))
		set.disabled = append(set.disabled, e.Name)
		if e.Name != "" && e.Name != all && f.carriesOver(e.Name, false) && !f.isKnown(e.Name) && !f.drops(e.Name, false) {
			f.policy.Warnings.Add(v, "name", "is not a plugin, so disabling it does nothing%s", f.suggestion(e.Name))
		}
	}
	return set
}

// isKnown reports whether the name is one of the registry or of upstream.
func (f *reading) isKnown(name string) bool {
	_, registered := f.reader.Registry[name]
	return registered || f.version.isScorer(name) || isUpstream(name) || slices.Contains(removed, name)
}

// found reports whether a plugin that entry v names exists, and what to do if not.
func (f *reading) found(v document.Value, name string) bool {
	project, needs := elsewhere(name)
	switch {
	case lacks(f.rules, name):
		f.errors.Add(v, "name", "is not a plugin of this release of Kubernetes; it is one of %s: remove it, or use --drop-plugin %s to continue without it",
			having(name), name)
	case f.exists(name):
		return true
	case name == "":
		if v.Get("name").Kind() == document.String {
			f.errors.Add(v, "name", "must not be empty")
		}
	case name == all:
		f.errors.Add(v, "name", "stands for all plugins in disabled alone: name those to enable")
	case slices.Contains(removed, name):
		f.errors.Add(v, "name", "has been removed from kube-scheduler: remove it, or use --drop-plugin %s to continue without it", name)
	case isUpstream(name):
		f.errors.Add(v, "name", "is not supported yet: to continue without it, use --drop-plugin %s", name)
	case project != "":
		f.errors.Add(v, "name", "is a plugin of %s that berth does not have (it needs %s): to continue without it, use --drop-plugin %s; docs/library.md says how to write it in Go",
			project, needs, name)
	default:
		f.errors.Add(v, "name", "is not a plugin%s: to continue without it, use --drop-plugin %s; docs/library.md says how to write it in Go",
			f.suggestion(name), name)
	}
	return false
}

// suggestion names the plugin that was probably meant, if there is one.
func (f *reading) suggestion(name string) string {
	if strategy, was := scorers[name]; was {
		return fmt.Sprintf("; today it is the scoringStrategy.type %s of NodeResourcesFit", strategy)
	}
	if near := nearest(name, slices.Sorted(maps.Keys(f.reader.Registry))); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// queueSort checks that all profiles sort the one queue in the same way.
//
// Upstream: validateCommonQueueSort in pkg/scheduler/apis/config/validation/validation.go and
// cfgValidator in pkg/scheduler/profile/profile.go, v1.36.3.
func (f *reading) queueSort(p *profile) {
	own := p.sets.points[scheduler.QueueSort]
	if len(own.enabled) > 1 {
		f.errors.Add(p.at, "plugins.queueSort.enabled", "only one queueSort plugin can be enabled")
		return
	}
	if f.first == nil {
		f.first = p
		return
	}
	others := f.first.sets.points[scheduler.QueueSort]
	if own.partial || others.partial {
		return
	}
	if !sameSet(own, others) {
		f.errors.Add(p.at, "plugins.queueSort", "must be the same for all profiles, but differs from %s", f.first.at.Path())
		return
	}
	first, mine := f.first.config.Points[scheduler.QueueSort], p.config.Points[scheduler.QueueSort]
	if len(first) != 1 || len(mine) != 1 {
		return // reported for the profile that it is
	}
	if first[0] != mine[0] {
		f.errors.Add(p.at, "plugins", "queueSort plugin %s differs from %s of %s", mine[0].Name, first[0].Name, f.first.at.Path())
		return
	}
	if name := mine[0].Name; !sameValue(p.given[name], f.first.given[name]) {
		f.errors.Add(p.at, "pluginConfig", "arguments of the queueSort plugin %s must be the same for all profiles", name)
	}
}

func sameSet(a, b pluginSet) bool {
	return slices.Equal(a.disabled, b.disabled) && slices.EqualFunc(a.enabled, b.enabled, func(x, y enabledPlugin) bool {
		return x.name == y.name && x.weight == y.weight
	})
}

// sameValue compares contents; what cannot be decoded is reported elsewhere.
func sameValue(a, b document.Value) bool {
	var x, y any
	if a.Exists() && document.Decode(a, &x) != nil || b.Exists() && document.Decode(b, &y) != nil {
		return true
	}
	return reflect.DeepEqual(x, y)
}
