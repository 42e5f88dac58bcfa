package scenarios_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/drain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// drainCase is a random cluster, with what the test needs to know of it.
type drainCase struct {
	text   strings.Builder
	cpu    map[string]int    // of nodes
	disk   map[string]string // label of nodes
	pods   map[string]drainPod
	budget int // maxUnavailable of the pods of app b
}

type drainPod struct {
	node, app, disk string
	cpu             int
	stays           bool // of a DaemonSet, or static
}

func (c *drainCase) write(format string, args ...any) {
	fmt.Fprintf(&c.text, format+"\n---\n", args...)
}

func newDrainCase(r *rand.Rand) *drainCase {
	c := &drainCase{cpu: map[string]int{}, disk: map[string]string{}, pods: map[string]drainPod{}, budget: r.IntN(3)}
	nodes := 3 + r.IntN(8)
	for i := range nodes {
		name := fmt.Sprintf("n%d", i)
		c.cpu[name], c.disk[name] = 4<<r.IntN(3), []string{"x", "y"}[r.IntN(2)]
		c.write("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {kubernetes.io/hostname: %[1]s, disk: %s}}, status: {allocatable: {cpu: %d, memory: 64Gi, pods: 20}}}", name, c.disk[name], c.cpu[name])
		free := c.cpu[name]
		for k := range r.IntN(5) {
			p := drainPod{node: name, app: []string{"a", "b", "c"}[r.IntN(3)], cpu: 1 + r.IntN(3), stays: r.IntN(6) == 0}
			if free -= p.cpu; free < 0 {
				break
			}
			owner, selector := "ReplicaSet", ""
			if p.stays {
				owner = []string{"DaemonSet", "Node"}[r.IntN(2)]
			} else if r.IntN(4) == 0 {
				p.disk = c.disk[name]
				selector = "nodeSelector: {disk: " + p.disk + "},"
			}
			pod := fmt.Sprintf("p%d-%d", i, k)
			c.pods["default/"+pod] = p
			c.write("{apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {app: %s}, ownerReferences: [{apiVersion: apps/v1, kind: %s, name: o, uid: u, controller: true}]}, spec: {nodeName: %s, %s containers: [{name: c, image: i, resources: {requests: {cpu: %d}}}]}, status: {phase: Running}}",
				pod, p.app, owner, name, selector, p.cpu)
		}
	}
	c.write("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: default}, spec: {maxUnavailable: %d, selector: {matchLabels: {app: b}}}}", c.budget)
	c.write("{apiVersion: v1, kind: Pod, metadata: {name: huge}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 99}}}]}}")
	return c
}

// plan asks which nodes of the cluster can be drained.
func (c *drainCase) plan(t *testing.T) *drain.Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dump.yaml")
	if err := os.WriteFile(path, []byte(c.text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	snapshot, err := scenarios.ReadSnapshot(scenarios.PlaceOptions{Files: []string{path}, Order: place.QueueOrder, Recipe: recipe.Recipe{TieBreak: string(scheduler.TieFirst)}})
	if err != nil {
		t.Fatal(err)
	}
	standing, err := snapshot.InitialCluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := drain.Plan(t.Context(), standing.NewCluster, drain.Options{Traits: standing.Traits})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// check carries the steps out by plain sums, and returns what is wrong with them.
func (c *drainCase) check(r *drain.Result) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	on, free := map[string]string{}, maps.Clone(c.cpu)
	for name, p := range c.pods {
		on[name] = p.node
		free[p.node] -= p.cpu
	}
	gone := map[string]bool{}
	for _, s := range r.Steps {
		for _, wave := range s.Waves {
			down := 0
			for _, m := range wave {
				p := c.pods[m.Pod]
				if on[m.Pod] != s.Node || p.stays {
					fault("%s is evicted from %s, and is on %s", m.Pod, s.Node, on[m.Pod])
				}
				if p.app == "b" {
					down++
				}
				free[s.Node] += p.cpu
				free[m.Node] -= p.cpu
				on[m.Pod] = m.Node
				if free[m.Node] < 0 || gone[m.Node] || m.Node == s.Node || p.disk != "" && p.disk != c.disk[m.Node] {
					fault("%s cannot run on %s", m.Pod, m.Node)
				}
			}
			if down > c.budget {
				fault("%d pods of a budget of %d are down at once", down, c.budget)
			}
		}
		gone[s.Node] = true
	}
	for name, p := range c.pods {
		if gone[on[name]] && !p.stays {
			fault("%s runs nowhere", name)
		}
	}
	if r.AtLeast.Nodes > c.fewest() {
		fault("%d nodes are said to be needed, and %d do by their sum", r.AtLeast.Nodes, c.fewest())
	}
	if !slices.Equal(r.Pending, []string{"default/huge"}) || len(r.Remaining)+len(r.Steps) != len(c.cpu) {
		fault("pending %v, %d nodes stay and %d go", r.Pending, len(r.Remaining), len(r.Steps))
	}
	return faults
}

// fewest returns how many nodes hold the pods by the sum of cpu, over all subsets of nodes.
func (c *drainCase) fewest() int {
	nodes := slices.Sorted(maps.Keys(c.cpu))
	need, room := 0, map[string]int{}
	for name, cpu := range c.cpu {
		room[name] = cpu
	}
	locked := map[string]bool{}
	for _, p := range c.pods {
		switch {
		case p.stays:
			room[p.node] -= p.cpu
			continue
		case p.app == "b" && c.budget == 0:
			locked[p.node] = true
		}
		need += p.cpu
	}
	least := len(nodes)
	for set := range 1 << len(nodes) {
		sum, count, valid := 0, 0, true
		for i, n := range nodes {
			if set&(1<<i) != 0 {
				sum, count = sum+room[n], count+1
			} else if locked[n] {
				valid = false
			}
		}
		if valid && sum >= need {
			least = min(least, count)
		}
	}
	return least
}

// What plan --compact says can be carried out: every pod that runs, runs again on a node that stays, no node holds more than it
// has, and a budget is never broken.
func TestDrainsCanBeCarriedOut(t *testing.T) {
	drained, waves := 0, 0
	for seed := range uint64(200) {
		c := newDrainCase(rand.New(rand.NewPCG(seed, 3)))
		found := c.plan(t)
		for _, fault := range c.check(found) {
			t.Errorf("seed %d: %s", seed, fault)
		}
		drained += len(found.Steps)
		for _, s := range found.Steps {
			if len(s.Waves) > 1 {
				waves++
			}
		}
	}
	if drained < 200 || waves < 5 {
		t.Errorf("%d nodes were drained, %d in several waves: too few to find anything", drained, waves)
	}
}

// A step that breaks a rule is found by the check above.
func TestDrainsThatCannotBeCarriedOut(t *testing.T) {
	c := newDrainCase(rand.New(rand.NewPCG(1, 3)))
	found := c.plan(t)
	if len(found.Steps) == 0 || len(c.check(found)) > 0 {
		t.Fatal("the case has no step to break")
	}
	step := slices.IndexFunc(found.Steps, func(s drain.Step) bool { return len(s.Waves) > 0 })
	if step < 0 {
		t.Fatal("no step of the case moves a pod")
	}
	found.Steps[step].Waves[0][0].Node = found.Steps[step].Node
	if len(c.check(found)) == 0 {
		t.Error("a pod that goes back to the node that is drained is not found")
	}
}
