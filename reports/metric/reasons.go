package metric

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// reasonSet is a set of reasons that pods share, and the main one of them.
type reasonSet struct {
	key     string
	labels  []string
	main    string // one of labels
	holders int
}

// reasonTable holds the sets of reasons that present pods have.
type reasonTable struct {
	sets   map[string]*reasonSet
	buffer []byte
}

// take returns the set of the reasons, with one holder more.
func (t *reasonTable) take(reasons []record.ReasonCount) *reasonSet {
	main := lifecycle.MainReason(reasons)
	t.buffer = binary.AppendUvarint(t.buffer[:0], uint64(slices.IndexFunc(reasons, func(r record.ReasonCount) bool {
		return r.Plugin == main.Plugin && r.Reason == main.Reason
	})))
	for _, r := range reasons {
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Plugin)))
		t.buffer = append(t.buffer, r.Plugin...)
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Reason)))
		t.buffer = append(t.buffer, r.Reason...)
	}
	set, ok := t.sets[string(t.buffer)]
	if !ok {
		set = &reasonSet{key: string(t.buffer), main: ReasonLabel(main)}
		for _, r := range reasons {
			set.labels = append(set.labels, ReasonLabel(r))
		}
		slices.Sort(set.labels)
		set.labels = slices.Compact(set.labels)
		if t.sets == nil {
			t.sets = map[string]*reasonSet{}
		}
		t.sets[set.key] = set
	}
	set.holders++
	return set
}

func (t *reasonTable) drop(set *reasonSet) {
	if set == nil {
		return
	}
	if set.holders--; set.holders == 0 {
		delete(t.sets, set.key)
	}
}

// countPending declares how many pending pods of the scope there are under each label, those of most pods first.
func countPending(labelsOf func(*reasonSet) []string) func(*view, emitter) {
	return func(v *view, emit emitter) {
		counts := map[string]int64{}
		v.eachPending(func(p *pod) {
			if p.Data.reasons == nil {
				counts[lifecycle.NotTried]++
				return
			}
			for _, label := range labelsOf(p.Data.reasons) {
				counts[label]++
			}
		})
		labels := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
		})
		for _, label := range labels {
			emit(label, float64(counts[label]))
		}
	}
}

// ReasonLabel returns how reports name a reason: "plugin: reason".
func ReasonLabel(r record.ReasonCount) string {
	switch {
	case r.Plugin == "":
		return r.Reason
	case r.Reason == "":
		return r.Plugin
	}
	return r.Plugin + ": " + r.Reason
}
