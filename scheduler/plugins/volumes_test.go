package plugins_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
)

// TestVolumes runs the scripts in testdata/volumes. The input of load is what comes before it
// in the file under "common", and its own. Commands:
//
//	common         objects for every load that follows
//	load [kubernetes=R] [rules=(RULE=VALUE,…)] [shape=(UTILIZATION:SCORE,…)]
//	               a new cluster of the objects; pods with a nodeName run, the others wait
//	schedule POD…  tries pods in this order; those that get a node are bound
//	scores POD…    the same, and what VolumeBinding scores
//	assume POD…    the same, but they are not bound yet
//	revoke POD…    takes assumed pods off their nodes
//	gone POD…      pods that had a node end
//	storage        shows claims and volumes
//
// Of a pod without a node it shows each node's reasons, "!" where preemption cannot help.
func TestVolumes(t *testing.T) {
	datadriven.Walk(t, "testdata/volumes", func(t *testing.T, path string) {
		var s volumeScript
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t = t
			s.out.Reset()
			s.run(d)
			if s.world != nil {
				if err := s.cl.Verify(); err != nil {
					t.Errorf("%s: %v", d.Pos, err)
				}
			}
			return s.out.String()
		})
	})
}

type volumeScript struct {
	*world
	t      *testing.T
	common string
	scores bool // are shown
	out    strings.Builder
}

func (s *volumeScript) printf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *volumeScript) run(d *datadriven.TestData) {
	each := func(f func(pod string)) {
		for _, arg := range d.CmdArgs {
			f(arg.Key)
		}
	}
	switch d.Cmd {
	case "common":
		s.common = d.Input
	case "load":
		s.load(d)
	case "schedule", "scores":
		s.scores = d.Cmd == "scores"
		each(func(pod string) { s.schedule(pod, true) })
	case "assume":
		each(func(pod string) { s.schedule(pod, false) })
	case "revoke":
		each(func(pod string) { s.s.RollBack(s.pods[pod], s.now) })
	case "gone":
		each(s.gone)
	case "storage":
		s.storage()
	default:
		s.t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
	}
}

func (s *volumeScript) load(d *datadriven.TestData) {
	cfg := worldConfig{plugins: []string{
		"NodeAffinity", "NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "DefaultPreemption",
	}, args: map[string]any{}}
	var kubernetes string
	var rules []string
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "kubernetes":
			kubernetes = arg.Vals[0]
		case "rules":
			rules = arg.Vals
		case "shape":
			cfg.args["VolumeBinding"] = plugins.VolumeBindingArgs{Shape: shapeOf(s.t, arg.Vals)}
		}
	}
	cfg.rules = rulesOf(s.t, kubernetes, rules...)
	docs, err := document.Parse("in.yaml", []byte(s.common+"\n---\n"+d.Input))
	if err != nil {
		s.t.Fatal(err)
	}
	v := cluster.NewVocabulary()
	cfg.vocabulary = v
	s.world = newWorld(s.t, cfg)
	l := manifest.New(v)
	l.Follow(release.Newest(), cfg.rules)
	if err := l.Load(docs...); err != nil {
		s.printf("%v", err)
		return
	}
	for _, n := range l.Nodes {
		if _, err := s.cl.AddNode(n.Spec); err != nil {
			s.t.Fatal(err)
		}
	}
	manifest.AddStorage(s.cl, &l.Storage)
	for _, p := range l.Pods {
		s.addPod(p.Name, p.NodeName, p.Class)
	}
	for i := range l.Controllers {
		c := &l.Controllers[i]
		for ordinal := range c.Replicas {
			s.addPod(fmt.Sprintf("%s-%d", c.Name, ordinal), "", c.StatefulPod(ordinal))
		}
	}
	for _, w := range l.Warnings {
		s.printf("warning: %s", w)
	}
}

func shapeOf(t *testing.T, points []string) []plugins.ShapePoint {
	var shape []plugins.ShapePoint
	for _, text := range points {
		var p plugins.ShapePoint
		if _, err := fmt.Sscanf(text, "%d:%d", &p.Utilization, &p.Score); err != nil {
			t.Fatal(err)
		}
		shape = append(shape, p)
	}
	return shape
}

func (s *volumeScript) addPod(name, node string, class *cluster.Class) {
	s.serial++
	pod := s.cl.AddPod(cluster.Pod{Serial: s.serial, Name: name, Class: class, Group: cluster.NoGroup})
	s.pods[name] = pod
	for _, claim := range s.cl.Volumes.CreateClaims(pod) {
		s.cl.Volumes.SyncClaim(claim)
	}
	if node == "" {
		s.s.Add(pod, s.now)
		return
	}
	s.cl.Assume(pod, s.node(node))
	s.cl.Bind(pod, s.now)
}

func (s *volumeScript) schedule(pod string, bind bool) {
	if !s.s.PopPod(s.pods[pod], s.now) {
		s.printf("%s is not in the queue", pod)
		return
	}
	a := s.s.Schedule(s.pods[pod], s.now)
	s.s.EndAttempt(a, s.now)
	if a.Outcome != scheduler.Scheduled {
		rejected := 0
		a.EachRejected(func(node cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
			mark := ""
			if code == scheduler.UnschedulableAndUnresolvable {
				mark = "!"
			}
			s.printf("%s: %s: %s%s: %s", pod, s.cl.Node(node).Name, plugin, mark, strings.Join(reasons, "; "))
			rejected++
		})
		if rejected == 0 {
			s.printf("%s: %s", pod, a.Message())
		}
		return
	}
	node := s.cl.Node(a.Node).Name
	var chosen []string
	if bindings, _ := s.cl.Volumes.Assumed(s.pods[pod]); len(bindings) > 0 {
		for _, b := range bindings {
			volume := "a new volume"
			if b.Volume != cluster.NoVolume {
				volume = s.cl.Volumes.Volume(b.Volume).Name
			}
			chosen = append(chosen, s.cl.Volumes.ClaimName(b.Claim)+" to get "+volume)
		}
	}
	s.printf("%s: %s", pod, strings.Join(append([]string{node}, chosen...), ", "))
	if s.scores {
		s.printf("  scores %s", scores(s.world, a, "VolumeBinding"))
	}
	if bind {
		if ok, why := s.s.RunBindingCycle(s.pods[pod], s.now); !ok {
			s.printf("%s: not bound: %s", pod, why)
		}
	}
}

// gone ends a pod, and its claims.
func (s *volumeScript) gone(name string) {
	pod := s.pods[name]
	p := s.cl.Pod(pod)
	freed := scheduler.ClusterEvent{Kind: scheduler.PodFreed, Node: p.Node, Pod: pod, Class: p.Class, Group: p.Group}
	s.cl.Volumes.Detach(pod)
	s.cl.Volumes.DeleteOwnClaims(pod)
	s.s.Remove(pod)
	s.cl.RemovePod(pod)
	delete(s.pods, name)
	s.s.Observe(freed, s.now)
}

func (s *volumeScript) storage() {
	s.cl.Volumes.EachClaim(func(id cluster.ClaimID) {
		claim := s.cl.Volumes.Claim(id)
		state := "unbound"
		if claim.IsBound() {
			state = "has " + claim.VolumeName
		}
		if node, selected := s.cl.Volumes.SelectedNode(id); selected && !claim.IsBound() {
			state += ", for " + s.cl.Text(node)
		}
		s.printf("claim %s: %s", s.cl.Volumes.ClaimName(id), state)
	})
	phases := []string{"New", "Pending", "Available", "Bound", "Released", "Failed"}
	s.cl.Volumes.EachVolume(func(id cluster.VolumeID) {
		s.printf("volume %s: %s", s.cl.Volumes.Volume(id).Name, phases[s.cl.Volumes.Volume(id).Phase])
	})
}

// Where many volumes are open they are found by an index; it finds what a scan finds.
func TestManyVolumesAreFoundAsFewAre(t *testing.T) {
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		w := newWorld(t, worldConfig{plugins: []string{"NodeResourcesFit", "VolumeBinding"}})
		label := func(key string) cluster.Label {
			return cluster.Label{Key: w.cl.Symbol(key), Value: w.cl.Symbol(fmt.Sprint(rnd.IntN(4)))}
		}
		for i := range 8 {
			spec := cluster.NodeSpec{Name: fmt.Sprint("n", i), Allocatable: []cluster.Quantity{{Resource: cluster.Pods, Amount: 1}}}
			for _, key := range []string{"rack", "zone"} {
				if rnd.IntN(4) > 0 {
					spec.Labels = append(spec.Labels, label(key))
				}
			}
			if _, err := w.cl.AddNode(spec); err != nil {
				t.Fatal(err)
			}
		}
		w.cl.Volumes.AddStorageClass(cluster.StorageClass{Name: w.cl.Symbol("local"), Provisioner: "kubernetes.io/no-provisioner", WaitForFirstConsumer: true})
		for i := range 10 + rnd.IntN(20) {
			w.cl.Volumes.AddVolume(cluster.Volume{
				Name: fmt.Sprintf("v%02d", i), StorageClass: w.cl.Symbol("local"), Capacity: rnd.Int64N(5), Affinity: someAffinity(rnd, label),
			})
		}
		w.cl.Volumes.SyncNew()
		class := w.class(nil)
		for range 1 + rnd.IntN(3) {
			class.Volumes = append(class.Volumes, cluster.PodVolume{
				Kind: cluster.EphemeralVolume, Name: fmt.Sprint(len(class.Volumes)), Template: &cluster.Claim{StorageClass: w.cl.Symbol("local"), Request: rnd.Int64N(3)},
			})
		}
		for range 8 {
			w.serial++
			pod := w.cl.AddPod(cluster.Pod{Serial: w.serial, Name: fmt.Sprint("p", w.serial), Class: w.cl.AddClass("", class), Group: cluster.NoGroup})
			w.cl.Volumes.CreateClaims(pod)
			w.s.Add(pod, 0)
			fits := map[cluster.NodeID][]cluster.VolumeID{}
			for _, node := range w.cl.Order() {
				if list := byScan(w.cl, pod, node); list != nil && len(w.cl.PodsOn(node)) == 0 {
					fits[node] = list
				}
			}
			w.s.PopPod(pod, 0)
			a := w.s.Schedule(pod, 0)
			w.s.EndAttempt(a, 0)
			if a.Feasible != len(fits) {
				t.Fatalf("seed %d: %d nodes are feasible, by scan %d", seed, a.Feasible, len(fits))
			}
			if a.Node == cluster.None {
				break
			}
			var got []cluster.VolumeID
			bindings, _ := w.cl.Volumes.Assumed(pod)
			for _, b := range bindings {
				got = append(got, b.Volume)
			}
			if !slices.Equal(got, fits[a.Node]) {
				t.Fatalf("seed %d: on node %d the volumes are %v, by scan %v", seed, a.Node, got, fits[a.Node])
			}
		}
	}
}

func someAffinity(rnd *rand.Rand, label func(string) cluster.Label) cluster.VolumeAffinity {
	a := cluster.VolumeAffinity{Limited: rnd.IntN(8) > 0}
	for range 1 + rnd.IntN(4)/3 {
		var term cluster.NodeTerm
		for range 1 + rnd.IntN(4)/3 {
			l, m := label("rack"), label("rack")
			if rnd.IntN(2) == 0 {
				l, m = label("zone"), label("zone")
			}
			r := cluster.Requirement{Key: l.Key, Op: cluster.In, Values: []cluster.Symbol{l.Value, m.Value}}
			if rnd.IntN(6) == 0 {
				r.Op = cluster.NotIn
			}
			term.Labels = append(term.Labels, r)
		}
		a.Terms = append(a.Terms, term)
	}
	return a
}

// byScan chooses the volumes of a pod for one node without any index; nil where there are
// none for some claim.
func byScan(cl *cluster.Cluster, pod cluster.PodID, node cluster.NodeID) []cluster.VolumeID {
	claims := cl.Volumes.ClaimsOf(pod, cl.Pod(pod).Class, nil)
	slices.SortStableFunc(claims, func(a, b cluster.PodClaim) int { return int(a.Claim.Request - b.Claim.Request) })
	var chosen []cluster.VolumeID
	for _, pc := range claims {
		var m cluster.Match
		cl.Volumes.Match(pc.ID, pc.Claim, &m)
		i := slices.IndexFunc(m.Open, func(id cluster.VolumeID) bool {
			return !slices.Contains(chosen, id) && cl.Volumes.Volume(id).Affinity.Matches(cl.Node(node).Labels, &cl.Symbols)
		})
		if i < 0 {
			return nil
		}
		chosen = append(chosen, m.Open[i])
	}
	return chosen
}
