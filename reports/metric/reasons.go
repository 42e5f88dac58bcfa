package metric

import (
	"encoding/binary"
	"slices"

	"github.com/berth-sim/berth/sim/model/record"
)

// reasonSet is a set of reasons that pods share.
type reasonSet struct {
	key     string
	labels  []string
	holders int
}

// reasonTable holds the sets of reasons that present pods have.
type reasonTable struct {
	sets   map[string]*reasonSet
	buffer []byte
}

// take returns the set of the reasons, with one holder more.
func (t *reasonTable) take(reasons []record.ReasonCount) *reasonSet {
	t.buffer = t.buffer[:0]
	for _, r := range reasons {
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Plugin)))
		t.buffer = append(t.buffer, r.Plugin...)
		t.buffer = binary.AppendUvarint(t.buffer, uint64(len(r.Reason)))
		t.buffer = append(t.buffer, r.Reason...)
	}
	set, ok := t.sets[string(t.buffer)]
	if !ok {
		set = &reasonSet{key: string(t.buffer)}
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
