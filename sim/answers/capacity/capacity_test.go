package capacity

import (
	"testing"

	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

func TestTimes(t *testing.T) {
	const cpu, memory = cluster.CPU, cluster.Memory
	tests := []struct {
		name          string
		there, wanted map[cluster.Resource]int64
		want          int
	}{
		{"the scarcest decides", map[cluster.Resource]int64{cpu: 10, memory: 7}, map[cluster.Resource]int64{cpu: 2, memory: 2}, 3},
		{"what nobody wants does not count", map[cluster.Resource]int64{cpu: 10}, map[cluster.Resource]int64{cpu: 3}, 3},
		{"what is not there", map[cluster.Resource]int64{cpu: 10}, map[cluster.Resource]int64{cpu: 1, memory: 1}, 0},
	}
	for _, tt := range tests {
		if got := times(tt.there, tt.wanted); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestBound: a policy that does not honor amounts can place more than there is room for.
func TestBound(t *testing.T) {
	f := filler{set: make([]manifest.Replica, 1), out: Filling{Sets: 9, Room: &Room{AsOneNode: 5, Usable: 4, PerNode: 3}}}
	f.bound()
	if *f.out.Room != (Room{9, 9, 9}) {
		t.Errorf("one template: %v", *f.out.Room)
	}
	f = filler{set: make([]manifest.Replica, 2), out: Filling{Sets: 4, Room: &Room{AsOneNode: 5, Usable: 3, PerNode: -1}}}
	f.bound()
	if *f.out.Room != (Room{5, 4, -1}) {
		t.Errorf("two templates: %v", *f.out.Room)
	}
}

func TestWhy(t *testing.T) {
	reasons := []explain.Reason{{Plugin: "A", Reason: "no cpu", Nodes: 2}, {Plugin: "B", Reason: "no cpu", Nodes: 1}, {Plugin: "B", Reason: "a taint", Nodes: 4}}
	tests := []struct {
		name string
		f    Filling
		want string
	}{
		{"none", Filling{}, ""},
		{"gated", Filling{Gate: "waits"}, "waits"},
		{"failed", Filling{Stop: &explain.Explanation{State: explain.Failed, Message: "broken"}}, "broken"},
		{"rejected", Filling{Stop: &explain.Explanation{Reasons: reasons, Search: explain.Search{Nodes: 7, Evaluated: 7}}},
			"0/7 nodes are available: 3 no cpu, 4 a taint."},
		{"before any node was looked at", Filling{Stop: &explain.Explanation{Reasons: reasons[:1], Search: explain.Search{Nodes: 2}}},
			"0/2 nodes are available: no cpu."},
	}
	for _, tt := range tests {
		if got := tt.f.Why(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
