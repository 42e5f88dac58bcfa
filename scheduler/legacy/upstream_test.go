package legacy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// upstreamCase is a cluster, and what v1.16.15 says of a pod that waits in it: by node the
// reasons of all predicates that fail, sorted; the nodes on which preemption is not tried;
// and what every priority gives to every node, all of them feasible.
type upstreamCase struct {
	Objects      []any
	Rejected     map[string][]string
	Unresolvable []string
	Scores       map[string]map[string]int64
}

// TestUpstream replays clusters whose pods the predicates and priorities of
// k8s.io/kubernetes v1.16.15 have judged, called with the feature gate EvenPodsSpread on.
// The pods of cases.jsonl have no claims, those of claims.jsonl do and were not scored.
// The weight of required pod affinity is 7, and these rules have arguments:
//
//	CheckNodeLabelPresence   the label disk must be there
//	CheckServiceAffinity     the label rack
//	unracked                 a NodeLabelPriority: the label rack must not be there
//	svcanti                  a ServiceAntiAffinity by the label rack
//	ratio                    a RequestedToCapacityRatio, see below
func TestUpstream(t *testing.T) {
	verdicts, scores := 0, 0
	for _, name := range []string{"cases", "claims"} {
		file, err := os.Open("testdata/v1.16.15/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }() // it is only read
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var c upstreamCase
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("%s:%d", name, n)
			s := script{t: t, profile: upstreamPredicates(t)}
			verdicts += s.compareVerdicts(at, &c)
			s.profile = upstreamPriorities(t)
			scores += s.compareScores(at, &c)
		}
	}
	if verdicts < 210 || scores < 1200 {
		t.Errorf("compared %d verdicts and %d scores, want more", verdicts, scores)
	}
}

func (s *script) attempt(c *upstreamCase) *scheduler.Attempt {
	s.load(c.Objects)
	if s.out.Len() > 0 {
		s.t.Fatal(s.out.String())
	}
	s.s.PopPod(s.pods["p"], 0)
	return s.s.Schedule(s.pods["p"], 0)
}

func (s *script) compareVerdicts(at string, c *upstreamCase) int {
	got := map[string][]string{}
	var unresolvable []string
	s.attempt(c).EachRejected(func(node cluster.NodeID, _ string, code scheduler.Code, reasons []string) {
		name := s.cl.Node(node).Name
		got[name] = slices.Sorted(slices.Values(reasons))
		if code == scheduler.UnschedulableAndUnresolvable {
			unresolvable = append(unresolvable, name)
		}
	})
	for _, node := range s.cl.Order() {
		if name := s.cl.Node(node).Name; !slices.Equal(got[name], c.Rejected[name]) {
			s.t.Errorf("%s: node %s is rejected for\n%q, upstream\n%q", at, name, got[name], c.Rejected[name])
		}
	}
	if slices.Sort(unresolvable); !slices.Equal(unresolvable, c.Unresolvable) {
		s.t.Errorf("%s: preemption is not tried on %q, upstream %q", at, unresolvable, c.Unresolvable)
	}
	return s.cl.NumNodes()
}

func (s *script) compareScores(at string, c *upstreamCase) int {
	got := map[string]map[string]int64{}
	s.attempt(c).EachScore(func(node cluster.NodeID, priority string, score int64) {
		if got[priority] == nil {
			got[priority] = map[string]int64{}
		}
		got[priority][s.cl.Node(node).Name] = score
	})
	compared := 0
	for _, priority := range slices.Sorted(maps.Keys(c.Scores)) {
		for _, node := range slices.Sorted(maps.Keys(c.Scores[priority])) {
			compared++
			// A priority that was skipped adds nothing.
			if score, want := got[priority][node], c.Scores[priority][node]; score != want {
				s.t.Errorf("%s: %s gives node %s %d, upstream %d", at, priority, node, score, want)
			}
		}
	}
	return compared
}

func upstreamPredicates(t *testing.T) scheduler.ProfileConfig {
	s := script{t: t}
	args := map[string]any{
		legacy.CheckNodeLabelPresence: legacy.LabelsArgs{Labels: []string{"disk"}, Presence: true},
		legacy.CheckServiceAffinity:   legacy.ServiceAffinityArgs{Labels: []string{"rack"}},
	}
	p := upstreamProfile()
	p.Args[legacy.AlwaysCheckAllPredicates] = legacy.CheckAllArgs{Predicates: legacy.Predicates(), Registry: p.Registry, Args: args}
	for _, name := range []string{"PrioritySort", legacy.AlwaysCheckAllPredicates, "DefaultBinder"} {
		s.enable(&p, scheduler.PluginRef{Name: name})
	}
	s.enable(&p, scheduler.PluginRef{Name: legacy.EqualPriority, Weight: 1})
	return p
}

func upstreamPriorities(t *testing.T) scheduler.ProfileConfig {
	s := script{t: t}
	p := upstreamProfile()
	for name, of := range map[string]string{
		"unracked": legacy.NodeLabelPriority, "svcanti": legacy.ServiceAntiAffinityPriority, "ratio": legacy.RequestedToCapacityRatioPriority,
	} {
		p.Registry[name] = p.Registry[of]
	}
	p.Args["unracked"] = legacy.LabelsArgs{Name: "unracked", Labels: []string{"rack"}}
	p.Args["svcanti"] = legacy.AntiAffinityArgs{Name: "svcanti", Label: "rack"}
	p.Args["ratio"] = legacy.RatioArgs{
		Name:  "ratio",
		Shape: []plugins.ShapePoint{{Utilization: 0, Score: 2}, {Utilization: 40, Score: 9}, {Utilization: 90, Score: 0}},
		Resources: []plugins.ResourceWeight{
			{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 1}, {Name: "example.com/foo", Weight: 5}, {Name: "ephemeral-storage", Weight: 2},
		},
	}
	p.Args[legacy.InterPodAffinityPriority] = legacy.InterPodAffinityPriorityArgs{HardWeight: 7}
	for _, name := range slices.Concat([]string{"PrioritySort", "DefaultBinder", "unracked", "svcanti", "ratio"}, legacy.Priorities()) {
		s.enable(&p, scheduler.PluginRef{Name: name, Weight: 1})
	}
	return p
}

func upstreamProfile() scheduler.ProfileConfig {
	return scheduler.ProfileConfig{
		SchedulerName: "default-scheduler", Family: scheduler.Legacy, Registry: legacy.Registry(), Args: map[string]any{},
	}
}
