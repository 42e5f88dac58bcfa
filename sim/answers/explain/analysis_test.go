package explain

import (
	"reflect"
	"testing"
)

func TestQuantity(t *testing.T) {
	tests := []struct {
		resource    string
		amount      int64
		want, rough string
	}{
		{"cpu", 2000, "2", "2"},
		{"cpu", 1500, "1500m", "1500m"},
		{"cpu", 0, "0", "0"},
		{"memory", 2 << 30, "2Gi", "2Gi"},
		{"memory", 3 << 29, "1536Mi", "1536Mi"},
		{"memory", 1408599381, "1408599381", "1343Mi"},
		{"memory", -1408599381, "-1408599381", "-1343Mi"},
		{"memory", 1000, "1000", "1000"},
		{"memory", 0, "0", "0"},
		{"hugepages-2Mi", 4 << 20, "4Mi", "4Mi"},
		{"nvidia.com/gpu", 8, "8", "8"},
		{"pods", 1, "1", "1"},
		{"ephemeral-storage", 1 << 50, "1024Ti", "1024Ti"},
	}
	for _, tt := range tests {
		if got, rough := Quantity(tt.resource, tt.amount), RoundedQuantity(tt.resource, tt.amount); got != tt.want || rough != tt.rough {
			t.Errorf("%d of %s: %s, roughly %s; want %s, %s", tt.amount, tt.resource, got, rough, tt.want, tt.rough)
		}
	}
}

// TestNearestMiss: nodes that lack one thing alone count before those that lack less of it
// and something else too.
func TestNearestMiss(t *testing.T) {
	type node struct {
		lack  int64
		alone bool
	}
	for name, tt := range map[string]struct {
		nodes []node
		want  Shortage
	}{
		"smallest":        {[]node{{5, true}, {2, true}, {3, true}, {2, true}}, Shortage{Alone: 4, Least: 2, NodesAtLeast: 2, nearest: 1}},
		"alone first":     {[]node{{1, false}, {4, true}, {1, false}, {4, true}}, Shortage{Alone: 2, Least: 4, NodesAtLeast: 2, nearest: 1}},
		"none is alone":   {[]node{{3, false}, {2, false}, {2, false}}, Shortage{Least: 2, NodesAtLeast: 2, nearest: 1}},
		"alone, then not": {[]node{{4, true}, {1, false}}, Shortage{Alone: 1, Least: 4, NodesAtLeast: 1, nearest: 0}},
	} {
		var l Shortage
		for i, n := range tt.nodes {
			l.note(n.lack, n.alone, i)
		}
		if !reflect.DeepEqual(l, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, l, tt.want)
		}
	}
}

// TestDecided: a plugin decides when without it a node behind catches up; an equal one does
// not count.
func TestDecided(t *testing.T) {
	for name, tt := range map[string]struct {
		table  table
		decide []bool // by plugin
	}{
		"overtaken":       {table{scores: [][]int64{{50, 40, 5}, {45, 44, 3}, {50, 39, 5}}, totals: []int64{95, 92, 94}}, []bool{true, true, false}},
		"caught up":       {table{scores: [][]int64{{10, 5}, {9, 5}}, totals: []int64{15, 14}}, []bool{true, false}},
		"equal all along": {table{scores: [][]int64{{10, 5}, {10, 5}}, totals: []int64{15, 15}}, []bool{false, false}},
		"equal in sum":    {table{scores: [][]int64{{10, 5}, {5, 10}}, totals: []int64{15, 15}}, []bool{false, false}},
		"far ahead":       {table{scores: [][]int64{{10, 10}, {5, 5}}, totals: []int64{20, 10}}, []bool{false, false}},
	} {
		for plugin, want := range tt.decide {
			if got := tt.table.losesWithout(0, plugin); got != want {
				t.Errorf("%s: plugin %d decides: %v, want %v", name, plugin, got, want)
			}
		}
	}
}

// TestQuantitiesInOneUnit: a row is written in the largest unit that all of it can be
// written in.
func TestQuantitiesInOneUnit(t *testing.T) {
	for _, tt := range []struct {
		resource string
		amounts  []int64
		want     []string
	}{
		{"cpu", []int64{16000, 500, 15500, 0}, []string{"16000m", "500m", "15500m", "0"}},
		{"cpu", []int64{16000, -2000}, []string{"16", "-2"}},
		{"memory", []int64{64 << 30, 3 << 29, -1 << 30}, []string{"65536Mi", "1536Mi", "-1024Mi"}},
		{"memory", []int64{2 << 30, 0}, []string{"2Gi", "0"}},
		{"memory", []int64{0, 0}, []string{"0", "0"}},
		{"pods", []int64{110, 1}, []string{"110", "1"}},
	} {
		if got := Quantities(tt.resource, tt.amounts...); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v of %s: %q, want %q", tt.amounts, tt.resource, got, tt.want)
		}
	}
}
