package workloads

import (
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// ownedPods are the pods among the objects that one controller owns.
type ownedPods struct {
	active   int // neither finished nor terminating
	finished int
	names    map[string]bool         // of the active ones
	nodes    map[string]bool         // on which active ones run
	bound    map[cluster.Symbol]bool // node names that active ones which are pending must go to
}

// podsByOwner groups pods by namespace/kind/name of their owner. Pods of a ReplicaSet that is not among the objects
// belong to the Deployment that the name of the ReplicaSet begins with.
func podsByOwner(objects *manifest.Objects) map[string]*ownedPods {
	known := map[string]bool{}
	for i := range objects.Controllers {
		known[keyOf(&objects.Controllers[i])] = true
	}
	owners := map[string]*ownedPods{}
	for i := range objects.Pods {
		p := &objects.Pods[i]
		if p.Owner == "" {
			continue
		}
		key := p.Namespace + "/" + p.Owner
		if kind, name := split(p.Owner); kind == "ReplicaSet" && !known[key] {
			key = p.Namespace + "/Deployment/" + name[:max(0, strings.LastIndexByte(name, '-'))]
		}
		f := owners[key]
		if f == nil {
			f = &ownedPods{names: map[string]bool{}, nodes: map[string]bool{}, bound: map[cluster.Symbol]bool{}}
			owners[key] = f
		}
		f.add(p)
	}
	return owners
}

func (f *ownedPods) add(p *manifest.Pod) {
	switch {
	case p.Finished:
		f.finished++
		return
	case p.Terminating:
		return
	}
	f.active++
	f.names[p.Name] = true
	if p.NodeName != "" {
		f.nodes[p.NodeName] = true
		return
	}
	for _, term := range p.Class.Required {
		for _, name := range term.Names {
			if name.Op == cluster.In && len(name.Values) == 1 {
				f.bound[name.Values[0]] = true
			}
		}
	}
}

// split splits kind/name.
func split(owner string) (kind, name string) {
	kind, name, _ = strings.Cut(owner, "/")
	return kind, name
}

func keyOf(c *manifest.Controller) string { return c.Namespace + "/" + c.Kind + "/" + c.Name }

// owned returns the pods that a controller has already.
func (x *expander) owned(c *manifest.Controller) *ownedPods {
	if f := x.byOwner[keyOf(c)]; f != nil {
		return f
	}
	return &ownedPods{}
}

// controller adds the pods that a controller creates.
func (x *expander) controller(c *manifest.Controller) {
	switch c.Kind {
	case "Deployment":
		if !x.hasReplicaSets(c) {
			x.replicas(c)
		}
	case "ReplicaSet", "ReplicationController":
		x.replicas(c)
	case "StatefulSet":
		x.statefulSet(c)
	case "DaemonSet":
		x.daemons = append(x.daemons, &daemonSet{
			template: c.Template, name: c.Name, workload: x.Workload, owned: x.owned(c),
			group: x.join(c.Template.Group, c.Template.Class, endless),
		})
	case "Job":
		x.job(c)
	case "CronJob":
		x.cronJob(c)
	}
}

// hasReplicaSets reports whether the objects have ReplicaSets of a Deployment, which then create its pods.
func (x *expander) hasReplicaSets(c *manifest.Controller) bool {
	for i := range x.objects.Controllers {
		r := &x.objects.Controllers[i]
		if r.Kind == "ReplicaSet" && r.Namespace == c.Namespace && r.Owner == "Deployment/"+c.Name {
			return true
		}
	}
	return false
}

// replicas adds the missing replicas of a controller whose pods are equal.
func (x *expander) replicas(c *manifest.Controller) {
	f := x.owned(c)
	missing := max(0, c.Replicas-f.active)
	group := x.join(c.Template.Group, c.Template.Class, missing)
	for n := 0; missing > 0; n++ {
		name := numbered(c.Name, int64(n))
		if f.names[name] {
			continue
		}
		x.make(c.Template.Class, name, group)
		missing--
	}
}

// statefulSet adds the pods of the missing ordinals.
func (x *expander) statefulSet(c *manifest.Controller) {
	f := x.owned(c)
	if c.OrderedReady && c.Replicas > 1 && !x.statefulSets {
		x.statefulSets = true
		x.warn(c.At, "the pods of StatefulSet %s/%s, and of others with podManagementPolicy OrderedReady, come all at once", c.Namespace, c.Name)
	}
	for ordinal := c.FirstOrdinal; ordinal < c.FirstOrdinal+c.Replicas; ordinal++ {
		name := numbered(c.Name, int64(ordinal))
		if f.names[name] {
			continue
		}
		class := c.StatefulPod(ordinal)
		x.make(class, name, x.join(c.Template.Group, class, 1))
	}
}

// make adds a pod of a controller that re-creates it when it is evicted.
func (x *expander) make(class *cluster.Class, name string, group *Group) {
	x.made = append(x.made, Arrival{
		At: x.At, Name: name, Class: class, Workload: x.Workload, Lifetime: x.Lifetime.Draw(),
		Group: group, Node: class.NodeName, Started: x.At, Recreate: true,
	})
}

// daemonSet creates a pod on each node that its template can run on.
type daemonSet struct {
	template *manifest.Template
	name     string
	workload int
	owned    *ownedPods
	group    *Group
}

// Daemons returns a function that creates the daemon pods of a node that is added to the cluster, or nil if there is no
// DaemonSet. The first time that a node is added, it gets no daemon pod that is among the objects already.
func (e *Expansion) Daemons(c *cluster.Cluster) func(cluster.NodeID) []Arrival {
	if len(e.daemons) == 0 {
		return nil
	}
	return func(id cluster.NodeID) []Arrival {
		var out []Arrival
		for _, d := range e.daemons {
			if a, wanted := d.on(c.Node(id)); wanted {
				out = append(out, a)
			}
		}
		return out
	}
}

func (d *daemonSet) on(node *cluster.Node) (Arrival, bool) {
	if f := d.owned; f.nodes[node.Name] || f.bound[node.Symbol] {
		delete(f.nodes, node.Name)
		delete(f.bound, node.Symbol)
		return Arrival{}, false
	}
	if !d.template.RunsOn(&node.NodeSpec) {
		return Arrival{}, false
	}
	return Arrival{
		Name: d.name + "-" + node.Name, Class: d.template.OnNode(node.Name), Workload: d.workload,
		Lifetime: clock.Forever, Group: d.group, Node: d.template.Class.NodeName, Recreate: true, Daemon: true,
	}, true
}
