package diff

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/rundir"
)

// Fact is a property in which the manifests of two runs differ.
type Fact struct {
	Name   string    `json:"name"`
	Values [2]string `json:"values"` // "" for none
	// Same is false if runs that differ in this property cannot have the same arrivals.
	Same bool `json:"sameArrivals"`
}

// facts returns the properties in which two manifests differ.
func facts(a, b rundir.Manifest) []Fact {
	yes := func(v bool) string { return map[bool]string{true: "yes", false: "no"}[v] }
	var out []Fact
	add := func(name string, same bool, of func(m *rundir.Manifest) string) {
		if values := [2]string{of(&a), of(&b)}; values[0] != values[1] {
			out = append(out, Fact{name, values, same})
		}
	}
	add("scenario", false, func(m *rundir.Manifest) string { return m.Scenario })
	add("seed", false, func(m *rundir.Manifest) string { return strconv.FormatUint(*m.Seed, 10) })
	add("policy", true, func(m *rundir.Manifest) string { return m.Policy })
	add("Kubernetes", true, func(m *rundir.Manifest) string { return m.Kubernetes })
	add("feature gates", true, func(m *rundir.Manifest) string { return m.Release().Gates() })
	add("rules", true, func(m *rundir.Manifest) string { return m.Release().SingleRules() })
	add("tie break", true, func(m *rundir.Manifest) string { return m.TieBreak })
	add("horizon", true, func(m *rundir.Manifest) string { return m.Horizon.String() })
	add("admission", true, func(m *rundir.Manifest) string { return strings.Join(m.Admission, ", ") })
	add("ignored kinds", true, func(m *rundir.Manifest) string { return strings.Join(m.Ignore, ", ") })
	add("skipped pods", true, func(m *rundir.Manifest) string { return strings.Join(m.SkipPods, ", ") })
	add("plugins left out", true, func(m *rundir.Manifest) string { return strings.Join(m.DropPlugins, ", ") })
	add("inflate", true, func(m *rundir.Manifest) string { return yes(m.Inflate) })
	add("skip bad lines", true, func(m *rundir.Manifest) string { return yes(m.SkipBadLines) })
	add("nodes", true, func(m *rundir.Manifest) string { return byPool(m.Counts) })
	add("prices", true, func(m *rundir.Manifest) string { return byPool(m.Prices) })
	add("berth", true, func(m *rundir.Manifest) string { return m.Version })
	add("ended", true, func(m *rundir.Manifest) string { return m.Ended })
	for _, f := range inputs(a.Inputs, b.Inputs) {
		if policy := [2]string{a.Policy, b.Policy}; !(f.Values[0] == "" && f.Name == policy[1]) && !(f.Values[1] == "" && f.Name == policy[0]) {
			out = append(out, f) // the file of the policy is left out: the policy itself is a fact
		}
	}
	return out
}

// byPool lists values by pool: "arm 3, general 15".
func byPool[N int | float64](of map[string]N) string {
	var out []string
	for _, pool := range slices.Sorted(maps.Keys(of)) {
		out = append(out, fmt.Sprintf("%s %v", pool, of[pool]))
	}
	return strings.Join(out, ", ")
}

// inputs returns the files that only one run was made from, and those that have changed. A file
// that was only moved is the same.
func inputs(a, b []rundir.Input) []Fact {
	left := [2][]rundir.Input{notIn(a, b), notIn(b, a)}
	var out []Fact
	for i, list := range left {
		for _, in := range list {
			f := Fact{Name: in.Path, Same: true}
			for _, other := range left[1-i] {
				if other.Path == in.Path {
					f.Values[1-i] = shortHash(other.SHA256)
				}
			}
			if i == 1 && f.Values[0] != "" {
				continue // listed with the inputs of run 1
			}
			f.Values[i] = shortHash(in.SHA256)
			out = append(out, f)
		}
	}
	return out
}

// notIn returns the inputs whose content is not among the others.
func notIn(list, others []rundir.Input) []rundir.Input {
	known := map[string]bool{}
	for _, in := range others {
		known[in.SHA256] = true
	}
	var out []rundir.Input
	for _, in := range list {
		if !known[in.SHA256] {
			out = append(out, in)
		}
	}
	return out
}

// shortHash returns the beginning of a hash, enough to distinguish two.
func shortHash(hash string) string { return fmt.Sprintf("%.12s", hash) }
