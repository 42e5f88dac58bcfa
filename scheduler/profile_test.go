package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

func TestProfilesThatCannotBe(t *testing.T) {
	registry := Registry{
		"Sort":  func(*Handle, any) (Plugin, error) { return byPriority{}, nil },
		"Moody": func(h *Handle, _ any) (Plugin, error) { return &scriptedPlugin{name: "Moody", h: h}, nil },
		"Picky": func(_ *Handle, args any) (Plugin, error) { return nil, fmt.Errorf("does not like %v", args) },
	}
	many := []string{}
	for i := range 65 {
		name := fmt.Sprint("Moody", i)
		registry[name] = registry["Moody"]
		many = append(many, name)
	}
	refs := func(names ...string) []PluginRef {
		var out []PluginRef
		for _, n := range names {
			out = append(out, PluginRef{Name: n})
		}
		return out
	}
	tests := []struct {
		name   string
		change func(p *ProfileConfig)
		want   string // part of the error, or empty
	}{
		{"as it should be", func(*ProfileConfig) {}, ""},
		{"unknown plugin", func(p *ProfileConfig) { p.Points[Filter] = refs("Nobody") }, `profile "p": unknown plugin "Nobody"`},
		{"wrong point", func(p *ProfileConfig) { p.Points[Filter] = refs("Sort") }, `profile "p": plugin "Sort" does not extend filter`},
		{"a plugin that refuses its arguments", func(p *ProfileConfig) {
			p.Points[Filter] = refs("Picky")
			p.Args = map[string]any{"Picky": 7}
		}, `profile "p": plugin Picky: does not like 7`},
		{"no queue sort", func(p *ProfileConfig) { p.Points[QueueSort] = nil }, "needs exactly one queueSort plugin, has 0"},
		{"two queue sorts", func(p *ProfileConfig) { p.Points[QueueSort] = refs("Sort", "Sort") }, "needs exactly one queueSort plugin, has 2"},
		{"no bind", func(p *ProfileConfig) { p.Points[Bind] = nil }, "needs a bind plugin"},
		{"too many", func(p *ProfileConfig) { p.Points[Filter] = refs(many...) }, "at most 64 can be"},
	}
	for _, tt := range tests {
		p := ProfileConfig{SchedulerName: "p"}
		p.Points[QueueSort], p.Points[Bind] = refs("Sort"), refs("Moody")
		tt.change(&p)
		_, err := New(cluster.New(cluster.NewVocabulary()), Config{Profiles: []ProfileConfig{p}, Registry: registry})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestSchedulersThatCannotBe(t *testing.T) {
	m := newMoody(t, TieFirst)
	if _, err := New(m.cl, Config{}); err == nil {
		t.Error("a scheduler without profiles was made")
	}
	p := ProfileConfig{SchedulerName: "p"}
	p.Points[QueueSort], p.Points[Bind] = []PluginRef{{Name: "Sort"}}, []PluginRef{{Name: "Moody"}}
	registry := Registry{
		"Sort":  func(*Handle, any) (Plugin, error) { return byPriority{}, nil },
		"Moody": func(h *Handle, _ any) (Plugin, error) { return &scriptedPlugin{name: "Moody", h: h}, nil },
	}
	_, err := New(m.cl, Config{Profiles: []ProfileConfig{p, p}, Registry: registry})
	if err == nil || err.Error() != `two profiles are named "p"` {
		t.Errorf("two profiles of one name: %v", err)
	}
}

func TestPointsOf(t *testing.T) {
	registry := Registry{
		"Sort":  func(*Handle, any) (Plugin, error) { return byPriority{}, nil },
		"Moody": func(h *Handle, _ any) (Plugin, error) { return &scriptedPlugin{name: "Moody", h: h}, nil },
	}
	if points, err := registry.ExtensionPointsOf("Sort", nil, nil); err != nil || !slices.Equal(points, []ExtensionPoint{QueueSort}) {
		t.Errorf("points of Sort: %v, %v", points, err)
	}
	points, err := registry.ExtensionPointsOf("Moody", nil, nil)
	if err != nil || len(points) != int(NumExtensionPoints)-1 || slices.Contains(points, QueueSort) || !slices.IsSorted(points) {
		t.Errorf("points of Moody: %v, %v", points, err)
	}
	if _, err := registry.ExtensionPointsOf("Nobody", nil, nil); err == nil {
		t.Error("an unknown plugin has points")
	}
}

func TestVerdictsHoldWhatWasPutIn(t *testing.T) {
	for _, code := range []Code{Unschedulable, UnschedulableAndUnresolvable} {
		for _, detail := range []uint32{0, 1, MaxDetail} {
			for _, plugin := range []int{0, 1, maxPlugins - 1} {
				v := NewRejection(code, detail).by(plugin)
				if v == Fits || v.Code() != code || v.Detail() != detail || v.plugin() != plugin {
					t.Errorf("code %d, detail %d, plugin %d became %d, %d, %d", code, detail, plugin, v.Code(), v.Detail(), v.plugin())
				}
			}
		}
	}
	if Fits.Code() != Success {
		t.Error("a node that fits has another code than success")
	}
}
