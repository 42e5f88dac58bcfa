package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/release"
)

func TestBackoffDoubles(t *testing.T) {
	tests := []struct {
		initial, max clock.Time
		failures     int
		want         clock.Time
	}{
		{clock.Second, 10 * clock.Second, 1, clock.Second},
		{clock.Second, 10 * clock.Second, 2, 2 * clock.Second},
		{clock.Second, 10 * clock.Second, 4, 8 * clock.Second},
		{clock.Second, 10 * clock.Second, 5, 10 * clock.Second},
		{clock.Second, 10 * clock.Second, 64, 10 * clock.Second},
		{clock.Second, 10 * clock.Second, 1000, 10 * clock.Second},
		{clock.Second, clock.Forever, 30, 1 << 29 * clock.Second},
		{clock.Second, clock.Forever, 40, clock.Forever},
		{20 * clock.Second, 10 * clock.Second, 1, 10 * clock.Second},
	}
	for _, tt := range tests {
		q := &queue{initial: tt.initial, max: tt.max}
		if got := q.backoffAfter(tt.failures); got != tt.want {
			t.Errorf("%d failures from %s to %s: %s, want %s", tt.failures, tt.initial, tt.max, got, tt.want)
		}
	}
}

// TestQueueUnderRandomUse has pods come, fail, wait, be rejected and go at random: the law of
// the queue holds after every step, and a flush happens when the queue says that it is due.
func TestQueueUnderRandomUse(t *testing.T) {
	for seed := range uint64(150) {
		u := &randomUse{moody: newMoody(t, TieFirst), rnd: rand.New(rand.NewPCG(seed, 0))}
		u.s.rules = release.All()[seed%uint64(len(release.All()))].Rules()
		u.s.rules.PopFromBackoff = seed%7 != 0
		u.addNode("n1")
		u.addNode("n2")
		for step := range 300 {
			u.step(step)
			if err := u.s.queue.check(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			if err := u.cl.Verify(); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, step, err)
			}
			if due := u.s.NextFlush(); due <= u.now {
				t.Fatalf("seed %d, step %d: a flush was due at %s, it is %s", seed, step, due, u.now)
			}
		}
	}
}

type randomUse struct {
	*moody
	rnd   *rand.Rand
	here  []cluster.PodID
	bound []cluster.PodID // those that have a node and are to be bound
}

func (u *randomUse) step(step int) {
	switch u.rnd.IntN(8) {
	case 0, 1:
		name := fmt.Sprint(step)
		u.setBehaviors(name)
		u.here = append(u.here, u.addPod(name, int32(u.rnd.IntN(3))))
	case 2:
		u.goOn(u.now.Add(clock.Time(u.rnd.Int64N(int64(u.rnd.IntN(3)*100+1) * int64(clock.Second)))))
	case 3:
		u.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, u.now)
	case 4:
		u.bindOne()
	case 5:
		if len(u.here) > 0 {
			u.removeOne(u.rnd.IntN(len(u.here)))
		}
	default:
		u.attempt()
	}
	u.s.TakeRejected()
	for _, pod := range u.s.TakeAllowed() {
		u.s.RunBindingCycle(pod, u.now)
	}
}

// setBehaviors decides what will become of a pod.
func (u *randomUse) setBehaviors(name string) {
	a, b := u.behavior["A"].answers, u.behavior["B"].answers
	switch u.rnd.IntN(9) {
	case 0:
		a["filter "+name] = "unschedulable:busy"
	case 1:
		b["filter "+name], b["retry "+name] = "unschedulable:busy", "no"
	case 2:
		a["preScore "+name] = "error:broken"
	case 3:
		a["permit "+name] = "wait:20s"
	case 4:
		b["reserve "+name] = "unschedulable:taken"
	case 5:
		b["preBind "+name] = "error:broken"
	case 6:
		a["preEnqueue "+name] = "closed"
	case 7:
		a["filter "+name], a["postFilter "+name] = "unschedulable:busy", "nominate:n2"
	}
}

// goOn flushes when it is due, and ends waits.
func (u *randomUse) goOn(to clock.Time) {
	for at := u.s.NextFlush(); at <= to; at = u.s.NextFlush() {
		u.now = at
		u.s.Flush(at)
	}
	u.now = to
	for _, pod := range u.here {
		u.s.Expire(pod, u.now)
	}
}

// attempt schedules a pod; something may happen before it is settled.
func (u *randomUse) attempt() {
	pod, ok := u.s.Pop(u.now)
	if !ok {
		return
	}
	a := u.s.Schedule(pod, u.now)
	if u.rnd.IntN(3) == 0 {
		u.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, u.now)
	}
	if u.s.EndAttempt(a, u.now); a.Outcome == Scheduled {
		u.bound = append(u.bound, pod)
	}
}

func (u *randomUse) bindOne() {
	if len(u.bound) > 0 {
		u.s.RunBindingCycle(u.bound[0], u.now)
		u.bound = u.bound[1:]
	}
}

func (u *randomUse) removeOne(i int) {
	pod := u.here[i]
	u.here = slices.Delete(u.here, i, i+1)
	u.bound = slices.DeleteFunc(u.bound, func(p cluster.PodID) bool { return p == pod })
	u.s.Remove(pod)
	u.cl.RemovePod(pod)
}

func TestTheLawOfTheQueueTripsOnPlantedFaults(t *testing.T) {
	tests := []struct {
		name  string
		plant func(q *queue)
	}{
		{"two places", func(q *queue) { q.unschedulablePods = append(q.unschedulablePods, q.active.ids[0]) }},
		{"another place", func(q *queue) { q.infos[q.active.ids[0]].place = inUnschedulable }},
		{"another index", func(q *queue) { q.infos[q.active.ids[0]].index++ }},
		{"a pod lost", func(q *queue) { q.active.ids = q.active.ids[1:] }},
		{"gated and active", func(q *queue) { q.infos[q.active.ids[0]].gate = 0; q.gated++ }},
		{"gated miscounted", func(q *queue) { q.gated++ }},
		{"a pod that the flush forgets", func(q *queue) { q.unschedulableSince = clock.Forever }},
		{"a pod of another group", func(q *queue) { q.infos[q.groups[0].pods[0]].rejectors = 1 << 9 }},
		{"a pod without a group", func(q *queue) { q.groups = nil }},
		{"events for nobody", func(q *queue) { q.inFlightEvents = append(q.inFlightEvents, ClusterEvent{}) }},
	}
	for _, tt := range tests {
		m := newMoody(t, TieFirst)
		m.addNode("n")
		m.behavior["A"].answers["filter p"] = "unschedulable:busy"
		m.addPod("p", 1)
		m.addPod("q", 0)
		pod, _ := m.s.Pop(0)
		m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
		if err := m.s.queue.check(); err != nil {
			t.Fatalf("before %s: %v", tt.name, err)
		}
		tt.plant(m.s.queue)
		if m.s.queue.check() == nil {
			t.Errorf("%s was not noticed", tt.name)
		}
	}
}

func TestThePoolIsFlushedAfterMoreThanFiveMinutes(t *testing.T) {
	m := newMoody(t, TieFirst)
	m.addNode("n")
	m.behavior["A"].answers["filter p"] = "unschedulable:busy"
	pod := m.addPod("p", 0)
	m.s.Pop(0)
	m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
	if got, want := m.s.NextFlush(), 5*clock.Minute+30*clock.Second; got != want {
		t.Errorf("the next flush is due at %s, want %s", got, want)
	}
	for _, tt := range []struct {
		at   clock.Time
		want place
	}{
		{5 * clock.Minute, inUnschedulable},              // not more than five
		{5*clock.Minute + clock.Second, inUnschedulable}, // not looked for
		{5*clock.Minute + 30*clock.Second, inActive},
	} {
		m.s.Flush(tt.at)
		if got := m.s.queue.info(pod).place; got != tt.want {
			t.Errorf("at %s it is at place %d, want %d", tt.at, got, tt.want)
		}
	}
}

// An event that can help no pod visits no unschedulable pod; one that can wakes them in their order.
func TestAnEventThatHelpsNobodyLooksAtNoPod(t *testing.T) {
	m := newMoody(t, TieFirst)
	m.addNode("n")
	looked := 0
	for i := range 5 {
		name := fmt.Sprint("p", i)
		m.behavior["A"].answers["filter "+name] = "unschedulable:busy"
		m.addPod(name, 0)
		pod, _ := m.s.Pop(0)
		m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
	}
	m.s.Observe(ClusterEvent{Kind: ClaimAdded, Node: cluster.None}, 0)
	for _, g := range m.s.queue.groups {
		if m.s.queue.helps(g) {
			looked += len(g.pods)
		}
	}
	if n := len(m.s.queue.waking); looked != 0 || n != 0 {
		t.Errorf("an event that no rejector depends on looks at %d pods and wakes %d", looked, n)
	}
	m.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, 0)
	if got := m.s.queue.waking; len(got) != 5 || !slices.IsSorted(got) {
		t.Errorf("woke %v, want all five in order", got)
	}
}

func TestRevokeAndActivate(t *testing.T) {
	m := newMoody(t, TieFirst)
	m.addNode("n")
	m.behavior["A"].answers["permit p"] = "wait:1h"
	m.behavior["A"].answers["filter q"] = "unschedulable:busy"
	p, q := m.addPod("p", 1), m.addPod("q", 0)
	for range 2 {
		pod, _ := m.s.Pop(0)
		m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
	}
	(&Handle{s: m.s}).Activate(q)
	if at := m.s.queue.info(q).place; at != inActive {
		t.Errorf("q is at place %d after being activated", at)
	}
	m.s.RollBack(p, 0)
	if info := m.s.queue.info(p); info.place != inErrorBackoff || m.cl.Pod(p).Phase != cluster.Pending {
		t.Errorf("p is at place %d, %s", info.place, m.cl.Pod(p).Phase)
	}
	if _, waits := m.s.WaitDeadline(p); waits {
		t.Error("p still waits in Permit")
	}
	if d := m.s.Depth(); d != (record.Depth{Active: 1, Backoff: 1}) {
		t.Errorf("depth %+v", d)
	}
}

func TestSettled(t *testing.T) {
	m := newMoody(t, TieFirst)
	m.addNode("n")
	m.behavior["A"].answers["preScore p"] = "error:broken"
	m.addNode("m")
	m.addPod("p", 1)
	if m.s.Stuck() {
		t.Error("a pod is active")
	}
	pod, _ := m.s.Pop(0)
	m.s.EndAttempt(m.s.Schedule(pod, 0), 0)
	if !m.s.Stuck() {
		t.Error("the pod would fail again as long as nothing happens")
	}
	m.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, 0)
	if m.s.Stuck() {
		t.Error("something happened since the pod was tried")
	}
}

// BenchmarkQueue takes pods, has every second fail and wait, and wakes them all with an event
// now and then, with so many pods in the queue.
func BenchmarkQueue(b *testing.B) {
	for _, pods := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
			m := newMoody(b, TieFirst)
			for i := range pods {
				m.addPod(fmt.Sprint(i), int32(i%5))
			}
			b.ReportAllocs()
			failed := 0
			for b.Loop() {
				m.now += clock.Millisecond
				pod, ok := m.s.queue.next()
				if !ok {
					b.Fatal("the queue is empty")
				}
				m.s.now = m.now
				if failed++; failed%2 == 0 {
					m.s.queue.requeueFailed(pod, 1)
				} else {
					m.s.queue.done(pod)
					m.s.queue.add(pod)
				}
				if failed%1000 == 0 {
					m.s.Observe(ClusterEvent{Kind: PodFreed, Node: cluster.None}, m.now)
					m.s.Flush(m.now)
				}
			}
			if err := m.s.queue.check(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}
