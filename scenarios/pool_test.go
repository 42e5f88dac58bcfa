package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// nodesOf are the nodes of a run in the order in which they were added.
func nodesOf(run *scenarios.Run) []*cluster.Node {
	c := run.Config.Cluster
	var out []*cluster.Node
	for id := range cluster.NodeID(c.NodeIDs()) {
		out = append(out, c.Node(id))
	}
	return out
}

func allocatable(c *cluster.Cluster, n *cluster.Node, resource string) int64 {
	for _, q := range n.Allocatable {
		if c.ResourceName(q.Resource) == resource {
			return q.Amount
		}
	}
	return 0
}

// TestPools makes the nodes of pools: names, zones dealt out in turn, prices, labels.
func TestPools(t *testing.T) {
	run := builtFrom(t, `fleet:
  - {pool: a, count: 5, zones: [x, y], pricePerHour: 0.5, template: {status: {allocatable: {cpu: "4", memory: 8Gi}}}}
  - {pool: b, count: 1, namePattern: "node.{index}.{pool}", template: {status: {capacity: {cpu: "2", memory: 8Gi, pods: "7"}}}}
events: [{at: 1m, add: {pool: a, count: 2}}]
`)
	var got []string
	c := run.Config.Cluster
	for _, n := range nodesOf(run) {
		zone, _ := n.Labels.Get(c.Symbol("topology.kubernetes.io/zone"))
		host, _ := n.Labels.Get(c.Symbol("kubernetes.io/hostname"))
		got = append(got, fmt.Sprintf("%s pool=%s zone=%s host=%s price=%v cpu=%d pods=%d",
			n.Name, n.Pool, c.Text(zone), c.Text(host), n.PricePerHour, allocatable(c, n, "cpu"), allocatable(c, n, "pods")))
	}
	want := []string{
		"a-0000 pool=a zone=x host=a-0000 price=0.5 cpu=4000 pods=110",
		"a-0001 pool=a zone=y host=a-0001 price=0.5 cpu=4000 pods=110",
		"a-0002 pool=a zone=x host=a-0002 price=0.5 cpu=4000 pods=110",
		"a-0003 pool=a zone=y host=a-0003 price=0.5 cpu=4000 pods=110",
		"a-0004 pool=a zone=x host=a-0004 price=0.5 cpu=4000 pods=110",
		"node.0000.b pool=b zone= host=node.0000.b price=0 cpu=2000 pods=7",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Nodes that come later go on where the first ones ended, in names and zones.
	var added []string
	for _, r := range play(t, run).records {
		if r.Kind == record.NodeAdded && r.Time > 0 {
			added = append(added, r.NodeInfo.Name+" "+r.NodeInfo.Zone)
		}
	}
	if want := []string{"a-0005 y", "a-0006 x"}; !slices.Equal(added, want) {
		t.Errorf("added %v, want %v", added, want)
	}
}

// TestJitter keeps amounts within their bounds; they follow from the seed and the name
// of the pool, and other resources and pools stay as they are.
func TestJitter(t *testing.T) {
	amounts := func(seed int, jitter string, count int) (cpu, memory []int64) {
		run := builtFrom(t, fmt.Sprintf(`seed: %d
fleet:
  - {pool: other, count: %d, jitter: {cpu: 0.5}, template: {status: {allocatable: {cpu: "1"}}}}
  - {pool: a, count: 200, jitter: {%s}, template: {status: {allocatable: {cpu: "10", memory: 8Gi}}}}
`, seed, count, jitter))
		for _, n := range nodesOf(run) {
			if n.Pool == "a" {
				cpu = append(cpu, allocatable(run.Config.Cluster, n, "cpu"))
				memory = append(memory, allocatable(run.Config.Cluster, n, "memory"))
			}
		}
		return cpu, memory
	}
	cpu, memory := amounts(1, "cpu: 0.2", 1)
	if low, high := slices.Min(cpu), slices.Max(cpu); low < 8000 || high > 12000 || low > 8200 || high < 11800 {
		t.Errorf("200 draws of cpu lie between %d and %d, want nearly all of 8000 to 12000", low, high)
	}
	if slices.Min(memory) != 8<<30 || slices.Max(memory) != 8<<30 {
		t.Error("memory has no jitter, and changed")
	}
	if again, _ := amounts(1, "cpu: 0.2", 3); !slices.Equal(again, cpu) {
		t.Error("the jitter of one pool depends on the size of another one")
	}
	if other, _ := amounts(2, "cpu: 0.2", 1); slices.Equal(other, cpu) {
		t.Error("the jitter does not depend on the seed")
	}
	if none, _ := amounts(1, "cpu: 0", 1); slices.Min(none) != 10000 || slices.Max(none) != 10000 {
		t.Error("a jitter of 0 changes amounts")
	}
}
