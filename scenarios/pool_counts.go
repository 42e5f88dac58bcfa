package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/world"
)

// ofPool returns the override for the pool, or own if there is none.
func ofPool[T any](overrides map[string]T, pool string, own T) T {
	if value, overridden := overrides[pool]; overridden {
		return value
	}
	return own
}

// CheckCounts returns an error that lists the invalid numbers of nodes. counts has them by pool.
func (s *Scenario) CheckCounts(counts map[string]int) error {
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
			faults = append(faults, fmt.Errorf("%s: has no pool %q%s", s.path, pool, otherPools(pool, pools)))
		case n < 0 || n > MaxPool:
			faults = append(faults, fmt.Errorf("pool %s: %d nodes are not possible: from 0 to %d are", pool, n, MaxPool))
		}
	}
	return errors.Join(faults...)
}

// otherPools returns the end of a message about an unknown pool: similar and existing pools.
func otherPools(pool string, pools []string) string {
	if len(pools) == 0 {
		return ", nor any other: its nodes are from manifests or a trace; add a pool to its fleet, of any count from 0 up"
	}
	return fmt.Sprintf("%s; its pools are: %s", document.Meant(pool, pools), strings.Join(pools, ", "))
}

// CheckFixedFleet returns an error that lists the events which change the number of nodes. why is the end of its messages.
func (s *Scenario) CheckFixedFleet(why string) error {
	var faults document.Errors
	for i := range s.File.Events {
		switch kind, _ := s.File.Events[i].selection(); kind {
		case world.AddNodes, world.RemoveNodes, world.DrainNodes:
			faults.Add(s.root.Get("events").Index(i), string(kind), "changes the fleet: %s", why)
		}
	}
	return faults.Err()
}
