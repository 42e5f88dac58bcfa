package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
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

// inflating makes the world measure stranding by inflation too.
func inflating(rw *randomWorld) {
	policy := config.Default(plugins.Registry())
	for _, point := range []scheduler.ExtensionPoint{scheduler.PreEnqueue, scheduler.PostFilter, scheduler.Reserve, scheduler.Permit} {
		policy.Profiles[0].Points[point] = nil
	}
	rw.cfg.FragmentationMeter.Inflate = func() (*scheduler.Scheduler, error) {
		return scheduler.New(rw.cluster, scheduler.Config{
			Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieRandom, Streams: clock.NewStreams(99),
		})
	}
	rw.cfg.FragmentationMeter.InflateEvery = 1
	rw.cfg.FragmentationMeter.Draws = rand.New(rand.NewPCG(1, 1))
}

// withoutInflation is the log with what inflation measured taken away.
func (rw *randomWorld) withoutInflation() []record.Record {
	out := make([]record.Record, len(rw.records))
	for i, r := range rw.records {
		if r.Sample != nil && r.Sample.Fragmentation != nil {
			s, f := *r.Sample, *r.Sample.Fragmentation
			f.Inflated = nil
			s.Fragmentation, r.Sample = &f, &s
		}
		out[i] = r
	}
	return out
}

func TestInflationDisturbsNothing(t *testing.T) {
	measured := false
	for seed := range uint64(5) {
		plain, inflated := newRandomWorld(t, seed, nil), newRandomWorld(t, seed, inflating)
		for _, rw := range []*randomWorld{plain, inflated} {
			if err := rw.run(t, rw.conservation); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range inflated.records {
			measured = measured || r.Sample != nil && r.Sample.Fragmentation.Inflated != nil
		}
		if !reflect.DeepEqual(plain.records, inflated.withoutInflation()) {
			t.Errorf("seed %d: the run went another way with inflation measured", seed)
		}
	}
	if !measured {
		t.Error("no sample measured stranding by inflation")
	}
}

// prepare configures a world of those nodes and pods.
func (rw *randomWorld) prepare(t *testing.T, nodes []cluster.NodeSpec, pods []workloads.Arrival) {
	t.Helper()
	for _, n := range nodes {
		if _, err := rw.cluster.AddNode(n); err != nil {
			t.Fatal(err)
		}
	}
	policy := config.Default(plugins.Registry())
	s, err := scheduler.New(rw.cluster, scheduler.Config{Profiles: policy.Profiles, Registry: plugins.Registry(), Tie: scheduler.TieFirst})
	if err != nil {
		t.Fatal(err)
	}
	rw.cfg = world.Config{
		Name: "prepared", Cluster: rw.cluster, Scheduler: s, Arrivals: &arrivalList{pods}, Workloads: []string{"only"},
		Horizon: clock.Forever, FragmentationMeter: world.DefaultFragmentationMeter(),
	}
}

// measure runs pods that never end on the nodes given, and returns the last sample.
func measure(t *testing.T, nodes []cluster.NodeSpec, rw *randomWorld, pods []workloads.Arrival) *record.Fragmentation {
	t.Helper()
	rw.prepare(t, nodes, pods)
	inflating(rw)
	if err := rw.run(t, nil); err != nil {
		t.Fatal(err)
	}
	for i := len(rw.records) - 1; i >= 0; i-- {
		if s := rw.records[i].Sample; s != nil {
			return s.Fragmentation
		}
	}
	t.Fatal("no sample")
	return nil
}

// Of two devices, pods leave 100 and 300 thousandths free. That holds one more pod of 200, not two.
func TestFragmentationFitsPartsOfOneDevice(t *testing.T) {
	rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
	gpu, milli := rw.cluster.Resource("example.com/gpu"), rw.cluster.Resource("example.com/gpu-milli")
	node := cluster.NodeSpec{
		Name: "n", Allocatable: []cluster.Quantity{{Resource: cluster.Pods, Amount: 9}, {Resource: milli, Amount: 2000}},
		Devices: cluster.DeviceSpec{Kind: gpu, Count: 2},
	}
	var pods []workloads.Arrival
	for _, part := range []int32{900, 500, 200} {
		class := rw.cluster.AddClass(fmt.Sprint(part), cluster.Class{
			SchedulerName: "default-scheduler", Requests: []cluster.Quantity{{Resource: milli, Amount: int64(part)}},
			Devices: cluster.DeviceRequest{Kind: gpu, Count: 1, Milli: part},
		})
		pods = append(pods, workloads.Arrival{Name: fmt.Sprint("takes-", part), Class: class, Lifetime: clock.Forever})
	}
	f := measure(t, []cluster.NodeSpec{node}, rw, pods)
	if free := rw.cluster.Devices.Free(0); !slices.Equal(free, []int32{100, 300}) {
		t.Fatalf("%v thousandths are free", free)
	}
	for _, m := range f.Mix {
		if want := map[int32]int64{pods[2].Class.Serial: 1}[m.Class]; m.Fits != want {
			t.Errorf("%d pods of class %d fit, want %d", m.Fits, m.Class, want)
		}
	}
}

// Two nodes of 4 cpu and 8000 memory. A pod of (3 cpu, 2000) runs on a, one of (2 cpu,
// 4000) on b. Of the three that come, (2 cpu, 4000) fits on b only and fills it, (1 cpu,
// 7000) fits nowhere, and (1 cpu, 2000) fits on a only, and completes after 10 s. In
// the end a has (1 cpu, 6000) free and b nothing.
//
// The mix is the classes of all five pods. (1 cpu, 2000) fits once, on a, and nothing is
// unusable for it; for the others all of what is free is unusable. Nothing is stranded: a is of use to one class, and
// on b nothing is free. Inflation places one (1 cpu, 2000), which leaves (0, 4000).
func TestFragmentationOfTwoNodes(t *testing.T) {
	rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
	rw.cluster.AddTrialClass(cluster.Class{}) // a question asked before the run has no number in its records
	node := func(name string) cluster.NodeSpec {
		return cluster.NodeSpec{Name: name, Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 4000}, {Resource: cluster.Memory, Amount: 8000}, {Resource: cluster.Pods, Amount: 6}}}
	}
	pod := func(name string, cpu, memory int64, node string) workloads.Arrival {
		return workloads.Arrival{Name: name, Class: rw.class(cpu, memory, 0), Lifetime: clock.Forever, Node: node}
	}
	brief := pod("brief", 1000, 2000, "")
	brief.Lifetime = 10 * clock.Second
	f := measure(t, []cluster.NodeSpec{node("a"), node("b")}, rw, []workloads.Arrival{
		pod("on-a", 3000, 2000, "a"), pod("on-b", 2000, 4000, "b"), pod("fills-b", 2000, 4000, ""), pod("nowhere", 1000, 7000, ""), brief,
	})
	want := &record.Fragmentation{
		Resources: []string{"cpu", "memory"},
		Free:      []int64{1000, 6000},
		Stranded:  []int64{0, 0},
		Inflated:  []int64{0, 4000},
		Mix: []record.MixShare{
			{Class: rw.class(2000, 4000, 0).Serial, Weight: 0.4, Fits: 0, Unusable: []int64{1000, 6000}},
			{Class: brief.Class.Serial, Weight: 0.2, Fits: 1, Unusable: []int64{0, 0}},
			{Class: rw.class(3000, 2000, 0).Serial, Weight: 0.2, Fits: 0, Unusable: []int64{1000, 6000}},
			{Class: rw.class(1000, 7000, 0).Serial, Weight: 0.2, Fits: 0, Unusable: []int64{1000, 6000}},
		},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("fragmentation is\n%+v, want\n%+v", f, want)
	}
}

func TestRunsEnd(t *testing.T) {
	node := cluster.NodeSpec{Name: "n", Allocatable: []cluster.Quantity{{Resource: cluster.CPU, Amount: 4000}, {Resource: cluster.Memory, Amount: 8000}, {Resource: cluster.Pods, Amount: 6}}}
	t.Run("stalled", func(t *testing.T) {
		// Seed 0 has gangs that preempt, wait in vain and give up forever.
		rw := newRandomWorld(t, 0, func(rw *randomWorld) {
			rw.cfg.Horizon = clock.Forever
			rw.cfg.SampleEvery = 0
			rw.cfg.FragmentationMeter = nil
		})
		if end := rw.end(t, context.Background()); end != "stalled" {
			t.Errorf("the run ended %q, want stalled", end)
		}
	})
	t.Run("done", func(t *testing.T) {
		rw := newRandomWorld(t, 0, func(rw *randomWorld) {
			rw.cfg.Horizon = clock.Forever
			rw.cfg.Arrivals.(*arrivalList).left = rw.cfg.Arrivals.(*arrivalList).left[:1]
		})
		if end := rw.end(t, context.Background()); end != "done" {
			t.Errorf("the run ended %q, want done", end)
		}
	})
	t.Run("horizon", func(t *testing.T) {
		rw := newRandomWorld(t, 0, func(rw *randomWorld) { rw.cfg.Horizon = clock.Minute })
		if end := rw.end(t, context.Background()); end != "horizon" {
			t.Errorf("the run ended %q, want horizon", end)
		}
		if last := rw.records[len(rw.records)-1]; last.Time != clock.Minute || last.Kind != record.RunEnded {
			t.Errorf("the last record is %q at %s, want the end at 1m0s", last.Kind, last.Time)
		}
	})
	t.Run("settled", func(t *testing.T) {
		// The pod runs for an hour: after it nothing can happen.
		rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
		rw.prepare(t, []cluster.NodeSpec{node}, []workloads.Arrival{
			{Name: "fits", Class: rw.class(1000, 1000, 0), Lifetime: clock.Hour},
		})
		rw.cfg.Horizon, rw.cfg.SampleEvery = 1000*clock.Hour, 25*clock.Minute
		if end := rw.end(t, context.Background()); end != "horizon" {
			t.Errorf("the run ended %q, want horizon", end)
		}
		var sampled []clock.Time
		for _, r := range rw.records {
			if r.Kind == record.Sampled {
				sampled = append(sampled, r.Time)
			}
		}
		want := []clock.Time{0, 25 * clock.Minute, 50 * clock.Minute, clock.Hour, 1000 * clock.Hour}
		if !slices.Equal(sampled[:3], want[:3]) || !slices.Equal(sampled[4:], want[4:]) || sampled[3] < clock.Hour || sampled[3] > clock.Hour+clock.Minute {
			t.Errorf("samples at %v, want %v", sampled, want)
		}
	})
	t.Run("pending until the horizon", func(t *testing.T) {
		// The pod never fits, and is tried again every five minutes.
		rw := &randomWorld{cluster: cluster.New(cluster.NewVocabulary())}
		rw.prepare(t, []cluster.NodeSpec{node}, []workloads.Arrival{{Name: "never", Class: rw.class(5000, 1000, 0), Lifetime: clock.Hour}})
		rw.cfg.Horizon, rw.cfg.SampleEvery = 10*clock.Hour, clock.Hour
		rw.end(t, context.Background())
		tried, samples := 0, 0
		for _, r := range rw.records {
			switch r.Kind {
			case record.Sampled:
				samples++
			case record.PodAttempted:
				tried++
			}
		}
		if tried < 100 || samples != 11 {
			t.Errorf("%d attempts and %d samples in 10 hours, want more than 100 and 11", tried, samples)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if end := newRandomWorld(t, 0, nil).end(t, ctx); end != "interrupted" {
			t.Errorf("the run ended %q, want interrupted", end)
		}
	})
}

// end runs the world and returns how it ended.
func (rw *randomWorld) end(t *testing.T, ctx context.Context) string {
	t.Helper()
	rw.cfg.Record = func(r *record.Record) { rw.records = append(rw.records, *r) }
	end, err := world.New(rw.cfg).Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return end
}
