package drain

import (
	"context"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// attempt is a choice of nodes that was carried out.
type attempt struct {
	steps []Step
	kept  map[string]string // chosen nodes that turned out to be needed, and why
}

// carryOut drains nodes with the scheduler. Where a pod finds no place, its node is left out, and all is done again on a
// fresh cluster; after several failures more nodes are left out at a time, the last ones first, so that it ends soon.
func (t *today) carryOut(ctx context.Context, fresh func() (Cluster, error), nodes []string) (*attempt, error) {
	out := &attempt{kept: map[string]string{}}
	const failuresEach = 8 // until twice as many nodes are left out at a time
	for failures := 0; ; failures++ {
		c, err := fresh()
		if err != nil {
			return nil, err
		}
		steps, failed, err := t.drainAll(ctx, c, nodes)
		if err != nil {
			return nil, err
		}
		if failed == nil {
			out.steps = steps
			return out, nil
		}
		out.kept[failed.Node] = failed.Why
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(n string) bool { return n == failed.Node })
		for range min(1<<(failures/failuresEach)-1, len(nodes)) {
			last := nodes[len(nodes)-1]
			out.kept[last] = "with this node drained too, pods of other nodes found no place"
			nodes = nodes[:len(nodes)-1]
		}
	}
}

// draining is a cluster on which nodes are being drained.
type draining struct {
	*today
	Cluster
	rejected string        // why the last attempt found no node
	serial   int64         // of the next pod
	of       map[int64]int // index in the pods, by serial
}

// drainAll cordons the nodes, and then drains and removes them one by one. It returns the first node with a pod that found
// no place.
func (t *today) drainAll(ctx context.Context, c Cluster, nodes []string) ([]Step, *RemainingNode, error) {
	d := &draining{today: t, Cluster: c, serial: int64(len(t.pods)), of: map[int64]int{}}
	p := c.Placement
	p.DryRun = true
	if _, err := p.Run(t.pods); err != nil {
		return nil, nil, err
	}
	p.Attempted = func(a *scheduler.Attempt) {
		if a.Outcome != scheduler.Scheduled {
			d.rejected = a.Message()
		}
	}
	for i := range t.pods {
		d.of[int64(i)] = i
	}
	for _, name := range nodes {
		if id, exists := p.Cluster.NodeByName(name); exists {
			p.Cordon(id)
		}
	}
	var steps []Step
	for _, name := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		step, failed, err := d.drain(name)
		if err != nil || failed != nil {
			return nil, failed, err
		}
		steps = append(steps, step)
		if t.options.Progress != nil {
			t.options.Progress(len(steps))
		}
	}
	return steps, nil, nil
}

// drain evicts the pods of a node in waves and removes the node. The pods of each wave run again before the next one begins.
func (d *draining) drain(name string) (Step, *RemainingNode, error) {
	p := d.Placement
	node, _ := p.Cluster.NodeByName(name)
	step := Step{Node: name, Pool: p.Cluster.Node(node).Pool}
	for {
		wave := d.wave(node)
		if len(wave) == 0 {
			break
		}
		var moving []int
		for _, pod := range wave {
			moving = append(moving, d.of[p.Cluster.Pod(pod).Serial])
			p.Evict(pod)
		}
		var moves []Move
		for _, i := range moving {
			to, err := d.place(i)
			if err != nil {
				return step, nil, err
			}
			switch a := &d.pods[i]; {
			case to == "":
				return step, &RemainingNode{Node: name, Why: fmt.Sprintf("pod %s finds no place: %s", d.name(a), d.rejected)}, nil
			case to == name:
				return step, &RemainingNode{Node: name, Why: fmt.Sprintf("pod %s tolerates the cordon, and the scheduler puts it back", d.name(a))}, nil
			default:
				moves = append(moves, Move{d.name(a), to})
			}
		}
		step.Waves = append(step.Waves, moves)
	}
	step.NotEvicted = len(p.Cluster.PodsOn(node))
	p.RemoveNode(node)
	return step, nil, nil
}

// wave returns the pods of a node that may be evicted at once: of each budget as many as it allows.
func (d *draining) wave(node cluster.NodeID) []cluster.PodID {
	c := d.Placement.Cluster
	left := slices.Clone(d.allowed)
	var out []cluster.PodID
	pods := slices.Clone(c.PodsOn(node))
	slices.SortFunc(pods, func(a, b cluster.PodID) int { return d.of[c.Pod(a).Serial] - d.of[c.Pod(b).Serial] })
	for _, pod := range pods {
		a := &d.pods[d.of[c.Pod(pod).Serial]]
		if !d.moves(a) {
			continue
		}
		budgets := c.Budgets.Of(c.Pod(pod).Class)
		if len(budgets) == 1 {
			if left[budgets[0]] == 0 {
				continue
			}
			left[budgets[0]]--
		}
		out = append(out, pod)
	}
	return out
}

// place re-creates a pod and has the scheduler place it; it returns the node, or nothing.
func (d *draining) place(i int) (string, error) {
	a := &d.pods[i]
	serial := d.serial
	d.serial++
	d.of[serial] = i
	found := cluster.None
	before := d.Placement.Attempted
	defer func() { d.Placement.Attempted = before }()
	d.Placement.Attempted = func(at *scheduler.Attempt) {
		before(at)
		if at.Outcome == scheduler.Scheduled {
			found = at.Node
		}
	}
	d.rejected = "it is not scheduled"
	bound, err := d.Placement.More(serial, workloads.Arrival{Name: a.Name, Class: again(a), Workload: a.Workload})
	if err != nil || !bound || found == cluster.None {
		return "", err
	}
	return d.Placement.Cluster.Node(found).Name, nil
}
