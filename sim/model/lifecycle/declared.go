package lifecycle

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/record"
)

// declared holds which classes, workloads and groups a log has declared.
type declared struct {
	classes, workloads []bool
	groups             int64 // all groups declared have smaller numbers
}

// declare returns what is wrong with the declaration, or "".
func (d *declared) declare(r *record.Record) string {
	switch r.Kind {
	case record.DeclareClass:
		return mark(&d.classes, "class", r.Class)
	case record.DeclareWorkload:
		return mark(&d.workloads, "workload", r.Workload)
	}
	if r.Group < d.groups {
		return fmt.Sprintf("group %d is declared after group %d", r.Group, d.groups-1)
	}
	if !marked(d.workloads, r.Workload) {
		return fmt.Sprintf("workload %d is not declared", r.Workload)
	}
	d.groups = r.Group + 1
	return ""
}

// check returns which class, group or workload of an arrival is not declared, or "".
func (d *declared) check(r *record.Record) string {
	switch {
	case !marked(d.classes, r.Class):
		return fmt.Sprintf("class %d is not declared", r.Class)
	case r.Group >= d.groups:
		return fmt.Sprintf("group %d is not declared", r.Group)
	case !marked(d.workloads, r.Workload):
		return fmt.Sprintf("workload %d is not declared", r.Workload)
	}
	return ""
}

func mark(list *[]bool, what string, number int32) string {
	if number < 0 {
		return fmt.Sprintf("%s %d has a negative number", what, number)
	}
	for int(number) >= len(*list) {
		*list = append(*list, false)
	}
	(*list)[number] = true
	return ""
}

func marked(list []bool, number int32) bool {
	return number >= 0 && int(number) < len(list) && list[number]
}

// fleet holds the nodes of a log.
type fleet struct{ nodes []node }

type node struct {
	alive      bool
	name, pool string
	pods       int
}

func (f *fleet) has(number int32) bool {
	return number >= 0 && int(number) < len(f.nodes) && f.nodes[number].alive
}

// set returns why a node cannot be added or changed, or "".
func (f *fleet) set(r *record.Record) string {
	there := f.has(r.Node)
	switch {
	case r.Node < 0:
		return fmt.Sprintf("node %d has a negative number", r.Node)
	case there && r.Kind == record.NodeAdded:
		return fmt.Sprintf("node %d exists already", r.Node)
	case !there && r.Kind == record.NodeChanged:
		return fmt.Sprintf("there is no node %d", r.Node)
	case there && r.NodeInfo.Pool != f.nodes[r.Node].pool:
		n := &f.nodes[r.Node]
		return fmt.Sprintf("node %s moves from pool %q to %q", n.name, n.pool, r.NodeInfo.Pool)
	case there:
		return ""
	}
	for int(r.Node) >= len(f.nodes) {
		f.nodes = append(f.nodes, node{})
	}
	f.nodes[r.Node] = node{alive: true, name: r.NodeInfo.Name, pool: r.NodeInfo.Pool}
	return ""
}

// remove returns why a node cannot be removed, or "". One with pods on it is removed, which is a violation.
func (f *fleet) remove(r *record.Record, v *Violations) string {
	if !f.has(r.Node) {
		return fmt.Sprintf("there is no node %d", r.Node)
	}
	n := &f.nodes[r.Node]
	if n.pods != 0 {
		v.Violate(r, "node %s is removed with %d pods on it", n.name, n.pods)
	}
	n.alive = false
	return ""
}

func (f *fleet) addPod(number int32) {
	if number >= 0 {
		f.nodes[number].pods++
	}
}

func (f *fleet) removePod(number int32) {
	if number >= 0 {
		f.nodes[number].pods--
	}
}
