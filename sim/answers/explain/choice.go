package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Choice is how one of several feasible nodes was chosen.
type Choice struct {
	Plugins []string `json:"plugins"` // that scored, in the order of the profile
	Winner  Row      `json:"winner"`
	// RunnerUp is the best node with a lower total; nil: there is none.
	RunnerUp *Row `json:"runnerUp"`
	// Ties is how many nodes have the highest total, TieBreak how one of them is taken.
	Ties     int    `json:"ties"`
	TieBreak string `json:"tieBreak"`
	// ByExtender: other nodes of that total were skipped, for nodes that an extender scored.
	ByExtender bool `json:"byExtender,omitempty"`
	// Top are the best nodes, the winner first, the runner-up in any case among them.
	Top  []Row   `json:"top"`
	Rest []Level `json:"rest"` // the others, by total
	// Decided are the plugins without whose scores a node of a lower total would have caught
	// up with the winner.
	Decided []string `json:"decided"`
}

// Row is the scores of one node.
type Row struct {
	Node   string  `json:"node"`
	Scores []int64 `json:"scores"` // weighted, by plugin
	Total  int64   `json:"total"`
}

// Level is nodes of one total.
type Level struct {
	Total int64  `json:"total"`
	Nodes int    `json:"nodes"`
	Node  string `json:"node"` // the first of them by name
}

// table is the scores of an attempt.
type table struct {
	plugins []string
	nodes   []cluster.NodeID
	scores  [][]int64 // by node, then plugin
	totals  []int64
}

func (x *analysis) table() *table {
	t := &table{}
	var row []int64
	x.attempt.EachScore(func(node cluster.NodeID, plugin string, score int64) {
		if plugin != scheduler.TotalScore {
			if len(t.nodes) == 0 {
				t.plugins = append(t.plugins, plugin)
			}
			row = append(row, score)
			return
		}
		t.nodes, t.scores, t.totals = append(t.nodes, node), append(t.scores, row), append(t.totals, score)
		row = make([]int64, 0, len(t.plugins))
	})
	return t
}

// choice is nil where there was none: a single node was feasible.
func (x *analysis) choice() *Choice {
	t := x.table()
	if len(t.nodes) < 2 {
		return nil
	}
	winner := slices.Index(t.nodes, x.attempt.Node)
	order := make([]int, len(t.nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch winner {
		case a:
			return -1
		case b:
			return 1
		}
		return cmp.Or(cmp.Compare(t.totals[b], t.totals[a]), strings.Compare(x.nameOf(t, a), x.nameOf(t, b)))
	})
	c := &Choice{
		Plugins: t.plugins, Ties: len(x.attempt.Ties), TieBreak: string(x.attempt.TieBreak), ByExtender: t.count(t.totals[winner]) > len(x.attempt.Ties),
		Winner: x.row(t, winner), Rest: []Level{}, Decided: []string{},
	}
	shown := min(max(x.options.Top, 2), len(order))
	if next := slices.IndexFunc(order, func(i int) bool { return t.totals[i] < t.totals[winner] }); next > 0 {
		row := x.row(t, order[next])
		c.RunnerUp = &row
		if next >= shown { // in the place of an equal of the winner
			second := order[next]
			copy(order[shown:next+1], order[shown-1:next])
			order[shown-1] = second
		}
	}
	for _, i := range order[:shown] {
		c.Top = append(c.Top, x.row(t, i))
	}
	for _, i := range order[shown:] {
		if last := len(c.Rest) - 1; last >= 0 && c.Rest[last].Total == t.totals[i] {
			c.Rest[last].Nodes++
			continue
		}
		c.Rest = append(c.Rest, Level{t.totals[i], 1, x.nameOf(t, i)})
	}
	for p, plugin := range t.plugins {
		if t.losesWithout(winner, p) {
			c.Decided = append(c.Decided, plugin)
		}
	}
	return c
}

// count is how many nodes have that total.
func (t *table) count(total int64) int {
	n := 0
	for _, of := range t.totals {
		if of == total {
			n++
		}
	}
	return n
}

// losesWithout reports whether, without one plugin's scores, a node behind the winner would
// catch up with it.
func (t *table) losesWithout(winner, plugin int) bool {
	for i := range t.totals {
		ahead := t.totals[winner] - t.totals[i]
		if ahead > 0 && ahead <= t.scores[winner][plugin]-t.scores[i][plugin] {
			return true
		}
	}
	return false
}

func (x *analysis) nameOf(t *table, i int) string { return x.cluster.Node(t.nodes[i]).Name }

func (x *analysis) row(t *table, i int) Row {
	return Row{x.nameOf(t, i), t.scores[i], t.totals[i]}
}

// rowOf is the row of a node, nil if it was not scored.
func (x *analysis) rowOf(node cluster.NodeID) *Row {
	t := x.table()
	i := slices.Index(t.nodes, node)
	if i < 0 {
		return nil
	}
	row := x.row(t, i)
	return &row
}
