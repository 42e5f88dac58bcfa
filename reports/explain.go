package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/world"
)

// ExplainSchema is the version of the JSON form of explanations.
const ExplainSchema = "berth/explain/v1"

// WriteExplanation writes why a pod is where it is, as tables or as one JSON object. It
// fails for another format.
func WriteExplanation(w io.Writer, e *explain.Explanation, view View) error {
	switch view.Format {
	case FormatJSON:
		return writeExplanationJSON(w, e)
	case FormatTable:
		return (&explanation{e, max(view.Width, minWidth)}).write(w)
	}
	return fmt.Errorf("there is no format %q for explanations", view.Format)
}

// writeExplanationJSON writes the fields of explain.Explanation; instants are seconds, or
// null where there is no clock.
func writeExplanationJSON(w io.Writer, e *explain.Explanation) error {
	type later struct {
		What    string   `json:"what"`
		Seconds *float64 `json:"seconds"`
	}
	type wait struct {
		Stage   world.Stage         `json:"stage"`
		Seconds *float64            `json:"seconds"`
		Until   *float64            `json:"until"`
		Gang    *explain.GangWait   `json:"gang"`
		Claims  []explain.ClaimWait `json:"claims"`
	}
	out := struct {
		Schema  string   `json:"schema"`
		Seconds *float64 `json:"seconds"`
		*explain.Explanation
		Anew  *float64 `json:"madeAnew"`
		Wait  *wait    `json:"wait"`
		Later []later  `json:"later"`
	}{Schema: ExplainSchema, Explanation: e, Later: []later{}}
	seconds := func(at clock.Time) *float64 {
		if !e.Clock || at == clock.Forever {
			return nil
		}
		s := at.Seconds()
		return &s
	}
	out.Seconds = seconds(e.At)
	if e.Anew > 0 {
		out.Anew = seconds(e.Anew)
	}
	if w := e.Wait; w != nil {
		out.Wait = &wait{w.Stage, seconds(w.Since), seconds(w.Until), w.Gang, append([]explain.ClaimWait{}, w.Claims...)}
	}
	for _, h := range e.Later {
		out.Later = append(out.Later, later{h.What, seconds(h.At)})
	}
	return WriteJSON(w, out)
}

// explanation is an explanation in tables.
type explanation struct {
	*explain.Explanation
	width int
}

func (e *explanation) write(w io.Writer) error {
	var b bytes.Buffer
	for _, sentence := range e.answer() {
		b.WriteString(strings.Join(wrap(sentence, e.width), "\n") + "\n")
	}
	for _, part := range e.parts() {
		if len(part.rows) == 0 && len(part.sentences) == 0 {
			continue
		}
		b.WriteString("\n" + strings.ToUpper(part.title) + "\n\n")
		for _, sentence := range part.sentences {
			b.WriteString(strings.Join(wrap(sentence, e.width), "\n") + "\n")
		}
		if len(part.rows) == 0 {
			continue
		}
		if len(part.sentences) > 0 {
			b.WriteString("\n")
		}
		lines, err := part.draw(e.width)
		if err != nil {
			return err
		}
		b.WriteString(strings.Join(lines, "\n") + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// part is a table under a heading, with sentences above it.
type part struct {
	title     string
	sentences []string
	grid
	notes bool // the last column is text, to be broken into lines
}

func (p *part) draw(width int) ([]string, error) {
	if p.notes {
		drawn, err := p.grid.notes(width)
		return drawn.lines, err
	}
	var blocks []block
	for _, g := range p.split(width) {
		g.words = p.words
		drawn, err := g.block()
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, drawn)
	}
	return flow(blocks, width), nil
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
		if e.Anew > 0 {
			what += fmt.Sprintf(" since it was re-created at %s", e.Anew)
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
	if p := e.MadeRoom; p != nil {
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
		out = append(out, fmt.Sprintf("There is also %s.", and(e.Namesakes)))
	}
	return out
}

func (e *explanation) searched() string {
	s := e.Search
	text := fmt.Sprintf("Looked at %s of %s from position %d on: %s feasible",
		grouped(float64(s.Evaluated), 0), counted(float64(s.Nodes), "node"), s.StartIndex, grouped(float64(s.Feasible), 0))
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
	return cmp.Or(strings.Join(texts, ", "), "nobody")
}
