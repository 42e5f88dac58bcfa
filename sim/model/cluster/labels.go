package cluster

import (
	"cmp"
	"slices"
	"strconv"
)

// Label is one key and its value.
type Label struct{ Key, Value Symbol }

// LabelSet is a set of labels sorted by key.
type LabelSet []Label

// NewLabelSet interns and sorts labels.
func (v *Vocabulary) NewLabelSet(labels map[string]string) LabelSet {
	keys := make([]string, 0, len(labels))
	for k := range labels {
		keys = append(keys, k)
	}
	slices.Sort(keys) // ids must not depend on the order of a map
	set := make(LabelSet, 0, len(labels))
	for _, k := range keys {
		set = append(set, Label{v.Symbol(k), v.Symbol(labels[k])})
	}
	slices.SortFunc(set, func(a, b Label) int { return cmp.Compare(a.Key, b.Key) })
	return set
}

// Get returns the value of a key.
func (s LabelSet) Get(key Symbol) (Symbol, bool) {
	for _, l := range s {
		if l.Key == key {
			return l.Value, true
		}
	}
	return 0, false
}

// With returns a copy of s in which key has that value.
func (s LabelSet) With(key, value Symbol) LabelSet {
	out := slices.Clone(s)
	i, found := slices.BinarySearchFunc(out, key, func(l Label, k Symbol) int { return cmp.Compare(l.Key, k) })
	if found {
		out[i].Value = value
		return out
	}
	return slices.Insert(out, i, Label{key, value})
}

// Without returns a copy of s that lacks key.
func (s LabelSet) Without(key Symbol) LabelSet {
	return slices.DeleteFunc(slices.Clone(s), func(l Label) bool { return l.Key == key })
}

// Operator relates the value of a label to the values of a requirement.
type Operator uint8

// The operators of node and label selectors.
const (
	In Operator = iota
	NotIn
	Exists
	DoesNotExist
	Gt
	Lt
)

// Requirement is one expression of a selector.
type Requirement struct {
	Key    Symbol
	Op     Operator
	Values []Symbol
	Bound  int64 // for Gt and Lt: the parsed value
}

// Matches reports whether a set of labels satisfies the requirement, as
// labels.Requirement.Matches of k8s.io/apimachinery v0.36.3 does.
func (r *Requirement) Matches(set LabelSet, names *Symbols) bool {
	value, has := set.Get(r.Key)
	switch r.Op {
	case In:
		return has && slices.Contains(r.Values, value)
	case NotIn:
		return !has || !slices.Contains(r.Values, value)
	case Exists:
		return has
	case DoesNotExist:
		return !has
	}
	if !has {
		return false
	}
	n, err := strconv.ParseInt(names.Text(value), 10, 64)
	if err != nil {
		return false
	}
	if r.Op == Gt {
		return n > r.Bound
	}
	return n < r.Bound
}
