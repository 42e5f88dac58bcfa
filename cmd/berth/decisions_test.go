package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// decision is a line of place -o jsonl, read as a user would read it.
type decision struct {
	Pod           string                      `json:"pod"`
	Attempt       int                         `json:"attempt"`
	Node          *string                     `json:"node"`
	FeasibleNodes int                         `json:"feasibleNodes"`
	Evaluated     int                         `json:"evaluatedNodes"`
	Message       string                      `json:"message"`
	Nominated     *string                     `json:"nominatedNode"`
	Victims       []string                    `json:"victims"`
	TieSet        []string                    `json:"tieSet"`
	StartIndex    int                         `json:"startIndex"`
	Scores        map[string]map[string]int64 `json:"scores"`
}

// decisions places pods and says in words what became of each attempt.
func decisions(t *testing.T, d *datadriven.TestData) string {
	args := append([]string{"place", "-o", "jsonl"}, words(d.Input)...)
	if d.HasArg("scores") {
		args = append(args, "--scores")
	}
	r := berth(t.Context(), defaultWidth, args...)
	var b strings.Builder
	for line := range strings.Lines(r.err) {
		b.WriteString("! " + line)
	}
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, `{"type":`) {
			continue // gated, or the summary
		}
		var one decision
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		one.write(&b, d.HasArg("searched"))
	}
	if r.code != exitDone {
		fmt.Fprintf(&b, "exit %d\n", r.code)
	}
	return b.String()
}

func (d *decision) write(b *strings.Builder, searched bool) {
	where := "no node"
	if d.Node != nil {
		where = *d.Node
	}
	fmt.Fprintf(b, "%s: %s", strings.TrimPrefix(d.Pod, "default/"), where)
	switch n := len(d.TieSet); {
	case n > 10:
		fmt.Fprintf(b, " of %d equal ones", n)
	case n > 1:
		fmt.Fprintf(b, " of %s", strings.Join(d.TieSet, " "))
	}
	if searched {
		fmt.Fprintf(b, " (%d feasible of %d evaluated, from %d on)", d.FeasibleNodes, d.Evaluated, d.StartIndex)
	}
	b.WriteString("\n")
	if d.Message != "" {
		fmt.Fprintf(b, "  %s\n", d.Message)
	}
	if d.Nominated != nil {
		fmt.Fprintf(b, "  nominated to %s, preempts %s\n", *d.Nominated, cmp.Or(strings.Join(d.Victims, ", "), "none"))
	}
	for _, node := range slices.Sorted(maps.Keys(d.Scores)) {
		fmt.Fprintf(b, "  %s:", node)
		scores := d.Scores[node]
		for _, plugin := range slices.Sorted(maps.Keys(scores)) {
			if plugin != "TOTAL" {
				fmt.Fprintf(b, " %s %d,", plugin, scores[plugin])
			}
		}
		fmt.Fprintf(b, " total %d\n", scores["TOTAL"])
	}
}
