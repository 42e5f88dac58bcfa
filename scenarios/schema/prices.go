package schema

import (
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/plan"
)

// pricePaths are the fields of a price list.
func pricePaths() map[string]place {
	return map[string]place{
		"apiVersion":            {meaning: "`" + plan.APIVersion + "`"},
		"kind":                  {meaning: "`" + plan.PricesKind + "`"},
		"prices":                {meaning: "what nodes cost"},
		"prices[].type":         {meaning: "an instance type, the label node.kubernetes.io/instance-type: the price of all pools with that label"},
		"prices[].pool":         {meaning: "a pool of the cluster, instead of a type"},
		"prices[].pricePerHour": {meaning: "the price of a node", refine: func(n *node) { n.between(0, scenarios.MaxPrice) }},
		"prices[].template":     {meaning: "a Node from which new nodes are made, of a type that the cluster does not have", shape: nodeTemplate},
	}
}
