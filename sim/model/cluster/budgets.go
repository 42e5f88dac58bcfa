package cluster

import (
	"fmt"
	"slices"
)

// BudgetID is the dense id of a budget.
type BudgetID int32

// Budget is a PodDisruptionBudget: how many of the pods that it selects may be evicted.
type Budget struct {
	Namespace Symbol
	Name      string
	// Selector selects the pods of the namespace that the budget is about. Preemption takes
	// an empty one for one that selects none.
	Selector LabelSelector
	// DisruptedPods are the names of pods whose eviction has been granted already.
	DisruptedPods map[string]bool
	// MinAvailable, or where that is nil MaxUnavailable, is what Allowed follows from; with
	// neither it is 0.
	MinAvailable, MaxUnavailable *IntOrPercent
	// DisruptionsAllowed is how many more pods may be evicted now. SetAllowed changes it.
	DisruptionsAllowed int32
	// HasStatus reports whether Allowed was known from the start: the budget came with a status.
	HasStatus bool
}

// IntOrPercent is a number of pods, or a part of them.
type IntOrPercent struct {
	Value   int64
	Percent bool
}

// of is the share of that many pods, rounded up.
//
// Upstream: GetScaledValueFromIntOrPercent of k8s.io/apimachinery/pkg/util/intstr, v0.36.3.
func (s IntOrPercent) of(pods int64) int64 {
	if !s.Percent {
		return s.Value
	}
	return (s.Value*pods + 99) / 100
}

// DisruptionsAllowedFor returns how many pods may be evicted if that many are expected and healthy.
//
// Upstream: getExpectedPodCount and updatePdbStatus, pkg/controller/disruption/disruption.go, v1.36.3.
func (b *Budget) DisruptionsAllowedFor(expected, healthy int64) int32 {
	desired := int64(0)
	switch {
	case b.MaxUnavailable != nil:
		desired = max(0, expected-b.MaxUnavailable.of(expected))
	case b.MinAvailable != nil:
		desired = b.MinAvailable.of(expected)
	default:
		return 0
	}
	if expected <= 0 {
		return 0
	}
	return int32(max(0, healthy-desired))
}

// Selects reports whether the budget is about pods of that class.
func (b *Budget) Selects(class *Class, symbols *Symbols) bool {
	return b.Namespace == class.Namespace && b.Selector.Matches(class.Labels, symbols)
}

// Budgets holds the budgets, and which of them select the pods of each class.
type Budgets struct {
	vocabulary *Vocabulary `hash:"part"`
	journal    *journal    `hash:"part"`
	list       []Budget
	byClass    [][]BudgetID `hash:"kept"` // nil: not known yet
}

// Add adds a budget and returns its id.
func (t *Budgets) Add(b Budget) BudgetID {
	t.list = append(t.list, b)
	t.byClass = nil
	if t.journal.isOpen() {
		t.journal.note(func() {
			t.list = t.list[:len(t.list)-1]
			t.byClass = nil
		})
	}
	return BudgetID(len(t.list) - 1)
}

// Len returns the number of budgets; ids are below it.
func (t *Budgets) Len() int { return len(t.list) }

// Budget returns the budget of an id. Callers read it only.
func (t *Budgets) Budget(id BudgetID) *Budget { return &t.list[id] }

// SetAllowed says how many more pods of a budget may be evicted.
func (t *Budgets) SetAllowed(id BudgetID, n int32) {
	before := t.list[id].DisruptionsAllowed
	if t.journal.isOpen() {
		t.journal.note(func() { t.list[id].DisruptionsAllowed = before })
	}
	t.list[id].DisruptionsAllowed = n
}

// Of returns the budgets that select pods of a class, in order. It costs nothing where there are no
// budgets, and a lookup for a class that was asked for before.
func (t *Budgets) Of(class *Class) []BudgetID {
	if len(t.list) == 0 {
		return nil
	}
	if n := t.vocabulary.NumClasses(); len(t.byClass) < n {
		t.byClass = append(t.byClass, make([][]BudgetID, n-len(t.byClass))...)
	}
	if t.byClass[class.ID] == nil {
		t.byClass[class.ID] = t.match(class)
	}
	return t.byClass[class.ID]
}

// match goes through all budgets; the answer is not nil.
func (t *Budgets) match(class *Class) []BudgetID {
	found := []BudgetID{}
	for i := range t.list {
		if t.list[i].Selects(class, &t.vocabulary.Symbols) {
			found = append(found, BudgetID(i))
		}
	}
	return slices.Clip(found)
}

// verify matches the budgets with all classes from scratch.
func (t *Budgets) verify() error {
	for i := range t.list {
		if b := &t.list[i]; b.DisruptionsAllowed < 0 {
			return fmt.Errorf("budget %q allows %d", b.Name, b.DisruptionsAllowed)
		}
	}
	for id, known := range t.byClass {
		if known != nil && !slices.Equal(known, t.match(t.vocabulary.classes[id])) {
			return fmt.Errorf("class %d is said to be selected by the budgets %v", id, known)
		}
	}
	return nil
}
