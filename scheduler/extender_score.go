package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// addRanks adds the scores of the extenders to the totals. One that fails gives none,
// whether it can be ignored or not.
//
// Upstream: prioritizeNodes, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) addRanks() {
	c.ext.ranks, c.ext.ranked = c.ext.ranks[:0], c.ext.ranked[:0]
	for _, x := range c.s.extenders {
		if !x.IsInterested(c.Class) {
			continue
		}
		t := x.Info()
		if len(c.ext.ranked) == 0 {
			c.ext.ranked = append(c.ext.ranked, make([]bool, len(c.feasible))...)
		}
		if !t.Prioritizes {
			for i := range c.ext.ranked {
				c.ext.ranked[i] = true // with nothing
			}
			continue
		}
		if list, err := x.Prioritize(c.s.ctx, c.Pod, c.feasible); err == nil {
			c.addRank(t, list)
		}
	}
}

func (c *Cycle) addRank(t ExtenderInfo, list []NodeScore) {
	scale := c.profile.family.MaxScore() / MaxExtenderScore
	given := make(map[cluster.NodeID]int64, len(list))
	for _, s := range list {
		given[s.Node] += s.Score * t.Weight * scale
	}
	scores := make([]int64, len(c.feasible))
	for i, node := range c.feasible {
		if score, ranked := given[node]; ranked {
			scores[i] = score
			c.totals[i] += score
			c.ext.ranked[i] = true
		}
	}
	c.ext.ranks = append(c.ext.ranks, extenderRank{t.Name, scores})
}

// keepRanked leaves only those ties that an extender scored, where it scored any, and reports
// whether it did: upstream then draws lots among these, and the others lose.
//
// Upstream: nodeScoreHeap and its Randomizer, pkg/scheduler/schedule_one.go, v1.36.3.
func (c *Cycle) keepRanked() bool {
	a := &c.attempt
	var ranked []cluster.NodeID
	for i, is := range c.ext.ranked {
		if is && c.totals[i] == a.MaxScore {
			ranked = append(ranked, c.feasible[i])
		}
	}
	if len(ranked) == 0 {
		return false
	}
	a.Ties = append(a.Ties[:0], ranked...)
	return true
}

// ScoresEmptyNodes reports whether the feasible nodes are to be scored as if no pod and no image were on
// them: an extender sent them back as objects, and upstream looks at these.
func (c *Cycle) ScoresEmptyNodes() bool { return c.ext.emptyNodes }

// Requested returns the column of what the pods on each node ask for, as scores see it.
func (c *Cycle) Requested(r cluster.Resource) []int64 {
	if c.ext.emptyNodes {
		return c.noColumn()
	}
	return c.Cluster.Requested(r)
}

// NonZeroRequested returns the column of cluster.NonZeroRequested, as scores see it.
func (c *Cycle) NonZeroRequested(r cluster.Resource) []int64 {
	if c.ext.emptyNodes {
		return c.noColumn()
	}
	return c.Cluster.NonZeroRequested(r)
}

func (c *Cycle) noColumn() []int64 {
	if lacking := c.Cluster.NodeIDs() - len(c.ext.nothing); lacking > 0 {
		c.ext.nothing = append(c.ext.nothing, make([]int64, lacking)...)
	}
	return c.ext.nothing
}
