// Package schema describes the files that people write in JSON Schema, draft 2020-12, so
// that editors complete and check them.
//
// The schemas are made from the types that the files are decoded as. They are a little
// looser than berth, which also looks at what a file refers to and at what its parts say
// together, and never stricter: what berth takes is valid.
package schema

import (
	"reflect"
	"strings"

	"github.com/berth-sim/berth/reports/gate"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/plan"
)

// dialect is the draft that the schemas are written in.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Names are the files that there is a schema of.
var Names = []string{"scenario", "gate", "goal", "prices"}

// Write returns the schema of that name, one of Names, as JSON.
func Write(name string) ([]byte, error) {
	m := &maker{known: map[reflect.Type]string{}}
	var root *node
	switch name {
	case "gate":
		m.paths = gatePaths()
		root = m.object("", gate.RulesType, "")
		root.Title, root.Description = "berth gate", "What berth check looks at: how much worse a value may be than in the baseline, and what it must be."
		requireHeader(root, gate.APIVersion, gate.Kind)
	case "goal":
		m.paths = goalPaths()
		root = m.object("", plan.GoalType, "")
		root.Title, root.Description = "berth goal", "What berth plan looks for: goals that a scenario must reach, and the pools that may vary for it."
		requireHeader(root, plan.APIVersion, plan.Kind)
		root.AnyOf = []*node{{Required: []string{"goals"}}, {Required: []string{"compact"}}}
	case "prices":
		m.paths = pricePaths()
		root = m.object("", plan.PricesType, "")
		root.Title, root.Description = "berth prices", "What nodes cost, for berth plan: by pool or instance type, also of types that the cluster does not have."
		requireHeader(root, plan.APIVersion, plan.PricesKind)
	default:
		m.paths = scenarioPaths()
		root = m.object("", reflect.TypeFor[scenarios.File](), "")
		root.Title, root.Description = "berth scenario", "A fleet of nodes, the pods that come, and how they are scheduled."
		requireHeader(root, scenarios.APIVersion, scenarios.Kind)
	}
	root.Type = "object"
	root.Dialect, root.Definitions = dialect, m.definitions
	return root.text()
}

// requireHeader asks for the two fields that say what a file is.
func requireHeader(root *node, apiVersion, kind string) {
	for _, p := range root.Properties {
		switch p.name {
		case "apiVersion":
			p.Type, p.Enum, p.Const = nil, nil, apiVersion
		case "kind":
			p.Type, p.Enum, p.Const = nil, nil, kind
		default:
			continue
		}
		if !strings.Contains(strings.Join(root.Required, " "), p.name) {
			root.Required = append(root.Required, p.name)
		}
	}
}
