package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// FuzzPodAffinity holds InterPodAffinity against its twin that counts afresh, while nodes and
// pods come, change and go. With preemption and nominated pods, trial moves are among it.
func FuzzPodAffinity(f *testing.F) {
	for seed := range uint64(150) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		cfg := worldConfig{percentage: 100, args: map[string]any{"InterPodAffinity": plugins.InterPodAffinityArgs{
			HardPodAffinityWeight: rnd.Int64N(4), IgnorePreferredTermsOfExistingPods: rnd.IntN(4) == 0,
		}}}
		cfg.rules = rulesOf(t, "", fmt.Sprintf("emptyNamespacesMatch=%t", seed%2 == 0))
		fast := newWorld(t, cfg)
		cfg.registry = plainRegistry()
		slow := newWorld(t, cfg)
		s := &socialLife{Rand: rnd, worlds: [2]*world{fast, slow}, nodes: map[string]bool{}}
		for _, w := range s.worlds {
			w.setNamespace("a team:x")
			w.setNamespace("b team:y tier:z")
		}
		for i := range 3 + rnd.IntN(8) {
			s.add(fmt.Sprintf("n%d", i))
		}
		for i := range 60 {
			s.disturb()
			pod := fmt.Sprintf("p%d", i)
			s.each(func(w *world, line string) { w.addPods(line) }, pod+s.pod())
			compareTwins(t, fast, slow, pod)
			if again := fmt.Sprintf("p%d", rnd.IntN(i+1)); fast.waits(again) {
				compareTwins(t, fast, slow, again)
			}
		}
	})
}

// socialLife is a random life of pods that care for each other, lived in two worlds.
type socialLife struct {
	*rand.Rand
	worlds [2]*world
	nodes  map[string]bool
}

func (s *socialLife) each(f func(*world, string), line string) {
	for _, w := range s.worlds {
		f(w, line)
	}
}

func (s *socialLife) node() string {
	line := fmt.Sprintf(" cpu=4 memory=8Gi pods=%d", 3+s.IntN(4))
	if s.IntN(5) > 0 {
		line += " zone=" + pick(s.Rand, "a", "b", "c")
	}
	if s.IntN(3) == 0 {
		line += " label=rack:" + pick(s.Rand, "1", "2")
	}
	return line
}

func (s *socialLife) add(name string) {
	s.nodes[name] = true
	s.each(func(w *world, line string) { w.addNodes(line) }, name+s.node())
}

// disturb changes nodes, and lets pods go.
func (s *socialLife) disturb() {
	name := fmt.Sprintf("n%d", s.IntN(12))
	known := s.nodes[name]
	switch {
	case s.IntN(4) > 0:
	case !known:
		s.add(name)
	case s.IntN(2) == 0:
		s.each(func(w *world, line string) { w.cl.UpdateNode(w.node(name), w.nodeSpec(line)) }, name+s.node())
	case len(s.nodes) > 2:
		delete(s.nodes, name)
		s.each(func(w *world, name string) {
			id := w.node(name)
			for len(w.cl.PodsOn(id)) > 0 {
				w.drop(w.cl.PodsOn(id)[0])
			}
			w.cl.RemoveNode(id)
		}, name)
	}
	if s.IntN(6) == 0 {
		pod := fmt.Sprintf("p%d", s.IntN(60))
		s.each(func(w *world, name string) {
			if id := w.pods[name]; w.has(name) && w.cl.Pod(id).Phase == cluster.Bound {
				w.cl.Terminate(id, false)
			}
		}, pod)
	}
	if s.IntN(4) == 0 {
		pod := fmt.Sprintf("p%d", s.IntN(60))
		s.each(func(w *world, name string) {
			if w.has(name) {
				w.drop(w.pods[name])
			}
		}, pod)
	}
}

// waits reports whether a pod is there and has no node.
func (w *world) waits(name string) bool {
	return w.has(name) && w.cl.Pod(w.pods[name]).Node == cluster.None
}

// has reports whether a pod that was there once is there still.
func (w *world) has(name string) bool {
	id, known := w.pods[name]
	return known && w.cl.Pod(id).Name == name
}

func (w *world) drop(pod cluster.PodID) {
	w.s.Remove(pod)
	w.cl.RemovePod(pod)
}

// pod is the line of a pod without its name.
func (s *socialLife) pod() string {
	line := fmt.Sprintf(" cpu=%dm priority=%d ns=%s", 100+100*s.IntN(12), s.IntN(3), pick(s.Rand, "default", "default", "a", "b"))
	if s.IntN(6) > 0 {
		line += " with=app:" + pick(s.Rand, "web", "db")
	}
	if s.IntN(3) == 0 {
		line += " with=tier:" + pick(s.Rand, "1", "2")
	}
	for _, role := range []string{"near=", "apart=", "likes=", "dislikes="} {
		for s.IntN(4) == 0 {
			line += " " + role
			if strings.HasSuffix(role, "likes=") {
				line += fmt.Sprintf("%d*", 1+s.IntN(100))
			}
			line += pick(s.Rand, "zone", "host", "rack", "none") + "/" + pick(s.Rand, "app:web", "app:db", "app:web,tier:1", "app!web", "!tier", "*", "-") +
				pick(s.Rand, "", "", "", "@a", "@default,b", "@{}", "@{team:x}", "@{!team}", "@{team!x,tier}", "@{tier!q}")
		}
	}
	return line
}

func TestPodAffinityAllocatesNothingPerNode(t *testing.T) {
	allocations := func(nodes int) float64 {
		w := newWorld(t, worldConfig{percentage: 100, tie: scheduler.TieUpstream})
		for i := range nodes {
			w.addNodes(fmt.Sprintf("n%d cpu=8 memory=16Gi pods=110 zone=%d", i, i%3))
		}
		w.addPods("a node=n1 with=app:web apart=host/app:web dislikes=3*zone/app:web", "b node=n2 with=app:db near=zone/app:db likes=2*host/app:web")
		_, fields := split("p cpu=1 with=app:web near=zone/app:db apart=host/app:web likes=4*zone/app:db dislikes=5*host/app:web")
		class := w.cl.AddClass("p", w.class(fields))
		return testing.AllocsPerRun(20, func() {
			id := w.cl.AddPod(cluster.Pod{Class: class})
			w.s.Add(id, w.now)
			next, _ := w.s.Pop(w.now)
			w.s.EndAttempt(w.s.Schedule(next, w.now), w.now)
			if w.cl.Pod(id).Node == cluster.None {
				t.Fatal("the pod got no node")
			}
			w.s.Remove(id)
			w.cl.RemovePod(id)
		})
	}
	if few, many := allocations(100), allocations(3000); few != many {
		t.Errorf("%v allocations with 100 nodes, %v with 3000", few, many)
	}
}
