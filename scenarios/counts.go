package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/berth-sim/berth/sim/document"
)

// Counts are numbers of nodes by pool, in place of those that a scenario says; 0: none.
type Counts map[string]int

// of is how many nodes the pool has.
func (c Counts) of(f *Fleet) int {
	if n, given := c[f.Pool]; given {
		return n
	}
	return f.Count
}

// Prices are those of a node by pool, per hour, in place of those that a scenario says.
type Prices map[string]float64

// of is what a node of the pool costs per hour.
func (p Prices) of(f *Fleet) float64 {
	if price, given := p[f.Pool]; given {
		return price
	}
	return f.PricePerHour
}

// CheckCounts says which of the counts the scenario cannot have.
func (s *Scenario) CheckCounts(counts Counts) error {
	var pools []string
	for i := range s.File.Fleet {
		if pool := s.File.Fleet[i].Pool; pool != "" {
			pools = append(pools, pool)
		}
	}
	var faults []error
	for _, pool := range slices.Sorted(maps.Keys(counts)) {
		switch n := counts[pool]; {
		case !slices.Contains(pools, pool):
			faults = append(faults, fmt.Errorf("%s: has no pool %q%s; its pools are: %q", s.path, pool, document.Meant(pool, pools), pools))
		case n < 0 || n > maxPool:
			faults = append(faults, fmt.Errorf("pool %s: %d nodes are not possible: from 0 to %d are", pool, n, maxPool))
		}
	}
	return errors.Join(faults...)
}
