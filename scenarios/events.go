package scenarios

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/sim"
	"github.com/berth-sim/berth/sim/cluster"
)

// selection is the kind of an event and the nodes that it chooses.
func (e *EventFile) selection() (sim.ChangeKind, *Selection) {
	for _, k := range []struct {
		kind sim.ChangeKind
		sel  *Selection
	}{
		{sim.AddNodes, e.Add}, {sim.RemoveNodes, e.Remove}, {sim.DrainNodes, e.Drain}, {sim.Cordon, e.Cordon},
		{sim.Uncordon, e.Uncordon}, {sim.AddTaint, e.Taint}, {sim.DropTaint, e.Untaint},
	} {
		if k.sel != nil {
			return k.kind, k.sel
		}
	}
	return "", nil
}

var effects = map[string]cluster.Effect{
	"NoSchedule": cluster.NoSchedule, "PreferNoSchedule": cluster.PreferNoSchedule, "NoExecute": cluster.NoExecute,
}

// changes makes the timed events of the scenario, in order of time.
func (b *builder) changes() []sim.Change {
	var out []sim.Change
	for i := range b.s.File.Events {
		kind, sel := b.s.File.Events[i].selection()
		if sel == nil || b.s.File.Events[i].At == nil {
			continue // said already
		}
		c := sim.Change{
			At: b.s.File.Events[i].At.Time(), Kind: kind, Pool: sel.Pool, Count: sel.Count, Names: sel.Nodes,
			Taint: cluster.Taint{Key: b.cluster.Sym(sel.Key), Value: b.cluster.Sym(sel.Value), Effect: effects[sel.Effect]},
		}
		if p := b.pools[sel.Pool]; kind == sim.AddNodes && p != nil && len(b.known) == 0 {
			c.Add = p.make(b.cluster, sel.Count)
		}
		for j, name := range sel.Nodes {
			b.checkNode(b.s.root.Get("events").Index(i).Get(string(kind)).Get("nodes").Index(j), "", name)
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(x, y sim.Change) int { return cmp.Compare(x.At, y.At) })
	return out
}
