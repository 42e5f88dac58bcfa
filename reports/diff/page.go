package diff

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/model/clock"
)

// runNames are what reports call the runs.
var runNames = [2]string{"run 1", "run 2"}

// Render writes the differences as tables, as Markdown or as one JSON object.
func (d *Diff) Render(w io.Writer, view output.View) error {
	page := d.page(view.All)
	return view.Write(w, output.Forms{Table: page.Text, Markdown: page.Markdown, JSON: func() any { return d.object() }})
}

func (d *Diff) page(all bool) *table.Page {
	p := &table.Page{
		Title:  d.scenario(),
		Of:     []string{runNames[0] + ": " + d.Names[0], runNames[1] + ": " + d.Names[1]},
		Answer: d.answer(),
		Sections: []table.Section{
			d.madeFromSection(), d.whereSection(), d.scoresSection(), d.followedSection(), d.podsSection(),
			d.figuresSection(all),
		},
	}
	if d.Equal() && !all {
		p.Sections = p.Sections[:1]
	}
	return p
}

// figuresSection has a row for each metric that matters and differs by what matters, or for all metrics.
func (d *Diff) figuresSection(all bool) table.Section {
	t := compare.DeltaTable(runNames, d.Deltas, all)
	if len(t.Rows) == 0 {
		return table.Section{}
	}
	title := "Figures that differ by what matters"
	if all {
		title = "Figures"
	}
	const text = "One run of each shows that they differ, and not which one is better in general: berth compare does, with several seeds."
	return table.Section{Title: title, Sentences: []string{text}, Tables: []table.Table{t}}
}

func (d *Diff) scenario() string {
	a, b := d.Runs[0].Manifest.Scenario, d.Runs[1].Manifest.Scenario
	if a == b {
		return a
	}
	return a + " and " + b
}

// answer says in a few sentences what differs.
func (d *Diff) answer() []string {
	var out []string
	for _, f := range d.Facts {
		if !f.Same {
			out = append(out, fmt.Sprintf("They are not of the same arrivals: the %s is %s in %s and %s in %s. Pods are matched by their names all the same.",
				f.Name, f.Values[0], runNames[0], f.Values[1], runNames[1]))
			break
		}
	}
	switch {
	case d.Equal():
		text := fmt.Sprintf("The same happened in both: %s are equal.", human.Counted(d.Runs[0].Records, "record"))
		if len(d.Facts) > 0 {
			text += " Only what they were made from differs."
		}
		return append(out, text)
	case d.First.ends[0] > 0:
		out = append(out, fmt.Sprintf("The same happens in both until run 1 ends, at %s.", d.First.ends[0]))
	case d.First.ends[1] > 0:
		out = append(out, fmt.Sprintf("The same happens in both until run 2 ends, at %s.", d.First.ends[1]))
	case d.Divergence == nil:
		out = append(out, fmt.Sprintf("Every attempt that is in both runs leads to the same. Their logs differ from line %d on.", d.First.Line))
	default:
		out = append(out, strings.TrimSpace(d.Divergence.sentence()+" "+d.Divergence.why()))
	}
	followed := d.Pods.sentence()
	var clauses []string
	for _, delta := range d.Deltas {
		if text := delta.Sentence(); text != "" && len(clauses) < maxDeltas {
			clauses = append(clauses, text)
		}
	}
	if len(clauses) > 0 {
		followed += fmt.Sprintf(" Run 2 %s.", strings.Join(clauses, ", "))
	}
	return append(out, followed)
}

// maxDeltas is the most metrics that the answer names.
const maxDeltas = 3

// sentence counts the pods with different outcomes.
func (t *Tally) sentence() string {
	if t.Changed == 0 {
		return "No pod had a different outcome."
	}
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, human.Whole(n)+" "+what)
		}
	}
	add(t.OtherNode, "ended elsewhere")
	for s, name := range runNames {
		add(t.Pending[s], "pending at the end in "+name+" alone")
		add(t.Preempted[s], "preempted in "+name+" alone")
		add(t.Only[s], "in "+name+" alone")
	}
	return fmt.Sprintf("%s of %s had different outcomes: %s.", human.Whole(t.Changed), human.Counted(t.Pods, "pod"), strings.Join(parts, ", "))
}

// madeFromSection has a row for each fact that differs.
func (d *Diff) madeFromSection() table.Section {
	t := newTable([]int{1, 2}, "", runNames[0], runNames[1])
	for _, f := range d.Facts {
		t.Rows = append(t.Rows, []string{f.Name, cmp.Or(f.Values[0], human.None), cmp.Or(f.Values[1], human.None)})
	}
	return table.Section{Title: "Made from", Tables: []table.Table{t}}
}

// followedSection has a row for each workload.
func (d *Diff) followedSection() table.Section {
	t := newTable(nil, "workload", "pods", "differ", "elsewhere")
	columns := []func(l *Tally) string{
		func(l *Tally) string { return human.Whole(l.Pods) },
		func(l *Tally) string { return human.Whole(l.Changed) },
		func(l *Tally) string { return human.Whole(l.OtherNode) },
	}
	for _, kind := range []struct {
		head string
		of   func(l *Tally) [2]int64
	}{
		{"pending", func(l *Tally) [2]int64 { return l.Pending }},
		{"preempted", func(l *Tally) [2]int64 { return l.Preempted }},
		{"there", func(l *Tally) [2]int64 { return l.Only }},
	} {
		if kind.of(&d.Pods) != [2]int64{} {
			t.Head = append(t.Head, kind.head+" in 1 / 2 only")
			columns = append(columns, func(l *Tally) string {
				n := kind.of(l)
				return human.Whole(n[0]) + " / " + human.Whole(n[1])
			})
		}
	}
	row := func(name string, l *Tally) {
		cells := []string{name}
		for _, of := range columns {
			cells = append(cells, of(l))
		}
		t.Rows = append(t.Rows, cells)
	}
	for i := range d.Workloads {
		row(d.Workloads[i].Workload, &d.Workloads[i].Tally)
	}
	if len(d.Workloads) > 1 {
		row("all", &d.Pods)
	}
	return table.Section{Title: "What followed", Tables: []table.Table{t}}
}

// podsSection has a row for each of the pods that are listed.
func (d *Diff) podsSection() table.Section {
	c := table.Section{Title: "Pods with different outcomes"}
	if rest := d.Pods.Changed - int64(len(d.Worst)); rest > 0 && len(d.Worst) > 0 {
		c.Sentences = []string{fmt.Sprintf("The worst %d, and %s more; --pods lists all.", len(d.Worst), human.Whole(rest))}
	}
	t := newTable([]int{1, 2}, "pod", runNames[0], runNames[1], "run 2 waits")
	for i := range d.Worst {
		p := &d.Worst[i]
		waits := human.None
		if !p.Only[0] && !p.Only[1] {
			waits = describeExtraWait(p.extraWait())
		}
		t.Rows = append(t.Rows, []string{p.Name, p.Outcomes[0].text(), p.Outcomes[1].text(), waits})
	}
	c.Tables = []table.Table{t}
	return c
}

// text describes an outcome in a few words.
func (f *PodOutcome) text() string {
	text := f.Node
	switch f.State {
	case Absent:
		return human.None
	case Pending:
		text = string(f.State)
	case Assumed, Starting, Terminating:
		text = f.Node + ", " + string(f.State)
	case Gone:
		text = strings.TrimPrefix(f.Node+", gone", ", ")
	}
	if f.Preempted > 0 {
		text += fmt.Sprintf(", preempted %d×", f.Preempted)
	}
	return text
}

// describeExtraWait says how much longer a pod waited.
func describeExtraWait(by clock.Time) string {
	switch {
	case by < 0:
		return human.Seconds((-by).Seconds()) + " less"
	case by > 0:
		return human.Seconds(by.Seconds()) + " longer"
	}
	return "as long"
}

func newTable(words []int, head ...string) table.Table {
	return table.Table{Head: head, Words: words}
}
