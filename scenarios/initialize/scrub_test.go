package initialize_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/initialize"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// decisions places the pending pods of manifests and writes down what was decided, with the
// names that rename gives for those of nodes and pods.
func decisions(t *testing.T, tie scheduler.TieBreak, rename func(sort, name string) string, files ...string) (string, error) {
	t.Helper()
	p, err := scenarios.NewPlacement(scenarios.PlaceOptions{
		Files: files, Order: place.DocumentOrder,
		Recipe: recipe.Recipe{TieBreak: string(tie), Seed: new(uint64(7)), Admission: []string{"LimitRanger", "-ResourceQuota"}},
	})
	if err != nil {
		return "", err
	}
	c := p.Cluster
	pod := func(id cluster.PodID) string {
		return rename("namespace", c.Text(c.Pod(id).Class.Namespace)) + "/" + rename("app", c.Pod(id).Name)
	}
	node := func(id cluster.NodeID) string {
		if id == cluster.None {
			return "–"
		}
		return rename("node", c.Node(id).Name)
	}
	var b strings.Builder
	p.Attempted = func(a *scheduler.Attempt) {
		fmt.Fprintf(&b, "%s %v to %s of %d feasible, %d seen, score %d, nominated %s;", pod(a.Pod), a.Outcome, node(a.Node), a.Feasible, a.Evaluated, a.MaxScore, node(a.Nominated))
		for _, tied := range a.Ties {
			b.WriteString(" " + node(tied))
		}
		for _, victim := range a.Victims {
			b.WriteString(" victim " + pod(victim))
		}
		a.EachScore(func(id cluster.NodeID, plugin string, score int64) {
			fmt.Fprintf(&b, "\n  %s %s %d", node(id), plugin, score)
		})
		b.WriteByte('\n')
	}
	result, err := p.Run(p.Pods)
	fmt.Fprintf(&b, "%+v", result)
	return b.String(), err
}

// written are the objects that init writes of a cluster.
func written(t *testing.T, original string, scrubbed bool) (initialize.Done, []string) {
	t.Helper()
	done, err := initialize.Write(t.Context(), initialize.Options{Files: []string{original}, Out: filepath.Join(t.TempDir(), "s.yaml"), Scrub: scrubbed})
	if err != nil {
		t.Fatalf("%s: %v", original, err)
	}
	return done, done.Written[1:]
}

// same holds the decisions about a cluster against those about what is scrubbed of it.
func same(t *testing.T, scrubbed initialize.Done, originals ...string) {
	t.Helper()
	neutral := func(sort, name string) string {
		if to := scrubbed.Names[sort][name]; to != "" || sort != "app" {
			return cmp.Or(to, name)
		}
		i := strings.LastIndexByte(name, '-') // of a pod that a controller re-creates
		if to := scrubbed.Names["app"][name[:max(i, 0)]]; to != "" {
			return to + name[i:]
		}
		return name
	}
	asItIs := func(_, name string) string { return name }
	for _, tie := range []scheduler.TieBreak{scheduler.TieFirst, scheduler.TieRandom} {
		want, err := decisions(t, tie, neutral, originals...)
		if err != nil {
			t.Fatalf("%s: %v", originals, err)
		}
		got, err := decisions(t, tie, asItIs, scrubbed.Written[1:]...)
		if err != nil || got != want {
			t.Errorf("%s: tie %s: %v\n%s", originals, tie, err, difference(got, want))
		}
	}
}

// difference is the first line that differs.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n  original %s\n  scrubbed %s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(g), len(w))
}

// The cases that kube-scheduler was compared on are placed alike when they are scrubbed.
func TestScrubbedClustersArePlacedAlike(t *testing.T) {
	cases, err := filepath.Glob("../../cmd/berth/testdata/conformance/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 50 {
		t.Errorf("there are only %d cases", len(cases))
	}
	for _, file := range append(cases, "../manifests/cluster.yaml", "../misfits/cluster.yaml") {
		original := withoutPolicy(t, file)
		done, _ := written(t, original, true)
		same(t, done, original)
		_, plain := written(t, original, false)
		same(t, done, plain...)
	}
}

// withoutPolicy copies the objects of a case.
func withoutPolicy(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := slices.DeleteFunc(bytes.Split(text, []byte("\n---\n")), func(part []byte) bool {
		return bytes.Contains(part, []byte("\nkind: KubeSchedulerConfiguration")) || bytes.Contains(part, []byte("\nkind: Policy\n"))
	})
	out := filepath.Join(t.TempDir(), filepath.Base(file))
	objects := bytes.Join(parts, []byte("\n---\n"))
	objects = bytes.ReplaceAll(objects, []byte("schedulerName: second"), []byte("schedulerName: default-scheduler"))
	if err := os.WriteFile(out, objects, 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}
