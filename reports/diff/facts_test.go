package diff

import (
	"reflect"
	"slices"
	"testing"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// follows are the settings that have no fact of their own, since they follow from others.
var follows = map[string]string{"Overcommit": "from the policy and the inputs"}

// Every setting that two recipes differ in is a fact.
func TestEverySettingIsAFact(t *testing.T) {
	base := recipe.Recipe{Policy: "default", Seed: new(uint64(7)), TieBreak: "random", Horizon: new(recipe.Horizon(clock.Hour))}
	others := recipe.Recipe{
		Policy: "p", Kubernetes: "1.36", FeatureGates: map[string]bool{"G": true}, Rules: map[string]string{"ties": "draw"}, Seed: new(uint64(8)), TieBreak: "first", Horizon: new(recipe.Horizon(clock.Minute)), Admission: []string{"A"}, Ignore: []string{"B"}, SkipPods: []string{"C"}, DropPlugins: []string{"D"},
		Inflate: true, SkipBadLines: true, Counts: map[string]int{"n": 1}, Prices: map[string]float64{"n": 1}, Overcommit: true,
	}
	for i := range reflect.TypeFor[recipe.Recipe]().NumField() {
		name := reflect.TypeFor[recipe.Recipe]().Field(i).Name
		other := base
		reflect.ValueOf(&other).Elem().Field(i).Set(reflect.ValueOf(others).Field(i))
		if found := facts(rundir.Manifest{Recipe: base}, rundir.Manifest{Recipe: other}); (len(found) == 1) != (follows[name] == "") {
			t.Errorf("%s differs, and the facts are %v", name, found)
		}
	}
}

func TestFacts(t *testing.T) {
	in := func(pairs ...string) (out []rundir.Input) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, rundir.Input{Path: pairs[i], SHA256: pairs[i+1]})
		}
		return out
	}
	settings := recipe.Recipe{Policy: "default", Seed: new(uint64(7)), TieBreak: "random", Horizon: new(recipe.Horizon(clock.Hour))}
	base := rundir.Manifest{Scenario: "s", Recipe: settings, Inputs: in("s.yaml", "aaaa", "o.yaml", "bbbb")}
	for name, tt := range map[string]struct {
		change func(m *rundir.Manifest)
		want   []string // name: value in run 1 | value in run 2, with a ! if the arrivals are others
	}{
		"nothing":        {func(m *rundir.Manifest) {}, nil},
		"seed":           {func(m *rundir.Manifest) { m.Seed = new(uint64(8)) }, []string{"seed: 7 | 8 !"}},
		"scenario":       {func(m *rundir.Manifest) { m.Scenario = "t" }, []string{"scenario: s | t !"}},
		"admission":      {func(m *rundir.Manifest) { m.Admission = []string{"A", "-B"} }, []string{"admission:  | A, -B"}},
		"ignored kinds":  {func(m *rundir.Manifest) { m.Ignore = []string{"NodePool.karpenter.sh"} }, []string{"ignored kinds:  | NodePool.karpenter.sh"}},
		"plugins":        {func(m *rundir.Manifest) { m.DropPlugins = []string{"A", "B"} }, []string{"plugins left out:  | A, B"}},
		"release":        {func(m *rundir.Manifest) { m.Kubernetes = "1.36" }, []string{"Kubernetes:  | 1.36"}},
		"gates":          {func(m *rundir.Manifest) { m.FeatureGates = map[string]bool{"B": true, "A": false} }, []string{"feature gates:  | A=false,B=true"}},
		"rules":          {func(m *rundir.Manifest) { m.Rules = map[string]string{"ties": "draw"} }, []string{"rules:  | ties=draw"}},
		"bad lines":      {func(m *rundir.Manifest) { m.SkipBadLines = true }, []string{"skip bad lines: no | yes"}},
		"file changed":   {func(m *rundir.Manifest) { m.Inputs = in("s.yaml", "aaaa", "o.yaml", "cccc") }, []string{"o.yaml: bbbb | cccc"}},
		"file moved":     {func(m *rundir.Manifest) { m.Inputs = in("dir/s.yaml", "aaaa", "o.yaml", "bbbb") }, nil},
		"file left out":  {func(m *rundir.Manifest) { m.Inputs = in("s.yaml", "aaaa") }, []string{"o.yaml: bbbb | "}},
		"file more":      {func(m *rundir.Manifest) { m.Inputs = append(slices.Clone(m.Inputs), in("p", "dddd")...) }, []string{"p:  | dddd"}},
		"other policy":   {func(m *rundir.Manifest) { m.Policy = "p"; m.Inputs = append(slices.Clone(m.Inputs), in("p", "d")...) }, []string{"policy: default | p"}},
		"order of files": {func(m *rundir.Manifest) { m.Inputs = in("o.yaml", "bbbb", "s.yaml", "aaaa") }, nil},
	} {
		other := base
		tt.change(&other)
		var got []string
		for _, f := range facts(base, other) {
			text := f.Name + ": " + f.Values[0] + " | " + f.Values[1]
			if !f.Same {
				text += " !"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
