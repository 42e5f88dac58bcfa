package preemption

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
)

// shortlist is the candidates found so far, those that violate no budget apart from those
// that do. Of either it holds as many as are enough, and no more.
//
// Upstream: candidateList and DryRunPreemption, framework/preemption, v1.36.3.
type shortlist struct {
	enough           int
	clean, violating []candidate
}

func (s *shortlist) add(c candidate) {
	list := &s.clean
	if c.violations > 0 {
		list = &s.violating
	}
	if len(*list) < s.enough {
		*list = append(*list, c)
	}
}

// complete reports whether the search can end: there are enough candidates, and one at least
// violates no budget.
func (s *shortlist) complete() bool {
	return len(s.clean) > 0 && len(s.clean)+len(s.violating) >= s.enough
}

func (s *shortlist) all() []candidate { return append(s.clean, s.violating...) }

// best is the candidate whose loss weighs least: the fewest violations of budgets, then the
// lowest priority of the most important victim, the smallest sum of priorities, the fewest
// victims, and the latest start among the victims of highest priority. Of several it is the first by name, or a random
// one with random tie-breaks.
//
// Upstream: pickOneNodeForPreemption, framework/preemption/preemption.go, v1.36.3, where the order of a map decides.
func (p *defaultPreemption) best(candidates []candidate) candidate {
	equal := candidates[:1:1]
	for _, c := range candidates[1:] {
		switch order, _ := p.compare(c, equal[0]); {
		case order < 0:
			equal = append(equal[:0:0], c)
		case order == 0:
			equal = append(equal, c)
		}
	}
	slices.SortFunc(equal, p.byName)
	return equal[p.h.SelectAmongEqual(len(equal))]
}

func (p *defaultPreemption) byName(a, b candidate) int {
	return strings.Compare(p.cluster.Node(a.node).Name, p.cluster.Node(b.node).Name)
}

// compare puts the candidate first whose loss weighs less, and names the rule that distinguishes them; 0 where none does.
func (p *defaultPreemption) compare(a, b candidate) (order int, rule string) {
	for _, rule := range rules {
		if order := rule.compare(p, a, b); order != 0 {
			return order, rule.name
		}
	}
	return 0, ""
}

// rules compare candidates, the first that distinguishes them decides.
var rules = []struct {
	name    string
	compare func(p *defaultPreemption, a, b candidate) int
}{
	{"fewer victims are protected by a disruption budget", func(_ *defaultPreemption, a, b candidate) int {
		return cmp.Compare(a.violations, b.violations)
	}},
	{"the most important victim has a lower priority", func(p *defaultPreemption, a, b candidate) int {
		return cmp.Compare(p.highest(a), p.highest(b))
	}},
	{"the sum of priorities is smaller", func(p *defaultPreemption, a, b candidate) int {
		return cmp.Compare(p.sumOfPriorities(a), p.sumOfPriorities(b))
	}},
	{"there are fewer victims", func(_ *defaultPreemption, a, b candidate) int {
		return cmp.Compare(len(a.victims), len(b.victims))
	}},
	{"the victims of highest priority started later", func(p *defaultPreemption, a, b candidate) int {
		return cmp.Compare(p.earliestStart(b), p.earliestStart(a))
	}},
}

// highest is the priority of the first victim. They come by falling importance, unless an
// extender has changed that.
func (p *defaultPreemption) highest(c candidate) int32 {
	return p.cluster.Pod(c.victims[0]).Class.Priority
}

// sumOfPriorities adds 2^31 to each, so that many pods of negative priority do not
// weigh less than few.
func (p *defaultPreemption) sumOfPriorities(c candidate) int64 {
	var sum int64
	for _, pod := range c.victims {
		sum += int64(p.cluster.Pod(pod).Class.Priority) + math.MaxInt32 + 1
	}
	return sum
}

// earliestStart is that of the victims whose priority is the highest of all.
//
// Upstream: GetEarliestPodStartTime, pkg/scheduler/util/utils.go, v1.36.3.
func (p *defaultPreemption) earliestStart(c candidate) clock.Time {
	earliest, highest := clock.Forever, p.highest(c)
	for _, pod := range c.victims {
		v := p.cluster.Pod(pod)
		if v.Class.Priority > highest {
			highest, earliest = v.Class.Priority, clock.Forever
		}
		if v.Class.Priority == highest {
			earliest = min(earliest, started(v))
		}
	}
	return earliest
}
