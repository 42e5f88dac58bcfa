package conformance

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/berth-sim/berth/conformance/protocol"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// berth places the pods of the case by berth, from files as a user has them, as the release of kube-scheduler does that
// decided theirs. Where that release draws one of equal nodes, berth takes the node that it drew.
func (c *Case) berth(release string, theirs []Attempt) ([]Attempt, error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a left-over does no harm
	out, err := c.berthIn(dir, release, theirs)
	if err != nil {
		err = errors.New(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
	}
	return out, err
}

func (c *Case) berthIn(dir, release string, theirs []Attempt) ([]Attempt, error) {
	p, err := c.placement(dir, release)
	if err != nil {
		return nil, err
	}
	var out []Attempt
	p.Scheduler.SetDraw(func(ties []cluster.NodeID) cluster.NodeID {
		for _, node := range ties {
			if len(out) < len(theirs) && p.Cluster.Node(node).Name == theirs[len(out)].Node {
				return node
			}
		}
		return ties[0] // the comparison notices that theirs is not among them
	})
	p.Attempted = func(a *scheduler.Attempt) { out = append(out, named(p.Cluster, a)) }
	p.RolledBack = func(r scheduler.RolledBack) { out[len(out)-1].Node, out[len(out)-1].Message = "", r.Message }
	_, err = p.Run(p.Pods)
	return out, err
}

// placement has berth read the case from files in a directory.
func (c *Case) placement(dir, release string) (*scenarios.Placement, error) {
	policy, objects := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "cluster.yaml")
	if err := writeYAML(policy, c.Policy); err != nil {
		return nil, err
	}
	if err := writeYAML(objects, c.Objects...); err != nil {
		return nil, err
	}
	tie := scheduler.TieFirst
	if c.Heap {
		tie = scheduler.TieUpstream
	}
	order := place.DocumentOrder
	if c.Queue {
		order = place.QueueOrder
	}
	return scenarios.NewPlacement(scenarios.PlaceOptions{
		Files: []string{objects}, Recipe: recipe.Recipe{Policy: policy, Kubernetes: release, TieBreak: string(tie)}, Order: order, Registry: c.registry,
	})
}

func writeYAML(path string, objects ...object) error {
	var all []byte
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return err
		}
		all = append(append(all, "---\n"...), text...)
	}
	return os.WriteFile(path, all, 0o600)
}

// named says what an attempt of berth decided in names.
func named(c *cluster.Cluster, a *scheduler.Attempt) Attempt {
	pod := func(id cluster.PodID) string {
		p := c.Pod(id)
		return c.Text(p.Class.Namespace) + "/" + p.Name
	}
	node := func(id cluster.NodeID) string {
		if id == cluster.None {
			return ""
		}
		return c.Node(id).Name
	}
	out := Attempt{
		Pod: pod(a.Pod), Node: node(a.Node), Start: a.StartIndex, Message: a.Message(), Nominated: node(a.Nominated),
		Rejected: map[string]Verdict{}, Scores: map[string]map[string]int64{},
	}
	a.EachRejected(func(id cluster.NodeID, plugin string, code scheduler.Code, reasons []string) {
		out.Rejected[node(id)] = Verdict{
			Plugin: plugin, Unresolvable: code == scheduler.UnschedulableAndUnresolvable, Reasons: slices.Sorted(slices.Values(reasons)),
		}
	})
	a.EachScore(func(id cluster.NodeID, plugin string, score int64) {
		if plugin == scheduler.TotalScore {
			plugin = protocol.TotalScore
		}
		of := out.Scores[node(id)]
		if of == nil {
			of = map[string]int64{}
			out.Scores[node(id)] = of
			out.Feasible = append(out.Feasible, node(id))
		}
		of[plugin] = score
	})
	for _, id := range a.Ties {
		out.Ties = append(out.Ties, node(id))
	}
	if len(out.Feasible) == 0 {
		out.Feasible = slices.Clone(out.Ties) // the only one
	}
	for _, id := range a.Victims {
		out.Victims = append(out.Victims, pod(id))
	}
	for _, id := range a.ClearedNominations {
		out.Cleared = append(out.Cleared, pod(id))
	}
	slices.Sort(out.Feasible)
	slices.Sort(out.Ties)
	slices.Sort(out.Cleared)
	return out
}
