package schema

import "github.com/berth-sim/berth/scenarios/plan"

// The texts of a file of goals. They are a little looser than what reads them.
const (
	sizesPattern = `^\s*\+?[0-9]+\s*\.\.\s*\+?[0-9]+\s*$`
	dueSizes     = "is not a range: write it like 10..500"
)

// goalPaths are the fields of a file of goals.
func goalPaths() map[string]place {
	within := func(least, most float64) func(*node) {
		return func(n *node) { n.between(least, most) }
	}
	return map[string]place{
		"apiVersion":       {meaning: "`" + plan.APIVersion + "`"},
		"kind":             {meaning: "`" + plan.Kind + "`"},
		"goals":            {meaning: "what the scenario must reach, all of it"},
		"goals[].goal":     {meaning: "a condition on metrics, such as placement.pending == 0 && placement.waitToBind[p99]{workload=web} < 30s"},
		"goals[].name":     {meaning: "a name, for reports"},
		"goals[].why":      {meaning: "the reason, for reports"},
		"goals[].quantile": {meaning: "percent of the seeds in which this goal must hold, in place of the plan's", refine: within(1, 100)},
		"vary":             {meaning: "the pools whose size is looked for; of several the cheapest mix is"},
		"vary[].pool":      {meaning: "the pool of the scenario"},
		"vary[].count": {meaning: "the sizes that may be, LOW..HIGH", shape: func(*maker) *node {
			return &node{Type: nullable("string"), Pattern: sizesPattern, PatternError: dueSizes}
		}},
		"vary[].pricePerHour": {meaning: "of a node, in place of the scenario's", refine: func(n *node) { n.Minimum = new(0.0) }},
		"compact":             {meaning: "ask how few nodes would do if others are removed at random, as --compact=random does, in place of vary"},
		"pending":             {meaning: "with compact, the share of the pods that may stay pending. Default: 0.002", refine: within(0, 1)},
		"seeds":               {meaning: "how many seeds, or trials of compact. Default: 10, with compact 11", refine: within(1, plan.MaxSeeds)},
		"seed":                {meaning: "the first seed. Default: the scenario's"},
		"quantile":            {meaning: "percent of the seeds in which the goals must hold together that do not say. Default: 90", refine: within(1, 100)},
		"probes":              {meaning: "fleets to try at most, where several pools vary. Default: 60", refine: within(1, plan.MaxProbes)},
		"horizon":             {meaning: "when runs end, in place of the scenario's"},
		"policy":              {meaning: "a scheduler configuration, relative to this file, or default, in place of the scenario's"},
	}
}
