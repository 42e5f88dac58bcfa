package upgrades

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/compare"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
)

// Schema names the form of the JSON.
const Schema = "berth/upgrade/v1"

// Render writes the answer in the view's format.
func (u *Upgrade) Render(w io.Writer, view output.View) error {
	page := u.page(view.All)
	return view.Write(w, output.Forms{Table: page.Text, Markdown: page.Markdown, JSON: func() any { return u.object() }})
}

func (u *Upgrade) page(all bool) *table.Page {
	title := u.Subject
	if u.Partial {
		title += " (partial)"
	}
	p := &table.Page{Title: title, Of: []string{u.of()}, Answer: u.answer(), Sections: []table.Section{u.releases()}}
	for i := range u.Steps {
		p.Sections = append(p.Sections, u.step(&u.Steps[i], all)...)
	}
	return p
}

// of says what the releases were compared on.
func (u *Upgrade) of() string {
	names := make([]string, len(u.Releases))
	for i, r := range u.Releases {
		names[i] = r.Name
	}
	text := fmt.Sprintf("Kubernetes %s, policy %s", human.List(names), u.Policy)
	if !u.OneShot {
		text += fmt.Sprintf(", seed %d", u.Seed)
	}
	return text
}

// answer has a sentence for each step.
func (u *Upgrade) answer() []string {
	var out []string
	for i := range u.Steps {
		out = append(out, u.Steps[i].sentence())
	}
	return out
}

func (s *Step) sentence() string {
	name := fmt.Sprintf("From %s to %s", s.From, s.To)
	if s.Divergence == nil {
		return name + " nothing changes."
	}
	if s.Divergence.TextOnly {
		return fmt.Sprintf("%s only messages change, %s.", name, s.because())
	}
	if s.Change.IsNone() {
		return fmt.Sprintf("%s every pod ends as before, and attempts differ, %s.", name, s.because())
	}
	return fmt.Sprintf("%s %s, %s.", name, s.Change.text(), s.because())
}

// because names what makes the difference.
func (s *Step) because() string {
	var names []string
	for _, r := range s.Rules {
		names = append(names, r.Rule)
	}
	for _, set := range s.Together {
		names = append(names, strings.Join(set, " with "))
	}
	text := "by " + human.Counted(len(names), "rule") + ": " + human.List(names)
	if len(names) == 1 && len(s.Together) == 0 {
		text = "by the rule " + names[0]
	}
	if s.Rest {
		text += ", and by how these act together with others"
	}
	return text
}

// text lists the counts that are not 0.
func (c *Change) text() string {
	var parts []string
	for _, part := range c.parts() {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", human.Counted(part.n, "pod"), part.what[part.n == 1]))
		}
	}
	return human.List(parts)
}

type changePart struct {
	n    int
	what map[bool]string // by whether it is one
}

func (c *Change) parts() []changePart {
	each := func(one, many string) map[bool]string { return map[bool]string{true: one, false: many} }
	return []changePart{
		{c.Lost, each("loses its node", "lose their nodes")}, {c.Gained, each("gets a node", "get nodes")},
		{c.Moved, each("goes to another node", "go to other nodes")},
		{c.Sooner, each("is bound sooner", "are bound sooner")}, {c.Later, each("is bound later", "are bound later")},
		{c.Messages, each("gets another message", "get other messages")},
	}
}

// releases has a row for each release.
func (u *Upgrade) releases() table.Section {
	t := table.Table{Head: []string{"Kubernetes", "pods", "placed", "attempts", "victims"}}
	if !u.OneShot {
		t.Head = append(t.Head, "wait, mean", "wait, max")
	}
	for _, r := range u.Releases {
		row := []string{r.Name, human.Whole(r.Pods), human.Whole(r.Placed), human.Whole(r.Attempts), human.Whole(r.Victims)}
		if !u.OneShot {
			row = append(row, human.Seconds(r.MeanWait), human.Seconds(r.MostWait))
		}
		t.Rows = append(t.Rows, row)
	}
	return table.Section{Title: "Outcomes", Tables: []table.Table{t}}
}

// step has the first decision that parts, the rules, and the figures that differ.
func (u *Upgrade) step(s *Step, all bool) []table.Section {
	if s.Divergence == nil && !all {
		return nil
	}
	title := fmt.Sprintf("From %s to %s", s.From, s.To)
	var sections []table.Section
	if s.Divergence != nil {
		sections = append(sections, table.Section{
			Title:     title + ": the rules that make the difference",
			Sentences: append([]string{s.Divergence.sentence(s.From, s.To)}, s.notes()...), Tables: []table.Table{s.rules()},
		})
	}
	if figures := compare.DeltaTable([2]string{s.From, s.To}, s.Metrics, all); len(figures.Rows) > 0 {
		sections = append(sections, table.Section{Title: title + ": figures that differ by what matters", Tables: []table.Table{figures}})
	}
	if len(s.Idle) > 0 && all {
		sections = append(sections, table.Section{
			Title:     title + ": rules that make no difference here",
			Sentences: []string{strings.Join(s.Idle, ", ") + "."},
		})
	}
	return sections
}

// sentence says what the first decision is that differs.
func (p *Divergence) sentence(from, to string) string {
	what := "The first decision that differs is about pod %s%s: in %s it %s, in %s it %s."
	if p.TextOnly {
		what = "All decisions are the same. The first message that differs is about pod %s%s. In %s: %q. In %s: %q."
	}
	at := ""
	if p.Seconds > 0 {
		at = " at " + human.Seconds(p.Seconds)
	}
	return fmt.Sprintf(what, p.Pod, at, from, p.What[0], to, p.What[1])
}

// notes say what single rules do not explain.
func (s *Step) notes() []string {
	var out []string
	for _, set := range s.Together {
		out = append(out, fmt.Sprintf("Only together do these make a difference: %s.", human.List(set)))
	}
	if s.Rest {
		out = append(out, fmt.Sprintf("Together these rules do not give all of what happens in %s: the rest comes from how they act with the other rules.", s.To))
	}
	return out
}

// rules has a row for each rule that makes a difference by itself.
func (s *Step) rules() table.Table {
	t := table.Table{Head: []string{"rule", "changed alone"}, Words: []int{1}, Notes: true}
	for i := range s.Rules {
		t.Rows = append(t.Rows, []string{s.Rules[i].Rule, s.Rules[i].text()})
	}
	return t
}

// text says what the rule is and what changes with it.
func (r *RuleEffect) text() string {
	effect := r.Change.text()
	switch {
	case r.Divergence == nil:
		effect = "nothing changes"
	case r.Divergence.TextOnly:
		effect = "only messages change"
	case effect == "":
		effect = "every pod ends as before, and attempts differ"
	}
	if len(r.Change.Examples) > 0 {
		effect += "; one is " + r.Change.Examples[0]
	}
	return fmt.Sprintf("%s. %s Before: %s. After: %s.", effect, ended(r.Meaning), r.Meanings[0], r.Meanings[1])
}

// ended returns a sentence with its stop.
func ended(text string) string {
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

type object struct {
	Schema   string    `json:"schema"`
	Subject  string    `json:"subject"`
	Policy   string    `json:"policy"`
	Seed     *uint64   `json:"seed,omitempty"`
	Partial  bool      `json:"partial,omitempty"`
	Releases []Release `json:"releases"`
	Steps    []Step    `json:"steps"`
}

func (u *Upgrade) object() any {
	out := object{Schema, u.Subject, u.Policy, nil, u.Partial, u.Releases, slices.Clone(u.Steps)}
	if !u.OneShot {
		out.Seed = &u.Seed
	}
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Metrics = slices.DeleteFunc(slices.Clone(s.Metrics), func(d compare.Delta) bool { return d.Verdict() == "" })
	}
	return out
}
