package plan

import (
	"cmp"
	"math"
	"slices"
)

// box is the set of fleets whose counts lie between those of two fleets.
type box struct{ low, high []int }

// branch finds the cheapest fleet where several pools vary, by branch and bound.
//
// From the boxes that can contain a cheaper fleet it takes the one whose smallest fleet is cheapest. If the largest fleet
// of a box fails the goal, the box is discarded. Otherwise branch tries the middle of the box. If the middle meets the
// goal, it is reduced as far as possible, which gives a point of the frontier, and all larger fleets are discarded. If it
// fails, all smaller fleets are discarded. The search ends when the smallest fleet of every box costs as much as the best.
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

// lows returns the smallest sizes of the pools.
func (s *search) lows() []int {
	out := make([]int, len(s.axes))
	for i, a := range s.axes {
		out[i] = a.Low
	}
	return out
}

// cheapest returns the lowest cost of the smallest fleets of the boxes.
func (s *search) cheapest(queue []box) float64 {
	least := math.Inf(1)
	for _, b := range queue {
		least = min(least, s.cost(b.low))
	}
	return least
}

// bestCost returns the cost of the best fleet so far, or infinity.
func (s *search) bestCost() float64 {
	if s.best == nil {
		return math.Inf(1)
	}
	return s.cost(s.best.counts)
}

// explore tries the middle of a box, and returns the parts of the box that remain to be searched.
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

// clip returns the largest fleet of a box without the sizes that cost as much as the best fleet even if all other pools
// are as small as they can be.
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

// shrink reduces a fleet that is enough as far as possible, but not below low. It reduces the most expensive pools first.
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

// minimal reports whether the fleet is enough, and known not to be enough with one node less in any of its pools.
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

// without returns the parts of a box without the fleets that are at least as large as p, or at most as large if upward is
// false.
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
