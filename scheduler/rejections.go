package scheduler

import "github.com/berth-sim/berth/sim/model/cluster"

// rejections are the verdicts of a cycle on the nodes that it rejected. They are counted by verdict while the nodes are
// visited, which is all that reasons and messages need. Nothing lists the nodes: whoever asks for them goes through the
// nodes of the cluster.
type rejections struct {
	cycle   uint32         // what the verdicts of this cycle are stamped with
	byNode  []nodeRejected // those of earlier cycles among them
	nodes   int            // how many are rejected
	tallies []tally        // by verdict of a filter
	latest  int            // the tally of the latest verdict: that of the next node is often the same
}

// nodeRejected is the verdict on a node, and the cycle that it is of.
type nodeRejected struct {
	cycle   uint32
	verdict Verdict
}

// tally is how many nodes have one verdict.
type tally struct {
	verdict Verdict
	nodes   int
}

// reset forgets all verdicts, in a cluster with so many ids of nodes.
func (r *rejections) reset(nodeIDs int) {
	if r.cycle++; r.cycle == 0 { // stamps begin again: none may be left of the first round
		clear(r.byNode)
		r.cycle = 1
	}
	if more := nodeIDs - len(r.byNode); more > 0 {
		r.byNode = append(r.byNode, make([]nodeRejected, more)...)
	}
	r.nodes, r.tallies, r.latest = 0, r.tallies[:0], 0
}

// of is the verdict on a node; Fits for one that is not rejected.
func (r *rejections) of(node cluster.NodeID) Verdict {
	if n := r.byNode[node]; n.cycle == r.cycle {
		return n.verdict
	}
	return Fits
}

// set notes the verdict on a node and returns the one that it had, which it replaces.
func (r *rejections) set(node cluster.NodeID, v Verdict) (before Verdict) {
	if before = r.of(node); before == Fits {
		r.nodes++
	}
	r.byNode[node] = nodeRejected{r.cycle, v}
	return before
}

// count adds to how many nodes have a verdict. Of the verdicts of filters there are few: a list is searched faster than a map.
func (r *rejections) count(v Verdict, by int) {
	if r.latest >= len(r.tallies) || r.tallies[r.latest].verdict != v {
		r.latest = r.find(v)
	}
	r.tallies[r.latest].nodes += by
}

// find is where the tally of a verdict is.
func (r *rejections) find(v Verdict) int {
	for i := range r.tallies {
		if r.tallies[i].verdict == v {
			return i
		}
	}
	r.tallies = append(r.tallies, tally{verdict: v})
	return len(r.tallies) - 1
}

// reject notes the verdict of a filter on a node that did not pass.
func (c *Cycle) reject(node cluster.NodeID, v Verdict) {
	c.note(node, v)
	c.rejectors.add(v.plugin())
}

// note notes a verdict. A node gets a second one where it is the nominated one, which was looked at alone before, or where
// an extender says something about it.
func (c *Cycle) note(node cluster.NodeID, v Verdict) {
	if before := c.rejections.set(node, v); before != Fits {
		c.count(before, -1)
	}
	c.count(v, 1)
}

// count adds to how many nodes have a verdict. Those of extenders, which can say something else of each node, are counted
// by their detail.
func (c *Cycle) count(v Verdict, by int) {
	if v.plugin() == c.profile.extender {
		c.ext.answers[v.Detail()].nodes += by
		return
	}
	c.rejections.count(v, by)
}

// CodeOf returns the code with which a node was rejected; for a node that was not visited, the code that it counts
// with.
func (c *Cycle) CodeOf(node cluster.NodeID) Code {
	if v := c.rejections.of(node); v != Fits {
		return v.Code()
	}
	return c.absent.Code
}

// CountOf returns for how many nodes of the cluster CodeOf returns that code. It does not visit the nodes.
func (c *Cycle) CountOf(code Code) int {
	n := 0
	for _, t := range c.rejections.tallies {
		if t.verdict.Code() == code {
			n += t.nodes
		}
	}
	for _, a := range c.ext.answers {
		if a.code == code {
			n += a.nodes
		}
	}
	if c.absent.Code == code {
		n += c.Cluster.NumNodes() - c.rejections.nodes
	}
	return n
}

// ReasonsOf returns the texts of a verdict.
func (c *Cycle) ReasonsOf(v Verdict) []string {
	return c.profile.plugins[v.plugin()].(FilterPlugin).Reasons(c, v)
}
