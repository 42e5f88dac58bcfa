package answers

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/capacity"
	"github.com/berth-sim/berth/sim/answers/explain"
)

// CapacitySchema is the version of the JSON form of capacities.
const CapacitySchema = "berth/capacity/v1"

// WriteCapacity writes how many replicas fit in the view's format. View.All is for every
// node: tables list them, and CSV has a row for each. JSON always has them.
func WriteCapacity(w io.Writer, r *capacity.Result, view output.View) error {
	page := capacityPage(r, view)
	return view.Write(w, output.Forms{
		Table:    page.Text,
		Markdown: page.Markdown,
		JSON: func() any {
			return struct {
				Schema string `json:"schema"`
				*capacity.Result
			}{CapacitySchema, r}
		},
		CSV: func() [][]string {
			if view.All {
				return nodeRecords(r)
			}
			return partRecords(r)
		},
	})
}

// partRecords has a row for each template.
func partRecords(r *capacity.Result) [][]string {
	rows := [][]string{{"template", "kind", "perSet", "sets", "replicas", "misplaced", "pooled", "usable", "split", "full", "stop"}}
	for i := range r.Fillings {
		f := &r.Fillings[i]
		room := []string{"", "", ""}
		if f.Room != nil {
			room = []string{strconv.Itoa(f.Room.AsOneNode), strconv.Itoa(f.Room.Usable), strconv.Itoa(f.Room.PerNode)}
			if f.Room.PerNode < 0 {
				room[2] = ""
			}
		}
		for _, p := range f.Parts {
			row := []string{p.Template, p.Kind, strconv.Itoa(p.Ratio), strconv.Itoa(f.Sets), strconv.Itoa(p.Replicas), strconv.Itoa(p.Misplaced)}
			rows = append(rows, append(append(row, room...), strconv.FormatBool(f.Full()), f.Why()))
		}
	}
	return rows
}

// nodeRecords has a row for each template and node.
func nodeRecords(r *capacity.Result) [][]string {
	rows := [][]string{{"template", "node", "type", "replicas", "plugin", "reasons", "resource", "left"}}
	for i := range r.Fillings {
		f := &r.Fillings[i]
		for k := range f.Parts {
			for _, n := range f.Nodes {
				row := []string{f.Parts[k].Template, n.Name, n.Type, strconv.Itoa(n.Replicas[k]), n.Plugin, strings.Join(n.Reasons, "; ")}
				if len(n.Left) == 0 {
					rows = append(rows, append(row, "", ""))
				}
				for _, left := range n.Left {
					rows = append(rows, append(row[:6:6], left.Resource, strconv.FormatInt(left.Amount, 10)))
				}
			}
		}
	}
	return rows
}

func capacityPage(r *capacity.Result, view output.View) *table.Page {
	p := &table.Page{Title: fmt.Sprintf("Room for more on %s with %s", human.Counted(r.Nodes, "node"), human.Counted(r.Running, "pod"))}
	if text := pendingFirst(r); text != "" {
		p.Answer = append(p.Answer, text)
	}
	for i := range r.Fillings {
		p.Answer = append(p.Answer, answerOf(&r.Fillings[i]))
	}
	p.Sections = append(p.Sections, roomSection(r))
	for i := range r.Fillings {
		f := &r.Fillings[i]
		p.Sections = append(p.Sections, stopSection(f, view))
	}
	return p
}

func pendingFirst(r *capacity.Result) string {
	pending := human.Counted(r.Pending, "pending pod")
	switch {
	case r.Pending == 0:
		return ""
	case !r.First && r.Pending == 1:
		return "The pending pod of the snapshot is ignored."
	case !r.First:
		return fmt.Sprintf("The %s of the snapshot are ignored.", pending)
	}
	text := fmt.Sprintf("The %s of the snapshot came first: %s of them got a node", pending, human.Whole(r.Placed))
	if r.Pending == 1 {
		text = "The pending pod of the snapshot came first, and got " + map[int]string{0: "no", 1: "a"}[r.Placed] + " node"
	}
	if r.Victims > 0 {
		text += fmt.Sprintf(", for which %s had to go", human.Counted(r.Victims, "pod"))
	}
	return text + "."
}

// answerOf says in a few sentences how many fit, and what stops the next one.
func answerOf(f *capacity.Filling) string {
	text := fits(f) + misplaced(f)
	if f.Victims > 0 {
		text += fmt.Sprintf(" %s of lower priority had to go for them.", human.Counted(f.Victims, "pod"))
	}
	text += costs(f)
	switch {
	case !f.Full():
		text += " More were not asked for."
	case f.Gate != "":
		text += fmt.Sprintf(" The next one is not even tried: %s.", f.Gate)
	default:
		text += fmt.Sprintf(" The next %s finds no node: %s", f.Parts[f.Stopped].Template, f.Why())
	}
	if s := f.Stop; s != nil && s.Preemption != nil {
		text += fmt.Sprintf(" With --preempt it could preempt %s of lower priority on %s.",
			human.Counted(len(s.Preemption.Victims), "pod"), s.Preemption.Node)
	}
	return text
}

// misplaced says how many of the replicas their node has no devices for.
func misplaced(f *capacity.Filling) string {
	n := 0
	for i := range f.Parts {
		n += f.Parts[i].Misplaced
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" %s of them %s the devices asked for: the policy does not look at single devices.", human.Whole(n), human.Verb(n, "lack"))
}

// costs says how many more there could be, on the nodes that there are.
func costs(f *capacity.Filling) string {
	if f.Room == nil || !f.Full() || f.Gate != "" || f.Room.Usable == f.Sets {
		return ""
	}
	if f.Room.PerNode < 0 {
		return fmt.Sprintf(" Fragmentation, and rules about pods, ports and volumes, cost %s.", human.Counted(f.Room.Usable-f.Sets, "more set"))
	}
	split, rules := f.Room.Usable-f.Room.PerNode, f.Room.PerNode-f.Sets
	switch {
	case rules == 0:
		return fmt.Sprintf(" Fragmentation costs %s more.", human.Whole(split))
	case split == 0:
		return fmt.Sprintf(" Rules about pods, ports and volumes cost %s more.", human.Whole(rules))
	}
	return fmt.Sprintf(" Fragmentation costs %s more, rules about pods, ports and volumes %s.", human.Whole(split), human.Whole(rules))
}

func fits(f *capacity.Filling) string {
	if len(f.Parts) == 1 {
		switch p := &f.Parts[0]; p.Replicas {
		case 0:
			return p.Template + ": no replica fits."
		case 1:
			return p.Template + ": 1 more replica fits."
		default:
			return fmt.Sprintf("%s: %s more replicas fit.", p.Template, human.Whole(p.Replicas))
		}
	}
	var set, sum, rest []string
	for _, p := range f.Parts {
		set = append(set, human.Whole(p.Ratio)+" "+p.Template)
		sum = append(sum, human.Whole(p.Sets(f))+" "+p.Template)
		if over := p.Replicas - p.Sets(f); over > 0 {
			rest = append(rest, human.Whole(over)+" "+p.Template)
		}
	}
	more := ""
	if len(rest) > 0 {
		more = ", and " + human.List(rest) + " of one more"
	}
	switch {
	case f.Sets > 0:
		return fmt.Sprintf("%s: %s of them %s, that is %s%s.", human.List(set), human.Counted(f.Sets, "set"), human.Verb(f.Sets, "fit"), human.List(sum), more)
	case len(rest) > 0:
		return fmt.Sprintf("%s: no set of them fits, only %s of one.", human.List(set), human.List(rest))
	}
	return fmt.Sprintf("%s: no set of them fits.", human.List(set))
}

// roomSection says where the room went that does not hold replicas.
func roomSection(r *capacity.Result) table.Section {
	c := table.Section{Title: "From free room to replicas"}
	t := table.Table{Head: []string{"template", "asks for", "pooled", "barred", "split", "rules", "fit"}, Words: []int{1}}
	for i := range r.Fillings {
		f := &r.Fillings[i]
		for k := range f.Parts {
			t.Rows = append(t.Rows, append([]string{f.Parts[k].Template, requests(f.Parts[k].Requests)}, losses(f, k)...))
		}
	}
	switch {
	case r.Preempt:
		t.Head = append(t.Head[:2:2], "fit")
	case len(r.Fillings) == 1 && len(r.Fillings[0].Parts) > 1:
		t.Head = append(t.Head[:4:4], "split, rules", "fit")
		fallthrough
	default:
		c.Sentences = []string{"Pooled is what would fit if all free capacity were on one node. Capacity lost to constraints (barred): nodes that the pod may not use. " +
			"Capacity lost to fragmentation (split): free amounts too small for one pod. Capacity lost to rules (rules): those about pods, ports and volumes."}
	}
	c.Tables = []table.Table{t}
	return c
}

func requests(list []capacity.Amount) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, explain.RoundedQuantity(a.Resource, a.Amount)+" "+a.Resource)
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// losses are the cells of a template from what would fit to what does, in replicas.
func losses(f *capacity.Filling, part int) []string {
	p := &f.Parts[part]
	fit := human.Whole(p.Sets(f))
	if f.Room == nil {
		return []string{fit}
	}
	n := p.Ratio
	lost := func(sets int) string {
		if sets == 0 {
			return "0"
		}
		return "−" + human.Whole(sets*n)
	}
	cells := []string{human.Whole(f.Room.AsOneNode * n), lost(f.Room.AsOneNode - f.Room.Usable)}
	known := f.Full() && f.Gate == ""
	switch {
	case len(f.Parts) > 1 && known:
		return append(cells, lost(f.Room.Usable-f.Sets), fit)
	case len(f.Parts) > 1:
		return append(cells, human.None, fit)
	case known:
		return append(cells, lost(f.Room.Usable-f.Room.PerNode), lost(f.Room.PerNode-f.Sets), fit)
	}
	return append(cells, human.None, human.None, fit)
}
