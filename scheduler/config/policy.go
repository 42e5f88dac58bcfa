// Package config reads scheduler configurations: a KubeSchedulerConfiguration v1 is
// defaulted, merged and validated as kube-scheduler v1.36.3 does it, and becomes the
// profiles of a scheduler. Its beta versions are converted.
package config

import (
	"fmt"
	"reflect"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/extender"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/release"
)

// DefaultSchedulerName is the name of the default profile, and of the scheduler that
// pods ask for when they name none.
const DefaultSchedulerName = "default-scheduler"

// Policy is a scheduler configuration, all defaults filled in.
type Policy struct {
	// Name is what the policy is read by, FILE or FILE#CHOICE, or "default".
	Name string
	// File is the file that the policy is read from; "" for the default.
	File     string
	Profiles []scheduler.ProfileConfig
	// Extenders are webhooks that all profiles share.
	Extenders []extender.Config
	// InitialBackoff and MaxBackoff bound the wait after a failed attempt.
	InitialBackoff, MaxBackoff clock.Time
	// Files are other files that the policy has been read from, Environment variables of
	// the environment, as NAME=VALUE.
	Files, Environment []string
	// Source is the text of the file, nil for the default.
	Source []byte
	// Skipped is a line about the other objects of the file; "" if there are none.
	Skipped string
	// Warnings are about entries that have no effect and are probably mistakes.
	Warnings document.Errors
}

// Default returns the default profile of the newest kube-scheduler as far as its plugins are in the registry, and
// Coscheduling. It panics if a factory requires arguments.
func Default(registry scheduler.Registry) Policy { return defaultOf(registry, nil) }

// defaultOf is Default by the rules of a release; nil stands for the newest.
func defaultOf(registry scheduler.Registry, followed *release.Rules) Policy {
	rules := release.OrNewest(followed)
	p := newPluginTable(registry, &rules, nil)
	points, faults := p.expand(versions[0].merge(registry, &rules, pluginSets{}))
	for _, f := range faults {
		panic(fmt.Sprintf("the default profile: plugin %s: %s", f.name, f.what))
	}
	return Policy{
		Name:           "default",
		Profiles:       []scheduler.ProfileConfig{{SchedulerName: DefaultSchedulerName, Points: points}},
		InitialBackoff: scheduler.DefaultInitialBackoff,
		MaxBackoff:     scheduler.DefaultMaxBackoff,
	}
}

// Default returns kube-scheduler's default configuration without the plugins of Drop.
func (r Reader) Default() (Policy, error) {
	docs, err := document.Parse("default", []byte("apiVersion: "+apiVersion+"\nkind: "+kind+"\n"))
	if err != nil || len(r.Drop) == 0 {
		return defaultOf(r.Registry, r.Rules), err
	}
	return r.Parse(docs[0])
}

// Row is what runs at one extension point of a profile.
type Row struct {
	Profile, Point string
	// Plugins run in this order. Their weights are 0 at all points but score.
	Plugins []scheduler.PluginRef
}

// Rows lists what runs where: by profile, then in the order in which a pod meets the
// points. Points without plugins are left out.
func (p Policy) Rows() []Row {
	var rows []Row
	for _, profile := range p.Profiles {
		for point, refs := range profile.Points {
			if len(refs) > 0 {
				rows = append(rows, Row{profile.SchedulerName, scheduler.ExtensionPoint(point).String(), refs})
			}
		}
	}
	return rows
}

// SameAs reports whether two policies have equal configurations, regardless of their files. They
// must have been read with the same registry and equal vocabularies.
func (p Policy) SameAs(other Policy) bool {
	return reflect.DeepEqual(p.content(), other.content())
}

// content is what schedulers are made of.
func (p Policy) content() Policy {
	c := Policy{Extenders: p.Extenders, InitialBackoff: p.InitialBackoff, MaxBackoff: p.MaxBackoff}
	for _, profile := range p.Profiles {
		profile.Registry = nil // of functions
		if len(profile.Args) == 0 {
			profile.Args = nil
		}
		c.Profiles = append(c.Profiles, profile)
	}
	return c
}
