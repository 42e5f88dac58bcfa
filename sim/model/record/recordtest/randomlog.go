// Package recordtest makes logs of runs for tests.
package recordtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// toyRun makes a log that obeys every law, with a scheduler that takes the first node
// with room. Its queue tries every pending pod once a second.
type toyRun struct {
	rnd     *rand.Rand
	now     clock.Time
	emit    func(*record.Record)
	free    [][2]int64 // by node: milli, bytes
	pods    []toyPod   // present
	arrived int64
}

type toyPod struct {
	number   int64
	class    int32
	attempts int
	node     int32
	until    clock.Time // when it completes; 0 while pending
}

var toyClasses = []record.Record{
	{Class: 0, Priority: 0, Text: "default", Amounts: []record.Amount{{Resource: "cpu", Value: 500}, {Resource: "memory", Value: 1 << 30}}},
	{Class: 1, Priority: 0, Text: "default", Amounts: []record.Amount{{Resource: "cpu", Value: 4000}, {Resource: "memory", Value: 2 << 30}}},
	{Class: 2, Priority: 1000, Text: "batch", Amounts: []record.Amount{{Resource: "cpu", Value: 250}, {Resource: "memory", Value: 8 << 30}}},
}

// Random emits the log of a run with that many pods on that many nodes. The log obeys every law.
func Random(seed uint64, pods, nodes int, emit func(*record.Record)) {
	run := &toyRun{rnd: rand.New(rand.NewPCG(seed, 1)), emit: emit}
	run.record(record.Record{Kind: record.RunStarted, Text: "toy"})
	for i, name := range []string{"web", "batch", "cache"} {
		run.record(record.Record{Kind: record.DeclareWorkload, Workload: int32(i), Text: name})
	}
	for _, c := range toyClasses {
		c.Kind = record.DeclareClass
		run.record(c)
	}
	for i := range nodes {
		run.free = append(run.free, [2]int64{16000, 64 << 30})
		run.record(record.Record{Kind: record.NodeAdded, Node: int32(i), NodeInfo: &record.NodeInfo{
			Name: fmt.Sprintf("node-%d", i), Pool: []string{"general", "spot"}[i%2], Zone: string(rune('a' + i%3)), PricePerHour: 0.38,
			Allocatable: []record.Amount{{Resource: "cpu", Value: 16000}, {Resource: "memory", Value: 64 << 30}, {Resource: "pods", Value: 110}},
		}})
	}
	for run.arrived < int64(pods) {
		run.second(min(20, pods-int(run.arrived)))
	}
	run.sample()
	run.record(record.Record{Kind: record.RunEnded, Text: "horizon"})
}

func (t *toyRun) record(r record.Record) {
	r.Time = t.now
	if r.Kind != record.PodArrived {
		r.Group = -1
	}
	t.emit(&r)
}

func (t *toyRun) second(arrivals int) {
	t.now += clock.Second
	kept := t.pods[:0]
	for _, p := range t.pods {
		if p.until > 0 && p.until <= t.now {
			t.take(p, -1)
			t.record(record.Record{Kind: record.PodCompleted, Pod: p.number, Node: p.node})
			continue
		}
		kept = append(kept, p)
	}
	t.pods = kept
	for range arrivals {
		class := int32(t.rnd.IntN(len(toyClasses)))
		t.record(record.Record{Kind: record.PodArrived, Pod: t.arrived, Node: -1, Class: class, Workload: class, Group: -1, Text: fmt.Sprintf("default/pod-%d", t.arrived)})
		t.pods = append(t.pods, toyPod{number: t.arrived, class: class, node: -1})
		t.arrived++
	}
	for i := range t.pods {
		if t.pods[i].until == 0 {
			t.now += clock.Millisecond
			t.try(&t.pods[i])
		}
	}
	if t.rnd.IntN(10) == 0 {
		t.sample()
	}
}

func (t *toyRun) try(p *toyPod) {
	p.attempts++
	a := &record.AttemptInfo{Outcome: "unschedulable", Node: -1, Nominated: -1, Evaluated: len(t.free), Busy: clock.Millisecond / 2}
	request := toyClasses[p.class].Amounts
	for node, free := range t.free {
		if request[0].Value <= free[0] && request[1].Value <= free[1] {
			a.Outcome, a.Node, a.Feasible = "scheduled", int32(node), 1
			break
		}
	}
	if a.Node < 0 {
		a.Reasons = []record.ReasonCount{{Plugin: "NodeResourcesFit", Reason: "Insufficient " + request[p.class%2].Resource, Nodes: len(t.free)}}
	}
	t.record(record.Record{Kind: record.PodAttempted, Pod: p.number, Count: p.attempts, Attempt: a})
	if p.node = a.Node; p.node >= 0 {
		t.take(*p, 1)
		p.until = t.now + clock.Second*clock.Time(1+t.rnd.IntN(60))
		t.now += clock.Microsecond * clock.Time(t.rnd.IntN(400))
		t.record(record.Record{Kind: record.PodBound, Pod: p.number, Node: p.node})
		t.record(record.Record{Kind: record.PodStarted, Pod: p.number, Node: p.node})
	}
}

func (t *toyRun) take(p toyPod, sign int64) {
	for i, a := range toyClasses[p.class].Amounts {
		t.free[p.node][i] -= sign * a.Value
	}
}

func (t *toyRun) sample() {
	s := &record.Sample{Fragmentation: &record.Fragmentation{Resources: []string{"cpu", "memory"}, Free: []int64{0, 0}, Stranded: []int64{0, 0}}}
	for _, p := range t.pods {
		if p.until == 0 {
			s.Queue.Unschedulable++
		}
	}
	f := s.Fragmentation
	for class := range toyClasses {
		f.Mix = append(f.Mix, record.MixShare{Class: int32(class), Weight: 1.0 / 3, Unusable: []int64{0, 0}})
	}
	for _, free := range t.free {
		fitsAny := false
		for class := range toyClasses {
			request := toyClasses[class].Amounts
			fits := min(free[0]/request[0].Value, free[1]/request[1].Value)
			f.Mix[class].Fits += fits
			fitsAny = fitsAny || fits > 0
			for i := range free {
				if fits == 0 {
					f.Mix[class].Unusable[i] += free[i]
				}
			}
		}
		for i := range free {
			f.Free[i] += free[i]
			if !fitsAny {
				f.Stranded[i] += free[i]
			}
		}
	}
	t.record(record.Record{Kind: record.Sampled, Sample: s})
}
