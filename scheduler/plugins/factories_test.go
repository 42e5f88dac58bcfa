package plugins_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
)

// noArguments is a type of arguments that no plugin takes.
type noArguments struct{}

// Arguments of a wrong type are an error that names the plugin and the types, whatever the plugin.
func TestArgumentsOfAWrongTypeAreAnError(t *testing.T) {
	for family, registry := range map[string]scheduler.Registry{"current": plugins.Registry(), "legacy": legacy.Registry()} {
		for _, name := range slices.Sorted(maps.Keys(registry)) {
			err := refusal(registry, name)
			if err == nil {
				t.Errorf("%s: %s takes arguments of any type", family, name)
				continue
			}
			want := []string{"plugin " + name + ":", "plugins_test.noArguments"}
			if strings.Contains(err.Error(), "want ") {
				want = append(want, "Args")
			} else {
				want = append(want, "takes none")
			}
			for _, part := range want {
				if !strings.Contains(err.Error(), part) && !strings.Contains(err.Error(), "gpu.LargestNode") {
					t.Errorf("%s: %v does not say %q", family, err, part)
				}
			}
		}
	}
}

// A factory that ignores the type of its arguments is noticed.
func TestAFactoryThatTakesAnythingIsNoticed(t *testing.T) {
	registry := plugins.Registry()
	node := registry["NodeName"]
	registry["NodeName"] = func(h *scheduler.Handle, _ any) (scheduler.Plugin, error) { return node(h, nil) }
	if err := refusal(registry, "NodeName"); err != nil {
		t.Errorf("not noticed: %v", err)
	}
}

// refusal is the error of making a plugin with arguments of a wrong type.
func refusal(registry scheduler.Registry, name string) error {
	var refused error
	spy := scheduler.Registry{name: func(h *scheduler.Handle, _ any) (scheduler.Plugin, error) {
		_, refused = registry.New(name, h, noArguments{})
		return registry.New(name, h, nil)
	}}
	_, _ = spy.ExtensionPointsOf(name, nil, nil) // AlwaysCheckAllPredicates cannot do without arguments
	return refused
}
