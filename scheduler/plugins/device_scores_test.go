package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
)

// deviceKind is the kind of the devices of these tests.
const deviceKind = "example.com/shared-gpu"

// deviceSpec reads "8:T4", or "8" for devices that do not say their model.
func (w *world) deviceSpec(s string) cluster.DeviceSpec {
	count, model, _ := strings.Cut(s, ":")
	spec := cluster.DeviceSpec{Kind: w.cl.Resource(deviceKind), Count: int(w.amount("gpus", count))}
	if model != "" {
		spec.Model = w.cl.Symbol(model)
	}
	return spec
}

// deviceRequest reads "2x1000" or "1x300:T4|A10": devices, thousandths of each, models.
func (w *world) deviceRequest(s string) cluster.DeviceRequest {
	amounts, models, _ := strings.Cut(s, ":")
	count, milli, _ := strings.Cut(amounts, "x")
	r := cluster.DeviceRequest{Kind: w.cl.Resource(deviceKind), Count: int(w.amount("gpus", count)), Milli: int32(w.amount("gpus", milli))}
	for _, model := range strings.FieldsFunc(models, func(c rune) bool { return c == '|' }) {
		r.Models = append(r.Models, w.cl.Symbol(model))
	}
	slices.Sort(r.Models)
	return r
}

// setTarget makes the pods of the lines the target workload, each as often as count says.
func (w *world) setTarget(counts []int64, lines ...string) {
	t := &fragment.Target{}
	for i, line := range lines {
		_, fields := split("p " + line)
		class := w.class(fields)
		t.Classes = append(t.Classes, fragment.Class{Pod: w.cl.Devices.TargetPod(&class), Pods: counts[i]})
		t.Pods += counts[i]
	}
	for i := range t.Classes {
		t.Classes[i].Share = float64(t.Classes[i].Pods) / float64(t.Pods)
	}
	w.cl.Devices.SetTarget(t)
}

// deviceScorers are the plugins that score devices, without chance.
var deviceScorers = []string{"FGD", "FGDExact", "BestFit", "DotProd", "GpuPacking", "GpuClustering"}

// Of node b 700, 0, 1000 and 1000 thousandths are free and 52 cpus, of node c 400 and 1000 and
// 24 cpus; three quarters of the pods to come want a whole device. See the comments for what
// follows by hand.
func TestDeviceScoresByHand(t *testing.T) {
	for _, tt := range []struct {
		pod  string
		want map[string]string
	}{
		{"cpu=8 gpus=1x400", map[string]string{
			// F goes from 0 to 450, from 525 to 300 on device 0, from 300 to 0 on device 0.
			"FGD": "a=38 b=55 c=57",
			// The gains are -1800, 900 and 1200 of 4 pods.
			"FGDExact": "a=0 b=90 c=100",
			// Free are then 120, 44 and 16 cpus of 128, 7.6, 2.3 and 1 devices of 8: 5, 68, 87.
			"BestFit": "a=0 b=76 c=100",
			// 100 times 1 minus 0.05625, 0.02113 and 0.01023.
			"DotProd":       "a=94 b=97 c=98",
			"GpuPacking":    "a=25 b=93 c=96",
			"GpuClustering": "a=25 b=66 c=95",
		}},
		// Node b has 2 cpus left, and all of its 2700 thousandths are lost.
		{"cpu=50", map[string]string{
			"FGD": "a=50 b=10", "FGDExact": "a=100 b=0", "BestFit": "a=0 b=100", "DotProd": "a=80 b=92", "GpuPacking": "a=0 b=0", "GpuClustering": "a=0 b=0",
		}},
		// Nothing is lost that was not before: of node b 700 thousandths.
		{"cpu=1 gpus=2x1000", map[string]string{
			"FGD": "a=50 b=50", "FGDExact": "a=100 b=100", "BestFit": "a=0 b=100", "DotProd": "a=87 b=95", "GpuPacking": "a=25 b=48", "GpuClustering": "a=25 b=16",
		}},
	} {
		w := newWorld(t, worldConfig{plugins: append([]string{"NodeResourcesFit", "NodeDevicesFit"}, deviceScorers...)})
		w.addNodes("a cpu=128 pods=9 gpus=8", "b cpu=64 pods=9 gpus=4", "c cpu=32 pods=9 gpus=2", "d cpu=1 pods=9 gpus=8")
		w.addPods("b1 node=b cpu=6 gpus=1x300", "b2 node=b cpu=6 gpus=1x1000", "c1 node=c cpu=8 gpus=1x600", "d1 node=d cpu=1")
		w.setTarget([]int64{1, 3}, "cpu=8 gpus=1x400", "cpu=4 gpus=1x1000")
		w.addPods("p " + tt.pod)
		a := w.try("p")
		for _, plugin := range deviceScorers {
			if got := scores(w, a, plugin); got != tt.want[plugin] {
				t.Errorf("%s scores %s with %s, by hand %s", plugin, tt.pod, got, tt.want[plugin])
			}
		}
	}
}

// bruteFGD is the paper's score, computed from its definition.
type bruteFGD struct{ plain }

func (p bruteFGD) Score(c *scheduler.Cycle, node cluster.NodeID) int64 {
	best, _ := p.best(c, node)
	return best
}

func (p bruteFGD) ChooseDevices(c *scheduler.Cycle, node cluster.NodeID) []int32 {
	if _, device := p.best(c, node); device >= 0 && c.Class.Devices.Shares() {
		return []int32{int32(device)}
	}
	return nil
}

func (p bruteFGD) best(c *scheduler.Cycle, node cluster.NodeID) (score int64, device int) {
	r, free := c.Class.Devices, slices.Clone(p.cl.Devices.Free(node))
	cpu := p.cl.Allocatable(cluster.CPU)[node] - p.cl.Requested(cluster.CPU)[node]
	model := int32(p.cl.Node(node).Devices.Model)
	before := p.fragmented(cpu, free, model)
	try := func() int64 {
		return int64(fragment.Score(before - p.fragmented(cpu-c.Class.Request(cluster.CPU), free, model)))
	}
	score, device = -1, -1
	switch {
	case !p.cl.Devices.Fit(&r, node):
		return try(), device
	case r.Shares():
		for d := range free {
			if free[d] < r.Milli {
				continue
			}
			free[d] -= r.Milli
			if s := try(); s > score {
				score, device = s, d
			}
			free[d] += r.Milli
		}
		return score, device
	}
	for d, left := 0, r.Count; left > 0; d++ {
		if free[d] == cluster.WholeDevice {
			free[d], left = 0, left-1
		}
	}
	return try(), device
}

// fragmented adds up in the order of the authors' simulator: what is lost for want of both, of
// devices, of cpu, to pods that ask for none and fit or not, and to other models.
func (p bruteFGD) fragmented(cpu int64, free []int32, model int32) float64 {
	target, _ := p.cl.Devices.Target()
	var both, devices, lacksCPU, none, noneNoCPU, noAccess float64
	for _, m := range target.Classes {
		fitting, small, all := 0, int32(0), int32(0)
		for _, f := range free {
			all += f
			if f >= m.Milli {
				fitting++
			} else {
				small += f
			}
		}
		lost := float64(m.Share * float64(all))
		switch fits, enough := fitting >= m.Count, cpu >= m.MilliCPU; {
		case m.Count == 0 && enough:
			none += lost
		case m.Count == 0:
			noneNoCPU += lost
		case !m.Accepts(model):
			noAccess += lost
		case fits && enough:
			devices += float64(m.Share * float64(small))
		case fits:
			lacksCPU += lost
		case enough:
			devices += lost
		default:
			both += lost
		}
	}
	return both + devices + lacksCPU + none + noneNoCPU + noAccess
}

type normalizer interface {
	Normalization() scheduler.Normalization
}

// plainDevices has, in the place of every plugin that scores devices, one that remembers
// nothing; in that of FGD the paper's definition.
func plainDevices() scheduler.Registry {
	r := plugins.Registry()
	for _, name := range deviceScorers {
		make := r[name]
		r[name] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
			p, err := make(h, args)
			if err != nil {
				return nil, err
			}
			chooser, chooses := p.(scheduler.DeviceChooser)
			normalize, normalizes := p.(normalizer)
			switch {
			case name == "FGD":
				return bruteFGD{plain{name, h.Cluster()}}, nil
			case chooses && normalizes:
				return struct {
					scheduler.DeviceChooser
					normalizer
				}{chooser, normalize}, nil
			case normalizes:
				return struct {
					scheduler.ScorePlugin
					normalizer
				}{p.(scheduler.ScorePlugin), normalize}, nil
			}
			return struct{ scheduler.ScorePlugin }{p.(scheduler.ScorePlugin)}, nil
		}
	}
	return r
}

// FuzzDeviceScores holds the scores of devices against their plain twins, while pods come and
// go, nodes change, moves are tried, and the target workload becomes another one.
func FuzzDeviceScores(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		names := append([]string{"NodeResourcesFit", "DefaultPreemption"}, deviceScorers...)
		if rnd.IntN(4) > 0 {
			names = append(names, "NodeDevicesFit")
		}
		fast, slow := newWorld(t, worldConfig{plugins: names}), newWorld(t, worldConfig{plugins: names, registry: plainDevices()})
		d := deviceFuzz{rnd: rnd, worlds: []*world{fast, slow}}
		for i := range 2 + rnd.IntN(8) {
			line := fmt.Sprintf("n%d %s", i, d.node())
			for _, w := range d.worlds {
				w.addNodes(line)
			}
		}
		for i := range 60 {
			d.disturb()
			pod := fmt.Sprintf("p%d", i)
			line := fmt.Sprintf("%s priority=%d %s", pod, rnd.IntN(2), d.pod())
			for _, w := range d.worlds {
				w.addPods(line)
			}
			compareTwins(t, fast, slow, pod)
			if x, y := fast.cl.Devices.Of(fast.pods[pod]), slow.cl.Devices.Of(slow.pods[pod]); !slices.Equal(x, y) {
				t.Fatalf("%s takes the devices %v, the twin %v", line, x, y)
			}
		}
	})
}

// deviceFuzz does the same at random to several worlds.
type deviceFuzz struct {
	rnd    *rand.Rand
	worlds []*world
}

func (d *deviceFuzz) node() string {
	line := fmt.Sprintf("cpu=%d pods=20", 4+d.rnd.IntN(28))
	if n := d.rnd.IntN(10); n > 0 {
		line += fmt.Sprintf(" gpus=%d:%s", n, pick(d.rnd, "T4", "A10", "G2"))
	}
	return line
}

func (d *deviceFuzz) pod() string {
	line := "cpu=" + strconv.Itoa(1+d.rnd.IntN(6))
	switch d.rnd.IntN(5) {
	case 0:
		return line
	case 1:
		line += fmt.Sprintf(" gpus=%dx1000", 1+d.rnd.IntN(4))
	default:
		line += fmt.Sprintf(" gpus=1x%d", 50*(1+d.rnd.IntN(20)))
	}
	if d.rnd.IntN(3) == 0 {
		line += ":" + pick(d.rnd, "T4", "T4|A10", "G2")
	}
	return line
}

// disturb makes what is remembered of some node, or of all, wrong.
func (d *deviceFuzz) disturb() {
	switch d.rnd.IntN(6) {
	case 0: // a pod goes
		i := cluster.PodID(d.rnd.IntN(1 + len(d.worlds[0].pods)))
		for _, w := range d.worlds {
			if name := fmt.Sprintf("p%d", i); w.pods[name] != 0 && w.cl.Pod(w.pods[name]).Node != cluster.None && w.cl.Pod(w.pods[name]).Name == name {
				w.s.Remove(w.pods[name])
				w.cl.RemovePod(w.pods[name])
				delete(w.pods, name)
			}
		}
	case 1: // a node becomes another one
		id, line := cluster.NodeID(d.rnd.IntN(d.worlds[0].cl.NodeIDs())), d.node()
		for _, w := range d.worlds {
			w.cl.UpdateNode(id, w.nodeSpec(w.cl.Node(id).Name+" "+line))
		}
	case 2: // other pods are expected
		counts, lines := []int64{}, []string{}
		for range d.rnd.IntN(8) {
			counts, lines = append(counts, 1+d.rnd.Int64N(9)), append(lines, d.pod())
		}
		for _, w := range d.worlds {
			w.setTarget(counts, lines...)
		}
	case 3: // a pod is put on a node for a trial
		line, id := d.pod(), cluster.NodeID(d.rnd.IntN(d.worlds[0].cl.NodeIDs()))
		for _, w := range d.worlds {
			_, fields := split("trial " + line)
			w.serial++
			class := w.cl.AddClass(fmt.Sprint(w.serial), w.class(fields))
			mark, pod := w.cl.Mark(), w.cl.AddPod(cluster.Pod{Serial: w.serial, Name: "trial", Class: class})
			w.cl.TryPlace(pod, id)
			w.cl.Rollback(mark)
		}
	}
}

// Chance takes every feasible node, and of it every device that has enough free, equally
// often; a seed takes the same ones again.
func TestRandomIsUniform(t *testing.T) {
	const times = 3000
	type choice struct {
		node   string
		device int32
	}
	play := func() ([]choice, map[choice]int) {
		w := newWorld(t, worldConfig{plugins: []string{"NodeResourcesFit", "NodeDevicesFit", "Random"}})
		w.addNodes("a cpu=9 pods=9 gpus=3", "b cpu=9 pods=9 gpus=1", "c cpu=9 pods=9 gpus=2", "full cpu=0 pods=9 gpus=2")
		w.addPods("taken node=a cpu=1 gpus=1x800")
		var order []choice
		counts := map[choice]int{}
		for i := range times {
			name := fmt.Sprintf("p%d", i)
			w.addPods(name + " cpu=1 gpus=1x500")
			attempt := w.try(name)
			took := choice{w.cl.Node(attempt.Node).Name, w.cl.Devices.Of(w.pods[name])[0]}
			order, counts[took] = append(order, took), counts[took]+1
			w.s.EndAttempt(attempt, w.now)
			w.s.Remove(w.pods[name])
			w.cl.RemovePod(w.pods[name])
		}
		return order, counts
	}
	order, counts := play()
	want := map[choice]int{{"a", 1}: times / 6, {"a", 2}: times / 6, {"b", 0}: times / 3, {"c", 0}: times / 6, {"c", 1}: times / 6}
	for c, n := range want {
		if got := counts[c]; got < n*8/10 || got > n*12/10 {
			t.Errorf("%v was taken %d times of %d, about %d were due", c, got, times, n)
		}
	}
	if len(counts) != len(want) {
		t.Errorf("taken were %v", counts)
	}
	if again, _ := play(); !slices.Equal(order, again) {
		t.Error("the same seed took others the second time")
	}
}
