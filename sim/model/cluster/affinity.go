package cluster

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
)

// NodeTerm is one term of a node selector: all its requirements must hold.
type NodeTerm struct {
	Labels []Requirement
	Names  []Requirement // on the field metadata.name: In or NotIn, one value
	Fault  string        // upstream's error if the term cannot be evaluated; else empty
}

// NodeSelector is an OR of terms. A selector without terms matches nothing.
type NodeSelector []NodeTerm

// PreferredTerm adds its weight to the score of the nodes that it matches.
type PreferredTerm struct {
	Weight int64
	Term   NodeTerm
}

// IsEmpty reports whether the term has no requirement at all; such a term matches
// nothing.
func (t *NodeTerm) IsEmpty() bool { return len(t.Labels) == 0 && len(t.Names) == 0 }

// UsesKey reports whether the term asks for a label.
func (t *NodeTerm) UsesKey(key Symbol) bool {
	return slices.ContainsFunc(t.Labels, func(r Requirement) bool { return r.Key == key })
}

// Matches reports whether a node with these labels and this name satisfies the term.
func (t *NodeTerm) Matches(labels LabelSet, name Symbol, symbols *Symbols) bool {
	if t.IsEmpty() || t.Fault != "" {
		return false
	}
	for i := range t.Labels {
		if !t.Labels[i].Matches(labels, symbols) {
			return false
		}
	}
	for i := range t.Names {
		r := &t.Names[i]
		if slices.Contains(r.Values, name) != (r.Op == In) {
			return false
		}
	}
	return true
}

// Matches reports whether any term matches.
func (s NodeSelector) Matches(labels LabelSet, name Symbol, symbols *Symbols) bool {
	for i := range s {
		if s[i].Matches(labels, name, symbols) {
			return true
		}
	}
	return false
}

// Effect is what a taint does to pods that do not tolerate it.
type Effect uint8

// The effects of taints. In a toleration AnyEffect stands for all of them.
const (
	AnyEffect Effect = iota
	NoSchedule
	PreferNoSchedule
	NoExecute
)

// Taint repels pods from a node.
type Taint struct {
	Key, Value Symbol
	Effect     Effect
}

// UnschedulableTaint is the key of the taint that a node with spec.unschedulable has, with the effect NoSchedule.
const UnschedulableTaint = "node.kubernetes.io/unschedulable"

// Toleration lets a pod tolerate taints.
type Toleration struct {
	Key, Value Symbol
	Exists     bool // operator Exists; else Equal
	Effect     Effect
	// HasTolerationSeconds reports whether tolerationSeconds is set; For is its value.
	HasTolerationSeconds bool
	TolerationSeconds    clock.Time
}

// Tolerates reports whether the toleration covers the taint, as
// v1.Toleration.ToleratesTaint of k8s.io/api v0.36.3 does with the feature gate
// TaintTolerationComparisonOperators off.
func (t Toleration) Tolerates(taint Taint) bool {
	if t.Effect != AnyEffect && t.Effect != taint.Effect {
		return false
	}
	if t.Key != 0 && t.Key != taint.Key {
		return false
	}
	return t.Exists || t.Value == taint.Value
}

// Tolerated reports whether any of the tolerations covers the taint.
func Tolerated(tolerations []Toleration, taint Taint) bool {
	for _, t := range tolerations {
		if t.Tolerates(taint) {
			return true
		}
	}
	return false
}

// MinTolerationTime returns how long a pod with these tolerations stays on a node with these
// taints, or clock.Forever if no NoExecute taint limits it. It is what the first toleration that
// covers each such taint says.
//
// Upstream: processPodOnNode and getMinTolerationTime,
// pkg/controller/tainteviction/taint_eviction.go, v1.36.3.
func MinTolerationTime(tolerations []Toleration, taints []Taint) clock.Time {
	longest := clock.Forever
	for _, taint := range taints {
		if taint.Effect != NoExecute {
			continue
		}
		i := slices.IndexFunc(tolerations, func(t Toleration) bool { return t.Tolerates(taint) })
		if i < 0 {
			return 0
		}
		if tolerations[i].HasTolerationSeconds {
			longest = min(longest, max(tolerations[i].TolerationSeconds, 0))
		}
	}
	return longest
}
