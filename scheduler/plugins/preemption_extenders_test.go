package plugins_test

import (
	"context"
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// turner is an extender that sends victims back in the opposite order.
type turner struct{ scheduler.Extender }

func (turner) Info() scheduler.ExtenderInfo {
	return scheduler.ExtenderInfo{Name: "turner", Preempts: true}
}

func (turner) IsInterested(*cluster.Class) bool { return true }

func (turner) Preempt(_ context.Context, _ cluster.PodID, candidates []scheduler.Candidate) ([]scheduler.Candidate, error) {
	for _, k := range candidates {
		slices.Reverse(k.Victims)
	}
	return candidates, nil
}

// The most important victims started later on n1. An extender may send them in any order,
// but the one whose priority is compared is the first.
func TestStartOfTheMostImportantVictims(t *testing.T) {
	for _, test := range []struct {
		name      string
		extenders []scheduler.Extender
	}{
		{"as preemption found them", nil},
		{"turned round", []scheduler.Extender{turner{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, worldConfig{extenders: test.extenders})
			w.addNodes("n1 cpu=2 memory=8Gi pods=10", "n2 cpu=2 memory=8Gi pods=10")
			w.addPods(
				"high-1 node=n1 cpu=1 priority=5 start=20s", "low-1 node=n1 cpu=1 priority=1 start=30s",
				"high-2 node=n2 cpu=1 priority=5 start=10s", "low-2 node=n2 cpu=1 priority=1 start=40s",
				"boss cpu=2 priority=9",
			)
			a := takeAndSchedule(w, w.pods["boss"])
			if a.Nominated != w.node("n1") || len(a.Victims) != 2 {
				t.Errorf("nominated node %d with %d victims, want n1 with two: %s", a.Nominated, len(a.Victims), a.Message())
			}
		})
	}
}
