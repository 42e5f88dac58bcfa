package scheduler

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// selectNode takes the only feasible node, or scores all of them and chooses among
// the best.
func (c *Cycle) selectNode() (cluster.NodeID, Status) {
	if len(c.feasible) == 1 {
		c.attempt.Ties = append(c.attempt.Ties, c.feasible[0])
		return c.feasible[0], Status{}
	}
	if st := c.runPreScore(); st.Code == Error {
		return cluster.None, st
	}
	if st := c.runScore(); st.Code == Error {
		return cluster.None, st
	}
	c.addRanks()
	return c.s.choose(c), Status{}
}

func (c *Cycle) runPreScore() Status {
	for _, p := range c.profile.preScore {
		switch st := p.plugin.PreScore(c); st.Code {
		case Success:
		case Skip:
			c.skipScore.add(p.index)
		default:
			return Status{Error, st.Message}.in("PreScore", p.plugin)
		}
	}
	return Status{}
}

// runScore fills c.scores and c.totals for the feasible nodes.
//
// Upstream: RunScorePlugins, framework/runtime/framework.go, v1.36.3.
func (c *Cycle) runScore() Status {
	n := len(c.feasible)
	c.totals = resize(c.totals, n)
	clear(c.totals)
	for len(c.scores) < len(c.profile.score) {
		c.scores = append(c.scores, nil)
	}
	var base int64 // what plugins add that give every node the same
	highest := c.profile.family.MaxScore()
	for k := range c.profile.score {
		p := &c.profile.score[k]
		if c.skipScore.has(p.index) {
			continue
		}
		row, uniform := c.scoreRow(k, p)
		for i, score := range row {
			if uint64(score) > uint64(highest) {
				return Status{Error, fmt.Sprintf("applying score defaultWeights on Score plugins: plugin %q returns an invalid score %d, it should in the range of [0, %d] after normalizing", p.plugin.Name(), score, highest)}
			}
			row[i] = score * p.weight
		}
		if uniform {
			base += row[0]
			continue
		}
		for i, score := range row {
			c.totals[i] += score
		}
	}
	for i := range c.totals {
		c.totals[i] += base
	}
	return Status{}
}

// scoreRow has one plugin score the feasible nodes, and normalizes. A row of one
// score for many nodes means that all have that score.
func (c *Cycle) scoreRow(k int, p *weighted) (row []int64, uniform bool) {
	nodes := c.feasible
	if p.prepare != nil && p.prepare.PrepareScore(c) {
		nodes, uniform = nodes[:1], true
	}
	row = resize(c.scores[k], len(nodes))
	c.scores[k] = row
	if p.many != nil {
		p.many.ScoreMany(c, nodes, row)
	} else {
		for i, node := range nodes {
			row[i] = p.plugin.Score(c, node)
		}
	}
	if p.normalize != nil {
		p.normalize.NormalizeScore(c, row)
	} else {
		p.normalization.NormalizeAll(row, c.profile.family.MaxScore())
	}
	return row, uniform
}

// choose takes one of the nodes of the highest total and notes them all.
func (s *Scheduler) choose(c *Cycle) cluster.NodeID {
	a := &c.attempt
	a.MaxScore = c.totals[0]
	for _, t := range c.totals {
		a.MaxScore = max(a.MaxScore, t)
	}
	for i, t := range c.totals {
		if t == a.MaxScore {
			a.Ties = append(a.Ties, c.feasible[i])
		}
	}
	heap := families[c.profile.family].heap && s.rules.Ties == release.TiesHeap
	ranked := heap && c.keepRanked()
	a.TieBreak = s.tie
	if s.tie == TieUpstream && (ranked || !heap) {
		a.TieBreak = TieRandom
	}
	switch a.TieBreak {
	case TieFirst:
		first := a.Ties[0]
		for _, n := range a.Ties[1:] {
			if s.cluster.Node(n).Name < s.cluster.Node(first).Name {
				first = n
			}
		}
		return first
	case TieRank:
		return s.ranks.smallest(s.cluster, a.Ties)
	case TieUpstream:
		return c.heapRoot()
	}
	if len(a.Ties) == 1 {
		return a.Ties[0]
	}
	if s.draw != nil {
		return s.draw(a.Ties)
	}
	return a.Ties[s.tieRand.IntN(len(a.Ties))]
}

// SetDraw has draw choose among the nodes of the highest total where TieRandom would draw one, so that the draws of another
// scheduler can be repeated. It returns one of them. It must not be called after the first attempt.
func (s *Scheduler) SetDraw(draw func(ties []cluster.NodeID) cluster.NodeID) { s.draw = draw }

// heapRoot is the node that upstream takes: the root of a binary heap that is built
// over the feasible nodes and ordered by total alone.
//
// Upstream: newSortedNodeScores and container/heap.Init, v1.36.3.
func (c *Cycle) heapRoot() cluster.NodeID {
	h := make([]int, len(c.feasible)) // positions in feasible
	for i := range h {
		h[i] = i
	}
	better := func(i, j int) bool { return c.totals[h[i]] > c.totals[h[j]] }
	for i := len(h)/2 - 1; i >= 0; i-- {
		for at := i; ; {
			child := 2*at + 1
			if child >= len(h) {
				break
			}
			if right := child + 1; right < len(h) && better(right, child) {
				child = right
			}
			if !better(child, at) {
				break
			}
			h[at], h[child] = h[child], h[at]
			at = child
		}
	}
	return c.feasible[h[0]]
}

// Feasible returns the nodes that passed the filters, in the order visited.
func (c *Cycle) Feasible() []cluster.NodeID { return c.feasible }

// TotalScore stands in the place of a plugin for the sum of all of them.
const TotalScore = "TOTAL"

// EachScore calls f for every feasible node with its total, and for every plugin
// that scored it with its weighted score. Nothing is scored where only one node was
// feasible.
func (a *Attempt) EachScore(f func(node cluster.NodeID, plugin string, score int64)) {
	c := a.cycle
	if len(c.feasible) < 2 || a.Node == cluster.None {
		return
	}
	for i, node := range c.feasible {
		for k := range c.profile.score {
			if p := &c.profile.score[k]; !c.skipScore.has(p.index) {
				f(node, p.plugin.Name(), c.scores[k][min(i, len(c.scores[k])-1)])
			}
		}
		for k := range c.ext.ranks {
			f(node, c.ext.ranks[k].name, c.ext.ranks[k].scores[i])
		}
		f(node, TotalScore, c.totals[i])
	}
}

func resize(s []int64, n int) []int64 {
	if cap(s) < n {
		return make([]int64, n)
	}
	return s[:n]
}
