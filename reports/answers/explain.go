// Package answers shows the answers to questions about one state of a cluster: why a pod is where it is, how many more fit,
// and where berth place put pods.
package answers

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// ExplainSchema is the version of the JSON form of explanations.
const ExplainSchema = "berth/explain/v1"

// WriteExplanation writes why a pod is where it is, as tables or as one JSON object. It
// fails for another format.
func WriteExplanation(w io.Writer, e *explain.Explanation, view output.View) error {
	return view.Write(w, output.Forms{
		Table: (&explanation{e}).text,
		JSON:  func() any { return explanationObject(e) },
	})
}

// explanationObject has the fields of explain.Explanation; instants are seconds, or null where there is no clock.
func explanationObject(e *explain.Explanation) any {
	type later struct {
		What    string   `json:"what"`
		Seconds *float64 `json:"seconds"`
	}
	type wait struct {
		Stage   record.Stage        `json:"stage"`
		Seconds *float64            `json:"seconds"`
		Until   *float64            `json:"until"`
		Gang    *explain.GangWait   `json:"gang"`
		Claims  []explain.ClaimWait `json:"claims"`
	}
	out := struct {
		Schema  string   `json:"schema"`
		Seconds *float64 `json:"seconds"`
		*explain.Explanation
		Recreated *float64 `json:"recreated"`
		Wait      *wait    `json:"wait"`
		Later     []later  `json:"later"`
	}{Schema: ExplainSchema, Explanation: e, Later: []later{}}
	seconds := func(at clock.Time) *float64 {
		if !e.Clock || at == clock.Forever {
			return nil
		}
		s := at.Seconds()
		return &s
	}
	out.Seconds = seconds(e.At)
	if e.Recreated > 0 {
		out.Recreated = seconds(e.Recreated)
	}
	if w := e.Wait; w != nil {
		out.Wait = &wait{w.Stage, seconds(w.Since), seconds(w.Until), w.Gang, append([]explain.ClaimWait{}, w.Claims...)}
	}
	for _, h := range e.Later {
		out.Later = append(out.Later, later{h.What, seconds(h.At)})
	}
	return out
}

// explanation is an explanation in tables.
type explanation struct{ *explain.Explanation }

func (e *explanation) text(width int) (string, error) {
	var b strings.Builder
	for _, sentence := range e.answer() {
		b.WriteString(table.Paragraph(sentence, width))
	}
	for _, part := range e.parts() {
		section := part.section()
		text, err := section.Text(width)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// part is a section of one table.
type part struct {
	title     string
	sentences []string
	table.Table
}

func (p *part) section() table.Section {
	t := p.Table
	t.KeepTitles = true
	return table.Section{Title: p.title, Sentences: p.sentences, Tables: []table.Table{t}}
}

// answer is what became of the pod, in a few sentences.
func (e *explanation) answer() []string {
	what := e.Pod + ": " + e.State
	switch e.State {
	case explain.Placed, explain.Assumed, explain.Waiting:
		what += " on " + e.Node
	case explain.Running:
		what += fmt.Sprintf(" on %s from the start: it came with a node, and no scheduler looked at it", e.Node)
	case explain.Gated:
		what += ": it is kept from the queue, and no attempt was made"
	case explain.Queued:
		what += ": it has not been tried yet"
	}
	if e.Clock {
		what += fmt.Sprintf(", %s %s", map[bool]string{true: "at", false: "since"}[e.Attempt > 0], e.At)
	}
	if e.Attempt > 0 {
		what += fmt.Sprintf(", in attempt %d", e.Attempt)
		if e.Recreated > 0 {
			what += fmt.Sprintf(" since it was re-created at %s", e.Recreated)
		}
	}
	out := []string{what}
	if e.Wait != nil {
		out = append(out, e.waits())
	} else if e.State == explain.Waiting {
		out = append(out, "It held the node, and waited in Permit.")
	}
	if text := e.holds(); text != "" {
		out = append(out, text)
	}
	if e.Message != "" {
		out = append(out, e.Message)
	}
	if e.Attempt > 0 && e.State != explain.Failed {
		out = append(out, e.searched())
	}
	if p := e.EarlierPreemption; p != nil {
		out = append(out, fmt.Sprintf("Attempt %d had made room there by preemption of %s.", p.Attempt, victims(p)))
	}
	for _, h := range e.Later {
		text := "Later: " + h.What
		if e.Clock {
			text += fmt.Sprintf(", at %s", h.At)
		}
		out = append(out, text)
	}
	if len(e.Namesakes) > 0 {
		out = append(out, fmt.Sprintf("There is also %s.", human.List(e.Namesakes)))
	}
	return out
}

func (e *explanation) searched() string {
	s := e.Search
	text := fmt.Sprintf("Looked at %s of %s from position %d on: %s feasible",
		human.Whole(s.Evaluated), human.Counted(s.Nodes, "node"), s.StartIndex, human.Whole(s.Feasible))
	if s.Feasible == 1 && e.Node != "" {
		text += ", so nothing was scored"
	}
	return text + "."
}

func victims(p *explain.Preemption) string {
	texts := make([]string, len(p.Victims))
	for i, v := range p.Victims {
		texts[i] = fmt.Sprintf("%s (priority %d)", v.Pod, v.Priority)
	}
	return cmp.Or(strings.Join(texts, ", "), "none")
}
