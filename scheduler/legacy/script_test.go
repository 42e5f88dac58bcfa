package legacy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// TestScripts runs the scripts in testdata/scripts. Commands:
//
//	rules NAME[=WEIGHT] … [check-all] [percentage=N]
//	          a profile of these rules: those with a weight are priorities; no rules are
//	          those of the default provider. check-all: alwaysCheckAllPredicates. The
//	          input gives arguments, a line each: NAME KIND KEY=VALUE …
//	cluster   a cluster of the objects of the input, see object; pods with a node run there
//	schedule POD … [scores]
//	          a cycle for each of these pods; those that get a node keep it
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		var s script
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t = t
			s.out.Reset()
			switch d.Cmd {
			case "rules":
				s.rules(d)
			case "cluster":
				s.build(d.Input)
			case "schedule":
				for _, arg := range d.CmdArgs {
					if arg.Key != "scores" {
						s.schedule(arg.Key, d.HasArg("scores"))
					}
				}
				if err := s.cl.Verify(); err != nil {
					t.Errorf("%s: %v", d.Pos, err)
				}
			default:
				t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
			}
			return s.out.String()
		})
	})
}

type script struct {
	t       testing.TB
	profile scheduler.ProfileConfig
	cl      *cluster.Cluster
	s       *scheduler.Scheduler
	pods    map[string]cluster.PodID
	out     strings.Builder
}

func (s *script) rules(d *datadriven.TestData) {
	p := scheduler.ProfileConfig{
		SchedulerName: "default-scheduler", Family: scheduler.Legacy, Registry: legacy.Registry(), Args: map[string]any{},
	}
	s.arguments(&p, d.Input)
	var predicates []string
	var scores []scheduler.PluginRef
	for _, arg := range d.CmdArgs {
		switch {
		case arg.Key == "check-all":
		case arg.Key == "percentage":
			arg.Scan(s.t, 0, &p.Percentage)
		case len(arg.Vals) == 1:
			weight, _ := strconv.ParseInt(arg.Vals[0], 10, 64)
			scores = append(scores, scheduler.PluginRef{Name: arg.Key, Weight: weight})
		default:
			predicates = append(predicates, arg.Key)
		}
	}
	if len(d.CmdArgs) == 0 {
		predicates, scores = legacy.DefaultPredicates(), legacy.DefaultPriorities()
	}
	if d.HasArg("check-all") {
		p.Args[legacy.AlwaysCheckAllPredicates] = legacy.CheckAllArgs{Predicates: predicates, Registry: p.Registry}
		predicates = []string{legacy.AlwaysCheckAllPredicates}
	}
	for _, name := range slices.Concat([]string{"PrioritySort", "DefaultPreemption", "DefaultBinder"}, predicates) {
		s.enable(&p, scheduler.PluginRef{Name: name})
	}
	for _, ref := range scores {
		s.enable(&p, ref)
	}
	s.profile = p
}

func (s *script) enable(p *scheduler.ProfileConfig, ref scheduler.PluginRef) {
	points, err := p.Registry.ExtensionPointsOf(ref.Name, p.Args[ref.Name], nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, point := range points {
		p.Points[point] = append(p.Points[point], ref)
	}
}

// arguments makes rules of names of their own.
func (s *script) arguments(p *scheduler.ProfileConfig, input string) {
	for line := range strings.Lines(input) {
		words := strings.Fields(line)
		name, of := words[0], words[1]
		get := func(key string) []string {
			for _, w := range words[2:] {
				if k, value, _ := strings.Cut(w, "="); k == key && value != "" {
					return strings.Split(value, ",")
				}
			}
			return nil
		}
		p.Registry[name] = p.Registry[of]
		switch of {
		case legacy.CheckNodeLabelPresence, legacy.NodeLabelPriority:
			p.Args[name] = legacy.LabelsArgs{Name: name, Labels: get("labels"), Presence: get("presence") != nil}
		case legacy.RequestedToCapacityRatioPriority:
			a := legacy.RatioArgs{Name: name}
			for _, point := range get("shape") {
				x, y := s.pair(point)
				a.Shape = append(a.Shape, plugins.ShapePoint{Utilization: x, Score: y})
			}
			for _, r := range get("resources") {
				resource, weight, _ := strings.Cut(r, ":")
				w, _ := strconv.ParseInt(weight, 10, 64)
				a.Resources = append(a.Resources, plugins.ResourceWeight{Name: resource, Weight: w})
			}
			p.Args[name] = a
		case "MaxEBSVolumeCount", "MaxGCEPDVolumeCount":
			limit, _ := strconv.ParseInt(get("max")[0], 10, 64)
			p.Args[name] = legacy.VolumeCountArgs{Max: limit}
		case legacy.CheckNodeCondition, legacy.CheckNodeMemoryPressure, legacy.CheckNodeDiskPressure:
			p.Args[name] = legacy.ConditionArgs{AsTaints: get("as")[0] == "taints"}
		case legacy.ServiceAntiAffinityPriority:
			p.Args[name] = legacy.AntiAffinityArgs{Name: name, Label: get("label")[0]}
		case legacy.CheckServiceAffinity:
			p.Args[name] = legacy.ServiceAffinityArgs{Name: name, Labels: get("labels")}
		case legacy.PodFitsResources, legacy.GeneralPredicates:
			p.Args[name] = legacy.FitArgs{Ignored: get("ignored")}
		default:
			s.t.Fatalf("%s takes no arguments", of)
		}
	}
}

func (s *script) pair(text string) (x, y int64) {
	if _, err := fmt.Sscanf(text, "%d:%d", &x, &y); err != nil {
		s.t.Fatal(err)
	}
	return x, y
}

func (s *script) build(input string) {
	var objects []any
	for line := range strings.Lines(input) {
		if line = strings.TrimSpace(line); line != "" {
			objects = append(objects, s.object(line))
		}
	}
	s.load(objects)
}

// load makes a cluster of objects of the API.
func (s *script) load(objects []any) {
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		s.t.Fatal(err)
	}
	docs, err := document.Parse("cluster.json", text)
	if err != nil {
		s.t.Fatal(err)
	}
	v := cluster.NewVocabulary()
	loader := manifest.New(v)
	if err := loader.Load(docs...); err != nil {
		fmt.Fprintln(&s.out, err)
		return
	}
	s.cl, s.pods = cluster.New(v), map[string]cluster.PodID{}
	for _, n := range loader.Nodes {
		if _, err := s.cl.AddNode(n.Spec); err != nil {
			s.t.Fatal(err)
		}
	}
	manifest.AddStorage(s.cl, &loader.Storage)
	if s.s, err = scheduler.New(s.cl, scheduler.Config{
		Profiles: []scheduler.ProfileConfig{s.profile}, Tie: scheduler.TieFirst, Streams: clock.NewStreams(1),
	}); err != nil {
		s.t.Fatal(err)
	}
	for i, p := range loader.Pods {
		pod := s.cl.AddPod(cluster.Pod{Serial: int64(i), Name: p.Name, Class: p.Class})
		s.pods[p.Name] = pod
		if p.NodeName == "" {
			s.s.Add(pod, 0)
			continue
		}
		node, _ := s.cl.NodeByName(p.NodeName)
		s.cl.Assume(pod, node)
		s.cl.Bind(pod, clock.Time(i))
		if p.Terminating {
			s.cl.Terminate(pod, false)
		}
	}
}

func (s *script) schedule(name string, scores bool) {
	pod, known := s.pods[name]
	if !known || !s.s.PopPod(pod, 0) {
		s.t.Fatalf("pod %q does not wait", name)
	}
	a := s.s.Schedule(pod, 0)
	if message := a.Message(); message != "" {
		fmt.Fprintf(&s.out, "%s: %s\n", name, message)
	} else {
		fmt.Fprintf(&s.out, "%s: %s of %d, best %d, looked at %d\n", name, s.cl.Node(a.Node).Name, a.Feasible, a.MaxScore, a.Evaluated)
	}
	if a.Nominated != cluster.None {
		fmt.Fprintf(&s.out, "  nominated to %s, victims", s.cl.Node(a.Nominated).Name)
		for _, v := range a.Victims {
			fmt.Fprintf(&s.out, " %s", s.cl.Pod(v).Name)
		}
		s.out.WriteString("\n")
	}
	if scores {
		s.scores(a)
	}
	s.s.EndAttempt(a, 0)
	if a.Outcome == scheduler.Scheduled {
		s.s.RunBindingCycle(pod, 0)
	}
}

// scores prints a line for each node: what each priority gave it, weighted.
func (s *script) scores(a *scheduler.Attempt) {
	last := cluster.None
	a.EachScore(func(node cluster.NodeID, plugin string, score int64) {
		if node != last {
			fmt.Fprintf(&s.out, "  %s:", s.cl.Node(node).Name)
			last = node
		}
		fmt.Fprintf(&s.out, " %s %d", plugin, score)
		if plugin == scheduler.TotalScore {
			s.out.WriteString("\n")
		}
	})
}
