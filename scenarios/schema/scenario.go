package schema

import (
	_ "embed"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
)

// meanings is what the reference, docs/scenario.md, says of each field. A test keeps it so.
//
//go:embed meanings.json
var meanings []byte

// families are structs that several fields share; the reference has their fields once.
var families = map[reflect.Type]string{reflect.TypeFor[scenarios.Selection](): "events[].*"}

// The texts that stand for amounts. They are a little looser than what reads them.
const (
	durationPattern = `^\s*[+-]?([0-9]+(\.[0-9]+)?[wdh])*(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*0?\s*$`
	ratePattern     = `^\s*\+?[0-9.][0-9a-fA-FxXpP.+_-]*\s*/\s*(s|m|min|h|d)\s*$`
	dueDuration     = "is not a duration: write it like 30s, 10m, 1h30m or 2d"
	dueRate         = "is not a rate: write it like 40/m, 2.5/s, 100/h or 1000/d"
)

// scalars are the types that read a text of their own.
var scalars = map[reflect.Type]func() *node{
	reflect.TypeFor[scenarios.Duration](): func() *node { return &node{AnyOf: append(duration(), null())} },
	reflect.TypeFor[recipe.Horizon](): func() *node {
		span := duration()[0]
		span.Pattern = strings.Replace(span.Pattern, "[+-]?", `\+?`, 1)
		return &node{AnyOf: []*node{span, {Const: recipe.UntilDone}, null()}}
	},
	reflect.TypeFor[scenarios.Rate](): func() *node {
		return &node{Type: nullable("string"), Pattern: ratePattern, PatternError: dueRate}
	},
	reflect.TypeFor[release.Release]():    followed,
	reflect.TypeFor[scenarios.MilliCPU](): quantity,
	reflect.TypeFor[scenarios.Bytes]():    quantity,
}

// duration is a span of time; 0 needs no unit.
func duration() []*node {
	return []*node{{Type: "string", Pattern: durationPattern, PatternError: dueDuration}, {Const: 0}}
}

// followed is a release that is followed, with or without quotes.
func followed() *node {
	out := &node{}
	for _, r := range release.All() {
		number, err := strconv.ParseFloat(r.String(), 64)
		if err != nil {
			panic(err) // releases are 1.N
		}
		out.AnyOf = append(out.AnyOf, &node{Const: r.String()}, &node{Const: number})
	}
	out.AnyOf = append(out.AnyOf, null())
	return out
}

func null() *node     { return &node{Type: "null"} }
func quantity() *node { return &node{Type: nullable("string", "number")} }

// law is a span that may be a distribution.
func law(m *maker) *node {
	return &node{AnyOf: append(duration(), m.value("span", reflect.TypeFor[scenarios.DurationDistribution]()))}
}

// lifetime is a law, or forever.
func lifetime(m *maker) *node {
	out := law(m)
	out.AnyOf = append(out.AnyOf, &node{Const: "forever"})
	return out
}

// shapes are of the fields that are decoded later than the file.
var shapes = map[string]func(*maker) *node{
	"fleet[].template": nodeTemplate, "workloads[].template": podTemplate, "workloads[].templates[].template": podTemplate,
	"workloads[].lifetime": lifetime, "latency.cycle": law, "latency.volumeBind": law, "latency.provision": law,
	"latency.bind": law, "latency.start": law, "latency.terminate": law,
}

// together are the rules about several fields of a struct.
var together = map[reflect.Type]func(*node){
	reflect.TypeFor[scenarios.Fleet](): func(n *node) {
		n.Needs = map[string][]string{"pool": {"count", "template"}}
		n.one("pool", "manifests", "trace")
	},
	reflect.TypeFor[scenarios.Workload](): func(n *node) {
		n.Required = []string{"name"}
		n.Needs = map[string][]string{"template": {"arrivals"}, "templates": {"arrivals"}}
		n.one("template", "templates", "manifests", "trace")
	},
	reflect.TypeFor[scenarios.Arrivals](): func(n *node) {
		n.one("every", "poisson", "bursts", "diurnal", "atOnce", "times")
	},
	reflect.TypeFor[scenarios.DurationDistribution](): func(n *node) { n.Least, n.Most = 1, 1 },
	reflect.TypeFor[scenarios.NodeTrace]():            func(n *node) { n.one("openb") },
	reflect.TypeFor[scenarios.PodTrace]():             func(n *node) { n.one("openb", "swf", "philly") },
	reflect.TypeFor[scenarios.EventFile](): func(n *node) {
		n.one("add", "remove", "drain", "cordon", "uncordon", "taint", "untaint")
	},
	reflect.TypeFor[scenarios.Selection](): func(n *node) { n.one("pool", "nodes") },
}

// one asks for exactly one of the fields. Null, which has no fields, is not concerned.
func (n *node) one(fields ...string) {
	for _, f := range fields {
		n.OneOf = append(n.OneOf, &node{Required: []string{f}})
	}
	n.Type = "object"
}

// refinements are the rules about one field.
var refinements = map[string]func(*node){
	"fleet":                            func(n *node) { n.MinItems = 1 },
	"fleet[].count":                    func(n *node) { n.between(0, 1_000_000) },
	"fleet[].pool":                     func(n *node) { n.Pattern = "." },
	"fleet[].zones":                    func(n *node) { n.Unique = true },
	"seed":                             func(n *node) { n.Maximum = new(float64(math.MaxUint64)) },
	"fleet[].pricePerHour":             func(n *node) { n.Minimum = new(0.0) },
	"fleet[].jitter":                   func(n *node) { n.Others = &node{Type: nullable("number"), Minimum: new(0.0), Below: new(1.0)} },
	"workloads[].replicas":             func(n *node) { n.between(1, 1_000_000) },
	"workloads[].gang.minMember":       func(n *node) { n.Minimum = new(1.0) },
	"workloads[].arrivals.limit":       func(n *node) { n.Minimum = new(1.0) },
	"workloads[].templates[].weight":   func(n *node) { n.Minimum = new(0.0) },
	"events[].add":                     func(n *node) { n.Required = []string{"pool", "count"} },
	"events[].taint":                   func(n *node) { n.Required = []string{"key", "effect"} },
	"events[].untaint":                 func(n *node) { n.Required = []string{"key", "effect"} },
	"events[].*.count":                 func(n *node) { n.between(0, 1_000_000) },
	"collect.fragmentation.maxClasses": func(n *node) { n.Minimum = new(1.0) },
	"collect.fragmentation.share":      func(n *node) { n.between(0, 1) },
}

func (n *node) between(least, most float64) { n.Minimum, n.Maximum = &least, &most }

// scenarioPaths are the fields of a scenario.
func scenarioPaths() map[string]place {
	var texts map[string]string
	if err := json.Unmarshal(meanings, &texts); err != nil {
		panic(err) // it is a part of the program
	}
	out := map[string]place{}
	for path, meaning := range texts {
		out[path] = place{meaning: meaning, shape: shapes[path], refine: refinements[path]}
	}
	return out
}
