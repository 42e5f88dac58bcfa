package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/cluster"
)

// Choice is how one of several feasible nodes was chosen.
type Choice struct {
	Plugins  []string `json:"plugins"` // that scored, in the order of the profile
	Winner   Row      `json:"winner"`
	RunnerUp Row      `json:"runnerUp"`
	// Ties is how many nodes have the highest total, TieBreak how one of them is taken.
	Ties     int     `json:"ties"`
	TieBreak string  `json:"tieBreak"`
	Top      []Row   `json:"top"`  // the best nodes, the winner first
	Rest     []Level `json:"rest"` // the nodes behind them, by total
	// Decided are the plugins without whose scores another node would have caught up with
	// the winner or, if it was equal, would have been ahead.
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
		Plugins: t.plugins, Ties: len(x.attempt.Ties), TieBreak: string(x.options.Tie),
		Winner: x.row(t, winner), RunnerUp: x.row(t, order[1]), Rest: []Level{}, Decided: []string{},
	}
	shown := min(max(x.options.Top, 1), len(order))
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

// losesWithout says whether, without one plugin's scores, a node behind the winner would
// catch up with it, or an equal one would be ahead.
func (t *table) losesWithout(winner, plugin int) bool {
	for i := range t.totals {
		ahead := t.totals[winner] - t.totals[i]
		left := ahead - (t.scores[winner][plugin] - t.scores[i][plugin])
		if left < 0 || left == 0 && ahead > 0 {
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
