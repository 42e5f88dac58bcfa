package answers

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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

// AttemptWriter writes attempts as they come, as JSON lines.
type AttemptWriter struct {
	w      io.Writer
	scores bool
	line   []byte
	held   []heldLine // until it is known how pods end; nil: lines are written at once
	hold   bool
	// attempts and victims so far.
	attempts, victims int
}

// heldLine is a line that is written if its pod has no node in the end.
type heldLine struct {
	pod  string
	text []byte
}

// NewAttemptWriter returns a writer. scores asks for the scores of each node; withoutNode asks for the pods only that
// have no node in the end.
func NewAttemptWriter(w io.Writer, scores, withoutNode bool) *AttemptWriter {
	return &AttemptWriter{w: w, scores: scores, hold: withoutNode}
}

// Attempt writes an attempt.
func (w *AttemptWriter) Attempt(a *Attempt) error {
	w.attempts++
	w.victims += len(a.Victims)
	w.line = append(a.appendJSON(w.line[:0], w.scores), '\n')
	return w.write(a.Pod)
}

// Gated writes a pod that was not tried, and why.
func (w *AttemptWriter) Gated(pod, why string) error { return w.event("gated", pod, why) }

// RolledBack writes a pod that lost the node it held before it was bound, and why.
func (w *AttemptWriter) RolledBack(pod, why string) error { return w.event("rolledBack", pod, why) }

func (w *AttemptWriter) event(kind, pod, why string) error {
	w.line = jsontext.Append(append(w.line[:0], `{"type":`...), kind)
	w.line = jsontext.Append(append(w.line, `,"pod":`...), pod)
	w.line = jsontext.Append(append(w.line, `,"message":`...), why)
	w.line = append(w.line, '}', '\n')
	return w.write(pod)
}

// write writes the line, or holds it.
func (w *AttemptWriter) write(pod string) error {
	if w.hold {
		w.held = append(w.held, heldLine{pod, bytes.Clone(w.line)})
		return nil
	}
	_, err := w.w.Write(w.line)
	return err
}

// Close writes the summary: where the pods ended, how many attempts and victims there were. placed reports whether a pod,
// as namespace/name, has a node.
func (w *AttemptWriter) Close(r place.Result, placed func(pod string) bool) error {
	for _, l := range w.held {
		if placed(l.pod) {
			continue
		}
		if _, err := w.w.Write(l.text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w.w, `{"type":"summary","pods":%d,"scheduled":%d,"unschedulable":%d,"failed":%d,"gated":%d,"waiting":%d,"gone":%d,"misplaced":%d,"attempts":%d,"victims":%d}`+"\n",
		r.Pods, r.Placed, r.Pending, r.Failed, r.Gated, r.Waiting, r.Gone, r.Misplaced, w.attempts, w.victims)
	return err
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

// appendInt appends a key as it is written and a whole number.
func appendInt(b []byte, key string, v int64) []byte {
	return strconv.AppendInt(append(b, key...), v, 10)
}
