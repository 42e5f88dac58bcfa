package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/cluster"
)

// TestConformance replays cases of the module conformance, each with what the real
// kube-scheduler decided of it: the verdict on every node, every score, the nodes of the
// highest total, the choice, nominations, victims and messages.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no cases; make conformance-goldens writes them")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			tie, _, _ := strings.Cut(strings.TrimPrefix(string(want), "tie "), "\n")
			got := decided(t, file, scheduler.TieBreak(tie))
			if at, ours, theirs := firstDifference(got, string(want)); at != 0 {
				t.Errorf("line %d:\nberth          %s\nkube-scheduler %s", at, ours, theirs)
			}
		})
	}
}

func firstDifference(ours, theirs string) (line int, a, b string) {
	x, y := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range max(len(x), len(y)) {
		a, b = "nothing", "nothing"
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a != b {
			return i + 1, a, b
		}
	}
	return 0, "", ""
}

// decided places the pods of a case and writes down the decisions as the module does.
func decided(t *testing.T, file string, tie scheduler.TieBreak) string {
	policy, objects := apart(t, file)
	p, err := scenarios.NewPlacement(scenarios.PlaceOptions{
		Files: []string{objects}, Policy: policy, Order: sim.DocumentOrder, Tie: tie,
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tie %s\n", tie)
	p.Attempted = func(a *scheduler.Attempt) { writeAttempt(&b, p.Cluster, a) }
	if _, err := p.Run(p.Pods); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// apart writes the configuration and the objects of a case to files of their own.
func apart(t *testing.T, file string) (policy, objects string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	policy, objects = filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "objects.yaml")
	for _, document := range bytes.Split(text, []byte("---\n")) {
		into := objects
		if bytes.Contains(document, []byte("\nkind: KubeSchedulerConfiguration\n")) {
			into = policy
		}
		f, err := os.OpenFile(into, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append([]byte("---\n"), document...)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return policy, objects
}

// writeAttempt writes what an attempt decided, in names.
func writeAttempt(b *strings.Builder, c *cluster.Cluster, a *scheduler.Attempt) {
	name := func(id cluster.NodeID) string { return c.Node(id).Name }
	pods := func(ids []cluster.PodID) []string {
		var names []string
		for _, id := range ids {
			names = append(names, c.Text(c.Pod(id).Class.Namespace)+"/"+c.Pod(id).Name)
		}
		return names
	}
	fmt.Fprintf(b, "\npod %s from %d", pods([]cluster.PodID{a.Pod})[0], a.StartIndex)
	if a.Node != cluster.None {
		var ties []string
		for _, id := range a.Ties {
			ties = append(ties, name(id))
		}
		slices.Sort(ties)
		fmt.Fprintf(b, " to %s of %s", name(a.Node), strings.Join(ties, " "))
	}
	b.WriteString("\n")
	verdicts := map[string][]string{}
	a.EachRejected(func(id cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
		word := "unschedulable"
		if code == scheduler.UnschedulableAndUnresolvable {
			word = "unresolvable"
		}
		reasons = slices.Sorted(slices.Values(reasons))
		verdict := fmt.Sprintf("%s %s %q", plugin, word, reasons)
		verdicts[verdict] = append(verdicts[verdict], name(id))
	})
	for _, verdict := range slices.Sorted(maps.Keys(verdicts)) {
		nodes := slices.Sorted(slices.Values(verdicts[verdict]))
		fmt.Fprintf(b, "  no %s: %s\n", verdict, strings.Join(nodes, " "))
	}
	writeScores(b, c, a)
	if a.Nominated != cluster.None {
		fmt.Fprintf(b, "  nominated %s victims %s\n", name(a.Nominated), strings.Join(pods(a.Victims), " "))
	}
	if cleared := pods(a.ClearedNominations); len(cleared) > 0 {
		fmt.Fprintf(b, "  cleared %s\n", strings.Join(slices.Sorted(slices.Values(cleared)), " "))
	}
	if message := a.Message(); message != "" {
		fmt.Fprintf(b, "  message %s\n", message)
	}
}

func writeScores(b *strings.Builder, c *cluster.Cluster, a *scheduler.Attempt) {
	scores := map[string]map[string]int64{}
	a.EachScore(func(id cluster.NodeID, plugin string, score int64) {
		of := scores[c.Node(id).Name]
		if of == nil {
			of = map[string]int64{}
			scores[c.Node(id).Name] = of
		}
		of[plugin] = score
	})
	for i, node := range slices.Sorted(maps.Keys(scores)) {
		plugins := slices.Sorted(maps.Keys(scores[node]))
		plugins = slices.DeleteFunc(plugins, func(p string) bool { return p == scheduler.TotalScore })
		if i == 0 {
			fmt.Fprintf(b, "  score %s\n", strings.Join(plugins, " "))
		}
		fmt.Fprintf(b, "    %s", node)
		for _, plugin := range plugins {
			fmt.Fprintf(b, " %d", scores[node][plugin])
		}
		fmt.Fprintf(b, " = %d\n", scores[node][scheduler.TotalScore])
	}
}
