package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// Counts stand in for those of the scenario; nodes that events add go on where they end.
func TestCounts(t *testing.T) {
	path := t.TempDir() + "/scenario.yaml"
	write(t, path, completed(`fleet:
  - {pool: a, count: 5, template: {status: {allocatable: {cpu: "4", memory: 8Gi}}}}
  - {pool: b, count: 1, template: {status: {allocatable: {cpu: "4", memory: 8Gi}}}}
events: [{at: 1m, add: {pool: a, count: 1}}]
`))
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		counts map[string]int
		nodes  int
		added  string
	}{{nil, 6, "a-0005"}, {map[string]int{"a": 2}, 3, "a-0002"}, {map[string]int{"a": 0, "b": 3}, 3, "a-0000"}} {
		run, err := s.Build(scenarios.Options{Recipe: recipe.Recipe{Counts: c.counts}})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(nodesOf(run)); got != c.nodes || run.Config.Changes[0].Add[0].Name != c.added {
			t.Errorf("%v: %d nodes, then %s", c.counts, got, run.Config.Changes[0].Add[0].Name)
		}
	}
	for text, counts := range map[string]map[string]int{
		"<nil>": {"a": 0, "b": 1_000_000},
		"pool a: -1 nodes are not possible: from 0 to 1000000 are\n" + path + `: has no pool "other"; its pools are: a, b`: {"a": -1, "other": 1},
	} {
		if err := s.CheckCounts(counts); fmt.Sprint(err) != text {
			t.Errorf("%v: %v", counts, err)
		}
	}
}
