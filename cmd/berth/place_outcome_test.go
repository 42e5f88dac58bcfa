package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/answers/explain"
)

// placed is what place -o json says.
type placed struct {
	Summary     map[string]int
	WithoutNode []struct {
		State, Example, Message, Untried string
		Pods                             int
		Changes                          []explain.Change
	}
	Pods []struct {
		Pod, State string
		Node       *string
	}
}

// TestPlaceAgreesWithExplain: what would help a pod is what berth explain says of it, word for word.
func TestPlaceAgreesWithExplain(t *testing.T) {
	atRoot(t)
	dir := t.TempDir()
	inputs := []string{"scenarios/misfits", "scenarios/manifests/cluster.yaml"}
	for seed := range uint64(25) {
		path := filepath.Join(dir, fmt.Sprint(seed, ".yaml"))
		text := strings.Join(drawCluster(rand.New(rand.NewPCG(seed, 7))).manifests, "---\n")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, path)
	}
	helped := 0
	for _, input := range inputs {
		for _, options := range []string{"--order queue", "--order document --tie first"} {
			args := append([]string{"-f", input, "-o", "json"}, strings.Fields(options)...)
			var all placed
			decode(t, &all, append([]string{"place"}, args...)...)
			without := 0
			for _, r := range all.WithoutNode {
				without += r.Pods
				if r.State != "unschedulable" || r.Untried == "no pod of this reason was explained" {
					continue
				}
				var one struct {
					State, Message, Untried string
					Changes                 []explain.Change
				}
				decode(t, &one, append([]string{"explain", r.Example}, args...)...)
				if one.State != r.State || one.Message != r.Message || one.Untried != r.Untried || !reflect.DeepEqual(one.Changes, r.Changes) {
					t.Errorf("%s %s: place says of %s:\n%+v\nexplain says:\n%+v", input, options, r.Example, r, one)
				}
				helped += len(r.Changes)
			}
			if want := all.Summary["pods"] - all.Summary["scheduled"]; without != want {
				t.Errorf("%s %s: the reasons are those of %d pods, want %d", input, options, without, want)
			}
		}
	}
	if helped < 50 {
		t.Errorf("only %d changes were compared", helped)
	}
}

// TestPlaceFormatsAgree: explaining pods on the way leaves the placement as it is, and every format tells the same.
func TestPlaceFormatsAgree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	for seed := range uint64(60) {
		text := strings.Join(drawCluster(rand.New(rand.NewPCG(seed, 3))).manifests, "---\n")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, order := range []string{"queue", "document"} {
			args := []string{"place", path, "--order", order, "-o"}
			var all placed
			decode(t, &all, append(args, "json")...)
			nodes, last := map[string]string{}, ""
			for line := range strings.Lines(berth(t.Context(), 80, append(args, "jsonl")...).out) {
				var a struct{ Type, Pod, Node string }
				if err := json.Unmarshal([]byte(line), &a); err != nil {
					t.Fatal(err)
				}
				if last = line; a.Type == "" {
					nodes[a.Pod] = a.Node
				}
			}
			var summary map[string]any
			if err := json.Unmarshal([]byte(last), &summary); err != nil {
				t.Fatal(err)
			}
			for name, n := range all.Summary {
				if summary[name] != float64(n) {
					t.Errorf("seed %d, %s: %s is %d as JSON, %v as JSON lines", seed, order, name, n, summary[name])
				}
			}
			without := ""
			for _, p := range all.Pods {
				if p.State == "scheduled" && (p.Node == nil || *p.Node != nodes[p.Pod]) {
					t.Errorf("seed %d, %s: %s is on %v as JSON, on %q as JSON lines", seed, order, p.Pod, p.Node, nodes[p.Pod])
				}
				if p.State != "scheduled" {
					without += "pod/" + p.Pod + "\n"
				}
			}
			if got := berth(t.Context(), 80, append(args, "name", "--unschedulable", "--require-all")...); got.out != without || (got.code == exitGate) != (without != "") {
				t.Errorf("seed %d, %s: --unschedulable -o name ends with code %d and prints\n%swant\n%s", seed, order, got.code, got.out, without)
			}
		}
	}
}

// decode runs a command line and decodes its JSON.
func decode(t *testing.T, into any, args ...string) {
	t.Helper()
	r := berth(t.Context(), 80, args...)
	if r.code != exitDone {
		t.Fatalf("%v: exit %d: %s", args, r.code, r.err)
	}
	if err := json.Unmarshal([]byte(r.out), into); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
}
