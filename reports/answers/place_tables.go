package answers

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/overview"
	"github.com/berth-sim/berth/sim/answers/place"
)

// pools has a row for each pool, or for each zone.
func (p *placement) pools() table.Section {
	if p.view.WithoutNode || len(p.Pools.List) == 0 {
		return table.Section{}
	}
	t := table.Table{Head: []string{p.Pools.By, "nodes", "scheduled", "ran before"}}
	for i, pool := range p.Pools.List {
		if !p.all() && i == firstPools && len(p.Pools.List) > firstPools+1 {
			rest := overview.NodeGroup{}
			for _, more := range p.Pools.List[i:] {
				rest.Nodes, rest.Placed, rest.RunningBefore = rest.Nodes+more.Nodes, rest.Placed+more.Placed, rest.RunningBefore+more.RunningBefore
			}
			t.Rows = append(t.Rows, poolRow(fmt.Sprintf("%d more", len(p.Pools.List)-i), rest))
			break
		}
		t.Rows = append(t.Rows, poolRow(cmp.Or(pool.Name, human.None), pool))
	}
	return table.Section{Title: "Scheduled by " + p.Pools.By, Tables: []table.Table{t}}
}

func poolRow(name string, pool overview.NodeGroup) []string {
	return []string{name, human.Whole(pool.Nodes), human.Whole(pool.Placed), human.Whole(pool.RunningBefore)}
}

// reasons has two rows for each reason: the reason, and what would help.
func (p *placement) reasons() table.Section {
	t := table.Table{Head: []string{"such as", "pods", "why not, and what would help that pod"}, Words: []int{2}, Notes: true, KeepTitles: true}
	for i := range p.Reasons {
		if !p.all() && i == firstReasons && len(p.Reasons) > firstReasons+1 {
			rest := 0
			for k := range p.Reasons[i:] {
				rest += p.Reasons[i+k].Pods
			}
			t.Rows = append(t.Rows, []string{human.None, human.Whole(rest), fmt.Sprintf("%d more reasons: --all shows them", len(p.Reasons)-i)})
			break
		}
		r := &p.Reasons[i]
		t.Rows = append(t.Rows, []string{r.Example, human.Whole(r.Pods), why(r)})
		if text := help(r); text != "" {
			t.Rows = append(t.Rows, []string{"", "", text})
		}
	}
	return table.Section{Title: "Without a node", Tables: []table.Table{t}}
}

// why returns the reasons without how many nodes each is that of.
func why(r *overview.Reason) string {
	var texts []string
	for _, c := range r.Reasons {
		texts = append(texts, c.Reason)
	}
	text := cmp.Or(strings.Join(texts, ", "), r.Message, "not tried")
	if r.End == place.Gated || r.End == place.Failed {
		return string(r.End) + ": " + text
	}
	return text
}

// help returns the smallest change that would let the example fit; "" if none is known for pods that ended so.
func help(r *overview.Reason) string {
	switch {
	case r.End != place.Unschedulable || len(r.Reasons) == 0:
		return ""
	case len(r.Changes) == 0 && r.Untried != "":
		return "what would help is not known: " + r.Untried
	case len(r.Changes) == 0:
		return "no single change would help"
	}
	text := "would help: " + r.Changes[0].Text
	if more := len(r.Changes) - 1; more > 0 {
		text += fmt.Sprintf(", or %s (see berth explain)", human.Counted(more, "other change"))
	}
	return text
}

// pods has a row for each of the first pods.
func (p *placement) pods(shown int, wide bool) table.Section {
	t := table.Table{Head: []string{"pod", "node", "note"}, Words: []int{1, 2}, Notes: true}
	row := shortRow
	if wide {
		t.Head = []string{"pod", "node", "state", "attempts", "feasible", "score", "note"}
		t.Words, row = []int{1, 2, 6}, wideRow
	}
	for _, pod := range p.listed[:shown] {
		t.Rows = append(t.Rows, row(pod))
	}
	title := "Pods"
	if p.view.WithoutNode {
		title = "Pods without a node"
	}
	return table.Section{Title: title, Tables: []table.Table{t}}
}

func shortRow(p *overview.Pod) []string {
	note := p.Message
	if main, others := p.MainReason(); main != "" {
		if note = main; others > 0 {
			note += fmt.Sprintf(", and %d more", others)
		}
	}
	return []string{p.Name, cmp.Or(p.Node, human.None), notes(p, note)}
}

func wideRow(p *overview.Pod) []string {
	feasible, score := human.None, human.None
	if p.Attempts > 0 {
		feasible = fmt.Sprintf("%d/%d", p.Feasible, p.Evaluated)
	}
	if p.Scored {
		score = strconv.FormatInt(p.Score, 10)
	}
	return []string{p.Name, cmp.Or(p.Node, human.None), string(p.End), human.Whole(p.Attempts), feasible, score, notes(p, p.Message)}
}

// notes puts what preemption and devices have to do with the pod before its message.
func notes(p *overview.Pod, message string) string {
	var texts []string
	switch {
	case len(p.Victims) > 0:
		texts = append(texts, "preempts "+strings.Join(p.Victims, ", "))
	case p.Nominated != "" && p.Node == "":
		texts = append(texts, "nominated to "+p.Nominated)
	}
	if p.Misplaced {
		texts = append(texts, "without the devices that it asks for")
	} else if len(p.Held) > 0 {
		texts = append(texts, numberedDevices(p.Held))
	}
	if message != "" {
		if p.End == place.Gated {
			message = "gated: " + message
		}
		texts = append(texts, message)
	}
	return strings.Join(texts, "; ")
}
