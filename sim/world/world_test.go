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
	"github.com/berth-sim/berth/sim/model/release"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// arrivalList is a stream over a slice.
type arrivalList struct{ left []workloads.Arrival }

func (l *arrivalList) Next() (workloads.Arrival, bool, error) {
	if len(l.left) == 0 {
		return workloads.Arrival{}, false, nil
	}
	a := l.left[0]
	l.left = l.left[1:]
	return a, true, nil
}

type fixed clock.Time

func (f fixed) Draw() clock.Time { return clock.Time(f) }

// randomWorld is small: nearly full, with priorities, gangs, node churn and
// latencies, so that preemption, waiting in Permit and rollbacks happen.
type randomWorld struct {
	rules   *release.Rules // nil: of the newest release
	cluster *cluster.Cluster
	cfg     world.Config
	records []record.Record
	hash    [32]byte

	extenders []scheduler.Extender
}

// rulesBy are the rules of one release after the other, some with gates off.
func rulesBy(seed uint64) *release.Rules {
	all := release.All()
	rules := all[seed%uint64(len(all))].Rules()
	rules.PopFromBackoff, rules.AsyncPreemption = seed%7 != 0, seed%8 != 0
	return &rules
}

func newRandomWorld(t testing.TB, seed uint64, alter func(*randomWorld)) *randomWorld {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 0))
	rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
	for i := range 4 + rnd.IntN(8) {
		rw.addNode(t, fmt.Sprintf("node-%d", i), nil)
	}
	rw.cfg = world.Config{
		Name: "random world", Cluster: rw.cluster, Horizon: 5 * clock.Minute, SampleEvery: 20 * clock.Second, FragmentationMeter: world.DefaultFragmentationMeter(),
		Workloads: []string{"only"}, Arrivals: &arrivalList{rw.arrivals(rnd)},
		Changes: []world.Change{
			{At: 30 * clock.Second, Kind: world.DrainNodes, Pool: "p", Count: 1},
			{At: 50 * clock.Second, Kind: world.RemoveNodes, Names: []string{"node-1"}},
			{At: 60 * clock.Second, Kind: world.AddTaint, Pool: "p", Count: 3, Taint: cluster.Taint{Key: rw.cluster.Symbol("hot"), Effect: cluster.NoExecute}},
			{At: 90 * clock.Second, Kind: world.Uncordon, Pool: "p"},
		},
	}
	if rnd.IntN(2) == 0 {
		rw.cfg.Latency = world.Latency{
			Cycle: fixed(200 * clock.Millisecond), PerEvaluatedNode: clock.Millisecond,
			Bind: fixed(700 * clock.Millisecond), Start: fixed(clock.Second), Terminate: fixed(3 * clock.Second),
		}
	}
	if alter != nil {
		alter(rw)
	}
	policy := defaultPolicy(t, rw.rules)
	s, err := scheduler.New(rw.cluster, scheduler.Config{
		Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieRandom,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(seed),
		Extenders: rw.extenders, Rules: rw.rules,
	})
	if err != nil {
		t.Fatal(err)
	}
	rw.cfg.Scheduler = s
	return rw
}

// defaultPolicy is the default policy of a release; nil stands for the newest.
func defaultPolicy(t testing.TB, rules *release.Rules) config.Policy {
	t.Helper()
	policy, err := config.Reader{Registry: plugins.Registry(), Rules: rules}.Default()
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

func (rw *randomWorld) addNode(t testing.TB, name string, taints []cluster.Taint) {
	t.Helper()
	if _, err := rw.cluster.AddNode(cluster.NodeSpec{
		Name: name, Pool: "p", Taints: taints,
		Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 4000}, {Resource: cluster.Memory, Amount: 8000}, {Resource: cluster.Pods, Amount: 6}},
	}); err != nil {
		t.Fatal(err)
	}
}

func (rw *randomWorld) arrivals(rnd *rand.Rand) []workloads.Arrival {
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
		class := rw.class(int64(500*(1+rnd.IntN(5))), int64(1000*(1+rnd.IntN(4))), int32(rnd.IntN(3)))
		for k := range n {
			out = append(out, workloads.Arrival{
				At: at, Name: fmt.Sprintf("pod-%d-%d", i, k), Class: class, Group: group,
				Lifetime: clock.Time(rnd.Int64N(int64(40 * clock.Second))), Recreate: rnd.IntN(2) == 0,
			})
		}
	}
	return out
}

func (rw *randomWorld) class(cpu, memory int64, priority int32) *cluster.Class {
	requests := []cluster.Quantity{{Resource: cluster.CPU, Amount: cpu}, {Resource: cluster.Memory, Amount: memory}}
	return rw.cluster.AddClass(fmt.Sprint(cpu, memory, priority), cluster.Class{
		SchedulerName: "default-scheduler", Priority: priority, Requests: requests, ScoreRequests: requests,
		NonZero: [2]int64{cpu, memory}, ScoreNonZero: [2]int64{cpu, memory}, TerminationGrace: 30 * clock.Second,
	})
}

// run runs the world; each record is checked, kept and hashed.
func (rw *randomWorld) run(t testing.TB, check func(*record.Record) error) error {
	t.Helper()
	return rw.runContext(context.Background(), t, check)
}

func (rw *randomWorld) runContext(ctx context.Context, t testing.TB, check func(*record.Record) error) error {
	t.Helper()
	hash := sha256.New()
	var failed error
	rw.cfg.Record = func(r *record.Record) {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		hash.Write(line)
		rw.records = append(rw.records, *r)
		if failed == nil && check != nil {
			if err := check(r); err != nil {
				failed = fmt.Errorf("record %d (%s at %s): %w", len(rw.records), r.Kind, r.Time, err)
			}
		}
	}
	if _, err := world.New(rw.cfg).Run(ctx); err != nil {
		t.Fatal(err)
	}
	copy(rw.hash[:], hash.Sum(nil))
	return failed
}

// conservation is the law that the state adds up and no node holds more than it has.
func (rw *randomWorld) conservation(*record.Record) error {
	if err := rw.cluster.Verify(); err != nil {
		return err
	}
	for r := range cluster.Resource(rw.cluster.NumResources()) {
		allocatable, requested := rw.cluster.Allocatable(r), rw.cluster.Requested(r)
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
		record.PodGated:      {record.PodArrived, record.PodGated, record.PodAttempted},
		record.PodUngated:    {record.PodGated},
		record.PodAttempted:  {record.PodArrived, record.PodUngated, record.PodAttempted, record.PodRolledBack},
		record.PodAllowed:    {record.PodAttempted},
		record.PodRolledBack: {record.PodAttempted, record.PodAllowed},
		record.PodBound:      {record.PodAttempted, record.PodAllowed},
		record.PodStarted:    {record.PodBound},
		record.PodCompleted:  {record.PodStarted},
		record.PodEvicted:    {record.PodBound, record.PodStarted},
		record.PodGone:       {record.PodEvicted, record.PodRolledBack}, // deleted before it was bound
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
func (rw *randomWorld) laws() func(*record.Record) error {
	s, m := states{}, monotone(0)
	return func(r *record.Record) error {
		for _, law := range []func(*record.Record) error{rw.conservation, s.follows, m.follows} {
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
		rw := newRandomWorld(t, seed, func(rw *randomWorld) { rw.rules = rulesBy(seed) })
		err := rw.run(t, rw.laws())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, r := range rw.records {
			seen[r.Kind]++
			causes[r.Cause]++
		}
	}
	for _, kind := range []record.Kind{record.PodGated, record.PodAllowed, record.PodRolledBack, record.PodCompleted, record.PodGone, record.NodeRemoved, record.NodeChanged} {
		if seen[kind] == 0 {
			t.Errorf("no world had a record of kind %q: the laws were not tested", kind)
		}
	}
	for _, cause := range []record.Cause{record.ByPreemption, record.ByDrain, record.ByNodeRemoval, record.ByTaint, record.ByPermitTimeout} {
		if causes[cause] == 0 {
			t.Errorf("no pod lost its node by %s: the laws were not tested", cause)
		}
	}
}

func TestPlantedViolationsTripTheLaws(t *testing.T) {
	t.Run("conservation", func(t *testing.T) {
		rw := newRandomWorld(t, 1, nil)
		if err := rw.run(t, func(r *record.Record) error {
			if r.Kind == record.PodBound {
				node, _ := rw.cluster.NodeBySerial(int64(r.Node))
				rw.cluster.Requested(cluster.CPU)[node]++
			}
			return rw.conservation(r)
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
		a, b := newRandomWorld(t, 3, nil), newRandomWorld(t, 3, func(rw *randomWorld) { rw.cfg.Arrivals.(*arrivalList).left[5].Lifetime++ })
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
		a, b := newRandomWorld(t, seed, nil), newRandomWorld(t, seed, nil)
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
func (rw *randomWorld) decisions() []string {
	var out []string
	names := map[int32]string{}
	for _, r := range rw.records {
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
		noLatency := func(rw *randomWorld) { rw.cfg.Latency = world.Latency{} } // a cycle takes longer with more nodes
		a := newRandomWorld(t, seed, noLatency)
		b := newRandomWorld(t, seed, func(rw *randomWorld) {
			noLatency(rw)
			rw.addNode(t, "zz-forbidden", []cluster.Taint{{Key: rw.cluster.Symbol("nobody"), Effect: cluster.NoSchedule}})
			for i := range rw.cfg.Changes {
				rw.cfg.Changes[i].Count = 1 // not the new node
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
