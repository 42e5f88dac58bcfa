package workloads_test

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
	"github.com/berth-sim/berth/workloads/arrival"
)

// must is the value of a call that is known to be good.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func drain(t *testing.T, s workloads.Stream) []workloads.Arrival {
	t.Helper()
	var all []workloads.Arrival
	for {
		a, more, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return all
		}
		all = append(all, a)
	}
}

// counting is a lifetime of 1 s, 2 s, 3 s and so on.
type counting struct{ n clock.Time }

func (c *counting) Draw() clock.Time {
	c.n++
	return c.n * clock.Second
}

func TestSynthetic(t *testing.T) {
	v := cluster.NewVocabulary()
	class := v.AddClass("a", cluster.Class{Namespace: v.Symbol("ml")})
	every := func() arrival.Process {
		return must(arrival.Limit(must(arrival.Constant(10*clock.Second, clock.Second)), 2))
	}
	pod := func(at clock.Time, name string, lifetime clock.Time, g *workloads.Group) workloads.Arrival {
		return workloads.Arrival{
			At: at * clock.Second, Name: name, Class: class, Workload: 3, Lifetime: lifetime * clock.Second, Group: g,
		}
	}
	gang := func(name string) *workloads.Group {
		return &workloads.Group{Name: name, Namespace: class.Namespace, MinMember: 2, Size: 2, ScheduleTimeout: clock.Minute}
	}
	g0, g1 := gang("w-0"), gang("w-1")
	one := []workloads.Template{{Class: class}}
	tests := []struct {
		name string
		of   workloads.Synthetic
		want []workloads.Arrival
	}{
		{
			"single pods",
			workloads.Synthetic{Name: "w", Workload: 3, Arrivals: every(), Templates: one, Lifetime: &counting{}},
			[]workloads.Arrival{pod(1, "w-0", 1, nil), pod(11, "w-1", 2, nil)},
		},
		{
			"gangs with a lifetime for each pod",
			workloads.Synthetic{
				Name: "w", Workload: 3, Arrivals: every(), Templates: one, Lifetime: &counting{}, Replicas: 2, Gang: &workloads.Gang{},
			},
			[]workloads.Arrival{pod(1, "w-0-0", 1, g0), pod(1, "w-0-1", 2, g0), pod(11, "w-1-0", 3, g1), pod(11, "w-1-1", 4, g1)},
		},
		{
			"replicas with a lifetime for all",
			workloads.Synthetic{
				Name: "w", Workload: 3, Arrivals: every(), Templates: one, Lifetime: &counting{}, Replicas: 2, SameLifetime: true,
			},
			[]workloads.Arrival{pod(1, "w-0-0", 1, nil), pod(1, "w-0-1", 1, nil), pod(11, "w-1-0", 2, nil), pod(11, "w-1-1", 2, nil)},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := drain(t, must(tt.of.Stream()))
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
			if g := got[0].Group; g != nil && (got[1].Group != g || got[2].Group == g) {
				t.Error("the pods of an arrival must share their group, and no others")
			}
		})
	}
}

// mixed is a workload with everything random, of count arrivals.
func mixed(seed uint64, count int) workloads.Stream {
	v, streams := cluster.NewVocabulary(), clock.NewStreams(seed)
	class := func(key string) *cluster.Class { return v.AddClass(key, cluster.Class{}) }
	return must(workloads.Synthetic{
		Name:     "w",
		Arrivals: must(arrival.Limit(must(arrival.Poisson(10, streams.Source("arrivals"))), count)),
		Templates: []workloads.Template{
			{Class: class("a"), Weight: 1}, {Class: class("never")}, {Class: class("b"), Weight: 3}, {Class: class("last")},
		},
		Mix:      streams.Source("mix"),
		Lifetime: arrival.Seconds(must(arrival.Exponential(60, streams.Source("lifetime")))),
	}.Stream())
}

func TestSyntheticMix(t *testing.T) {
	const pods = 40_000
	var count [4]float64
	for _, a := range drain(t, mixed(1, pods)) {
		count[a.Class.ID]++
	}
	// One part in four, with a standard deviation of √(0.25·0.75/40,000) = 0.0022.
	if share := count[0] / pods; math.Abs(share-0.25) > 0.01 || count[1] != 0 || count[3] != 0 {
		t.Errorf("drawn %v times, want them as 1:0:3:0", count)
	}
}

func TestSyntheticIsDeterministic(t *testing.T) {
	a, b, c := drain(t, mixed(7, 1000)), drain(t, mixed(7, 1000)), drain(t, mixed(8, 1000))
	if !reflect.DeepEqual(a, b) {
		t.Error("two streams of one seed differ")
	}
	if reflect.DeepEqual(a, c) {
		t.Error("two streams of two seeds are alike")
	}
}

func TestSyntheticMemory(t *testing.T) {
	const pods = 1_000_000
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	s, n := mixed(1, pods), 0
	before := heap()
	for {
		_, more, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		n++
	}
	if grown := int64(heap()) - int64(before); n != pods || grown > 1<<20 {
		t.Errorf("after %d pods the heap has grown by %d bytes", n, grown)
	}
	runtime.KeepAlive(s)
}

func TestSyntheticAllocations(t *testing.T) {
	s := mixed(1, 2000)
	// The name, and nothing else.
	if n := testing.AllocsPerRun(1000, func() { _, _, _ = s.Next() }); n > 1 {
		t.Errorf("%v allocations for each pod, want 1", n)
	}
}

func TestSyntheticFaults(t *testing.T) {
	class := &cluster.Class{}
	good := func() workloads.Synthetic {
		return workloads.Synthetic{
			Name: "w", Arrivals: must(arrival.AtOnce(1, 0)), Replicas: 4, Templates: []workloads.Template{{Class: class, Weight: 1}},
		}
	}
	two := func(a, b float64) func(*workloads.Synthetic) {
		return func(s *workloads.Synthetic) {
			s.Templates = []workloads.Template{{Class: class, Weight: a}, {Class: class, Weight: b}}
			s.Mix = clock.NewStreams(1).Source("mix")
		}
	}
	tests := []struct {
		want  string
		spoil func(*workloads.Synthetic)
	}{
		{`name: "" must not be empty`, func(s *workloads.Synthetic) { s.Name = "" }},
		{"arrivals: there are none", func(s *workloads.Synthetic) { s.Arrivals = nil }},
		{"replicas: -1 must be positive", func(s *workloads.Synthetic) { s.Replicas = -1 }},
		{"templates: there are none", func(s *workloads.Synthetic) { s.Templates = nil }},
		{"templates[0]: there is no class", func(s *workloads.Synthetic) { s.Templates[0].Class = nil }},
		{"mix: 2 templates need a random source", func(s *workloads.Synthetic) { two(1, 1)(s); s.Mix = nil }},
		{"templates[1].weight: -1 must be", two(1, -1)},
		{"templates[0].weight: NaN must be", two(math.NaN(), 1)},
		{"templates: the weights add up to 0", two(0, 0)},
		{"templates: the weights add up to +Inf", two(math.MaxFloat64, math.MaxFloat64)},
		{"gang.minMember: 5 must be between 1 and the 4 replicas", func(s *workloads.Synthetic) { s.Gang = &workloads.Gang{MinMember: 5} }},
		{"gang.minMember: -1 must be", func(s *workloads.Synthetic) { s.Gang = &workloads.Gang{MinMember: -1} }},
		{"gang.scheduleTimeout: -1ns must be", func(s *workloads.Synthetic) { s.Gang = &workloads.Gang{ScheduleTimeout: -1} }},
	}
	for _, tt := range tests {
		s := good()
		tt.spoil(&s)
		if _, err := s.Stream(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	if _, err := good().Stream(); err != nil {
		t.Errorf("unspoilt: %v", err)
	}
}

// fixed is a stream of what is given, and an error at its end.
type fixed struct {
	left []workloads.Arrival
	err  error
}

func (f *fixed) Next() (workloads.Arrival, bool, error) {
	if len(f.left) == 0 {
		return workloads.Arrival{}, false, f.err
	}
	a := f.left[0]
	f.left = f.left[1:]
	return a, true, nil
}

func TestMerge(t *testing.T) {
	at := func(workload int, times ...clock.Time) []workloads.Arrival {
		var out []workloads.Arrival
		for _, when := range times {
			out = append(out, workloads.Arrival{At: when, Workload: workload})
		}
		return out
	}
	m := workloads.Merge(&fixed{left: at(0, 1, 3, 3)}, &fixed{}, &fixed{left: at(2, 0, 3, 4)})
	want := []workloads.Arrival{{At: 0, Workload: 2}, {At: 1}, {At: 3}, {At: 3}, {At: 3, Workload: 2}, {At: 4, Workload: 2}}
	if got := drain(t, m); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	holds := workloads.Arrival{At: 3, Devices: []int32{1}}
	m = workloads.Merge(&fixed{left: at(0, 1, 3)}, &fixed{left: []workloads.Arrival{holds}})
	if got, want := drain(t, m), []workloads.Arrival{{At: 1}, holds, {At: 3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want who holds a device first: %+v", got, want)
	}
	broken := workloads.Merge(&fixed{left: at(0, 5)}, &fixed{err: errors.New("broken")})
	if _, _, err := broken.Next(); err == nil {
		t.Error("the error of a stream is lost")
	}
}
