package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// trial is a small cluster with pods of several classes, some on nodes, some pending.
type trial struct {
	*Cluster
	rnd     *rand.Rand
	classes []*Class
	ids     []NodeID
	pending []PodID
	away    []PodID // have no node at the moment, in trial moves too
}

func newTrial(t testing.TB, seed uint64) *trial {
	t.Helper()
	tr := &trial{Cluster: New(NewVocabulary()), rnd: rand.New(rand.NewPCG(seed, 0))}
	gpu := tr.Resource("example.com/gpu")
	for i := range 4 {
		tr.ids = append(tr.ids, addNode(t, tr.Cluster, NodeSpec{
			Name: fmt.Sprintf("n%d", i), Labels: tr.NewLabelSet(map[string]string{"topology.kubernetes.io/zone": fmt.Sprint(i % 2)}),
			Allocatable: []Quantity{{CPU, 8000}, {Pods, 20}, {gpu, 4}},
			Images:      []NodeImage{{tr.Symbol("web:1"), 500}},
			Devices:     DeviceSpec{gpu, 4, tr.Symbol(fmt.Sprint("model-", i%2))},
		}))
	}
	tcp, any := tr.Symbol("TCP"), tr.Symbol("0.0.0.0")
	for i := range 6 {
		class := Class{Requests: []Quantity{{CPU, int64(100 * i)}}, NonZero: [2]int64{int64(100 * i), 7}}
		if i%2 == 0 {
			class.Requests = append(class.Requests, Quantity{gpu, 1})
			class.Devices = [...]DeviceRequest{
				{Kind: gpu, Count: 1, Milli: 300}, {Kind: gpu, Count: 2, Milli: WholeDevice}, {Kind: gpu, Count: 1, Milli: 450, Models: []Symbol{tr.Symbol("model-1")}},
			}[i/2]
			class.Ports = []HostPort{{any, tcp, int32(8000 + i)}, {any, tcp, 9000}}
		}
		tr.classes = append(tr.classes, tr.AddClass(fmt.Sprint(i), class))
	}
	group := tr.Groups.Add(Group{Name: "gang", MinMember: 3})
	for i := range 24 {
		g := NoGroup
		if i%5 == 0 {
			g = group
		}
		pod := tr.AddPod(Pod{Serial: int64(i), Name: fmt.Sprintf("p%d", i), Class: tr.classes[tr.rnd.IntN(6)], Group: g})
		if i%3 == 0 {
			tr.pending, tr.away = append(tr.pending, pod), append(tr.away, pod)
			continue
		}
		tr.Assume(pod, tr.ids[tr.rnd.IntN(4)])
		if i%3 == 1 {
			tr.Bind(pod, 5)
		}
	}
	return tr
}

func addNode(t testing.TB, c *Cluster, spec NodeSpec) NodeID {
	t.Helper()
	id, err := c.AddNode(spec)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// picture is a copy of all that a trial move can change. Ports taken have no order, and a
// pod without a node no place on a list.
type picture struct {
	Requested [][]int64
	NonZero   [2][]int64
	On        [][]PodID
	Ports     [][]HostPort
	Devices   [][]int32
	Table     []Pod
	Groups    []Group
}

func (tr *trial) picture() picture {
	p := picture{Table: slices.Clone(tr.table), Groups: slices.Clone(tr.Groups.groups)}
	for i := range p.Table {
		if p.Table[i].Node == None {
			p.Table[i].slot = 0
		}
	}
	for r := range tr.requested {
		p.Requested = append(p.Requested, slices.Clone(tr.requested[r]))
	}
	for r := range tr.nonZero {
		p.NonZero[r] = slices.Clone(tr.nonZero[r])
	}
	for n := range tr.nodes {
		p.On = append(p.On, append([]PodID{}, tr.pods[n]...))
		ports := append([]HostPort{}, tr.ports[n]...)
		slices.SortFunc(ports, func(a, b HostPort) int { return int(a.Port - b.Port) })
		p.Ports = append(p.Ports, ports)
		p.Devices = append(p.Devices, slices.Clone(tr.Devices.free[n]))
	}
	return p
}

// tryMoves makes a trial move for every byte: a removal from a node, or a placement of a
// pod that has no node at the moment.
func (tr *trial) tryMoves(moves []byte) {
	for _, b := range moves {
		node := tr.ids[int(b>>1)%4]
		on := tr.PodsOn(node)
		if b&1 == 0 && len(on) > 0 {
			pod := on[int(b>>3)%len(on)]
			tr.TryRemove(pod)
			tr.away = append(tr.away, pod)
		} else if len(tr.away) > 0 {
			i := int(b>>3) % len(tr.away)
			tr.TryPlace(tr.away[i], node)
			tr.away = slices.Delete(tr.away, i, i+1)
		}
	}
}
