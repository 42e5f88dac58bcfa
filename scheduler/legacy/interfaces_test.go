package legacy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// interfaces are what a plugin can implement beside Plugin itself.
var interfaces = map[string]reflect.Type{
	"PreEnqueuePlugin":      reflect.TypeFor[scheduler.PreEnqueuePlugin](),
	"QueueSortPlugin":       reflect.TypeFor[scheduler.QueueSortPlugin](),
	"PreFilterPlugin":       reflect.TypeFor[scheduler.PreFilterPlugin](),
	"CheckingPlugin":        reflect.TypeFor[scheduler.CheckingPlugin](),
	"VerdictCheckingPlugin": reflect.TypeFor[scheduler.VerdictCheckingPlugin](),
	"FilterPlugin":          reflect.TypeFor[scheduler.FilterPlugin](),
	"FilterPreparer":        reflect.TypeFor[scheduler.FilterPreparer](),
	"DomainRulePlugin":      reflect.TypeFor[scheduler.DomainRulePlugin](),
	"PreemptionRanker":      reflect.TypeFor[scheduler.PreemptionRanker](),
	"PostFilterPlugin":      reflect.TypeFor[scheduler.PostFilterPlugin](),
	"PreScorePlugin":        reflect.TypeFor[scheduler.PreScorePlugin](),
	"ScorePlugin":           reflect.TypeFor[scheduler.ScorePlugin](),
	"ScorePreparer":         reflect.TypeFor[scheduler.ScorePreparer](),
	"ScoreManyPlugin":       reflect.TypeFor[scheduler.ScoreManyPlugin](),
	"DeviceChooser":         reflect.TypeFor[scheduler.DeviceChooser](),
	"NormalizeScorePlugin":  reflect.TypeFor[scheduler.NormalizeScorePlugin](),
	"NormalizedScorePlugin": reflect.TypeFor[scheduler.NormalizedScorePlugin](),
	"ReservePlugin":         reflect.TypeFor[scheduler.ReservePlugin](),
	"PermitPlugin":          reflect.TypeFor[scheduler.PermitPlugin](),
	"PreBindPlugin":         reflect.TypeFor[scheduler.PreBindPlugin](),
	"WaitingPreBindPlugin":  reflect.TypeFor[scheduler.WaitingPreBindPlugin](),
	"BindPlugin":            reflect.TypeFor[scheduler.BindPlugin](),
	"PostBindPlugin":        reflect.TypeFor[scheduler.PostBindPlugin](),
	"QueueingHintPlugin":    reflect.TypeFor[scheduler.QueueingHintPlugin](),
}

// TestAllInterfacesKnown: the table has every interface of package scheduler that embeds
// Plugin, be it by way of another.
func TestAllInterfacesKnown(t *testing.T) {
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	embeds := map[string][]string{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is {
				if of, is := spec.Type.(*ast.InterfaceType); is {
					for _, member := range of.Methods.List {
						if embedded, is := member.Type.(*ast.Ident); is {
							embeds[spec.Name.Name] = append(embeds[spec.Name.Name], embedded.Name)
						}
					}
				}
			}
			return true
		})
	}
	var isPlugin func(name string) bool
	isPlugin = func(name string) bool { return name == "Plugin" || slices.ContainsFunc(embeds[name], isPlugin) }
	for name := range embeds {
		if _, known := interfaces[name]; isPlugin(name) && !known {
			t.Errorf("%s is not in the table", name)
		}
	}
}

// leftOut are the interfaces that wrappers do not have on purpose: a predicate scores
// nothing, a priority does nothing else, preemption did not gate pods in the releases of this family; and what the current PreFilter limits the search to is
// found out node by node, unless its plugin is prepared there.
var leftOut = struct {
	predicates, priorities, preemption []string
	preFilter                          []string // by predicate
}{
	predicates: []string{"PreScorePlugin", "ScorePlugin", "ScorePreparer", "ScoreManyPlugin", "NormalizeScorePlugin", "NormalizedScorePlugin"},
	priorities: []string{"PreFilterPlugin", "CheckingPlugin", "FilterPlugin", "FilterPreparer", "DomainRulePlugin", "QueueingHintPlugin"},
	preemption: []string{"PreEnqueuePlugin", "QueueingHintPlugin"},
	preFilter:  []string{"PodFitsHostPorts", "MatchNodeSelector", "EvenPodsSpread", "MatchInterPodAffinity"},
}

// TestWrappersLoseNothing: a rule has every interface that the current plugin has which does
// its work, and AlwaysCheckAllPredicates every one that a predicate has.
func TestWrappersLoseNothing(t *testing.T) {
	all := made(t, AlwaysCheckAllPredicates, CheckAllArgs{Predicates: Predicates(), Registry: Registry()})
	wrapped := 0
	check := func(name string, outer, inner reflect.Type, except []string) {
		for _, of := range slices.Sorted(maps.Keys(interfaces)) {
			if inner.Implements(interfaces[of]) && !outer.Implements(interfaces[of]) && !slices.Contains(except, of) {
				t.Errorf("%s is no %s, which %v is", name, of, inner)
			}
		}
	}
	for _, name := range Predicates() {
		rule, except := made(t, name, nil), leftOut.predicates
		if slices.Contains(leftOut.preFilter, name) {
			except = append(slices.Clone(except), "PreFilterPlugin")
		}
		for _, current := range currentPluginsOf(reflect.ValueOf(rule)) {
			wrapped++
			check(name, reflect.TypeOf(rule), current, except)
		}
		check(AlwaysCheckAllPredicates, reflect.TypeOf(all), reflect.TypeOf(rule), nil)
	}
	for _, name := range append(Priorities(), defaultPreemption) {
		rule, except := made(t, name, nil), leftOut.priorities
		if name == defaultPreemption {
			except = leftOut.preemption
		}
		for _, current := range currentPluginsOf(reflect.ValueOf(rule)) {
			wrapped++
			check(name, reflect.TypeOf(rule), current, except)
		}
	}
	if wrapped < 12 {
		t.Errorf("found %d wrapped plugins, want more", wrapped)
	}
}

// made is the plugin that a factory makes.
func made(t *testing.T, name string, args any) scheduler.Plugin {
	var plugin scheduler.Plugin
	factory := Registry()[name]
	spy := scheduler.Registry{name: func(h *scheduler.Handle, args any) (p scheduler.Plugin, err error) {
		plugin, err = factory(h, args)
		return plugin, err
	}}
	if _, err := spy.ExtensionPointsOf(name, args, nil); err != nil {
		t.Fatal(err)
	}
	return plugin
}

// currentPluginsOf are the types of the current plugins that a value embeds.
func currentPluginsOf(v reflect.Value) []reflect.Type {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	var found []reflect.Type
	for i := range v.NumField() {
		field := v.Field(i)
		switch {
		case !v.Type().Field(i).Anonymous:
		case field.Kind() == reflect.Interface:
			found = append(found, field.Elem().Type())
		default:
			found = append(found, currentPluginsOf(field)...)
		}
	}
	return found
}

// TestLimitOfADriver: the names of limits of long drivers end in a hash, as v1.16.15 makes them.
func TestLimitOfADriver(t *testing.T) {
	v := cluster.NewVocabulary()
	p := &volumeCount{volumeKind: csiVolumes, cluster: cluster.New(v)}
	for driver, want := range map[string]string{
		"d.example.com":         "attachable-volumes-csi-d.example.com",
		strings.Repeat("a", 39): "attachable-volumes-csi-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		strings.Repeat("a", 40): "attachable-volumes-csi-aaaaaaaaaaaaaaaaaaaaaaaa56559418dc7908c",
	} {
		if got := p.signalOf(v.Symbol(driver)); got != want {
			t.Errorf("the limit of %s is %s, want %s", driver, got, want)
		}
	}
}
