package workloads

import (
	"strings"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// family is the pods among the objects that one controller owns.
type family struct {
	active   int // neither finished nor terminating
	finished int
	names    map[string]bool      // of the active ones
	nodes    map[string]bool      // on which active ones run
	bound    map[cluster.Sym]bool // node names that active ones which are pending must go to
}

// familiesOf sorts pods by namespace/kind/name of their owner. Pods of a ReplicaSet that
// is none of the objects count as pods of the Deployment that its name tells.
func familiesOf(objects *manifest.Objects) map[string]*family {
	known := map[string]bool{}
	for i := range objects.Controllers {
		known[keyOf(&objects.Controllers[i])] = true
	}
	families := map[string]*family{}
	for i := range objects.Pods {
		p := &objects.Pods[i]
		if p.Owner == "" {
			continue
		}
		key := p.Namespace + "/" + p.Owner
		if kind, name := split(p.Owner); kind == "ReplicaSet" && !known[key] {
			key = p.Namespace + "/Deployment/" + name[:max(0, strings.LastIndexByte(name, '-'))]
		}
		f := families[key]
		if f == nil {
			f = &family{names: map[string]bool{}, nodes: map[string]bool{}, bound: map[cluster.Sym]bool{}}
			families[key] = f
		}
		f.add(p)
	}
	return families
}

func (f *family) add(p *manifest.Pod) {
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

// split parts kind/name.
func split(owner string) (kind, name string) {
	kind, name, _ = strings.Cut(owner, "/")
	return kind, name
}

func keyOf(c *manifest.Controller) string { return c.Namespace + "/" + c.Kind + "/" + c.Name }

// family is the pods that a controller has already.
func (x *expander) family(c *manifest.Controller) *family {
	if f := x.families[keyOf(c)]; f != nil {
		return f
	}
	return &family{}
}

// controller adds the pods that a controller makes.
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
			template: c.Template, name: c.Name, workload: x.Workload, family: x.family(c),
			group: x.join(c.Template.Group, c.Template.Class, endless),
		})
	case "Job":
		x.job(c)
	case "CronJob":
		x.cronJob(c)
	}
}

// hasReplicaSets reports whether the ReplicaSets of a Deployment are among the objects: then
// they make its pods.
func (x *expander) hasReplicaSets(c *manifest.Controller) bool {
	for i := range x.objects.Controllers {
		r := &x.objects.Controllers[i]
		if r.Kind == "ReplicaSet" && r.Namespace == c.Namespace && r.Owner == "Deployment/"+c.Name {
			return true
		}
	}
	return false
}

// replicas adds pods that are all alike, as many as are missing.
func (x *expander) replicas(c *manifest.Controller) {
	f := x.family(c)
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

// statefulSet adds the pods that are missing by their ordinals.
func (x *expander) statefulSet(c *manifest.Controller) {
	f := x.family(c)
	if c.OneByOne && c.Replicas > 1 && !x.statefulSets {
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

// make adds a pod of a controller that keeps it up.
func (x *expander) make(class *cluster.Class, name string, group *Group) {
	x.made = append(x.made, Arrival{
		At: x.At, Name: name, Class: class, Workload: x.Workload, Lifetime: x.Lifetime.Draw(),
		Group: group, Node: class.NodeName, Started: x.At, Recreate: true,
	})
}

// daemonSet makes a pod for each node that it wants.
type daemonSet struct {
	template *manifest.Template
	name     string
	workload int
	family   *family
	group    *Group
}

// Daemons returns what makes the daemons of a node that is new in the cluster, for the
// world to call; nil if there is no DaemonSet. Nodes that have their daemon among the
// objects do not get another one the first time.
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
	if f := d.family; f.nodes[node.Name] || f.bound[node.Sym] {
		delete(f.nodes, node.Name)
		delete(f.bound, node.Sym)
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
