package fleetplan

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/scaleup"
)

// NewNodes is which new nodes the pending pods of manifests need.
type NewNodes struct {
	Files []string
	*scaleup.Result
}

// NewNodesSchema names the form of the JSON.
const NewNodesSchema = "berth/newnodes/v1"

// Answer is which pool, and how many nodes, in a sentence or two.
func (n *NewNodes) Answer() []string {
	if len(n.Pending) == 0 {
		return []string{"no pod is pending that a new node could take"}
	}
	var out []string
	for i := range n.Chosen {
		o := &n.Chosen[i]
		pods := human.Counted(len(o.Pods), "pending pod")
		switch {
		case i > 0:
			pods = fmt.Sprintf("%s more", human.Whole(len(o.Pods)))
		case len(o.Pods) == len(n.Pending) && len(n.Pending) > 1:
			pods = "all " + pods
		case len(o.Pods) < len(n.Pending):
			pods = fmt.Sprintf("%s of %s", human.Whole(len(o.Pods)), human.Counted(len(n.Pending), "pending pod"))
		}
		text := fmt.Sprintf("%s of %s %s %s", human.Counted(o.Nodes, "new node"), o.Shape.Pool, human.Verb(o.Nodes, "take"), pods)
		if !math.IsNaN(o.Cost()) {
			text += ", for " + price(o.Cost()) + " an hour"
		}
		out = append(out, text)
	}
	if len(n.Unfit) > 0 {
		out = append(out, human.Counted(len(n.Unfit), "pod")+" would not fit on a new node of any pool")
	}
	if len(n.Chosen) > 0 && !n.Confirmed {
		out = append(out, fmt.Sprintf("the scheduler does not confirm this: it leaves %s without a node, also with some nodes more", human.Counted(len(n.Short), "pod")))
	}
	return out
}

func price(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return human.Number(v, 2)
}

// priced reports whether a price is known.
func (n *NewNodes) priced() bool {
	return slices.ContainsFunc(n.Offers, func(o scaleup.Offer) bool { return !math.IsNaN(o.Shape.Price) })
}

// Render writes the answer in the view's format. With view.All, pools that take no pod and all pods are shown too.
func (n *NewNodes) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table: func(width int) (string, error) { return n.text(width, view.All) },
		Markdown: func() string {
			return "# " + n.head() + "\n\n" + strings.Join(n.Answer(), "\n\n") + "\n\n## Each pool alone\n\n" + n.offers(view.All).Markdown() + "\n" + strings.Join(n.notes(view.All), "\n\n") + "\n"
		},
		JSON: func() any { return n.object() },
		CSV:  n.csv,
	})
}

func (n *NewNodes) text(width int, all bool) (string, error) {
	var b strings.Builder
	for _, text := range append([]string{n.head()}, n.Answer()...) {
		b.WriteString(table.Paragraph(text, width) + "\n")
	}
	if offers := n.offers(all); len(offers.Rows) > 0 {
		drawn, err := offers.Draw(width)
		if err != nil {
			return "", err
		}
		b.WriteString("EACH POOL ALONE\n\n" + drawn + "\n")
	}
	notes := n.notes(all)
	for i, note := range notes {
		b.WriteString(table.Paragraph(note, width))
		if i < len(notes)-1 {
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

func (n *NewNodes) head() string {
	return fmt.Sprintf("%s: new nodes for %s, beside %s", strings.Join(n.Files, ", "), human.Counted(len(n.Pending), "pending pod"), human.Counted(n.Nodes, "node"))
}

// offers has a row for each pool that takes a pod, or for all pools.
func (n *NewNodes) offers(all bool) table.Table {
	t := table.Table{Head: []string{"pool", "nodes today", "new nodes", "pods placed"}, Words: []int{0}}
	priced := n.priced()
	if priced {
		t.Head = append(t.Head, "price an hour")
	}
	for i := range n.Offers {
		o := &n.Offers[i]
		if len(o.Pods) == 0 && !all {
			continue
		}
		row := []string{o.Shape.Pool, human.Whole(o.Shape.Exist), human.Whole(o.Nodes), fmt.Sprintf("%s of %s", human.Whole(len(o.Pods)), human.Whole(len(n.Pending)))}
		if priced {
			row = append(row, price(o.Cost()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// unfitGroup is pods that fit no pool for the same reasons.
type unfitGroup struct {
	pods []string
	why  string
}

// unfitGroups returns the pods that fit no pool, grouped by their reasons, in the order of the first pod of each group.
func (n *NewNodes) unfitGroups() []unfitGroup {
	var groups []unfitGroup
	at := map[string]int{}
	for _, u := range n.Unfit {
		var reasons []string
		for _, r := range u.Why {
			reasons = append(reasons, r.Text+" ("+r.Pool+")")
		}
		why := strings.Join(reasons, "; ")
		i, known := at[why]
		if !known {
			i = len(groups)
			at[why] = i
			groups = append(groups, unfitGroup{why: why})
		}
		groups[i].pods = append(groups[i].pods, u.Pod)
	}
	return groups
}

// notes say which pods fit nowhere and why, and what the answer rests on.
func (n *NewNodes) notes(all bool) []string {
	var out []string
	groups := n.unfitGroups()
	shown := groups
	if !all {
		shown = shown[:min(len(shown), fewNames)]
	}
	for _, g := range shown {
		pods := "pod " + g.pods[0] + " fits"
		if len(g.pods) > 1 {
			pods = "pods " + few(g.pods, all) + " fit"
		}
		out = append(out, fmt.Sprintf("%s no pool: %s.", pods, g.why))
	}
	more := 0
	for _, g := range groups[len(shown):] {
		more += len(g.pods)
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%s more %s no pool: --all shows them.", human.Whole(more), human.Verb(more, "fit")))
	}
	if len(n.Gated) > 0 {
		out = append(out, fmt.Sprintf("Kept from the queue, so that no node helps them: %s: %s.", human.Counted(len(n.Gated), "pod"), few(n.Gated, all)))
	}
	if text := n.confirmation(all); text != "" {
		out = append(out, text)
	}
	return append(out, "A pool is made for each kind of node that pods of the manifests can distinguish, and for each template of the price list. Pods are put on new "+
		"nodes by the scheduler's filters, the largest first, each on the first that it fits. Then the scheduler places all pods again; if it needs more nodes, they are added.")
}

// confirmation reports whether the scheduler places the pods on the nodes that were chosen.
func (n *NewNodes) confirmation(all bool) string {
	switch {
	case len(n.Chosen) == 0:
		return ""
	case n.Confirmed:
		return "Confirmed: with these nodes the scheduler places these pods, and all that have a node today." + n.spread()
	}
	return fmt.Sprintf("Pods that stay without a node: %s. An incomplete gang, preemption or scores may be the reason: add such nodes to the manifests, and run berth explain.",
		few(n.Short, all))
}

// spread says why the answer has more nodes than the filters need, if it has; else it is empty.
func (n *NewNodes) spread() string {
	if len(n.Chosen) != 1 {
		return ""
	}
	for i := range n.Offers {
		alone := &n.Offers[i]
		if more := n.Chosen[0].Nodes - alone.Nodes; alone.Shape == n.Chosen[0].Shape && more > 0 {
			return fmt.Sprintf(" The filters alone need %s: the scheduler puts other pods on some new nodes too, by their scores.", human.Counted(alone.Nodes, "node"))
		}
	}
	return ""
}

type newNodesObject struct {
	Schema  string        `json:"schema"`
	Nodes   int           `json:"nodes"`
	Answer  []string      `json:"answer"`
	Pending []string      `json:"pending"`
	Gated   []string      `json:"gated"`
	Chosen  []offerObject `json:"chosen"`
	Pools   []offerObject `json:"pools"`
	Unfit   []unfitObject `json:"unfit"`
	// Confirmed is null where no node was chosen.
	Confirmed *bool    `json:"confirmed"`
	Short     []string `json:"short"`
}

type offerObject struct {
	Pool         string        `json:"pool"`
	NodesToday   int           `json:"nodesToday"`
	NewNodes     int           `json:"newNodes"`
	Pods         []string      `json:"pods"`
	PricePerHour output.Number `json:"pricePerHour"`
	Cost         output.Number `json:"cost"`
}

type unfitObject struct {
	Pod string         `json:"pod"`
	Why []reasonObject `json:"why"`
}

type reasonObject struct {
	Pool   string `json:"pool"`
	Reason string `json:"reason"`
}

func (n *NewNodes) object() newNodesObject {
	out := newNodesObject{
		Schema: NewNodesSchema, Nodes: n.Nodes, Answer: n.Answer(), Pending: append([]string{}, n.Pending...), Gated: append([]string{}, n.Gated...),
		Chosen: offersOf(n.Chosen), Pools: offersOf(n.Offers), Unfit: []unfitObject{}, Short: append([]string{}, n.Short...),
	}
	if len(n.Chosen) > 0 {
		out.Confirmed = &n.Confirmed
	}
	for _, u := range n.Unfit {
		of := unfitObject{Pod: u.Pod, Why: []reasonObject{}}
		for _, r := range u.Why {
			of.Why = append(of.Why, reasonObject{r.Pool, r.Text})
		}
		out.Unfit = append(out.Unfit, of)
	}
	return out
}

func offersOf(offers []scaleup.Offer) []offerObject {
	out := []offerObject{}
	for i := range offers {
		o := &offers[i]
		out = append(out, offerObject{o.Shape.Pool, o.Shape.Exist, o.Nodes, append([]string{}, o.Pods...), output.Number(o.Shape.Price), output.Number(o.Cost())})
	}
	return out
}

// csv has a row for each pool.
func (n *NewNodes) csv() [][]string {
	rows := [][]string{{"pool", "nodesToday", "newNodes", "podsPlaced", "pricePerHour", "cost"}}
	for i := range n.Offers {
		o := &n.Offers[i]
		rows = append(rows, []string{
			o.Shape.Pool, strconv.Itoa(o.Shape.Exist), strconv.Itoa(o.Nodes), strconv.Itoa(len(o.Pods)), output.FormatNumber(o.Shape.Price), output.FormatNumber(o.Cost()),
		})
	}
	return rows
}
