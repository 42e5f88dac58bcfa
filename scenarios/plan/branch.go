package plan

import (
	"cmp"
	"math"
	"slices"
)

// box is the fleets whose pools are of sizes between two fleets.
type box struct{ low, high []int }

// branch finds the cheapest fleet where several pools vary, by branch and bound on the
// border between the fleets that hold the goal and those that do not.
//
// Of the boxes that can still hold a cheaper fleet it takes the one whose smallest fleet
// is the cheapest. A box whose largest fleet does not hold the goal is done with. Of all
// others the middle is tried: if it holds the goal, it is made smaller as far as it goes,
// which gives a point of the frontier, and all larger fleets are done with; if it does not,
// all smaller fleets are. The cheapest fleet is known when no box is left whose smallest
// fleet costs less.
func (s *search) branch() error {
	queue := []box{{s.lows(), s.top.counts}}
	for len(queue) > 0 {
		next := slices.IndexFunc(queue, func(b box) bool { return s.cost(b.low) == s.cheapest(queue) })
		b := queue[next]
		queue = slices.Delete(queue, next, next+1)
		if s.bound = s.cost(b.low); s.bound >= s.bestCost() {
			break
		}
		parts, err := s.explore(b)
		if err != nil {
			return err
		}
		queue = append(queue, parts...)
	}
	s.exact = true
	return nil
}

// lows are the smallest sizes of the pools.
func (s *search) lows() []int {
	out := make([]int, len(s.axes))
	for i, a := range s.axes {
		out[i] = a.Low
	}
	return out
}

// cheapest is the least cost of the smallest fleets of the boxes.
func (s *search) cheapest(queue []box) float64 {
	least := math.Inf(1)
	for _, b := range queue {
		least = min(least, s.cost(b.low))
	}
	return least
}

// bestCost is what the best fleet costs that is known.
func (s *search) bestCost() float64 {
	if s.best == nil {
		return math.Inf(1)
	}
	return s.cost(s.best.counts)
}

// explore tries the middle of a box, and returns the parts of it that are still open.
func (s *search) explore(b box) ([]box, error) {
	lost := s.lostAt(b.low)
	b.high = s.clip(b)
	if enough, err := s.known(b.high, lost); err != nil || !enough {
		return nil, err
	}
	middle := make([]int, len(b.low))
	for i := range middle {
		middle[i] = b.low[i] + (b.high[i]-b.low[i])/2
	}
	enough, err := s.known(middle, lost)
	switch {
	case err != nil:
		return nil, err
	case !enough:
		return b.without(middle, false), nil
	}
	least, err := s.shrink(middle, b.low, lost)
	if err != nil {
		return nil, err
	}
	parts := b.without(least.counts, true)
	if s.enough(least, lost) && !s.holds(least) { // larger ones may, in runs in which nothing is broken yet
		parts = append(parts, box{least.counts, b.high})
	}
	return parts, nil
}

// clip leaves out of a box the sizes that cost as much as the best fleet even when all other
// pools are as small as they can be.
func (s *search) clip(b box) []int {
	high := slices.Clone(b.high)
	left := s.bestCost() - s.cost(b.low)
	for i, price := range s.prices {
		if more := left / price; price > 0 && more < float64(high[i]-b.low[i]) {
			high[i] = b.low[i] + max(int(math.Ceil(more))-1, 0)
		}
	}
	return high
}

// shrink makes a fleet that is enough as small as it can be, down to low at most, the dearest
// pools first.
func (s *search) shrink(counts, low []int, lost lostRuns) (*probe, error) {
	counts = slices.Clone(counts)
	axes := make([]int, len(counts))
	for i := range axes {
		axes[i] = i
	}
	slices.SortStableFunc(axes, func(a, b int) int { return cmp.Compare(s.prices[b], s.prices[a]) })
	for _, i := range axes {
		fails, holds := low[i]-1, counts[i]
		for holds-fails > 1 {
			counts[i] = fails + (holds-fails)/2
			enough, err := s.known(counts, lost)
			if err != nil {
				return nil, err
			}
			if enough {
				holds = counts[i]
			} else {
				fails = counts[i]
			}
		}
		counts[i] = holds
	}
	return s.at(counts)
}

// minimal reports whether the fleet is enough, and is known not to be when any of its pools is
// smaller.
func (s *search) minimal(p *probe) bool {
	if !s.enough(p, nil) {
		return false
	}
	for i, n := range p.counts {
		if n == s.axes[i].Low {
			continue
		}
		fewer := slices.Clone(p.counts)
		fewer[i]--
		fails := func(q *probe) bool { return within(fewer, q.counts) && !s.enough(q, nil) }
		if !s.nothing(fewer) && !slices.ContainsFunc(s.probes, fails) {
			return false
		}
	}
	return true
}

// without are the parts of a box without the fleets that are at least as large as p, or, if
// upward is false, at most as large.
func (b box) without(p []int, upward bool) []box {
	var out []box
	rest := box{slices.Clone(b.low), slices.Clone(b.high)}
	for i := range p {
		part := box{slices.Clone(rest.low), slices.Clone(rest.high)}
		if upward {
			part.high[i], rest.low[i] = p[i]-1, p[i]
		} else {
			part.low[i], rest.high[i] = p[i]+1, p[i]
		}
		if part.low[i] <= part.high[i] {
			out = append(out, part)
		}
	}
	return out
}
