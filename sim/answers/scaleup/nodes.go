package scaleup

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/berth-sim/berth/sim/model/cluster"
)

// firstFit returns the first of the nodes that a pod fits; None: it fits none.
func (q *question) firstFit(pod cluster.PodID, nodes []cluster.NodeID) cluster.NodeID {
	if len(nodes) == 0 {
		return cluster.None
	}
	in := q.scheduler.Inspect(pod, q.cluster.Pod(pod).Class)
	for _, node := range nodes {
		if in.Fits(node) {
			return node
		}
	}
	return cluster.None
}

// addFor adds a node of the shape if the pod fits it then, and returns it; None: the pod does not, and nothing is added.
func (q *question) addFor(pod cluster.PodID, shape *Shape) cluster.NodeID {
	mark := q.cluster.Mark()
	node := q.add(shape)
	in := q.scheduler.Inspect(pod, q.cluster.Pod(pod).Class)
	if node != cluster.None && in.Fits(node) {
		return node
	}
	q.cluster.Rollback(mark)
	return cluster.None
}

// add adds a node of the shape, with its daemons; None: the name is taken.
func (q *question) add(shape *Shape) cluster.NodeID {
	q.added++
	node, err := q.cluster.AddNode(shape.Node(newName(shape, q.added)))
	if err != nil {
		return cluster.None
	}
	if q.daemons != nil {
		for _, a := range q.daemons(node) {
			pod := q.cluster.AddPod(cluster.Pod{Serial: -1, Name: a.Name, Class: a.Class, Group: cluster.NoGroup})
			q.cluster.TryPlace(pod, node)
		}
	}
	return node
}

// newName returns a name that no other node can have.
func newName(shape *Shape, number int) string { return fmt.Sprintf("<new %s %d>", shape.Pool, number) }

// reasons returns why a pod fits a new node of no shape. Shapes with the same reasons are one entry.
func (q *question) reasons(pod cluster.PodID, shapes []Shape) []Reason {
	var out []Reason
	for i := range shapes {
		text := q.reason(pod, &shapes[i])
		known := false
		for k := range out {
			if out[k].Text == text {
				out[k].Pool += ", " + shapes[i].Pool
				known = true
			}
		}
		if !known {
			out = append(out, Reason{shapes[i].Pool, text})
		}
	}
	return out
}

// reason returns why a pod does not fit a new node of a shape.
func (q *question) reason(pod cluster.PodID, shape *Shape) string {
	mark := q.cluster.Mark()
	defer q.cluster.Rollback(mark)
	node := q.add(shape)
	in := q.scheduler.Inspect(pod, q.cluster.Pod(pod).Class)
	if plugins, st := in.Rejected(); st.Rejects() {
		return plugins + ": " + st.Message
	}
	if plugins, why, out := in.LeftOut(node); out {
		return plugins + ": " + why
	}
	var parts []string
	for _, v := range in.Verdicts(node, nil) {
		parts = append(parts, in.Plugin(v)+": "+strings.Join(in.Reasons(v), ", "))
	}
	return cmp.Or(strings.Join(parts, "; "), "it fits one, and is pending for another reason: ask berth explain")
}
