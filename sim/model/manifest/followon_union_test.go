package manifest

import (
	"encoding/json"
	"fmt"
	rand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// invalid are the faults of testdata/followon/faults.txt.
func invalid(t *testing.T, x *tree) []*planted {
	t.Helper()
	text, err := os.ReadFile("testdata/followon/faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	items := map[string]int{}
	for i, item := range x.root.(map[string]any)["items"].([]any) {
		items[fmt.Sprint(child(item, "kind"), " ", child(child(item, "metadata"), "name"))] = i
	}
	var all []*planted
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := append(strings.Split(line, " | "), "")
		var value any
		if err := json.Unmarshal([]byte(parts[2]), &value); err != nil && parts[2] != "-" {
			t.Fatalf("%s: %v", line, err)
		}
		steps := []any{"items", items[parts[0]]}
		for _, key := range strings.Fields(parts[1]) {
			if i, err := strconv.Atoi(key); err == nil {
				steps = append(steps, i)
			} else {
				steps = append(steps, key)
			}
		}
		p := new(planted).with(value, steps...)
		for _, read := range strings.FieldsFunc(parts[3], func(r rune) bool { return r == ',' }) {
			of, path, other := strings.Cut(strings.TrimSpace(read), ":")
			if !other {
				of, path = parts[0], of
			}
			p.reads = append(p.reads, strings.TrimSuffix(decode.Join("items", items[of])+"."+strings.TrimSpace(path), "."))
		}
		all = append(all, p)
	}
	return all
}

// independent reports whether the faults of two changes do not depend on the same places.
func independent(p, q *planted) bool {
	return !slices.ContainsFunc(p.reads, func(one string) bool {
		return slices.ContainsFunc(q.reads, func(other string) bool { return decode.LeadsThrough(one, other) || decode.LeadsThrough(other, one) })
	})
}

// byItself are the faults of the objects when only one change is made.
func byItself(t *testing.T, x *tree, p *planted) []string {
	t.Helper()
	defer p.apply(x)()
	faults := x.faults(t)
	if len(faults) == 0 {
		t.Errorf("there is nothing wrong with %v at %s", p.values, p.reads[0])
	}
	return faults
}

// TestFaultsOfSeveralCausesAddUp: objects with several independent faults are told to have each of them, and no more.
func TestFaultsOfSeveralCausesAddUp(t *testing.T) {
	const trials = 800
	x, r := newTree(t), rand.New(rand.NewPCG(11, 12))
	bad, places := invalid(t, x), x.places()
	known := map[*planted][]string{}
	mixed := 0
	for range trials {
		var chosen []*planted
		valid := 0
		for want := 2 + r.IntN(4); len(chosen) < want; {
			list := bad
			if r.IntN(2) == 0 {
				list = places
			}
			p := list[r.IntN(len(list))]
			if slices.ContainsFunc(chosen, func(q *planted) bool { return !independent(p, q) }) {
				continue
			}
			if chosen = append(chosen, p); len(list) == len(bad) {
				valid++
			}
		}
		if 0 < valid && valid < len(chosen) {
			mixed++
		}
		addUp(t, x, chosen, known)
	}
	if mixed < trials/2 {
		t.Errorf("only %d of %d trials had faults of both sorts", mixed, trials)
	}
}

func addUp(t *testing.T, x *tree, chosen []*planted, known map[*planted][]string) {
	t.Helper()
	var want, about []string
	for _, p := range chosen {
		if known[p] == nil {
			known[p] = byItself(t, x, p)
		}
		want, about = append(want, known[p]...), append(about, p.reads[0])
	}
	slices.Sort(want)
	var undos []func()
	for _, p := range chosen {
		undos = append(undos, p.apply(x))
	}
	got := x.faults(t)
	for _, undo := range slices.Backward(undos) {
		undo()
	}
	if !slices.Equal(got, want) {
		t.Errorf("with faults at %s\n  the faults are\n    %s\n  and alone\n    %s", strings.Join(about, ", "),
			strings.Join(got, "\n    "), strings.Join(want, "\n    "))
	}
}
