package answers

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/files/jsontext"
	"github.com/berth-sim/berth/sim/model/record"
)

// Attempt is one attempt of a one-shot placement. Pods are namespace/name.
type Attempt struct {
	Pod        string
	Attempt    int    // 1 for the first of the pod
	Node       string // empty: none
	Feasible   int
	Evaluated  int
	Reasons    []record.ReasonCount
	Message    string // empty when the pod got a node and need not wait for others
	Nominated  string // empty: none
	Victims    []string
	TieSet     []string // names of all nodes with the highest total
	MaxScore   int64    // the highest total, where there is a TieSet
	StartIndex int
	Scores     []NodeScores // shown only on request
	Held       []int32      // numbers of the devices of the node that it holds
	Misplaced  bool         // the node lacks the devices that it asks for
}

// NodeScores are the scores of one node.
type NodeScores struct {
	Node    string
	Plugins []PluginScore // weighted
	Total   int64
}

// PluginScore is the weighted score that one plugin gave to a node.
type PluginScore struct {
	Plugin string
	Score  int64
}

// PlacementWriter writes attempts as they come, as JSON lines or as a table.
type PlacementWriter struct {
	w      io.Writer
	view   output.View
	scores bool
	table  table.Table
	line   []byte
	// attempts and victims so far.
	attempts, victims int
}

// NewPlacementWriter returns a writer in the format "table" or "jsonl"; scores asks for
// the scores of each node in the latter. The format is checked by Attempt.
func NewPlacementWriter(w io.Writer, view output.View, scores bool) *PlacementWriter {
	return &PlacementWriter{
		w: w, view: view, scores: scores,
		table: table.Table{Head: []string{"pod", "node", "feasible", "score", "note"}, Words: []int{1, 4}, Notes: true},
	}
}

// Attempt writes an attempt; a table is held back until Close.
func (p *PlacementWriter) Attempt(a *Attempt) error {
	p.attempts++
	p.victims += len(a.Victims)
	switch p.view.Format {
	case output.JSONL:
		p.line = append(a.appendJSON(p.line[:0], p.scores), '\n')
		_, err := p.w.Write(p.line)
		return err
	case output.Table:
		p.table.Rows = append(p.table.Rows, a.row())
		return nil
	}
	return p.view.Unsupported()
}

// Gated writes a pod that was not tried, and why.
func (p *PlacementWriter) Gated(pod, why string) error { return p.event("gated", "gated", pod, why) }

// RolledBack writes a pod that lost the node it held before it was bound, and why.
func (p *PlacementWriter) RolledBack(pod, why string) error {
	return p.event("rolledBack", "loses its node", pod, why)
}

func (p *PlacementWriter) event(kind, what, pod, why string) error {
	if p.view.Format != output.JSONL {
		p.table.Rows = append(p.table.Rows, []string{pod, human.None, human.None, human.None, what + ": " + why})
		return nil
	}
	p.line = jsontext.Append(append(p.line[:0], `{"type":`...), kind)
	p.line = jsontext.Append(append(p.line, `,"pod":`...), pod)
	p.line = jsontext.Append(append(p.line, `,"message":`...), why)
	p.line = append(p.line, '}', '\n')
	_, err := p.w.Write(p.line)
	return err
}

func (a *Attempt) row() []string {
	node, score, note := cmp.Or(a.Node, human.None), human.None, a.Message
	if a.Feasible > 1 && len(a.TieSet) > 0 { // one alone is not scored
		score = strconv.FormatInt(a.MaxScore, 10)
	}
	if a.Nominated != "" {
		note = nominationNote(a) + note
	}
	if devices := deviceNote(a); note != "" && devices != "" {
		note = devices + "; " + note
	} else {
		note += devices
	}
	return []string{a.Pod, node, fmt.Sprintf("%d/%d", a.Feasible, a.Evaluated), score, note}
}

// deviceNote is which devices the pod got; empty where it asks for none.
func deviceNote(a *Attempt) string {
	if a.Misplaced {
		return "without the devices that it asks for"
	}
	return numberedDevices(a.Held)
}

// numberedDevices names devices by their numbers, those in a row by the first and the last.
func numberedDevices(list []int32) string {
	sorted := slices.Sorted(slices.Values(list))
	var texts []string
	for i, last := 0, 0; i < len(sorted); i = last + 1 {
		for last = i; last+1 < len(sorted) && sorted[last+1] == sorted[last]+1; last++ {
		}
		texts = append(texts, span(int(sorted[i]), int(sorted[last])))
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "device " + texts[0]
	}
	return "devices " + strings.Join(texts, ", ")
}

func nominationNote(a *Attempt) string {
	if len(a.Victims) == 0 {
		return fmt.Sprintf("nominated to %s; ", a.Nominated)
	}
	return fmt.Sprintf("nominated to %s, preempts %s; ", a.Nominated, strings.Join(a.Victims, ", "))
}

func appendNames(b []byte, names []string) []byte {
	b = append(b, '[')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.Append(b, name)
	}
	return append(b, ']')
}

func appendNameOrNull(b []byte, name string) []byte {
	if name == "" {
		return append(b, "null"...)
	}
	return jsontext.Append(b, name)
}

func (a *Attempt) appendJSON(b []byte, scores bool) []byte {
	b = jsontext.Append(append(b, `{"pod":`...), a.Pod)
	b = appendInt(b, `,"attempt":`, int64(a.Attempt))
	b = appendNameOrNull(append(b, `,"node":`...), a.Node)
	if len(a.Held) > 0 {
		b = jsontext.AppendInts(append(b, `,"held":`...), a.Held)
	}
	if a.Misplaced {
		b = append(b, `,"misplaced":true`...)
	}
	b = appendInt(b, `,"feasibleNodes":`, int64(a.Feasible))
	b = appendInt(b, `,"evaluatedNodes":`, int64(a.Evaluated))
	b = appendReasons(append(b, `,"reasons":`...), a.Reasons)
	b = jsontext.Append(append(b, `,"message":`...), a.Message)
	b = appendNameOrNull(append(b, `,"nominatedNode":`...), a.Nominated)
	b = appendNames(append(b, `,"victims":`...), a.Victims)
	b = appendNames(append(b, `,"tieSet":`...), slices.Sorted(slices.Values(a.TieSet)))
	if len(a.TieSet) > 0 {
		b = appendInt(b, `,"maxScore":`, a.MaxScore)
	} else {
		b = append(b, `,"maxScore":null`...)
	}
	b = appendInt(b, `,"startIndex":`, int64(a.StartIndex))
	if scores {
		b = appendScores(append(b, `,"scores":`...), a.Scores)
	}
	return append(b, '}')
}

// appendReasons writes {plugin: {reason: nodes}}, both sorted.
func appendReasons(b []byte, reasons []record.ReasonCount) []byte {
	sorted := slices.SortedFunc(slices.Values(reasons), func(x, y record.ReasonCount) int {
		return cmp.Or(strings.Compare(x.Plugin, y.Plugin), strings.Compare(x.Reason, y.Reason))
	})
	b = append(b, '{')
	for i, r := range sorted {
		switch {
		case i > 0 && sorted[i-1].Plugin == r.Plugin:
			b = append(b, ',')
		case i > 0:
			b = append(b, '}', ',')
			fallthrough
		default:
			b = append(jsontext.Append(b, r.Plugin), ':', '{')
		}
		b = appendInt(jsontext.Append(b, r.Reason), ":", int64(r.Nodes))
	}
	if len(sorted) > 0 {
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendScores writes {node: {plugin: score, TOTAL: sum}}, nodes and plugins sorted.
func appendScores(b []byte, scores []NodeScores) []byte {
	b = append(b, '{')
	byName := func(x, y NodeScores) int { return strings.Compare(x.Node, y.Node) }
	for i, n := range slices.SortedFunc(slices.Values(scores), byName) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.Append(b, n.Node), ':', '{')
		byPlugin := func(x, y PluginScore) int { return strings.Compare(x.Plugin, y.Plugin) }
		for _, s := range slices.SortedFunc(slices.Values(n.Plugins), byPlugin) {
			b = append(appendInt(jsontext.Append(b, s.Plugin), ":", s.Score), ',')
		}
		b = append(appendInt(b, `"TOTAL":`, n.Total), '}')
	}
	return append(b, '}')
}

// Close writes the summary: where the pods ended, how many attempts and victims there
// were. A table follows it.
func (p *PlacementWriter) Close(r place.Result) error {
	if p.view.Format == output.JSONL {
		_, err := fmt.Fprintf(p.w, `{"type":"summary","pods":%d,"scheduled":%d,"unschedulable":%d,"failed":%d,"gated":%d,"waiting":%d,"gone":%d,"misplaced":%d,"attempts":%d,"victims":%d}`+"\n",
			r.Pods, r.Placed, r.Pending, r.Failed, r.Gated, r.Waiting, r.Gone, r.Misplaced, p.attempts, p.victims)
		return err
	}
	width := p.view.Columns()
	text := table.Paragraph(p.answer(r), width)
	if len(p.table.Rows) > 0 {
		drawn, err := p.table.Draw(width)
		if err != nil {
			return err
		}
		text += "\n" + drawn
	}
	_, err := io.WriteString(p.w, text)
	return err
}

// answer is how it went, in a sentence.
func (p *PlacementWriter) answer(r place.Result) string {
	count := func(n int, what string) string { return human.Counted(n, what) }
	text := fmt.Sprintf("%s of %s scheduled, in %s", human.Whole(r.Placed), count(r.Pods, "pod"), count(p.attempts, "attempt"))
	if p.victims > 0 {
		text += ", with " + count(p.victims, "victim")
	}
	if r.Misplaced > 0 {
		text += fmt.Sprintf("; %s of them without the devices asked for", human.Whole(r.Misplaced))
	}
	for _, more := range []struct {
		pods int
		are  string
	}{{r.Pending, "unschedulable"}, {r.Failed, "failed with an error"}, {r.Gated, "gated"}, {r.Waiting, "waiting in Permit"}, {r.Gone, "preempted later"}} {
		if more.pods > 0 {
			text += fmt.Sprintf("; %s %s", human.Whole(more.pods), more.are)
		}
	}
	return text
}

// appendInt appends a key as it is written and a whole number.
func appendInt(b []byte, key string, v int64) []byte {
	return strconv.AppendInt(append(b, key...), v, 10)
}
