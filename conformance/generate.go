package conformance

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// A family is what the cases of one name have: how likely a node or pod has each
// feature, and how large the cluster is.
type family struct {
	name               string
	minNodes, maxNodes int
	heap               bool    // kube-scheduler's own choice among equals
	queue              bool    // the order of pods is that of the queue
	runningPerNode     int     // pods that run already, at most, for each node; 0: 3
	pods               int     // pending, at most; 0: 80
	spare              float64 // chance that a node has room for all

	// Chances, 0 to 1.
	extended   float64 // extended resources, huge pages, ephemeral storage
	parts      float64 // init containers and sidecars
	podLevel   float64 // pod-level resources
	runtime    float64 // RuntimeClass
	taints     float64
	affinity   float64
	ports      float64
	images     float64
	priorities float64
	gates      float64
	configured float64 // a configuration that is not the default
	profiles   float64 // a second profile

	podAffinity float64
	spread      float64 // topology spread constraints
	owners      float64 // Services and controllers, which the default constraints ask
	volumes     float64
	budgets     float64 // PodDisruptionBudgets, and pods that are leaving
	resized     float64 // pods that run with other resources than their spec has
	declared    float64 // features that nodes declare
}

// families are what is compared.
var families = []family{
	{name: "resources", minNodes: 5, maxNodes: 20, extended: 0.4, parts: 0.4, podLevel: 0.25, runtime: 0.2},
	{name: "strategies", minNodes: 5, maxNodes: 20, extended: 0.4, parts: 0.2, podLevel: 0.2, configured: 1},
	{name: "resize", minNodes: 5, maxNodes: 20, runningPerNode: 6, resized: 0.6, parts: 0.4, podLevel: 0.3, priorities: 0.3},
	{name: "taints", minNodes: 5, maxNodes: 30, taints: 0.8, runtime: 0.2},
	{name: "node affinity", minNodes: 5, maxNodes: 30, affinity: 0.8, configured: 0.2},
	{name: "pod affinity", minNodes: 5, maxNodes: 30, spare: 0.6, podAffinity: 0.6, priorities: 0.2, configured: 0.4},
	{name: "spread", minNodes: 5, maxNodes: 30, spare: 0.7, spread: 0.7, taints: 0.2, affinity: 0.4, priorities: 0.2, configured: 0.2},
	{name: "default spread", minNodes: 5, maxNodes: 40, spare: 0.6, owners: 0.6, spread: 0.1, configured: 0.5},
	{name: "ports", minNodes: 5, maxNodes: 20, ports: 0.7, parts: 0.2, priorities: 0.3},
	{name: "images", minNodes: 5, maxNodes: 60, images: 0.9},
	{name: "volumes", minNodes: 5, maxNodes: 20, spare: 0.7, volumes: 0.8, priorities: 0.2, configured: 0.2},
	{name: "declared", minNodes: 5, maxNodes: 20, spare: 0.5, declared: 0.6, parts: 0.3},
	{name: "preemption", minNodes: 5, maxNodes: 20, runningPerNode: 8, priorities: 0.9, extended: 0.2, ports: 0.15, taints: 0.1},
	{name: "budgets", minNodes: 5, maxNodes: 20, runningPerNode: 8, priorities: 0.9, budgets: 0.8, configured: 0.2},
	{name: "sampling", minNodes: 100, maxNodes: 160, taints: 0.2, affinity: 0.15, priorities: 0.2, configured: 0.5},
	{
		name: "profiles", minNodes: 5, maxNodes: 30, taints: 0.3, affinity: 0.3, priorities: 0.5, ports: 0.1,
		podAffinity: 0.1, spread: 0.1, configured: 0.8, profiles: 1,
	},
	{name: "heap", minNodes: 5, maxNodes: 60, heap: true, taints: 0.3, images: 0.2},
	{name: "sampled heap", minNodes: 100, maxNodes: 160, heap: true, taints: 0.2, spread: 0.1, configured: 0.5},
	{
		name: "queue", minNodes: 5, maxNodes: 20, queue: true, runningPerNode: 6, priorities: 0.8, taints: 0.1, ports: 0.35, podAffinity: 0.2,
		spread: 0.2, volumes: 0.15, budgets: 0.2, gates: 0.05, configured: 0.2,
	},
	{
		name: "mixed", minNodes: 5, maxNodes: 60, extended: 0.3, parts: 0.2, podLevel: 0.1, runtime: 0.15, taints: 0.3,
		affinity: 0.3, ports: 0.15, images: 0.3, priorities: 0.4, gates: 0.05, configured: 0.4,
		podAffinity: 0.15, spread: 0.15, owners: 0.2, volumes: 0.1, budgets: 0.2, resized: 0.05, declared: 0.1,
	},
	{
		name: "everything", minNodes: 5, maxNodes: 20, spare: 0.3, runningPerNode: 8, priorities: 0.9, taints: 0.2, affinity: 0.15, ports: 0.1,
		podAffinity: 0.35, spread: 0.35, owners: 0.2, volumes: 0.1, budgets: 0.3, configured: 0.3, profiles: 0.2,
	},
	{
		name: "configurations", minNodes: 5, maxNodes: 30, spare: 0.3, taints: 0.3, affinity: 0.3, priorities: 0.4, images: 0.3, extended: 0.3,
		podAffinity: 0.3, spread: 0.2, owners: 0.4, volumes: 0.15, ports: 0.1, declared: 0.1, configured: 1, profiles: 0.5,
	},
}

// creation is when the first of the pods that run started.
var creation = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// familiesOf are the families for a release: before 1.36 pods need no declared features.
func familiesOf(release string) []family {
	out := slices.Clone(families)
	if slices.Index(Releases, release) >= slices.Index(Releases, "1.36") {
		return out
	}
	for i := range out {
		out[i].declared = 0
	}
	return slices.DeleteFunc(out, func(f family) bool { return f.name == "declared" })
}

const (
	podsPerNode = 7
	maxPods     = 80
)

// generate makes the case of a family and a seed.
func generate(f *family, seed uint64) *Case {
	h := fnv.New64a()
	h.Write([]byte(f.name)) //nolint:errcheck // it never fails
	g := &generator{family: f, Rand: rand.New(rand.NewPCG(seed, h.Sum64()))}
	c := &Case{Family: f.name, Seed: seed, Heap: f.heap, Queue: f.queue, Policy: g.policy()}
	g.nodes = g.between(f.minNodes, f.maxNodes)
	g.started, g.opened = make([]int, g.nodes), make([]bool, g.nodes)
	c.Objects = append(c.Objects, g.classes()...)
	for i := range g.nodes {
		c.Objects = append(c.Objects, g.node(i))
	}
	c.Objects = append(c.Objects, g.surroundings()...)
	var running []object
	for i := range g.between(0, max(0, cmp.Or(f.runningPerNode, 3))*g.nodes) {
		running = append(running, g.running(i))
	}
	c.Objects = append(c.Objects, running...)
	if g.budgets > 0 {
		c.Objects = append(c.Objects, g.budgetObjects(running)...)
	}
	for i := range min(podsPerNode*g.nodes, cmp.Or(f.pods, maxPods)) {
		c.Objects = append(c.Objects, g.pending(i))
	}
	return c
}

// generator draws the parts of a case.
type generator struct {
	*family
	*rand.Rand
	nodes   int
	started []int    // pods that run, by node
	opened  []bool   // whether one of them may have host ports, by node
	claims  int      // how many there are
	free    int      // volumes that no claim names
	delayed []string // storage classes whose claims wait for a pod
	second  bool     // there is a second profile
	self    object   // the labels of the pod that is being made
}

func (g *generator) chance(p float64) bool { return p > 0 && g.Float64() < p }

func (g *generator) between(low, high int) int { return low + g.IntN(high-low+1) }

func pick[T any](g *generator, of ...T) T { return of[g.IntN(len(of))] }

// some draws each of the values with a chance.
func some[T any](g *generator, p float64, of ...T) []any {
	out := []any{}
	for _, v := range of {
		if g.chance(p) {
			out = append(out, v)
		}
	}
	return out
}

// set puts a value where it is not empty.
func set(o object, key string, v any) {
	switch v := v.(type) {
	case object:
		if len(v) == 0 {
			return
		}
	case []any:
		if len(v) == 0 {
			return
		}
	}
	o[key] = v
}

// classes are the objects that pods refer to.
func (g *generator) classes() []object {
	var out []object
	if g.priorities > 0 {
		for i, value := range priorities {
			c := object{
				"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
				"metadata": object{"name": priorityName(i)}, "value": value,
			}
			if value == 1000 && g.chance(0.5) {
				c["preemptionPolicy"] = "Never"
			}
			if i == 2 && g.chance(0.3) {
				c["globalDefault"] = true
			}
			out = append(out, c)
		}
	}
	if g.runtime > 0 {
		c := object{
			"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": object{"name": "sandboxed"}, "handler": "sandboxed",
		}
		if g.chance(0.8) {
			c["overhead"] = object{"podFixed": object{"cpu": pick(g, "0", "120m", "1"), "memory": pick(g, "64Mi", "1Gi")}}
		}
		if g.chance(0.3) {
			scheduling := object{"nodeSelector": object{"size": pick(g, sizes...)}}
			set(scheduling, "tolerations", g.tolerations())
			c["scheduling"] = scheduling
		}
		out = append(out, c)
	}
	return out
}

// surroundings are what pods select, or are selected by.
func (g *generator) surroundings() []object {
	var out []object
	if g.labeled() {
		out = append(out, g.namespaceObjects()...)
	}
	if g.chance(g.owners * 2) {
		out = append(out, g.ownerObjects()...)
	}
	if g.volumes > 0 {
		out = append(out, g.storageObjects()...)
	}
	return out
}

var priorities = []int{-10, 0, 10, 10, 1000, 1_000_000}

func priorityName(i int) string { return fmt.Sprintf("p%d", i) }
