package world_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// list is a stream over a slice.
type list struct{ left []workloads.Arrival }

func (l *list) Next() (workloads.Arrival, bool, error) {
	if len(l.left) == 0 {
		return workloads.Arrival{}, false, nil
	}
	a := l.left[0]
	l.left = l.left[1:]
	return a, true, nil
}

type fixed clock.Time

func (f fixed) Draw() clock.Time { return clock.Time(f) }

// trial is a small random world: nearly full, with priorities, gangs, node churn and
// latencies, so that preemption, waiting in Permit and rollbacks happen.
type trial struct {
	cluster *cluster.Cluster
	cfg     world.Config
	records []record.Record
	hash    [32]byte

	extenders []scheduler.Extender
}

func newTrial(t testing.TB, seed uint64, alter func(*trial)) *trial {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 0))
	tr := &trial{cluster: cluster.New(cluster.NewVocabulary())}
	for i := range 4 + rnd.IntN(8) {
		tr.addNode(t, fmt.Sprintf("node-%d", i), nil)
	}
	tr.cfg = world.Config{
		Name: "trial", Cluster: tr.cluster, Horizon: 5 * clock.Minute, SampleEvery: 20 * clock.Second, Probe: world.DefaultProbe(),
		Workloads: []string{"only"}, Arrivals: &list{tr.arrivals(rnd)},
		Changes: []world.Change{
			{At: 30 * clock.Second, Kind: world.DrainNodes, Pool: "p", Count: 1},
			{At: 50 * clock.Second, Kind: world.RemoveNodes, Names: []string{"node-1"}},
			{At: 60 * clock.Second, Kind: world.AddTaint, Pool: "p", Count: 3, Taint: cluster.Taint{Key: tr.cluster.Sym("hot"), Effect: cluster.NoExecute}},
			{At: 90 * clock.Second, Kind: world.Uncordon, Pool: "p"},
		},
	}
	if rnd.IntN(2) == 0 {
		tr.cfg.Latency = world.Latency{
			Cycle: fixed(200 * clock.Millisecond), PerEvaluatedNode: clock.Millisecond,
			Bind: fixed(700 * clock.Millisecond), Start: fixed(clock.Second), Terminate: fixed(3 * clock.Second),
		}
	}
	if alter != nil {
		alter(tr)
	}
	policy := config.Default(plugins.Registry())
	s, err := scheduler.New(tr.cluster, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieRandom,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(seed),
		Extenders: tr.extenders,
	})
	if err != nil {
		t.Fatal(err)
	}
	tr.cfg.Scheduler = s
	return tr
}

func (tr *trial) addNode(t testing.TB, name string, taints []cluster.Taint) {
	t.Helper()
	if _, err := tr.cluster.AddNode(cluster.NodeSpec{
		Name: name, Pool: "p", Taints: taints,
		Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 4000}, {Resource: cluster.Memory, Amount: 8000}, {Resource: cluster.Pods, Amount: 6}},
	}); err != nil {
		t.Fatal(err)
	}
}

func (tr *trial) arrivals(rnd *rand.Rand) []workloads.Arrival {
	var out []workloads.Arrival
	at := clock.Time(0)
	for i := range 60 + rnd.IntN(60) {
		at += clock.Time(rnd.Int64N(int64(3 * clock.Second)))
		var group *workloads.Group
		n := 1
		if rnd.IntN(6) == 0 {
			n = 2 + rnd.IntN(4)
			group = &workloads.Group{Name: fmt.Sprintf("gang-%d", i), MinMember: n, Size: n, ScheduleTimeout: 8 * clock.Second}
		}
		class := tr.class(int64(500*(1+rnd.IntN(5))), int64(1000*(1+rnd.IntN(4))), int32(rnd.IntN(3)))
		for k := range n {
			out = append(out, workloads.Arrival{
				At: at, Name: fmt.Sprintf("pod-%d-%d", i, k), Class: class, Group: group,
				Lifetime: clock.Time(rnd.Int64N(int64(40 * clock.Second))), Recreate: rnd.IntN(2) == 0,
			})
		}
	}
	return out
}

func (tr *trial) class(cpu, memory int64, priority int32) *cluster.Class {
	requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: cpu}, {Resource: cluster.Memory, Amount: memory}}
	return tr.cluster.AddClass(fmt.Sprint(cpu, memory, priority), cluster.Class{
		SchedulerName: "default-scheduler", Priority: priority, Requests: requests, ScoreRequests: requests,
		NonZero: [2]int64{cpu, memory}, ScoreNonZero: [2]int64{cpu, memory}, TerminationGrace: 30 * clock.Second,
	})
}

// run runs the trial; each record is checked, kept and hashed.
func (tr *trial) run(t testing.TB, check func(*record.Record) error) error {
	t.Helper()
	return tr.runUnder(context.Background(), t, check)
}

func (tr *trial) runUnder(ctx context.Context, t testing.TB, check func(*record.Record) error) error {
	t.Helper()
	hash := sha256.New()
	var failed error
	tr.cfg.Record = func(r *record.Record) {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(line)
		tr.records = append(tr.records, *r)
		if failed == nil && check != nil {
			if err := check(r); err != nil {
				failed = fmt.Errorf("record %d (%s at %s): %w", len(tr.records), r.Kind, r.Time, err)
			}
		}
	}
	if _, err := world.New(tr.cfg).Run(ctx); err != nil {
		t.Fatal(err)
	}
	copy(tr.hash[:], hash.Sum(nil))
	return failed
}

// conservation is the law that the state adds up and no node holds more than it has.
func (tr *trial) conservation(*record.Record) error {
	if err := tr.cluster.Verify(); err != nil {
		return err
	}
	for r := range cluster.Resource(tr.cluster.NumResources()) {
		allocatable, requested := tr.cluster.Allocatable(r), tr.cluster.Requested(r)
		for n := range allocatable {
			if requested[n] > allocatable[n] || requested[n] < 0 {
				return fmt.Errorf("node %d: %d of %d of resource %d is requested", n, requested[n], allocatable[n], r)
			}
		}
	}
	return nil
}

// states is the law that a pod is in one state at a time: every record takes a pod
// from a state in which it can happen.
type states map[int64]record.Kind

func (s states) follows(r *record.Record) error {
	from := map[record.Kind][]record.Kind{
		record.PodArrived:    {0},
		record.PodGated:      {record.PodArrived, record.PodGated},
		record.PodUngated:    {record.PodGated},
		record.PodAttempted:  {record.PodArrived, record.PodUngated, record.PodAttempted, record.PodRolledBack},
		record.PodAllowed:    {record.PodAttempted},
		record.PodRolledBack: {record.PodAttempted, record.PodAllowed},
		record.PodBound:      {record.PodAttempted, record.PodAllowed},
		record.PodStarted:    {record.PodBound},
		record.PodCompleted:  {record.PodStarted},
		record.PodEvicted:    {record.PodBound, record.PodStarted},
		record.PodGone:       {record.PodEvicted},
	}
	if r.Kind == record.PodArrived && r.Node >= 0 {
		defer func() { s[r.Pod] = record.PodAttempted }() // it runs already
	}
	allowed, isOfPod := from[r.Kind]
	if !isOfPod {
		return nil
	}
	was := s[r.Pod]
	for _, kind := range allowed {
		if was == kind {
			s[r.Pod] = r.Kind
			return nil
		}
	}
	return fmt.Errorf("pod %d: %v after %v", r.Pod, r.Kind, was)
}

// monotone is the law that time never runs back.
type monotone clock.Time

func (m *monotone) follows(r *record.Record) error {
	if r.Time < clock.Time(*m) {
		return fmt.Errorf("time runs back from %s to %s", clock.Time(*m), r.Time)
	}
	*m = monotone(r.Time)
	return nil
}

// laws are the laws that hold after every record of a run.
func (tr *trial) laws() func(*record.Record) error {
	s, m := states{}, monotone(0)
	return func(r *record.Record) error {
		for _, law := range []func(*record.Record) error{tr.conservation, s.follows, m.follows} {
			if err := law(r); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestLawsHoldOnRandomWorlds(t *testing.T) {
	seen := map[record.Kind]int{}
	causes := map[record.Cause]int{}
	for seed := range uint64(30) {
		tr := newTrial(t, seed, nil)
		err := tr.run(t, tr.laws())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, r := range tr.records {
			seen[r.Kind]++
			causes[r.Cause]++
		}
	}
	for _, kind := range []record.Kind{record.PodGated, record.PodAllowed, record.PodRolledBack, record.PodCompleted, record.PodGone, record.NodeRemoved, record.NodeChanged} {
		if seen[kind] == 0 {
			t.Errorf("no world had a record of kind %q: the laws were not put to the test", kind)
		}
	}
	for _, cause := range []record.Cause{record.ByPreemption, record.ByDrain, record.ByNodeRemoval, record.ByTaint, record.ByPermitTimeout} {
		if causes[cause] == 0 {
			t.Errorf("no pod lost its node by %s: the laws were not put to the test", cause)
		}
	}
}

func TestPlantedViolationsTripTheLaws(t *testing.T) {
	t.Run("conservation", func(t *testing.T) {
		tr := newTrial(t, 1, nil)
		if err := tr.run(t, func(r *record.Record) error {
			if r.Kind == record.PodBound {
				node, _ := tr.cluster.NodeBySerial(int64(r.Node))
				tr.cluster.Requested(cluster.CPU)[node]++
			}
			return tr.conservation(r)
		}); err == nil {
			t.Error("cpu that appeared from nowhere was not noticed")
		}
	})
	t.Run("states", func(t *testing.T) {
		s := states{}
		for _, kind := range []record.Kind{record.PodArrived, record.PodAttempted, record.PodBound, record.PodStarted, record.PodCompleted} {
			if err := s.follows(&record.Record{Kind: kind, Pod: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if s.follows(&record.Record{Kind: record.PodCompleted, Pod: 1}) == nil {
			t.Error("a pod completed twice, and it was not noticed")
		}
	})
	t.Run("time", func(t *testing.T) {
		m := monotone(5)
		if m.follows(&record.Record{Time: 4}) == nil {
			t.Error("time ran back, and it was not noticed")
		}
	})
	t.Run("determinism", func(t *testing.T) {
		a, b := newTrial(t, 3, nil), newTrial(t, 3, func(tr *trial) { tr.cfg.Arrivals.(*list).left[5].Lifetime++ })
		if err := a.run(t, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.run(t, nil); err != nil {
			t.Fatal(err)
		}
		if a.hash == b.hash {
			t.Error("a lifetime one nanosecond longer left the hash of the records as it was")
		}
	})
}

func TestSameSeedGivesTheSameRecords(t *testing.T) {
	for seed := range uint64(5) {
		a, b := newTrial(t, seed, nil), newTrial(t, seed, nil)
		if err := a.run(t, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.run(t, nil); err != nil {
			t.Fatal(err)
		}
		if a.hash != b.hash {
			t.Errorf("seed %d: two runs wrote different records", seed)
		}
	}
}

// decisions are the nodes that pods were put on, in order.
func (tr *trial) decisions() []string {
	var out []string
	names := map[int32]string{}
	for _, r := range tr.records {
		if r.Kind == record.NodeAdded {
			names[r.Node] = r.NodeInfo.Name
		}
		if r.Kind == record.PodBound {
			out = append(out, fmt.Sprint(r.Pod, " on ", names[r.Node], " at ", r.Time))
		}
	}
	return out
}

func TestANodeThatNoPodToleratesChangesNothing(t *testing.T) {
	for seed := range uint64(8) {
		noLatency := func(tr *trial) { tr.cfg.Latency = world.Latency{} } // a cycle takes longer with more nodes
		a := newTrial(t, seed, noLatency)
		b := newTrial(t, seed, func(tr *trial) {
			noLatency(tr)
			tr.addNode(t, "zz-forbidden", []cluster.Taint{{Key: tr.cluster.Sym("nobody"), Effect: cluster.NoSchedule}})
			for i := range tr.cfg.Changes {
				tr.cfg.Changes[i].Count = 1 // not the new node
			}
		})
		for i := range a.cfg.Changes {
			a.cfg.Changes[i].Count = 1
		}
		if err := a.run(t, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.run(t, nil); err != nil {
			t.Fatal(err)
		}
		x, y := a.decisions(), b.decisions()
		if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Fatalf("seed %d: decisions differ:\n%v\n%v", seed, x, y)
		}
	}
}
