package devices

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// gpuRun makes a log of pods on nodes with devices, and keeps what is there in plain form.
type gpuRun struct {
	rnd     *rand.Rand
	now     clock.Time
	emit    func(*record.Record)
	nodes   []gpuNode
	pods    []gpuPod
	target  []record.TargetClass
	arrived int64 // pods
	demand  int64
}

type gpuNode struct {
	alive bool
	info  record.NodeInfo
}

type gpuPod struct {
	number      int64
	class, node int32
	held        []int32
	bound       bool
}

var gpuModels = []string{"", "T4", "A10"}

var gpuClasses = []record.Record{
	{Amounts: []record.Amount{{Resource: "cpu", Value: 4000}}},
	{Amounts: []record.Amount{{Resource: "cpu", Value: 2000}}, Devices: &record.DeviceRequest{Kind: "gpu", Count: 1, Milli: 300}},
	{Amounts: []record.Amount{{Resource: "cpu", Value: 1000}}, Devices: &record.DeviceRequest{Kind: "gpu", Count: 1, Milli: 700, Models: []string{"T4"}}},
	{Amounts: []record.Amount{{Resource: "cpu", Value: 6000}}, Devices: &record.DeviceRequest{Kind: "gpu", Count: 2, Milli: 1000}},
	{Amounts: []record.Amount{{Resource: "cpu", Value: 500}}, Devices: &record.DeviceRequest{Kind: "gpu", Count: 1, Milli: 1000, Models: []string{"A10", "H100"}}},
}

func newGPURun(seed uint64, nodes int, emit func(*record.Record)) *gpuRun {
	g := &gpuRun{rnd: rand.New(rand.NewPCG(seed, 9)), emit: emit}
	g.record(record.Record{Kind: record.DeclareWorkload, Text: "w"})
	for i, c := range gpuClasses {
		c.Kind, c.Class = record.DeclareClass, int32(i)
		g.record(c)
	}
	for range nodes {
		g.addNode()
	}
	return g
}

func (g *gpuRun) record(r record.Record) {
	r.Time, r.Group = g.now, -1
	g.emit(&r)
}

func (g *gpuRun) addNode() {
	i := len(g.nodes)
	n := gpuNode{true, record.NodeInfo{
		Name: fmt.Sprintf("node-%d", i), Pool: []string{"x", "y", "z"}[i%3], Devices: []int{4, 1, 0, 8}[i%4], DeviceKind: "gpu",
		Model: gpuModels[g.rnd.IntN(3)], Allocatable: []record.Amount{{Resource: "cpu", Value: 16000}},
	}}
	g.nodes = append(g.nodes, n)
	g.record(record.Record{Kind: record.NodeAdded, Node: int32(i), NodeInfo: &n.info})
}

// step does something at random.
func (g *gpuRun) step() {
	g.now += clock.Second * clock.Time(g.rnd.IntN(2))
	switch k := g.rnd.IntN(40); {
	case k == 0:
		g.setTarget(1 + g.rnd.IntN(8))
	case k == 1:
		g.addNode()
	case k == 2:
		g.changeNode(int32(g.rnd.IntN(len(g.nodes))))
	case k == 3:
		g.removeNode(int32(g.rnd.IntN(len(g.nodes))))
	case k < 24 || len(g.pods) == 0:
		g.arrive()
	default:
		g.end(g.rnd.IntN(len(g.pods)))
	}
}

func (g *gpuRun) setTarget(classes int) {
	g.target = nil
	for range classes {
		c := record.TargetClass{Pods: int64(1 + g.rnd.IntN(9)), MilliCPU: int64(g.rnd.IntN(9) * 1000), Count: g.rnd.IntN(4), Milli: fragment.Whole}
		if c.Count == 1 {
			c.Milli = int32(1 + g.rnd.IntN(fragment.Whole))
		}
		if g.rnd.IntN(3) == 0 {
			c.Models = gpuModels[1 : 2+g.rnd.IntN(2)]
		}
		g.target = append(g.target, c)
	}
	g.record(record.Record{Kind: record.DeclareTarget, Target: g.target})
}

// changeNode changes how many devices a node has, their model, or nothing of them.
func (g *gpuRun) changeNode(node int32) {
	n := &g.nodes[node]
	if !n.alive {
		return
	}
	switch g.rnd.IntN(3) {
	case 0:
		n.info.Devices = g.rnd.IntN(9)
	case 1:
		n.info.Model = gpuModels[g.rnd.IntN(3)]
	}
	for i := range g.pods {
		p := &g.pods[i]
		if q := gpuClasses[p.class].Devices; p.node == node && len(p.held) > 0 &&
			(int(slices.Max(p.held)) >= n.info.Devices || len(q.Models) > 0 && !slices.Contains(q.Models, n.info.Model)) {
			p.held = nil
		}
	}
	g.record(record.Record{Kind: record.NodeChanged, Node: node, NodeInfo: &n.info})
}

func (g *gpuRun) removeNode(node int32) {
	for i := len(g.pods) - 1; i >= 0; i-- {
		if g.pods[i].node == node {
			g.end(i)
		}
	}
	if g.nodes[node].alive {
		g.nodes[node].alive = false
		g.record(record.Record{Kind: record.NodeRemoved, Node: node})
	}
}

// free is what is free of the devices of a node, and of its cpu.
func (g *gpuRun) free(node int32) ([]int32, int64) {
	free, cpu := slices.Repeat([]int32{fragment.Whole}, g.nodes[node].info.Devices), int64(16000)
	for _, p := range g.pods {
		if p.node != node {
			continue
		}
		cpu -= gpuClasses[p.class].Amounts[0].Value
		for _, d := range p.held {
			free[d] -= gpuClasses[p.class].Devices.Milli
		}
	}
	return free, cpu
}

// arrive puts a pod on a node that has the cpu; of the devices it takes random ones. Some pods
// are rolled back, and go.
func (g *gpuRun) arrive() {
	p := gpuPod{number: g.arrived, class: int32(g.rnd.IntN(len(gpuClasses))), node: int32(g.rnd.IntN(len(g.nodes)))}
	c := gpuClasses[p.class]
	free, cpu := g.free(p.node)
	n := &g.nodes[p.node]
	if !n.alive || cpu < c.Amounts[0].Value {
		return
	}
	if q := c.Devices; q != nil {
		g.demand += int64(q.Count) * int64(q.Milli)
		for _, d := range g.rnd.Perm(len(free)) {
			if free[d] >= q.Milli && len(p.held) < q.Count && (len(q.Models) == 0 || slices.Contains(q.Models, n.info.Model)) {
				p.held = append(p.held, int32(d))
			}
		}
		if len(p.held) < q.Count {
			p.held = nil
		}
	}
	g.arrived++
	g.pods = append(g.pods, p)
	g.record(record.Record{Kind: record.PodArrived, Pod: p.number, Class: p.class, Node: -1})
	g.record(record.Record{Kind: record.PodAttempted, Pod: p.number, Count: 1, Attempt: &record.AttemptInfo{Outcome: "scheduled", Node: p.node, Held: p.held}})
	if g.rnd.IntN(8) > 0 {
		g.record(record.Record{Kind: record.PodBound, Pod: p.number, Node: p.node})
		g.record(record.Record{Kind: record.PodStarted, Pod: p.number, Node: p.node})
		g.pods[len(g.pods)-1].bound = true
	}
}

// end takes a pod away.
func (g *gpuRun) end(i int) {
	p := g.pods[i]
	g.pods = slices.Delete(g.pods, i, i+1)
	if p.bound {
		g.record(record.Record{Kind: record.PodCompleted, Pod: p.number, Node: p.node})
		return
	}
	g.record(record.Record{Kind: record.PodRolledBack, Pod: p.number, Node: p.node, Cause: record.ByBindFailure})
	g.record(record.Record{Kind: record.PodGone, Pod: p.number, Node: -1})
}

// deviceState is what Usage says of a pool, or of all nodes.
type deviceState struct {
	capacity, used, touched, busyNodes, busyDevices int64
	parts                                           fragment.Parts
}

func stateOf(s *Sums) deviceState {
	out := deviceState{capacity: s.Capacity(), used: s.Used(), touched: s.Touched(), parts: s.parts}
	out.busyNodes, out.busyDevices = s.Busy()
	return out
}

// measured is the state of the nodes of a pool, or of all, from scratch.
func (g *gpuRun) measured(pool string) deviceState {
	id := func(model string) int32 { return int32(slices.Index(gpuModels, model)) }
	target := fragment.Target{}
	for _, c := range g.target {
		k := fragment.Class{Pods: c.Pods, Pod: fragment.Pod{MilliCPU: c.MilliCPU, Count: c.Count, Milli: c.Milli}}
		for _, model := range c.Models {
			k.Models = append(k.Models, id(model))
		}
		target.Classes, target.Pods = append(target.Classes, k), target.Pods+c.Pods
	}
	var s deviceState
	for i, n := range g.nodes {
		free, cpu := g.free(int32(i))
		if !n.alive || len(free) == 0 || pool != "" && n.info.Pool != pool {
			continue
		}
		whole, used := int64(len(free)), int64(0)
		for _, f := range free {
			used += int64(fragment.Whole - f)
			if f < fragment.Whole {
				s.touched++
			}
		}
		s.capacity, s.used = s.capacity+whole*fragment.Whole, s.used+used
		if used > 0 || cpu < 16000 {
			s.busyNodes, s.busyDevices = s.busyNodes+1, s.busyDevices+whole
		}
		parts := target.Measure(&fragment.Node{MilliCPU: cpu, Free: free, Model: id(n.info.Model)})
		s.parts.Add(&parts, 1)
	}
	return s
}

// reader follows a log as readers of logs do.
type reader struct {
	life *lifecycle.Lifecycle[struct{}]
	*Usage
}

func newReader() reader { return reader{lifecycle.New[struct{}](), NewUsage()} }

func (d reader) Observe(r *record.Record) {
	change, ok := d.life.Observe(r)
	if !ok {
		return
	}
	if bad := d.Usage.Observe(r, change.Move(r)); bad != "" {
		d.life.Violate(r, "%s", bad)
	}
}

func (d reader) Err() error { return d.life.Err() }

// The sums are kept up to date record by record. At any point they are those of the nodes and pods that are present.
func TestUsageIsOfWhatIsPresent(t *testing.T) {
	for seed := range uint64(6) {
		d := newReader()
		g := newGPURun(seed, 8, d.Observe)
		for step := range 1500 {
			g.step()
			if step%23 > 0 {
				continue
			}
			if got, want := stateOf(&d.Sums), g.measured(""); got != want {
				t.Fatalf("seed %d, step %d: there is %+v, not %+v", seed, step, got, want)
			}
			for _, s := range d.Pools() {
				if got, want := stateOf(s), g.measured(s.Pool()); got != want {
					t.Fatalf("seed %d, step %d: pool %s has %+v, not %+v", seed, step, s.Pool(), got, want)
				}
			}
			if d.Arrived() != g.demand {
				t.Fatalf("seed %d, step %d: %d thousandths have arrived, not %d", seed, step, d.Arrived(), g.demand)
			}
		}
		for len(g.pods) > 0 {
			g.end(0)
		}
		if nodes, _ := d.Busy(); d.Used() != 0 || d.Touched() != 0 || nodes != 0 || len(d.held) != 0 {
			t.Errorf("seed %d: without pods %d thousandths of %d devices are held by %d pods, %d nodes are busy", seed, d.Used(), d.Touched(), len(d.held), nodes)
		}
		if err := d.Err(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestUsageFindsFaults(t *testing.T) {
	d := newReader()
	for _, line := range []string{
		"0 workload workload=0 text=w", "0 nodeAdd node=0 name=a devices=1 kind=gpu", "0 class class=0 asks=1x600_gpu", "0 arrive pod=0", "0 arrive pod=1",
		"1 attempt pod=0 count=1 outcome=scheduled to=0 held=0", "2 attempt pod=1 count=1 outcome=scheduled to=0 held=0",
	} {
		d.Observe(recordtest.Parse(t, line))
	}
	if err := d.Err(); err == nil || err.Error() != "2s: attempt of pod 1: it takes 600 thousandths of device 0 of node a, of which 400 are free" {
		t.Errorf("the fault is %v", err)
	}
}

// A record of a pod costs no memory once there was room for as many pods.
func TestUsageDoesNotAllocate(t *testing.T) {
	d := newReader()
	g := newGPURun(1, 8, d.Observe)
	g.setTarget(20)
	attempt := &record.AttemptInfo{Outcome: "scheduled", Held: []int32{0, 3}}
	pod := int64(0)
	if n := testing.AllocsPerRun(100, func() {
		d.Observe(&record.Record{Kind: record.PodArrived, Pod: pod, Class: 3, Group: -1})
		d.Observe(&record.Record{Kind: record.PodAttempted, Pod: pod, Count: 1, Attempt: attempt})
		d.Observe(&record.Record{Kind: record.PodBound, Pod: pod})
		d.Observe(&record.Record{Kind: record.PodStarted, Pod: pod})
		d.Observe(&record.Record{Kind: record.PodCompleted, Pod: pod})
		pod++
	}); n != 0 || d.Arrived() != 101*2*fragment.Whole || d.Err() != nil {
		t.Errorf("%v allocations for a pod; %d thousandths arrived, %v", n, d.Arrived(), d.Err())
	}
}

// BenchmarkUsage follows what is lost pod by pod on a fleet and with a number of pods as in
// the paper on fragmentation.
func BenchmarkUsage(b *testing.B) {
	const nodes, pods, classes = 1213, 10866, 35
	var log []record.Record
	g := newGPURun(1, nodes, func(r *record.Record) { log = append(log, *r) })
	g.setTarget(classes)
	for g.arrived < pods {
		if g.arrive(); len(g.pods) > 4000 {
			g.end(0)
		}
	}
	b.Run(fmt.Sprintf("nodes=%d/pods=%d/classes=%d", nodes, pods, classes), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			d, lost := newReader(), 0.0
			for i := range log {
				d.Observe(&log[i])
				lost += d.Fragmented()
			}
			if d.Used() == 0 || lost == 0 || d.Err() != nil {
				b.Fatal("nothing was followed")
			}
		}
		b.ReportMetric(pods*float64(b.N)/b.Elapsed().Seconds(), "pods/s")
	})
}
