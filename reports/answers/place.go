package answers

import (
	"fmt"
	"io"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/overview"
)

// PlaceSchema is the version of the JSON form of placements.
const PlaceSchema = "berth/place/v1"

// PlacementView says how a placement is shown. With All tables list every pod and every reason.
type PlacementView struct {
	output.View
	WithoutNode bool // only pods that have no node, all of them
}

// What a summary shows of things of which there can be very many.
const (
	firstPods    = 20
	firstReasons = 4
	firstPools   = 6
	// screenLines is how long a summary may be: fewer pods are shown before it is longer, but at least leastPods.
	screenLines = 48
	leastPods   = 5
)

// WritePlacement writes how a placement ended in the view's format: as a summary with the first pods in a table, or with
// every pod as JSON, as CSV, or as the names of the pods.
func WritePlacement(w io.Writer, o *overview.Outcome, view PlacementView) error {
	p := &placement{Outcome: o, view: view}
	for i := range o.Pods {
		if !view.WithoutNode || !o.Pods[i].Placed() {
			p.listed = append(p.listed, &o.Pods[i])
		}
	}
	return view.Write(w, output.Forms{
		Table:    func(width int) (string, error) { return p.text(width, false) },
		Wide:     func(width int) (string, error) { return p.text(width, true) },
		Markdown: p.markdown,
		JSON:     func() any { return placementObject(p) },
		CSV:      p.records,
		Name:     p.names,
	})
}

// placement is an outcome as it is shown.
type placement struct {
	*overview.Outcome
	view   PlacementView
	listed []*overview.Pod // those to show
}

// all reports whether tables list everything.
func (p *placement) all() bool { return p.view.All || p.view.WithoutNode }

// text returns the placement for a terminal. Without --all it fits a screen.
func (p *placement) text(width int, wide bool) (string, error) {
	var b strings.Builder
	b.WriteString(table.Paragraph(p.answer(), width))
	for _, section := range []table.Section{p.pools(), p.reasons()} {
		text, err := section.Text(width)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	shown := len(p.listed)
	if !p.all() {
		shown = min(shown, firstPods)
	}
	for room := screenLines - strings.Count(b.String(), "\n"); ; shown-- {
		section := p.pods(shown, wide)
		text, err := section.Text(width)
		if err != nil {
			return "", err
		}
		if more := len(p.listed) - shown; more > 0 {
			text += table.Paragraph(p.more(more), width)
		}
		if p.all() || shown <= leastPods || strings.Count(text, "\n") <= room {
			return b.String() + text, nil
		}
	}
}

func (p *placement) markdown() string {
	shown := len(p.listed)
	if !p.all() {
		shown = min(shown, firstPods)
	}
	page := table.Page{Title: "Placement", Answer: []string{p.answer()}, Sections: []table.Section{p.pools(), p.reasons(), p.pods(shown, false)}}
	text := page.Markdown()
	if more := len(p.listed) - shown; more > 0 {
		text += "\n" + p.more(more) + "\n"
	}
	return text
}

// more says how to see the pods that are not shown.
func (p *placement) more(pods int) string {
	text := fmt.Sprintf("… and %s: --all shows every pod", human.Counted(pods, "more pod"))
	if n := p.Outcome.WithoutNode(); n > 0 {
		text += fmt.Sprintf(", --unschedulable the %s without a node", human.Whole(n))
	}
	return text
}

// answer is how it went, in a sentence.
func (p *placement) answer() string {
	text := fmt.Sprintf("%s of %s scheduled, in %s", human.Whole(p.Placed), human.Counted(p.Result.Pods, "pod"), human.Counted(p.Attempts, "attempt"))
	if p.Victims > 0 {
		text += ", with " + human.Counted(p.Victims, "victim")
	}
	if p.Misplaced > 0 {
		text += fmt.Sprintf("; %s of them without the devices asked for", human.Whole(p.Misplaced))
	}
	for _, more := range []struct {
		pods int
		are  string
	}{{p.Pending, "unschedulable"}, {p.Failed, "failed with an error"}, {p.Result.Gated, "gated"}, {p.Waiting, "waiting in Permit"}, {p.Gone, "preempted later"}} {
		if more.pods > 0 {
			text += fmt.Sprintf("; %s %s", human.Whole(more.pods), more.are)
		}
	}
	return text
}

// names returns a line for each pod.
func (p *placement) names() string {
	var b strings.Builder
	for _, pod := range p.listed {
		b.WriteString("pod/" + pod.Name + "\n")
	}
	return b.String()
}
