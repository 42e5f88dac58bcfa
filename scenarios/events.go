package scenarios

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/world"
)

// selection returns the kind of an event and the nodes that it selects.
func (e *EventFile) selection() (world.ChangeKind, *Selection) {
	for _, k := range []struct {
		kind world.ChangeKind
		sel  *Selection
	}{
		{world.AddNodes, e.Add}, {world.RemoveNodes, e.Remove}, {world.DrainNodes, e.Drain}, {world.Cordon, e.Cordon},
		{world.Uncordon, e.Uncordon}, {world.AddTaint, e.Taint}, {world.RemoveTaint, e.Untaint},
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

// eventReader reads the timed events. The nodes of the fleet must have been added.
type eventReader struct {
	*buildState
	fleet *fleetBuilder
}

// read returns the timed events of the scenario in order of time.
func (b eventReader) read() []world.Change {
	var out []change
	for i := range b.s.File.Events {
		kind, sel := b.s.File.Events[i].selection()
		if sel == nil || b.s.File.Events[i].At == nil {
			continue // reported already
		}
		at := b.s.root.Get("events").Index(i).Get(string(kind))
		c := world.Change{
			At: b.s.File.Events[i].At.Time(), Kind: kind, Pool: sel.Pool, Count: sel.Count, Names: sel.Nodes,
			Taint: cluster.Taint{Key: b.cluster.Symbol(sel.Key), Value: b.cluster.Symbol(sel.Value), Effect: effects[sel.Effect]},
		}
		if p := b.fleet.pools[sel.Pool]; kind == world.AddNodes && p != nil && len(b.known) == 0 {
			c.Add = p.make(b.cluster, sel.Count)
		}
		for j, name := range sel.Nodes {
			b.fleet.checkNode(at.Get("nodes").Index(j), "", name)
		}
		out = append(out, change{c, at})
	}
	slices.SortStableFunc(out, func(x, y change) int { return cmp.Compare(x.At, y.At) })
	b.checkNewNames(out)
	return bare(out)
}

// change is a change of the fleet and its place in the scenario.
type change struct {
	world.Change
	at document.Value
}

func bare(changes []change) []world.Change {
	out := make([]world.Change, len(changes))
	for i, c := range changes {
		out[i] = c.Change
	}
	return out
}

// checkNewNames adds an error for each new node whose name could be that of an existing node. If a pool loses some of its
// nodes, it is not known which, so none of its names may be used again.
func (b eventReader) checkNewNames(changes []change) {
	adds := func(c change) bool { return len(c.Add) > 0 }
	if !slices.ContainsFunc(changes, adds) {
		return
	}
	pools := map[string]string{} // by name of node
	for _, id := range b.cluster.ByCreation() {
		n := b.cluster.Node(id)
		pools[n.Name] = n.Pool
	}
	for _, c := range changes {
		if c.Kind == world.RemoveNodes {
			maps.DeleteFunc(pools, func(name, pool string) bool {
				return slices.Contains(c.Names, name) || c.Pool != "" && c.Count == 0 && pool == c.Pool
			})
		}
		reported := false
		for _, n := range c.Add {
			if _, taken := pools[n.Name]; taken && !reported {
				b.faults.Add(c.at, "", "makes a node called %q, and there is one already", n.Name)
				reported = true
			}
			pools[n.Name] = n.Pool
		}
	}
}

// warnLateEvents warns of events after the end of the run.
func (b eventReader) warnLateEvents() {
	for i := range b.s.File.Events {
		if at := b.s.File.Events[i].At.Time(); at > b.horizon {
			b.warnings = append(b.warnings, fmt.Sprintf("events[%d] is at %v, after the horizon of %v: it will not happen", i, at, b.horizon))
		}
	}
}
