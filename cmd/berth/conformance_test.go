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
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
)

// goldensFollow is the release of Kubernetes that decided the cases of TestConformance.
const goldensFollow = "1.36"

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
			if what := replayCase(t, file, strings.TrimSuffix(file, ".yaml")+".txt", goldensFollow); what != "" {
				t.Error(what)
			}
		})
	}
}

// notFollowed are the cases of TestReleases whose rule berth does not follow in each release.
var notFollowed = []string{"portworx-limit"}

// TestReleases replays cases that releases decide differently, by the rules of each release. A release that decides a case
// as the one before it did has no file of decisions.
func TestReleases(t *testing.T) {
	files, err := filepath.Glob("testdata/releases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no cases")
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".yaml")
		decisions := ""
		for _, r := range release.All() {
			if own := name + "." + r.String() + ".txt"; decisions == "" || exists(own) {
				decisions = own
			}
			t.Run(filepath.Base(name)+"/"+r.String(), func(t *testing.T) {
				what := replayCase(t, file, decisions, r.String())
				switch {
				case what != "" && slices.Contains(notFollowed, filepath.Base(name)):
					t.Skip(what)
				case what != "":
					t.Error(what)
				}
			})
		}
	}
}

// replayCase says in which line what berth decides of a case by the rules of a release differs from what is written down.
func replayCase(t *testing.T, file, decisions, kubernetes string) (difference string) {
	want, err := os.ReadFile(decisions)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(want), "\n")
	how := strings.Fields(head) // tie … order …
	if len(how) != 4 {
		t.Fatalf("the first line is %q", head)
	}
	got := head + "\n" + decided(t, file, recipe.Recipe{Kubernetes: kubernetes, TieBreak: how[1]}, place.Order(how[3]))
	if at, ours, theirs := firstDifference(got, string(want)); at != 0 {
		return fmt.Sprintf("line %d:\nberth          %s\nkube-scheduler %s", at, ours, theirs)
	}
	return ""
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
func decided(t *testing.T, file string, how recipe.Recipe, order place.Order) string {
	policy, objects := apart(t, file)
	how.Policy = policy
	p, err := scenarios.NewPlacement(scenarios.PlaceOptions{Files: []string{objects}, Recipe: how, Order: order})
	if err != nil {
		t.Fatal(err)
	}
	var all []attempted
	p.Attempted = func(a *scheduler.Attempt) { all = append(all, asDecided(p.Cluster, a)) }
	p.RolledBack = func(r scheduler.RolledBack) {
		last := &all[len(all)-1]
		last.to, last.message = "", r.Message
	}
	if _, err := p.Run(p.Pods); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, a := range all {
		fmt.Fprintf(&b, "\n%s%s\n%s", a.pod, a.to, a.rest)
		if a.message != "" {
			fmt.Fprintf(&b, "  message %s\n", a.message)
		}
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

// attempted is what an attempt decided, in words.
type attempted struct{ pod, to, rest, message string }

func asDecided(c *cluster.Cluster, a *scheduler.Attempt) attempted {
	pod := func(id cluster.PodID) string { return c.Text(c.Pod(id).Class.Namespace) + "/" + c.Pod(id).Name }
	out := attempted{pod: fmt.Sprintf("pod %s from %d", pod(a.Pod), a.StartIndex), message: a.Message()}
	if a.Node != cluster.None {
		var ties []string
		for _, id := range a.Ties {
			ties = append(ties, c.Node(id).Name)
		}
		slices.Sort(ties)
		out.to = fmt.Sprintf(" to %s of %s", c.Node(a.Node).Name, strings.Join(ties, " "))
	}
	var b strings.Builder
	writeVerdicts(&b, c, a)
	writeScores(&b, c, a)
	if a.Nominated != cluster.None {
		fmt.Fprintf(&b, "  nominated %s victims", c.Node(a.Nominated).Name)
		for _, victim := range a.Victims {
			fmt.Fprintf(&b, " %s", pod(victim))
		}
		b.WriteString("\n")
	}
	var cleared []string
	for _, id := range a.ClearedNominations {
		cleared = append(cleared, pod(id))
	}
	if slices.Sort(cleared); len(cleared) > 0 {
		fmt.Fprintf(&b, "  cleared %s\n", strings.Join(cleared, " "))
	}
	out.rest = b.String()
	return out
}

func writeVerdicts(b *strings.Builder, c *cluster.Cluster, a *scheduler.Attempt) {
	nodes := map[string][]string{}
	a.EachRejected(func(id cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
		word := "unschedulable"
		if code == scheduler.UnschedulableAndUnresolvable {
			word = "unresolvable"
		}
		verdict := fmt.Sprintf("%s %s %q", plugin, word, slices.Sorted(slices.Values(reasons)))
		nodes[verdict] = append(nodes[verdict], c.Node(id).Name)
	})
	for _, verdict := range slices.Sorted(maps.Keys(nodes)) {
		slices.Sort(nodes[verdict])
		fmt.Fprintf(b, "  no %s: %s\n", verdict, strings.Join(nodes[verdict], " "))
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
