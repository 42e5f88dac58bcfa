package initialize

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
)

// shape is nodes that no pod of the dump can distinguish: a pool could be made of them. They are equal
// in taints, resources, devices, declared features and those labels that the dump reads; in memory and
// ephemeral storage they differ by a little, as machines of one type do.
type shape struct {
	nodes    int
	size     string         // of one of them, as a part of a name
	zones    []string       // in which they are
	unlike   []string       // keys of labels that some of them share and others lack, or have another value of
	template map[string]any // a Node with what they have in common
}

const (
	zoneLabel    = "topology.kubernetes.io/zone"
	oldZoneLabel = "failure-domain.beta.kubernetes.io/zone"
	typeLabel    = "node.kubernetes.io/instance-type"
	hostLabel    = "kubernetes.io/hostname"
)

// describingLabels say what a node is, whether or not an object of the dump asks for it.
var describingLabels = append([]string{typeLabel, "kubernetes.io/arch", "kubernetes.io/os"}, devices.ModelLabels...)

// shapesOf groups the nodes of a dump whose objects read certain labels, the most frequent shape first.
func shapesOf(nodes []manifest.Node, read map[string]bool) []*shape {
	keys := map[string]bool{}
	for _, key := range describingLabels {
		keys[key] = true
	}
	maps.Copy(keys, read)
	delete(keys, hostLabel)
	groups := map[string][]manifest.Node{}
	var order []string
	for _, n := range nodes {
		if len(n.Spec.Allocatable) == 0 {
			continue
		}
		key := shapeKey(n, keys)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], n)
	}
	var all []*shape
	for _, key := range order {
		for _, alike := range splitByAmount(groups[key], cluster.Memory) {
			for _, nodes := range splitByAmount(alike, cluster.EphemeralStorage) {
				all = append(all, newShape(nodes, keys))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *shape) int { return cmp.Compare(b.nodes, a.nodes) })
	return all
}

// tolerance is by how much amounts of memory and ephemeral storage differ at most within a shape, as
// a part of the least.
const tolerance = 0.02

// splitByAmount parts nodes whose amounts of a resource differ by more than the tolerance. Within a part
// they keep their order.
func splitByAmount(nodes []manifest.Node, resource cluster.Resource) [][]manifest.Node {
	amounts := map[int64]bool{}
	for _, n := range nodes {
		amounts[amount(n, resource)] = true
	}
	var lowest []int64 // of each part, ascending
	for _, a := range slices.Sorted(maps.Keys(amounts)) {
		if len(lowest) == 0 || float64(a) > float64(lowest[len(lowest)-1])*(1+tolerance) {
			lowest = append(lowest, a)
		}
	}
	parts := make([][]manifest.Node, len(lowest))
	for _, n := range nodes {
		part, exact := slices.BinarySearch(lowest, amount(n, resource))
		if !exact {
			part--
		}
		parts[part] = append(parts[part], n)
	}
	return parts
}

func amount(n manifest.Node, resource cluster.Resource) int64 {
	for _, q := range n.Spec.Allocatable {
		if q.Resource == resource {
			return q.Amount
		}
	}
	return 0
}

// shapeKey is equal for nodes that differ in memory, ephemeral storage and labels of other keys alone.
// A label that names its node is not compared.
func shapeKey(n manifest.Node, keys map[string]bool) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if value := n.At.Find("metadata.labels").Get(key); value.Exists() && !namesNode(value.Text(), n) {
			fmt.Fprintf(&b, "%q=%q ", key, value.Text())
		}
	}
	for _, q := range n.Spec.Allocatable {
		fmt.Fprintf(&b, "%d", q.Resource)
		if q.Resource != cluster.Memory && q.Resource != cluster.EphemeralStorage {
			fmt.Fprintf(&b, "=%d", q.Amount)
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%v %v %v %v", n.Spec.ZeroAttachLimits, n.Spec.Devices, n.Spec.Features, lastingTaints(n.At))
	return b.String()
}

func namesNode(value string, n manifest.Node) bool { return strings.Contains(value, n.Spec.Name) }

func newShape(nodes []manifest.Node, read map[string]bool) *shape {
	s := &shape{nodes: len(nodes), size: sizeOf(nodes[0])}
	common := map[string]any{}
	count := map[[2]string]int{} // nodes by label
	for _, n := range nodes {
		labels := n.At.Find("metadata.labels")
		if zone := labels.Get(zoneLabel).Text(); zone != "" && !slices.Contains(s.zones, zone) {
			s.zones = append(s.zones, zone)
		}
		for key, value := range labels.Entries() {
			if key != hostLabel && key != zoneLabel && !namesNode(value.Text(), n) {
				count[[2]string{key, value.Text()}]++
			}
		}
	}
	slices.Sort(s.zones)
	for label, n := range count {
		key, value := label[0], label[1]
		switch {
		case n == len(nodes) && (key != oldZoneLabel || read[key]):
			common[key] = value
		case n > 1 && n < len(nodes) && key != oldZoneLabel && !slices.Contains(s.unlike, key):
			s.unlike = append(s.unlike, key)
		}
	}
	slices.Sort(s.unlike)
	s.template = commonNode(nodes, common)
	return s
}

// passing are the taints that tell of the state of a node, not of what it is for.
var passing = regexp.MustCompile(`^node\.(cloudprovider\.)?kubernetes\.io/|^(ToBeDeleted|DeletionCandidate)`)

// lastingTaints are the taints that a new node of the kind would have.
func lastingTaints(node document.Value) []any {
	var out []any
	for _, taint := range node.Find("spec.taints").Items() {
		if passing.MatchString(taint.Get("key").Text()) {
			continue
		}
		fields := map[string]any{}
		for _, field := range []string{"key", "value", "effect"} {
			if text := taint.Get(field).Text(); text != "" {
				fields[field] = text
			}
		}
		out = append(out, fields)
	}
	return out
}

// commonNode is a Node with what nodes of a shape have in common, and the least of their amounts.
func commonNode(nodes []manifest.Node, labels map[string]any) map[string]any {
	status := map[string]any{"allocatable": leastOffered(nodes)}
	var features []any
	for _, feature := range nodes[0].At.Find("status.declaredFeatures").Items() {
		features = append(features, feature.Text())
	}
	if features != nil {
		status["declaredFeatures"] = features
	}
	tree := map[string]any{"status": status}
	if len(labels) > 0 {
		tree["metadata"] = map[string]any{"labels": labels}
	}
	if taints := lastingTaints(nodes[0].At); len(taints) > 0 {
		tree["spec"] = map[string]any{"taints": taints}
	}
	return tree
}

// leastOffered is what nodes of a shape offer: of memory and ephemeral storage the least.
func leastOffered(nodes []manifest.Node) map[string]any {
	out := map[string]any{}
	for resource, q := range offered(nodes[0]).Entries() {
		out[resource] = q.Text()
	}
	for resource, name := range map[cluster.Resource]string{cluster.Memory: "memory", cluster.EphemeralStorage: "ephemeral-storage"} {
		least := slices.MinFunc(nodes, func(a, b manifest.Node) int { return cmp.Compare(amount(a, resource), amount(b, resource)) })
		if q := offered(least).Get(name); q.Exists() {
			out[name] = q.Text()
		}
	}
	return out
}

// offered is what a node has for pods: its allocatable or, where it has none, its capacity.
func offered(n manifest.Node) document.Value {
	if allocatable := n.At.Find("status.allocatable"); allocatable.Len() > 0 {
		return allocatable
	}
	return n.At.Find("status.capacity")
}

// sizeOf is the size of a node, as a part of a name.
func sizeOf(n manifest.Node) string {
	gibibytes := (amount(n, cluster.Memory) + 1<<29) >> 30 // to the nearest
	size := fmt.Sprintf("%dcpu-%dgi", amount(n, cluster.CPU)/1000, gibibytes)
	if count := n.Spec.Devices.Count; count > 0 {
		size += fmt.Sprintf("-%dgpu", count)
	}
	return size
}
