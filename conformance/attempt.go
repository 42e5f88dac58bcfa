// Package conformance has the real kube-scheduler of a release decide generated clusters, deterministically, and compares
// all that it decides with what berth decides on the same objects under the rules of that release.
package conformance

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/berth-sim/berth/conformance/protocol"
)

// Attempt and Verdict are what both sides are compared in.
type (
	Attempt = protocol.Attempt
	Verdict = protocol.Verdict
)

// Difference is the first thing in which two attempts are not equal.
type Difference struct {
	Attempt int    // index in the case
	Pod     string // namespace/name
	What    string // "feasible", "verdict", "score", …
	Detail  string // both sides
}

// String is the difference in one line.
func (d Difference) String() string {
	return fmt.Sprintf("attempt %d, pod %s: %s: %s", d.Attempt+1, d.Pod, d.What, d.Detail)
}

// compare returns the first difference between the attempts of berth and of
// kube-scheduler, nil when there is none.
func compare(ours, theirs []Attempt) *Difference {
	for i := range max(len(ours), len(theirs)) {
		if i >= len(ours) || i >= len(theirs) {
			return &Difference{i, "", "attempts", fmt.Sprintf("berth made %d, kube-scheduler %d", len(ours), len(theirs))}
		}
		if what, detail := differs(&ours[i], &theirs[i]); what != "" {
			return &Difference{i, ours[i].Pod, what, detail}
		}
	}
	return nil
}

// differs compares in the order in which a cycle goes, so that the first difference
// is the cause of the others.
func differs(a, b *Attempt) (what, detail string) {
	both := func(x, y any) string { return fmt.Sprintf("berth %v, kube-scheduler %v", x, y) }
	switch {
	case a.Pod != b.Pod:
		return "pod", both(a.Pod, b.Pod)
	case a.Start != b.Start:
		return "start index", both(a.Start, b.Start)
	case !maps.EqualFunc(a.Rejected, b.Rejected, sameVerdict):
		return "verdict", firstOf(a.Rejected, b.Rejected)
	case !slices.Equal(a.Feasible, b.Feasible):
		return "feasible", both(a.Feasible, b.Feasible)
	}
	for _, node := range slices.Sorted(maps.Keys(a.Scores)) {
		if x, y := a.Scores[node], b.Scores[node]; !maps.Equal(x, y) {
			return "score", "node " + node + ": " + firstOf(x, y)
		}
	}
	switch {
	case len(a.Scores) != len(b.Scores):
		return "score", fmt.Sprintf("berth scored %d nodes, kube-scheduler %d", len(a.Scores), len(b.Scores))
	case !slices.Equal(a.Ties, b.Ties):
		return "ties", both(a.Ties, b.Ties)
	case a.Node != b.Node:
		return "node", both(a.Node, b.Node)
	case a.Nominated != b.Nominated:
		return "nominated", both(a.Nominated, b.Nominated)
	case !slices.Equal(a.Victims, b.Victims):
		return "victims", both(a.Victims, b.Victims)
	case !slices.Equal(a.Cleared, b.Cleared):
		return "cleared nominations", both(a.Cleared, b.Cleared)
	case a.Message != b.Message:
		return "message", both(fmt.Sprintf("%q", a.Message), fmt.Sprintf("%q", b.Message))
	}
	return "", ""
}

func sameVerdict(a, b Verdict) bool {
	return a.Plugin == b.Plugin && a.Unresolvable == b.Unresolvable && slices.Equal(a.Reasons, b.Reasons)
}

// firstOf says in which key, smallest first, two maps differ.
func firstOf[V any](ours, theirs map[string]V) string {
	all := maps.Clone(ours)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, theirs)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		x, mine := ours[key]
		y, its := theirs[key]
		if mine == its && reflect.DeepEqual(x, y) {
			continue
		}
		side := func(v V, has bool) string {
			if !has {
				return "nothing"
			}
			return strings.TrimSpace(fmt.Sprintf("%+v", v))
		}
		return fmt.Sprintf("%s: berth %s, kube-scheduler %s", key, side(x, mine), side(y, its))
	}
	return ""
}
