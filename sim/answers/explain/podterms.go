package explain

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// dropPodTerms drops one required term of the pod's affinity or anti-affinity to other
// pods.
func dropPodTerms(x *analysis) {
	if !x.rejectedNodesBy(scheduler.CheckPodAffinity) {
		return
	}
	for i, t := range x.class.Affinity {
		text := "drop the required pod affinity to " + x.podsOf(t) + " over " + x.cluster.Text(t.TopologyKey)
		x.try(Change{Kind: "podAffinity", Text: text, Size: wholeRule}, func(c *cluster.Class) {
			c.Affinity = without(c.Affinity, i)
		})
	}
	for i, t := range x.class.AntiAffinity {
		text := "drop the required pod anti-affinity to " + x.podsOf(t) + " over " + x.cluster.Text(t.TopologyKey)
		x.try(Change{Kind: "podAntiAffinity", Text: text, Size: wholeRule}, func(c *cluster.Class) {
			c.AntiAffinity = without(c.AntiAffinity, i)
		})
	}
}
