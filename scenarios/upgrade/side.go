package upgrade

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/metric"
	"github.com/berth-sim/berth/reports/upgrades"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// side is the outcome under one set of rules.
type side struct {
	events  []event // in order
	pods    map[int64]podKey
	nodes   map[int32]string
	ends    map[podKey]*end
	named   map[string]int // how many pods have had the name
	victims int
	summary *metric.Summary // nil without a clock, and for outcomes whose metrics nobody asks for
}

// event is something that happened to a pod: what was decided, and the texts about it, as hashes.
type event struct {
	at              clock.Time
	pod             int64
	kind            record.Kind
	node            int32
	decision, texts uint64
}

// end is how a pod ended.
type end struct {
	node    string // empty: it has none
	bound   clock.Time
	message string // of its last attempt without a node
	tries   int
}

// podKey distinguishes pods in all outcomes: a pod that is re-created may have the name of the one before it.
type podKey struct {
	name string
	nth  int // of that name, from 0
}

func newSide() *side {
	return &side{pods: map[int64]podKey{}, nodes: map[int32]string{}, ends: map[podKey]*end{}, named: map[string]int{}}
}

var hashSeed = maphash.MakeSeed()

// observe notes a record, and returns its event. Samples and declarations are no events.
func (s *side) observe(r *record.Record) (event, bool) {
	switch r.Kind {
	case record.NodeAdded:
		s.nodes[r.Node] = r.NodeInfo.Name
		return event{}, false
	case record.PodArrived:
		key := podKey{r.Text, s.named[r.Text]}
		s.named[r.Text]++
		s.pods[r.Pod], s.ends[key] = key, &end{node: s.nodes[r.Node]}
	case record.PodAttempted, record.PodBound, record.PodGated, record.PodUngated, record.PodAllowed, record.PodRolledBack,
		record.PodStarted, record.PodCompleted, record.PodEvicted, record.PodEvictionBlocked, record.PodGone:
		s.follow(r)
	default:
		return event{}, false
	}
	e := event{at: r.Time, pod: r.Pod, kind: r.Kind, node: r.Node}
	var decision, texts maphash.Hash
	decision.SetSeed(hashSeed)
	texts.SetSeed(hashSeed)
	maphash.WriteComparable(&decision, occurrence{r.Kind, r.Time, s.pods[r.Pod].name, s.nodes[r.Node], r.By, r.Cause})
	writeAll(&decision, r.Held)
	maphash.WriteComparable(&texts, r.Text)
	if a := r.Attempt; a != nil {
		e.node = a.Node
		maphash.WriteComparable(&decision, result{a.Outcome, s.nodes[a.Node], s.nodes[a.Nominated], a.Victims})
		writeAll(&decision, a.Held)
		writeAll(&texts, a.Reasons)
	}
	e.decision, e.texts = decision.Sum64(), texts.Sum64()
	return e, true
}

// occurrence and result are what is decided, as far as all records and those of attempts say it.
type (
	occurrence struct {
		kind      record.Kind
		at        clock.Time
		pod, node string
		by        int64
		cause     record.Cause
	}
	result struct {
		outcome, node, nominated string
		victims                  int
	}
)

func writeAll[T comparable](h *maphash.Hash, list []T) {
	for _, v := range list {
		maphash.WriteComparable(h, v)
	}
}

// follow notes what a record means for its pod.
func (s *side) follow(r *record.Record) {
	pod := s.ends[s.pods[r.Pod]]
	if pod == nil {
		return
	}
	switch r.Kind {
	case record.PodAttempted:
		pod.tries++
		if len(r.Attempt.Reasons) > 0 {
			pod.message = inWords(r.Attempt.Reasons)
		}
	case record.PodBound:
		pod.node, pod.bound = s.nodes[r.Node], r.Time
	case record.PodEvicted:
		if r.Cause == record.ByPreemption {
			s.victims++
		}
	case record.PodGone:
		pod.node = ""
	}
}

// inWords lists why nodes were rejected.
func inWords(reasons []record.ReasonCount) string {
	var parts []string
	for _, r := range reasons {
		parts = append(parts, fmt.Sprintf("%d %s: %s", r.Nodes, r.Plugin, r.Reason))
	}
	return strings.Join(parts, ", ")
}

// firstDifference returns the index of the first event in which two outcomes differ; -1 if they do not.
func firstDifference(a, b *side) int {
	for i := range min(len(a.events), len(b.events)) {
		if a.events[i].decision != b.events[i].decision || a.events[i].texts != b.events[i].texts {
			return i
		}
	}
	if len(a.events) != len(b.events) {
		return min(len(a.events), len(b.events))
	}
	return -1
}

// divergence describes the first decision that differs; without one, the first text. It is nil if there is neither.
func divergence(a, b *side) *upgrades.Divergence {
	text := -1
	for i := range max(len(a.events), len(b.events)) {
		if i >= len(a.events) || i >= len(b.events) {
			return describeDivergence(a, b, i, false)
		}
		if a.events[i].decision != b.events[i].decision {
			return describeDivergence(a, b, i, false)
		}
		if text < 0 && a.events[i].texts != b.events[i].texts {
			text = i
		}
	}
	if text < 0 {
		return nil
	}
	return describeDivergence(a, b, text, true)
}

func describeDivergence(a, b *side, i int, textOnly bool) *upgrades.Divergence {
	p := &upgrades.Divergence{TextOnly: textOnly}
	var at [2]clock.Time
	for k, s := range []*side{a, b} {
		if i >= len(s.events) {
			p.What[k] = "nothing more happens"
			continue
		}
		e := &s.events[i]
		name := s.pods[e.pod].name
		if at[k] = e.at; p.Pod == "" {
			p.Pod, p.Seconds = name, e.at.Seconds()
		}
		p.What[k] = s.describe(e)
		if pod := s.ends[s.pods[e.pod]]; textOnly && pod != nil {
			p.What[k] = pod.message
		}
		if name != p.Pod {
			p.What[k] = name + " " + p.What[k]
		}
	}
	if p.What[0] == p.What[1] && at[0] != at[1] {
		for k := range at {
			p.What[k] += " at " + human.Seconds(at[k].Seconds())
		}
	}
	return p
}

// describe says what an event was.
func (s *side) describe(e *event) string {
	switch e.kind {
	case record.PodAttempted:
		if node := s.nodes[e.node]; node != "" {
			return "is assumed on " + node
		}
		return "finds no node"
	case record.PodBound:
		return "is bound to " + s.nodes[e.node]
	case record.PodEvicted:
		return "is evicted from " + s.nodes[e.node]
	case record.PodArrived:
		return "arrives"
	case record.PodGated:
		return "is gated"
	case record.PodUngated:
		return "is not gated any more"
	}
	return "goes on" // what follows from an earlier decision
}

// maxExamples bounds how many pods a change names.
const maxExamples = 3

// change counts for which pods two outcomes differ.
func change(a, b *side) upgrades.Change {
	var c upgrades.Change
	none := &end{}
	for _, pod := range podsOf(a, b) {
		x, y := cmp.Or(a.ends[pod], none), cmp.Or(b.ends[pod], none)
		count := kindOfChange(&c, x, y)
		if count == nil {
			continue
		}
		if *count++; len(c.Examples) < maxExamples {
			c.Examples = append(c.Examples, pod.name)
		}
	}
	return c
}

// kindOfChange returns the count of the change that a pod has met; nil if it has met none.
func kindOfChange(c *upgrades.Change, before, after *end) *int {
	switch {
	case before.node != "" && after.node == "":
		return &c.Lost
	case before.node == "" && after.node != "":
		return &c.Gained
	case before.node != after.node:
		return &c.Moved
	case after.bound < before.bound:
		return &c.Sooner
	case after.bound > before.bound:
		return &c.Later
	case before.message != after.message:
		return &c.Messages
	}
	return nil
}

// podsOf returns the pods of either outcome, by name.
func podsOf(a, b *side) []podKey {
	pods := slices.Collect(maps.Keys(a.ends))
	for pod := range b.ends {
		if a.ends[pod] == nil {
			pods = append(pods, pod)
		}
	}
	slices.SortFunc(pods, func(x, y podKey) int { return cmp.Or(cmp.Compare(x.name, y.name), x.nth-y.nth) })
	return pods
}
