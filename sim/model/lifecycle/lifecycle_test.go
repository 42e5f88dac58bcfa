package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/model/record/recordtest"
)

// naive follows pods in the plainest way: it keeps all records of each pod, and works out its state from them every time.
type naive struct {
	log map[int64][]record.Record
	end int64
}

// steps are what records do, in words: the states before, and the state after.
var steps = map[record.Kind]struct{ before, after string }{
	record.PodGated:           {"pending", "pending"},
	record.PodUngated:         {"pending", "pending"},
	record.PodAllowed:         {"waiting", "binding"},
	record.PodRolledBack:      {"waiting binding", "pending"},
	record.PodStarted:         {"starting", "running"},
	record.PodCompleted:       {"running terminating", "absent"},
	record.PodEvictionBlocked: {"running", "running"},
	record.PodEvicted:         {"waiting binding starting running", "terminating"},
	record.PodGone:            {"pending terminating", "absent"},
}

// where returns the state, the node and the attempts of a pod after some records, and whether the last of them can be.
func (n *naive) where(records []record.Record) (state string, node int32, attempts int, ok bool) {
	state, node = "absent", -1
	for i := range records {
		r := &records[i]
		ok = true
		switch r.Kind {
		case record.PodArrived:
			ok, state = state == "absent", "pending"
			continue
		case record.PodAttempted:
			if ok = state == "pending"; !ok {
				break
			}
			attempts++
			if after := map[string]string{record.Scheduled: "binding", record.Waiting: "waiting"}[r.Attempt.Outcome]; after != "" {
				state, node = after, r.Attempt.Node
			}
		case record.PodBound:
			switch {
			case state == "pending" && attempts == 0:
				state, node = "starting", r.Node
			case state == "binding" && node == r.Node:
				state = "starting"
			default:
				ok = false
			}
		default:
			step := steps[r.Kind]
			onNode := r.Kind == record.PodGated || r.Kind == record.PodUngated || r.Node == node
			if ok = onNode && strings.Contains(" "+step.before+" ", " "+state+" "); ok {
				if state = step.after; state == "pending" || state == "absent" {
					node = -1
				}
			}
		}
	}
	return state, node, attempts, ok
}

// observe returns whether the record can be, and keeps it if so.
func (n *naive) observe(r *record.Record) bool {
	if r.Kind == record.PodArrived {
		if r.Pod < n.end {
			return false
		}
		n.end = r.Pod + 1
	} else if state, _, _, _ := n.where(n.log[r.Pod]); state == "absent" {
		return false
	}
	records := append(n.log[r.Pod], *r)
	_, _, _, ok := n.where(records)
	if ok {
		n.log[r.Pod] = records
	}
	return ok
}

// begin declares what the pods of a random walk speak of.
func begin(observe func(*record.Record)) {
	observe(&record.Record{Kind: record.DeclareClass})
	observe(&record.Record{Kind: record.DeclareWorkload})
	for i := range int32(3) {
		observe(&record.Record{Kind: record.NodeAdded, Node: i, NodeInfo: &record.NodeInfo{Name: fmt.Sprint("node-", i)}})
	}
}

// randomRecord returns a record that can be more often than not.
func randomRecord(rnd *rand.Rand, now clock.Time, life *Lifecycle[int], arrived int64) *record.Record {
	kinds := []record.Kind{record.PodArrived, record.PodGated, record.PodUngated, record.PodAttempted, record.PodAttempted, record.PodAllowed,
		record.PodRolledBack, record.PodBound, record.PodBound, record.PodStarted, record.PodCompleted, record.PodEvictionBlocked, record.PodEvicted, record.PodGone}
	r := &record.Record{Time: now, Kind: kinds[rnd.IntN(len(kinds))], Pod: max(0, arrived-1-rnd.Int64N(6)), Node: rnd.Int32N(3), Group: -1}
	if r.Kind == record.PodArrived && rnd.IntN(8) > 0 {
		r.Pod = arrived
	}
	if p := life.Pod(r.Pod); p != nil {
		if rnd.IntN(8) > 0 && !(r.Kind == record.PodBound && p.State == Pending) {
			r.Node = p.Node
		}
		r.Count = p.Attempts + 1
	}
	if r.Kind == record.PodAttempted {
		r.Attempt = &record.AttemptInfo{Node: -1, Outcome: []string{record.Scheduled, record.Waiting, record.Unschedulable, record.Failed}[rnd.IntN(4)]}
		if r.Attempt.Outcome == record.Scheduled || r.Attempt.Outcome == record.Waiting {
			r.Attempt.Node = rnd.Int32N(3)
		}
	}
	return r
}

// walk returns the first difference between the lifecycle and the naive one over random records. The naive one
// does not see records that lose returns true for.
func walk(seed uint64, records int, lose func(*record.Record) bool) error {
	rnd := rand.New(rand.NewPCG(seed, 2))
	life, plain := New[int](), naive{log: map[int64][]record.Record{}}
	begin(func(r *record.Record) { life.Observe(r) })
	var now clock.Time
	for range records {
		now += clock.Time(rnd.IntN(2))
		r := randomRecord(rnd, now, life, life.end)
		_, can := life.Observe(r)
		if can && lose(r) {
			continue
		}
		if want := plain.observe(r); can != want {
			return fmt.Errorf("a %v of pod %d at %v is taken: %v, want %v", r.Kind, r.Pod, r.Time, can, want)
		}
		state, node, attempts, _ := plain.where(plain.log[r.Pod])
		p := life.Pod(r.Pod)
		if p == nil {
			p = &Pod[int]{Node: -1, Attempts: attempts}
		}
		if p.State.String() != state || p.Node != node || p.Attempts != attempts {
			return fmt.Errorf("pod %d is %v on node %d after %d attempts, want %s on %d after %d", r.Pod, p.State, p.Node, p.Attempts, state, node, attempts)
		}
	}
	return nil
}

func TestLifecycleAgreesWithTheNaiveOne(t *testing.T) {
	for seed := range uint64(30) {
		if err := walk(seed, 3000, func(*record.Record) bool { return false }); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestPlantedDifferenceIsFound(t *testing.T) {
	starts := 0
	if walk(1, 3000, func(r *record.Record) bool {
		if r.Kind == record.PodStarted {
			starts++
		}
		return r.Kind == record.PodStarted && starts%5 == 0
	}) == nil {
		t.Error("a lost record made no difference")
	}
}

func TestRandomLogsHaveNoViolations(t *testing.T) {
	for seed := range uint64(5) {
		life := New[struct{}]()
		changes := map[State]int{}
		recordtest.Random(seed, 500, 6, func(r *record.Record) {
			if c, ok := life.Observe(r); ok && c != nil && c.Before.State != c.Pod.State {
				changes[c.Pod.State]++
			}
		})
		if err := life.Err(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if changes[Pending] != 500 || changes[Running] != changes[Binding] || life.Ended() != "horizon" {
			t.Errorf("seed %d: changes %v, ended %q", seed, changes, life.Ended())
		}
		present := 0
		for range life.Pods() {
			present++
		}
		if want := changes[Pending] - changes[Absent]; present != want {
			t.Errorf("seed %d: %d pods are present, want %d", seed, present, want)
		}
	}
}

// The moves of a log, taken alone, lead every pod to the node that it is on.
func TestMoves(t *testing.T) {
	for seed := range uint64(5) {
		life, nodes, moves := New[struct{}](), map[int64]int32{}, 0
		recordtest.Random(seed, 500, 6, func(r *record.Record) {
			c, _ := life.Observe(r)
			m := c.Move(r)
			if m.From >= 0 {
				if nodes[m.Pod] != m.From {
					t.Fatalf("seed %d: pod %d leaves node %d, but is on %d", seed, m.Pod, m.From, nodes[m.Pod])
				}
				delete(nodes, m.Pod)
			}
			if m.To >= 0 {
				nodes[m.Pod] = m.To
				moves++
			}
			if c == nil {
				return
			}
			if node, on := nodes[r.Pod]; on != (c.Pod.Node >= 0) || on && node != c.Pod.Node {
				t.Fatalf("seed %d: after a %v pod %d is on node %d, the moves lead to %d (%v)", seed, r.Kind, r.Pod, c.Pod.Node, node, on)
			}
		})
		if moves < 50 {
			t.Errorf("seed %d: %d moves of 500 pods", seed, moves)
		}
	}
}

func TestMemoryDoesNotGrowWithPodsThatHaveGone(t *testing.T) {
	life := New[struct{}]()
	most := 0
	recordtest.Random(1, 60_000, 300, func(r *record.Record) {
		life.Observe(r)
		most = max(most, len(life.slots))
	})
	if len(life.pods) > most {
		t.Errorf("%d slots for at most %d pods", len(life.pods), most)
	}
}

func TestViolations(t *testing.T) {
	for _, c := range []struct {
		record record.Record
		want   string
	}{
		{record.Record{Time: 1, Kind: record.Sampled}, "1ns: sample: time runs back from 2ns"},
		{record.Record{Time: 2, Kind: record.DeclareClass, Class: -1}, "2ns: class: class -1 has a negative number"},
		{record.Record{Time: 2, Kind: record.PodArrived, Pod: 0, Group: -1, Class: 1}, "2ns: arrive of pod 0: class 1 is not declared"},
		{record.Record{Time: 2, Kind: record.PodGone, Pod: 0}, "2ns: gone of pod 0: the pod is not there"},
		{record.Record{Time: 2, Kind: record.NodeAdded, Node: -1, NodeInfo: &record.NodeInfo{}}, "2ns: nodeAdd: node -1 has a negative number"},
		{record.Record{Time: 2, Kind: record.NodeRemoved, Node: 3}, "2ns: nodeGone: there is no node 3"},
		{record.Record{Time: 2, Kind: 0}, "2ns: kind 0: there is no such kind of record"},
	} {
		life := New[struct{}]()
		begin(func(r *record.Record) { life.Observe(r) })
		life.Observe(&record.Record{Time: 2, Kind: record.Sampled})
		change, ok := life.Observe(&c.record)
		if err := life.Err(); ok || change != nil || err == nil || err.Error() != c.want {
			t.Errorf("violation is %v (%v), want %s", err, ok, c.want)
		}
	}
}
