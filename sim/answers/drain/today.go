package drain

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// today is the state before anything is drained: the scheduler has placed the pending pods that it can place without preemption.
type today struct {
	options   Options
	cluster   *cluster.Cluster
	scheduler *scheduler.Scheduler
	pods      []workloads.Arrival // that have a node, with the node
	at        map[int64]int       // index in pods, by serial
	placed    int
	pending   []string
	allowed   []int32        // evictions at a time, by budget
	kept      map[string]why // nodes that cannot be drained, or for which no place was found
}

// why is why a node is kept.
type why struct {
	text string
	rule bool
}

func newToday(c Cluster, o Options) (*today, error) {
	p := c.Placement
	t := &today{options: o, cluster: p.Cluster, scheduler: p.Scheduler, at: map[int64]int{}, kept: map[string]why{}}
	p.DryRun = true
	if _, err := p.Run(c.Pods); err != nil {
		return nil, err
	}
	found := map[int64]cluster.PodID{}
	for _, node := range t.cluster.ByCreation() {
		for _, pod := range t.cluster.PodsOn(node) {
			found[t.cluster.Pod(pod).Serial] = pod
		}
	}
	for i, a := range c.Pods {
		pod, has := found[int64(i)]
		if !has || t.cluster.Pod(pod).Phase == cluster.Assumed {
			if !a.Terminating {
				t.pending = append(t.pending, t.name(&a))
			}
			continue
		}
		if a.Node == "" {
			t.placed++
			a.Node, a.Nominated = t.cluster.Node(t.cluster.Pod(pod).Node).Name, ""
		}
		a.Devices = slices.Clone(t.cluster.Devices.Of(pod))
		t.at[int64(i)] = len(t.pods)
		t.pods = append(t.pods, a)
	}
	t.countBudgets(c.Pods)
	for _, node := range t.cluster.ByCreation() {
		if text := t.rule(node); text != "" {
			t.kept[t.cluster.Node(node).Name] = why{text, true}
		}
	}
	return t, nil
}

// name returns namespace/name.
func (t *today) name(a *workloads.Arrival) string {
	return t.cluster.Text(a.Class.Namespace) + "/" + a.Name
}

// countBudgets works out how many pods of each budget may be down at a time: as its status says or, without a status, as the
// disruption controller would.
func (t *today) countBudgets(all []workloads.Arrival) {
	budgets := &t.cluster.Budgets
	expected, healthy := make([]int64, budgets.Len()), make([]int64, budgets.Len())
	for i := range all {
		for _, id := range budgets.Of(all[i].Class) {
			expected[id]++
		}
	}
	for i := range t.pods {
		if a := &t.pods[i]; !a.Terminating {
			for _, id := range budgets.Of(a.Class) {
				healthy[id]++
			}
		}
	}
	for i := range budgets.Len() {
		b := budgets.Budget(cluster.BudgetID(i))
		allowed := b.DisruptionsAllowed
		if !b.HasStatus {
			allowed = b.DisruptionsAllowedFor(expected[i], healthy[i])
		}
		t.allowed = append(t.allowed, allowed)
	}
}

// moves reports whether a pod has to run elsewhere when its node is drained. The others go with the node.
func (t *today) moves(a *workloads.Arrival) bool {
	return !a.Daemon && !a.Terminating && !t.options.Traits[t.name(a)].Static
}

// moving returns the pods of a node that have to run elsewhere, as indexes into the pods.
func (t *today) moving(node cluster.NodeID) []int {
	var out []int
	for _, pod := range t.cluster.PodsOn(node) {
		if i := t.at[t.cluster.Pod(pod).Serial]; t.moves(&t.pods[i]) {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}

// rule returns why a node cannot be drained whatever room there is; empty: it can.
func (t *today) rule(node cluster.NodeID) string {
	for _, i := range t.moving(node) {
		a := &t.pods[i]
		budgets := t.cluster.Budgets.Of(a.Class)
		switch {
		case a.Group != nil:
			return fmt.Sprintf("pod %s is in a PodGroup, whose pods are not moved one by one", t.name(a))
		case len(budgets) > 1:
			return fmt.Sprintf("pod %s is selected by %d PodDisruptionBudgets: the eviction API refuses to evict it", t.name(a), len(budgets))
		case len(budgets) == 1 && t.allowed[budgets[0]] == 0:
			return fmt.Sprintf("PodDisruptionBudget %s/%s allows no eviction of pod %s", t.cluster.Text(t.cluster.Budgets.Budget(budgets[0]).Namespace), t.cluster.Budgets.Budget(budgets[0]).Name, t.name(a))
		}
	}
	return ""
}

// again returns the class with which a pod is scheduled when it is re-created.
func again(a *workloads.Arrival) *cluster.Class {
	if a.RecreatedClass != nil {
		return a.RecreatedClass
	}
	return a.Class
}
