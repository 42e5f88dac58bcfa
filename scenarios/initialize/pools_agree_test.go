package initialize_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/goal"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/plan"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/answers/scaleup"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/recipe"
)

var dumps = flag.Int("dumps", 80, "random dumps to compare plan with explain on")

// machine is a kind of node in a random dump.
type machine struct {
	cpu, memoryGi, gpus int
	gpu                 string // the model
	typed               bool   // it has the label of an instance type
}

// dumpMaker makes dumps of clusters of several kinds of nodes, that are nearly full.
type dumpMaker struct {
	*rand.Rand
	b     strings.Builder
	nodes []string // names
}

func (m *dumpMaker) pick(of ...string) string { return of[m.IntN(len(of))] }

func (m *dumpMaker) write(format string, args ...any) {
	fmt.Fprintf(&m.b, strings.TrimLeft(format, "\n")+"\n---\n", args...)
}

// clusterWith is a dump in which only one pod is pending: default/ask.
func (m *dumpMaker) clusterWith(extra string) string {
	machines := []machine{{cpu: 4, memoryGi: 16, typed: true}, {cpu: 4, memoryGi: 32}}
	for range 3 {
		machines = append(machines, machine{4 << m.IntN(3), 16 << m.IntN(2), m.IntN(3) * 2, m.pick("T4", "G2", ""), m.IntN(2) == 0})
	}
	for i := range 5 + m.IntN(8) {
		m.node(fmt.Sprintf("n-%d", i), machines[m.IntN(len(machines))])
	}
	for i, node := range m.nodes {
		m.write(`
{apiVersion: v1, kind: Pod, metadata: {name: old-%d, labels: {app: old}}, spec: {nodeName: %s, tolerations: [{operator: Exists}], containers: [{name: c, image: i, resources: {requests: {cpu: %s}}}]}, status: {phase: Running}}`,
			i, node, m.pick("1", "3500m", "3900m"))
	}
	m.asking()
	return m.b.String() + extra
}

func (m *dumpMaker) node(name string, k machine) {
	m.nodes = append(m.nodes, name)
	labels := map[string]string{"kubernetes.io/hostname": name, "serial": fmt.Sprint(m.Uint32()), "topology.kubernetes.io/zone": m.pick("a", "b")}
	for _, key := range []string{"rack", "disk", "team"} {
		if m.IntN(3) > 0 {
			labels[key] = m.pick("x", "y")
		}
	}
	if k.typed {
		labels["node.kubernetes.io/instance-type"] = m.pick("m5", "m6")
	}
	devices := ""
	if k.gpus > 0 {
		devices = fmt.Sprintf(", nvidia.com/gpu: %d", k.gpus)
		if k.gpu != "" {
			labels["nvidia.com/gpu.product"] = k.gpu
		}
	}
	var set []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		set = append(set, fmt.Sprintf("%s: %q", key, labels[key]))
	}
	m.write(`
{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {%s}}, spec: {%s}, status: {allocatable: {cpu: %d, memory: %dKi, pods: 110%s}}}`,
		name, strings.Join(set, ", "), m.pick("", "", "unschedulable: true", "taints: [{key: own, value: p, effect: NoSchedule}]"),
		k.cpu, k.memoryGi<<20-m.IntN(3)*1024, devices)
}

// asking is a pod with some of what tells nodes from one another.
func (m *dumpMaker) asking() {
	gpus := ""
	if m.IntN(3) == 0 {
		gpus = fmt.Sprintf("nvidia.com/gpu: %d", 1+m.IntN(4))
	}
	m.write(`
{apiVersion: v1, kind: Pod, metadata: {name: ask, labels: {app: ask}}, spec: {%s %s %s containers: [{name: c, image: i, resources: {requests: {cpu: "%d", memory: %dGi}, limits: {%s}}}]}}`,
		m.pick("", "tolerations: [{key: own, operator: Exists}],", "tolerations: [{key: own, operator: Exists}],"),
		m.pick("", "", "", "nodeSelector: {rack: x},", "nodeSelector: {nvidia.com/gpu.product: T4},", "nodeSelector: {topology.kubernetes.io/zone: b},",
			"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: NotIn, values: [x]}]}]}}},"),
		m.pick("", "", "topologySpreadConstraints: [{maxSkew: 1, topologyKey: team, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: old}}}],"),
		1+m.IntN(12), 1+m.IntN(12), gpus)
}

// placedOn is the node on which the pod default/ask of manifests would be bound; empty: none.
func placedOn(t *testing.T, text string) string {
	t.Helper()
	p, err := scenarios.NewPlacement(placeOptions(t, text))
	if err != nil {
		t.Fatal(err)
	}
	node := ""
	p.Attempted = func(a *scheduler.Attempt) {
		if p.Cluster.Pod(a.Pod).Name == "ask" && a.Outcome == scheduler.Scheduled {
			node = p.Cluster.Node(a.Node).Name
		}
	}
	if _, err := p.Run(p.Pods); err != nil {
		t.Fatal(err)
	}
	return node
}

func placeOptions(t *testing.T, text string) scenarios.PlaceOptions {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dump.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return scenarios.PlaceOptions{Files: []string{path}, Order: place.QueueOrder, Recipe: recipe.Recipe{TieBreak: string(scheduler.TieFirst)}}
}

// addedNodes are the changes of explain that add a node; known is false where not all were tried.
func addedNodes(t *testing.T, text string) (changes []string, known bool) {
	t.Helper()
	p, err := scenarios.NewPlacement(placeOptions(t, text))
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := explain.ParsePod("default/ask")
	if err != nil {
		t.Fatal(err)
	}
	tracker := explain.NewTracker(wanted, clock.Forever, explain.Options{Daemons: p.Daemons, ExcludedPods: p.ExcludedPods, Top: 5})
	if err := tracker.Place(&p.Placement, p.Pods); err != nil {
		t.Fatal(err)
	}
	found, err := tracker.Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found.Changes {
		if c.Kind == "addNode" {
			changes = append(changes, c.Text)
		}
	}
	return changes, found.Untried == ""
}

// holdingPools are the pools of a scenario of which one node more holds the goal that nothing is pending.
func holdingPools(t *testing.T, path string) (all, holding []string) {
	t.Helper()
	s, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	nothingPending, err := goal.Parse("placement.pending == 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.File.Fleet {
		if f.Pool == "" {
			continue
		}
		all = append(all, f.Pool)
		axis, err := plan.ParseAxis("pool." + f.Pool + ".count=0..1")
		if err != nil {
			t.Fatal(err)
		}
		search := plan.Plan{
			Scenario: s, Objectives: plan.Objectives{{Goal: nothingPending}}, Axes: []plan.Axis{axis}, Seeds: []uint64{1}, Quantile: 100, Probes: 2,
			Runner: experiment.Runner{Version: "test"},
		}
		found, err := search.Search(context.Background())
		var neverFits *plan.NeverFitError
		if errors.As(err, &neverFits) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if found.Reached() {
			holding = append(holding, f.Pool)
		}
	}
	return all, holding
}

// takenByNewNodes are the pools of which plan -f says that one new node takes the pending pod of a dump.
func takenByNewNodes(t *testing.T, text string) (pools []string) {
	t.Helper()
	snapshot, err := scenarios.ReadSnapshot(placeOptions(t, text))
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := plan.NewNodes(snapshot, "")
	if err != nil {
		t.Fatal(err)
	}
	asked, _, err := snapshot.ScaleUp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := scaleup.Plan(t.Context(), asked, shapes)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range found.Offers {
		if len(o.Pods) > 0 {
			pools = append(pools, o.Shape.Pool)
		}
		if len(o.Pods) != o.Nodes {
			t.Errorf("%d nodes of %s for the pods %q", o.Nodes, o.Shape.Pool, o.Pods)
		}
	}
	if (len(found.Chosen) > 0) != (len(pools) > 0) || (len(found.Unfit) > 0) == (len(pools) > 0) {
		t.Errorf("pools %q take the pod: chosen are %v, unfit %v", pools, found.Chosen, found.Unfit)
	}
	return pools
}

// Plan -f says that a new node of some pool takes a pending pod exactly if explain says that one more node would, and
// names the pools whose nodes the search over runs would add.
func TestNewNodesAgreeWithExplain(t *testing.T) {
	asked, yes := 0, 0
	for seed := range uint64(5 * *dumps) {
		m := &dumpMaker{Rand: rand.New(rand.NewPCG(seed, 12))}
		text := m.clusterWith("")
		if placedOn(t, text) != "" {
			continue
		}
		changes, known := addedNodes(t, text)
		if !known {
			continue
		}
		pools := takenByNewNodes(t, text)
		if (len(pools) > 0) != (len(changes) > 0) {
			t.Errorf("seed %d: one new node of %q takes the pod; explain says %q\n%s", seed, pools, changes, text)
		}
		asked++
		if len(changes) > 0 {
			yes++
		}
	}
	if asked < *dumps || yes < asked/5 || yes > asked*4/5 {
		t.Errorf("%d dumps were asked about and %d said yes: too few to compare", asked, yes)
	}
}

// One node more of a pool that init writes holds a pending pod exactly if explain says of the dump that one more
// node would.
func TestPlanAgreesWithExplainOfTheDump(t *testing.T) {
	asked, yes := 0, 0
	for seed := range uint64(*dumps) {
		m := &dumpMaker{Rand: rand.New(rand.NewPCG(seed, 11))}
		text := m.clusterWith("")
		if placedOn(t, text) != "" {
			continue
		}
		changes, known := addedNodes(t, text)
		if !known {
			continue
		}
		path := filepath.Join(t.TempDir(), "dump.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		done, _ := written(t, path, false)
		all, holding := holdingPools(t, done.Written[0])
		if taken := takenByNewNodes(t, text); !slices.Equal(taken, holding) {
			t.Errorf("seed %d: one new node of %q takes the pod, and plan finds %q", seed, taken, holding)
		}
		if (len(holding) > 0) != (len(changes) > 0) {
			t.Errorf("seed %d: of the pools %q one node more of %q holds the pod; explain says of the dump %q\n%s", seed, all, holding, changes, text)
		}
		asked++
		if len(changes) > 0 {
			yes++
		}
	}
	if asked < *dumps/4 || yes < asked/5 || yes > asked*4/5 {
		t.Errorf("of %d dumps %d were asked about and %d said yes: too few to compare", *dumps, asked, yes)
	}
}
