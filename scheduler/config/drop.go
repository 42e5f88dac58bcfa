package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
)

// Unknown, as one of Reader.Drop, stands for all plugins that do not exist here.
const Unknown = "unknown"

// fallbacks are plugins that take the place of the one that does the work of a point, if that is left out.
var fallbacks = []struct {
	point scheduler.ExtensionPoint
	name  string
	does  string
}{
	{scheduler.QueueSort, "PrioritySort", "sorts the queue in its place"},
	{scheduler.PostFilter, "DefaultPreemption", "preempts in its place"},
	{scheduler.Bind, "DefaultBinder", "binds in its place"},
}

// droppedPlugin is a plugin that a profile goes without, and the sections that enable it.
type droppedPlugin struct {
	name string
	from []string
}

// drops reports whether a plugin is to be left out. known reports whether it exists here.
func (f *reading) drops(name string, known bool) bool {
	switch {
	case name == "" || name == all:
		return false
	case slices.Contains(f.reader.Drop, name):
		return true
	}
	return !known && slices.Contains(f.reader.Drop, Unknown)
}

// exists reports whether there is a plugin of that name in this version.
func (f *reading) exists(name string) bool {
	_, registered := f.reader.Registry[name]
	return registered && !lacks(f.rules, name) || f.version.isScorer(name)
}

// drop removes the plugins that are to be left out from one section, given or by default.
func (f *reading) drop(p *profile, section string, set *pluginSet) {
	set.enabled = slices.DeleteFunc(set.enabled, func(e enabledPlugin) bool {
		if !f.drops(e.name, f.exists(e.name)) {
			return false
		}
		f.dropped(p, e.name, section)
		return true
	})
}

// dropped notes that a profile goes without a plugin that the section enables.
func (f *reading) dropped(p *profile, name, section string) {
	at := slices.IndexFunc(p.dropped, func(d droppedPlugin) bool { return d.name == name })
	if at < 0 {
		at = len(p.dropped)
		p.dropped = append(p.dropped, droppedPlugin{name: name})
	}
	if d := &p.dropped[at]; !slices.Contains(d.from, section) {
		d.from = append(d.from, section)
	}
	f.met[name] = true
}

// withoutDropped warns of what a profile goes without, and has the default plugins sort the queue, preempt and bind if
// nothing else does.
func (f *reading) withoutDropped(p *profile) {
	var what []string
	for _, d := range p.dropped {
		what = append(what, fmt.Sprintf("%s (%s)", d.name, strings.Join(d.from, ", ")))
	}
	text := fmt.Sprintf("profile %q goes without plugins, as asked: %s", p.config.SchedulerName, strings.Join(what, ", "))
	for _, instead := range fallbacks {
		refs := &p.config.Points[instead.point]
		has := slices.ContainsFunc(*refs, func(ref scheduler.PluginRef) bool { return ref.Name == instead.name })
		if !has && p.lacks(instead.point) && f.exists(instead.name) && !f.drops(instead.name, true) {
			*refs = append(*refs, scheduler.PluginRef{Name: instead.name})
			text += fmt.Sprintf("; %s %s", instead.name, instead.does)
		}
	}
	if len(p.dropped) > 0 {
		f.policy.Warnings.Add(f.anchor(p), "", "%s", text)
	}
}

// lacks reports whether a profile has lost the plugin that did the work of a point.
func (p *profile) lacks(point scheduler.ExtensionPoint) bool {
	if point == scheduler.PostFilter {
		return slices.ContainsFunc(p.dropped, func(d droppedPlugin) bool { return slices.Contains(preempting, d.name) })
	}
	return len(p.config.Points[point]) == 0 && (len(p.dropped) > 0 || p.gang.sorts)
}

// neverMet warns of plugins that are to be left out and that nothing names.
func (f *reading) neverMet() {
	for _, name := range f.reader.Drop {
		if name != Unknown && !f.met[name] {
			f.policy.Warnings.Add(f.root, "", "no profile has the plugin %s, which is to be left out%s", name, f.suggestion(name))
		}
	}
}
