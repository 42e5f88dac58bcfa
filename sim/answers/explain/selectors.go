package explain

import (
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// wholeRule is the size of dropping a rule of the pod altogether.
const wholeRule = 0.75

// dropSelectors drops one label of the pod's node selector, its required node affinity,
// or, where neither alone helps, both altogether.
func dropSelectors(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckNodeSelector) {
		return
	}
	found := false
	for i, l := range x.class.NodeSelector {
		text := fmt.Sprintf("drop %s=%s from the node selector", x.cluster.Text(l.Key), x.cluster.Text(l.Value))
		found = x.try(Change{Kind: "nodeSelector", Text: text, Size: wholeRule}, func(c *cluster.Class) {
			c.NodeSelector = without(c.NodeSelector, i)
		}) || found
	}
	if x.class.HasRequired {
		text := "drop the required node affinity"
		found = x.try(Change{Kind: "nodeAffinity", Text: text, Size: wholeRule}, func(c *cluster.Class) {
			c.Required, c.HasRequired = nil, false
		}) || found
	}
	if rules := len(x.class.NodeSelector); found || rules == 0 || rules == 1 && !x.class.HasRequired {
		return
	}
	text := "drop the whole node selector"
	if x.class.HasRequired {
		text += " and the required node affinity"
	}
	x.try(Change{Kind: "nodeSelector", Text: text, Size: 2 * wholeRule}, func(c *cluster.Class) {
		c.NodeSelector, c.Required, c.HasRequired = nil, nil, false
	})
}
