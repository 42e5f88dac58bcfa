package capacity

import (
	"cmp"
	"math"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// item is what replicas take of a node: an amount of a resource, or thousandths of devices of
// that kind.
type item struct {
	resource cluster.Resource
	devices  bool
}

// perSet is what a set takes of nodes.
func (f *filler) perSet() map[item]int64 {
	sum := map[item]int64{}
	for i := range f.set {
		class, count := f.set[i].Class(0), int64(f.ratio[i])
		sum[item{resource: cluster.Pods}] += count
		for _, q := range class.Requests {
			sum[item{resource: q.Resource}] += q.Amount * count
		}
		if d := f.devices(i); d != nil {
			sum[item{d.Kind, true}] += d.Total() * count
		}
	}
	return sum
}

// room works out what there is room for before any replica is placed.
func (f *filler) room() *Room {
	perSet, usable := f.perSet(), f.usable()
	all, some := map[item]int64{}, map[item]int64{}
	r := &Room{PerNode: -1}
	if len(f.set) == 1 {
		r.PerNode = 0
	}
	here, devices := map[item]int64{}, f.devices(0)
	for _, node := range f.state.Order() {
		for it := range perSet {
			here[it] = max(0, f.left(it, node))
			all[it] += here[it]
			if usable[node] {
				some[it] += here[it]
			}
		}
		if usable[node] && len(f.set) == 1 {
			r.PerNode += min(times(here, perSet), f.onDevices(devices, node))
		}
	}
	r.AsOneNode, r.Usable = times(all, perSet), times(some, perSet)
	return r
}

// left is what the pods on a node leave of an item.
func (f *filler) left(it item, node cluster.NodeID) int64 {
	if it.devices {
		return f.idle(it.resource, node)
	}
	return f.free(it.resource, node)
}

// bound has no figure be smaller than what fits: a policy need not honor every resource.
func (f *filler) bound() {
	r := f.out.Room
	if r == nil {
		return
	}
	least := f.out.Sets
	if len(f.set) == 1 {
		r.PerNode = max(r.PerNode, least)
		least = r.PerNode
	}
	r.Usable = max(r.Usable, least)
	r.AsOneNode = max(r.AsOneNode, r.Usable)
}

// times is how many times what is wanted is there.
func times[K comparable](there, wanted map[K]int64) int {
	least := int64(math.MaxInt64)
	for it, amount := range wanted {
		least = min(least, there[it]/amount)
	}
	return int(least)
}

// free is what the pods on a node leave of a resource.
func (f *filler) free(r cluster.Resource, node cluster.NodeID) int64 {
	return f.state.Allocatable(r)[node] - f.state.Requested(r)[node]
}

// onlyAmounts are the checks of filters that reject a pod that requests nothing only because there are too many other pods.
const onlyAmounts = scheduler.CheckResources | scheduler.CheckAllResources

// usable returns, by id, the nodes that some replica may use by their own rules: without regard to
// amounts, rules among pods, the number of free devices, and volumes, which change as replicas are
// placed.
func (f *filler) usable() []bool {
	out := make([]bool, f.state.NodeIDs())
	for i := range f.set {
		class, devices := *f.set[i].Class(0), f.devices(i)
		class.Devices = cluster.DeviceRequest{}
		class.Requests, class.Ports, class.Volumes, class.Spread, class.Affinity, class.AntiAffinity = nil, nil, nil, nil, nil, nil
		aside := f.state.AddTrialClass(class)
		in := f.Placement.Scheduler.Inspect(cluster.NoPod, aside)
		if _, st := in.Rejected(); st.Rejects() {
			continue
		}
		for _, node := range f.state.Order() {
			if _, _, left := in.LeftOut(node); left || out[node] {
				continue
			}
			out[node] = f.suits(devices, node)
			for _, v := range in.Verdicts(node, nil) {
				out[node] = out[node] && in.VerdictChecks(v)&^onlyAmounts == 0
			}
		}
	}
	return out
}

// nodes lists what became of each node.
func (f *filler) nodes() {
	why, other := f.whyNot()
	var wanted []cluster.Resource
	for i := range f.set {
		for _, q := range f.set[i].Class(0).Requests {
			if !slices.Contains(wanted, q.Resource) {
				wanted = append(wanted, q.Resource)
			}
		}
	}
	slices.Sort(wanted)
	for _, id := range f.state.Order() {
		n := Node{Name: f.state.Node(id).Name, Type: f.typeOf(id), Replicas: make([]int, len(f.set)), Left: []Amount{}}
		for _, pod := range f.state.PodsOn(id) {
			if at := f.state.Pod(pod).Serial - f.first; at >= 0 {
				n.Replicas[f.partOf[at]]++
				if f.state.Devices.Lacking(pod) {
					f.out.Parts[f.partOf[at]].Misplaced++
				}
			}
		}
		for _, r := range wanted {
			n.Left = append(n.Left, Amount{f.state.ResourceName(r), f.free(r, id)})
		}
		reasons, found := why[n.Name]
		if !found {
			reasons = other
		}
		n.Plugin, n.Reasons = reasons.Plugin, append([]string{}, reasons.Reasons...)
		f.out.Nodes = append(f.out.Nodes, n)
	}
	if f.out.Stop != nil {
		f.out.Stop.RejectedNodes = nil // the nodes have it
	}
}

// whyNot returns what rejected the last replica: by node and, for those that were not looked at,
// before any was.
func (f *filler) whyNot() (byNode map[string]explain.NodeReasons, other explain.NodeReasons) {
	byNode = map[string]explain.NodeReasons{}
	if f.out.Stop == nil {
		if f.out.Gate != "" {
			other.Reasons = []string{f.out.Gate}
		}
		return byNode, other
	}
	said := map[string]bool{}
	for _, n := range f.out.Stop.RejectedNodes {
		byNode[n.Node] = n
		for _, reason := range n.Reasons {
			said[reason] = true
		}
	}
	for _, r := range f.out.Stop.Reasons {
		if !said[r.Reason] {
			other.Plugin, other.Reasons = r.Plugin, append(other.Reasons, r.Reason)
		}
	}
	return byNode, other
}

// instanceTypes are the labels that say what kind of machine a node is.
var instanceTypes = []string{"node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"}

// typeOf names what a node is like: its pool, its instance type, or what it has of cpu and memory.
func (f *filler) typeOf(id cluster.NodeID) string {
	n := f.state.Node(id)
	name := n.Pool
	for _, label := range instanceTypes {
		if value, has := n.Labels.Get(f.state.Symbol(label)); has {
			name = cmp.Or(name, f.state.Text(value))
		}
	}
	if name != "" {
		return name
	}
	amount := func(r cluster.Resource) string {
		return explain.RoundedQuantity(f.state.ResourceName(r), f.state.Allocatable(r)[id])
	}
	return amount(cluster.CPU) + " cpu, " + amount(cluster.Memory)
}
