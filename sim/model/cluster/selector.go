package cluster

import (
	"slices"
	"strconv"
	"strings"
)

// LabelSelector selects sets of labels: all its requirements must hold. The zero value
// selects everything, as an empty selector of the API does.
type LabelSelector struct {
	// Nothing selects no set of labels at all, as an absent selector of the API does.
	Nothing      bool
	Requirements []Requirement
}

// SelectsNothing returns the selector that matches no set of labels.
func SelectsNothing() LabelSelector { return LabelSelector{Nothing: true} }

// IsEmpty reports whether the selector has no requirement and so selects everything.
func (s *LabelSelector) IsEmpty() bool { return !s.Nothing && len(s.Requirements) == 0 }

// Matches reports whether the selector selects a set of labels.
func (s *LabelSelector) Matches(set LabelSet, symbols *Symbols) bool {
	if s.Nothing {
		return false
	}
	for i := range s.Requirements {
		if !s.Requirements[i].Matches(set, symbols) {
			return false
		}
	}
	return true
}

// key is a text that is equal for selectors that are written alike, except for the order of
// their requirements and of the values in them.
func (s *LabelSelector) key() string {
	if s.Nothing {
		return "-"
	}
	parts := make([]string, len(s.Requirements))
	for i := range s.Requirements {
		parts[i] = s.Requirements[i].key()
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

func (r *Requirement) key() string {
	text := strconv.AppendInt(nil, int64(r.Key), 10)
	text = append(text, "~!?0><"[r.Op])
	values := slices.Clone(r.Values)
	slices.Sort(values)
	for _, v := range values {
		text = append(strconv.AppendInt(text, int64(v), 10), ',')
	}
	return string(strconv.AppendInt(text, r.Bound, 10))
}
