package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// FuzzSpread holds PodTopologySpread against its twin that counts afresh, while nodes and
// pods come, change and go. With preemption and nominated pods, trial moves are among it. In
// half of the worlds no other plugin rejects the nodes that policies leave out.
func FuzzSpread(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		cfg := worldConfig{percentage: 100}
		if rnd.IntN(2) == 0 {
			cfg.plugins = []string{"NodeResourcesFit", "PodTopologySpread", "DefaultPreemption"}
		}
		var defaults []string
		system := rnd.IntN(3) == 0
		for rnd.IntN(3) > 0 {
			defaults = append(defaults, randomConstraint(rnd))
		}
		var worlds [2]*world
		for i, registry := range []scheduler.Registry{plugins.Registry(), plainRegistry()} {
			cfg.registry, cfg.vocabulary = registry, cluster.NewVocabulary()
			cfg.args = map[string]any{"PodTopologySpread": spreadArgs(t, cfg.vocabulary, system, defaults)}
			worlds[i] = newWorld(t, cfg)
		}
		l := &evenLife{socialLife{Rand: rnd, worlds: worlds, nodes: map[string]bool{}}, cfg.plugins != nil}
		for i := range 3 + rnd.IntN(8) {
			l.add(fmt.Sprintf("n%d", i))
		}
		for i := range 60 {
			l.disturb()
			l.mark(fmt.Sprintf("n%d", rnd.IntN(12)))
			pod := fmt.Sprintf("p%d", i)
			l.each(func(w *world, line string) { w.addPods(line) }, pod+l.pod())
			compareTwins(t, worlds[0], worlds[1], pod)
		}
	})
}

// spreadArgs are the arguments with these constraints as default, the first of them hard.
func spreadArgs(t *testing.T, v *cluster.Vocabulary, system bool, defaults []string) plugins.PodTopologySpreadArgs {
	args := plugins.PodTopologySpreadArgs{System: system}
	if system {
		return args
	}
	w := &world{t: t, cl: cluster.New(v)}
	for i, text := range defaults {
		c := w.constraint(text)
		c.Hard = i == 0
		args.Default = append(args.Default, c)
	}
	return args
}

// evenLife is a random life of pods that keep their distance, lived in two worlds.
type evenLife struct {
	socialLife
	names bool // pods may want some nodes by name, which the twin of NodeAffinity does not restrict
}

// mark gives a node taints, or takes its host name away.
func (l *evenLife) mark(name string) {
	if !l.nodes[name] || l.IntN(3) > 0 {
		return
	}
	line := name + l.node()
	if l.IntN(2) == 0 {
		line += " taint=a:x:" + pick(l.Rand, "NoSchedule", "NoExecute", "PreferNoSchedule")
	}
	if l.IntN(3) == 0 {
		line += pick(l.Rand, " nohost", " label=kubernetes.io/hostname:shared")
	}
	if l.IntN(4) == 0 {
		line += " label=topology.kubernetes.io/zone:"
	}
	l.each(func(w *world, line string) { w.cl.UpdateNode(w.node(name), w.nodeSpec(line)) }, line)
}

func randomConstraint(rnd *rand.Rand) string {
	text := fmt.Sprintf("%s/%d/%s", pick(rnd, "zone", "host", "rack", "zone", "host", "none"), 1+rnd.IntN(3),
		pick(rnd, "app:web", "app:db", "app", "tier:1", "app!web", "*", "-"))
	if rnd.IntN(3) == 0 {
		text += fmt.Sprintf("/min=%d", 1+rnd.IntN(4))
	}
	return text + pick(rnd, "", "", "/all") + pick(rnd, "", "", "/bare")
}

// pod is the line of a pod without its name.
func (l *evenLife) pod() string {
	line := fmt.Sprintf(" cpu=%dm priority=%d ns=%s", 100+100*l.IntN(12), l.IntN(3), pick(l.Rand, "default", "default", "a"))
	if l.IntN(6) > 0 {
		line += " with=app:" + pick(l.Rand, "web", "db")
	}
	for _, extra := range []string{" with=tier:1", " selector=rack:1", " tolerate=a:*", " among=app:web", " among=app"} {
		if l.IntN(5) == 0 {
			line += extra
		}
	}
	if l.names && l.IntN(5) == 0 {
		line += " want=n1 want=n2 want=n3"
	}
	for l.IntN(3) > 0 {
		line += pick(l.Rand, " spread=", " softly=") + randomConstraint(l.Rand)
	}
	return line
}

func TestSpreadAllocatesNothingPerNode(t *testing.T) {
	allocations := func(nodes int) float64 {
		w := newWorld(t, worldConfig{percentage: 100, tie: scheduler.TieUpstream})
		for i := range nodes {
			w.addNodes(fmt.Sprintf("n%d cpu=8 memory=16Gi pods=110 zone=%d", i, i%3))
		}
		_, fields := split("p cpu=1 with=app:web spread=zone/1/app:web spread=host/2/app softly=zone/1/app:web softly=host/1/app:web/bare")
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
