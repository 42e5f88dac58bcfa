package gpu

import (
	"testing"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// Classes that ask for the same share their scores. Beyond a bound all scores are forgotten:
// pods that are all different do not make the memory grow forever.
func TestKnownScoresAreSharedAndForgotten(t *testing.T) {
	v := cluster.NewVocabulary()
	class := func(key string, cpu, memory int64, models ...cluster.Symbol) *cluster.Class {
		return v.AddClass(key, cluster.Class{
			Requests: []cluster.Quantity{{Resource: cluster.CPU, Amount: cpu}, {Resource: cluster.Memory, Amount: memory}},
			Devices:  cluster.DeviceRequest{Count: 1, Milli: 300, Models: models},
		})
	}
	a, b, c, d := class("a", 1, 1), class("b", 1, 2), class("c", 2, 1), class("d", 1, 1, v.Symbol("T4"))
	var s deviceScores
	first := s.of(a)
	if s.of(b) != first || s.of(c) == first || s.of(d) == first || s.of(a) != first {
		t.Error("scores are not shared by what classes ask for")
	}
	s.scores = maxKnownScores + 1
	if s.of(a) == first || len(s.byNeed) != 1 || s.scores != 0 {
		t.Errorf("beyond the bound %d scores of %d needs are known", s.scores, len(s.byNeed))
	}
}
