package world_test

import (
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestOutcomesAreThoseOfRecords: the world writes the scheduler's outcome into records by its name.
func TestOutcomesAreThoseOfRecords(t *testing.T) {
	names := []string{record.Scheduled, record.Waiting, record.Unschedulable, record.Failed}
	for o := scheduler.Scheduled; o <= scheduler.Failed; o++ {
		if !slices.Contains(names, o.String()) {
			t.Errorf("records have no outcome %q", o)
		}
	}
}
