package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// perTaint is the size of tolerating one taint.
const perTaint = 0.5

// tolerateTaints has the pod tolerate the taints of some node that it does not tolerate. Nodes
// with many such lists of taints are tried in order of how many have the list.
func tolerateTaints(x *analysis) {
	type set struct {
		taints []cluster.Taint
		nodes  int
	}
	var sets []set
	at := map[string]int{}
	for i := range x.nodes {
		if !x.nodes[i].by(scheduler.CheckTaints) {
			continue
		}
		taints := x.untolerated(x.cluster.Node(x.nodes[i].id).Taints)
		key := fmt.Sprint(taints)
		if _, seen := at[key]; !seen {
			at[key] = len(sets)
			sets = append(sets, set{taints: taints})
		}
		sets[at[key]].nodes++
	}
	slices.SortStableFunc(sets, func(a, b set) int { return cmp.Compare(b.nodes, a.nodes) })
	for i, s := range sets {
		if i == maxTries {
			x.out.Untried = tooMany
			break
		}
		if !slices.ContainsFunc(s.taints, func(t cluster.Taint) bool { return x.cluster.Text(t.Key) == cluster.UnschedulableTaint }) {
			x.tryTolerations(s.taints)
		}
	}
}

// untolerated returns the taints that the pod does not tolerate.
func (x *analysis) untolerated(taints []cluster.Taint) []cluster.Taint {
	return slices.DeleteFunc(slices.Clone(taints), func(t cluster.Taint) bool {
		return t.Effect == cluster.PreferNoSchedule || cluster.Tolerated(x.class.Tolerations, t)
	})
}

func (x *analysis) tryTolerations(taints []cluster.Taint) {
	texts := make([]string, len(taints))
	tolerations := slices.Clone(x.class.Tolerations)
	for i, t := range taints {
		texts[i] = x.taintText(t)
		tolerations = append(tolerations, cluster.Toleration{Key: t.Key, Value: t.Value, Effect: t.Effect})
	}
	word := "taint "
	if len(taints) > 1 {
		word = "taints "
	}
	change := Change{Kind: "toleration", Text: "tolerate the " + word + strings.Join(texts, " and "), Size: perTaint * float64(len(taints))}
	x.try(change, func(c *cluster.Class) { c.Tolerations = tolerations })
}

// taintText is key=value:effect, as kubectl taint takes it.
func (x *analysis) taintText(t cluster.Taint) string {
	text := x.cluster.Text(t.Key)
	if t.Value != 0 {
		text += "=" + x.cluster.Text(t.Value)
	}
	return text + ":" + [...]string{"", "NoSchedule", "PreferNoSchedule", "NoExecute"}[t.Effect]
}

// uncordon makes one node schedulable again: the first on which the pod fits then.
func uncordon(x *analysis) {
	tried := 0
	for i := range x.nodes {
		j := &x.nodes[i]
		if !j.by(scheduler.CheckCordon) || !j.onlyBy(scheduler.CheckCordon|scheduler.CheckTaints|scheduler.CheckSpread) {
			continue
		}
		if tried++; tried > maxTries {
			x.out.Untried = tooMany
			return
		}
		cordoned := x.cluster.Node(j.id).NodeSpec
		x.cluster.UpdateNode(j.id, x.schedulable(cordoned))
		found := x.note(Change{Kind: "uncordon", Text: "uncordon " + cordoned.Name, Size: perTaint}, x.class)
		x.cluster.UpdateNode(j.id, cordoned)
		if found {
			return
		}
	}
}

// schedulable is a node without what cordoned it.
func (x *analysis) schedulable(n cluster.NodeSpec) cluster.NodeSpec {
	n.Unschedulable = false
	n.Taints = slices.DeleteFunc(slices.Clone(n.Taints), func(t cluster.Taint) bool { return x.cluster.Text(t.Key) == cluster.UnschedulableTaint })
	return n
}
