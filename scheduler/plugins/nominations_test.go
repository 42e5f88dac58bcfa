package plugins_test

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
)

// undeclaredNominations are the filters that look at pods and do not declare that nominated pods count among them. A pod
// that such a filter rejected would not be tried again when a nomination is lost.
func undeclaredNominations(registry scheduler.Registry) []string {
	var names []string
	for name := range registry {
		spy := scheduler.Registry{name: func(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
			plugin, err := registry.New(name, h, nil)
			if err != nil {
				return nil, err // it cannot do without arguments
			}
			d := plugin.DependsOn()
			_, filters := plugin.(scheduler.FilterPlugin)
			if filters && d&(scheduler.NodePods|scheduler.DomainPods) != 0 && d&scheduler.Nominations == 0 {
				names = append(names, name)
			}
			return plugin, nil
		}}
		_, _ = spy.ExtensionPointsOf(name, nil, nil)
	}
	slices.Sort(names)
	return names
}

func TestFiltersThatLookAtPodsDependOnNominations(t *testing.T) {
	for family, registry := range map[string]scheduler.Registry{"current": plugins.Registry(), "legacy": legacy.Registry()} {
		if names := undeclaredNominations(registry); len(names) > 0 {
			t.Errorf("%s: %v do not declare that they depend on nominations", family, names)
		}
	}
}

// forgetful is NodePorts without the declaration.
type forgetful struct{ scheduler.FilterPlugin }

func (forgetful) DependsOn() scheduler.Dependencies { return scheduler.NodePods }

func TestAFilterThatForgetsNominationsIsNoticed(t *testing.T) {
	registry := plugins.Registry()
	ports := registry["NodePorts"]
	registry["NodePorts"] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		plugin, err := ports(h, args)
		if err != nil {
			return nil, err
		}
		return forgetful{plugin.(scheduler.FilterPlugin)}, nil
	}
	if names := undeclaredNominations(registry); !slices.Equal(names, []string{"NodePorts"}) {
		t.Errorf("found %v", names)
	}
}
