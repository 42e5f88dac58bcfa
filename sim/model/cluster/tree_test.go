package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainTree is the zone rule of node_tree.go, v1.36.3, written out with names and maps.
type plainTree struct {
	zones []string
	nodes map[string][]string
}

func (p *plainTree) add(name, zone string) {
	if _, known := p.nodes[zone]; !known {
		p.zones = append(p.zones, zone)
	}
	p.nodes[zone] = append(p.nodes[zone], name)
}

func (p *plainTree) remove(name, zone string) {
	p.nodes[zone] = slices.DeleteFunc(p.nodes[zone], func(n string) bool { return n == name })
	if len(p.nodes[zone]) == 0 {
		delete(p.nodes, zone)
		p.zones = slices.DeleteFunc(p.zones, func(z string) bool { return z == zone })
	}
}

func (p *plainTree) list() []string {
	var out []string
	next := map[string]int{}
	exhausted := 0
	for z := 0; exhausted < len(p.zones); z = (z + 1) % len(p.zones) {
		zone := p.zones[z]
		switch left := len(p.nodes[zone]) - next[zone]; {
		case left > 0:
			out = append(out, p.nodes[zone][next[zone]])
			if next[zone]++; left == 1 {
				exhausted++
			}
		}
	}
	return out
}

func (tr *trial) visited() []string {
	var out []string
	for _, id := range tr.Order() {
		out = append(out, tr.Node(id).Name)
	}
	return out
}

// The example of the reference documents: nodes 1 to 4 in zone 1, 5 and 6 in zone 2.
func TestNodesAreVisitedZoneByZone(t *testing.T) {
	tr := &trial{Cluster: New(NewVocabulary())}
	for i, zone := range []string{"1", "1", "1", "1", "2", "2"} {
		addNode(t, tr.Cluster, NodeSpec{
			Name: fmt.Sprint(i + 1), Labels: tr.NewLabelSet(map[string]string{"topology.kubernetes.io/zone": zone}),
		})
	}
	if got := strings.Join(tr.visited(), " "); got != "1 5 2 6 3 4" {
		t.Errorf("visited %s, want 1 5 2 6 3 4", got)
	}
}

func TestZoneKey(t *testing.T) {
	const (
		zone, region         = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
		betaZone, betaRegion = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"
	)
	c := New(NewVocabulary())
	key := func(labels map[string]string) string { return c.Text(c.zoneKey(c.NewLabelSet(labels))) }
	tests := []struct {
		labels map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"zone": "a"}, ""},
		{map[string]string{zone: "a"}, ":\x00:a"},
		{map[string]string{region: "r"}, "r:\x00:"},
		{map[string]string{zone: "a", region: "r"}, "r:\x00:a"},
		{map[string]string{zone: "a", betaZone: "b", region: "r", betaRegion: "s"}, "s:\x00:b"},
		{map[string]string{zone: "a", betaZone: ""}, ""}, // an empty beta label wins too
	}
	for _, tt := range tests {
		if got := key(tt.labels); got != tt.want {
			t.Errorf("zone key of %v = %q, want %q", tt.labels, got, tt.want)
		}
	}
}

func TestNodeOrderAgainstThePlainRule(t *testing.T) {
	for seed := range uint64(100) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		tr, plain := &trial{Cluster: New(NewVocabulary())}, &plainTree{nodes: map[string][]string{}}
		zones := map[string]string{} // by node
		labels := func(zone string) LabelSet {
			if zone == "" {
				return nil
			}
			return tr.NewLabelSet(map[string]string{"topology.kubernetes.io/zone": zone})
		}
		for step := range 60 {
			name, zone := fmt.Sprintf("n%d", rnd.IntN(25)), []string{"", "a", "b", "c"}[rnd.IntN(4)]
			id, exists := tr.NodeByName(name)
			switch {
			case !exists:
				addNode(t, tr.Cluster, NodeSpec{Name: name, Labels: labels(zone)})
				plain.add(name, zone)
			case rnd.IntN(2) == 0:
				tr.RemoveNode(id)
				plain.remove(name, zones[name])
			case zone != zones[name]:
				tr.UpdateNode(id, NodeSpec{Name: name, Labels: labels(zone)})
				plain.remove(name, zones[name])
				plain.add(name, zone)
			default:
				tr.UpdateNode(id, NodeSpec{Name: name, Labels: labels(zone), Unschedulable: true})
			}
			zones[name] = zone
			if got, want := tr.visited(), plain.list(); !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d: visited %v, want %v", seed, step, got, want)
			}
			if err := tr.Verify(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
		}
	}
}
