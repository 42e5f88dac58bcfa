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
)

// shape is what nodes of a cluster have in common: a pool could be made of it.
type shape struct {
	nodes  int
	zones  []string
	labels map[string]string // that all of them have
	least  manifest.Node     // of them: allocatable differs a little between equal machines
	tree   map[string]any    // the template of the pool, as a Node
}

// maxShapes is how many pools a scenario is given at most, those of the most nodes.
const maxShapes = 6

// The labels by which nodes of one pool differ, or that pools have a field for.
const (
	zoneLabel = "topology.kubernetes.io/zone"
	typeLabel = "node.kubernetes.io/instance-type"
)

var ownLabels = []string{"kubernetes.io/hostname", zoneLabel, "failure-domain.beta.kubernetes.io/zone"}

// shapesOf sorts nodes by their instance types, or by their size where they have none, and by
// their taints and kinds of resources.
func shapesOf(nodes []manifest.Node) []*shape {
	known := map[string]*shape{}
	var all []*shape
	for _, n := range nodes {
		if len(n.Spec.Allocatable) == 0 {
			continue
		}
		labels := map[string]string{}
		for key, value := range n.At.Find("metadata.labels").Entries() {
			labels[key] = value.Text()
		}
		key := shapeKey(n, labels)
		s := known[key]
		if s == nil {
			s = &shape{labels: labels, least: n}
			known[key] = s
			all = append(all, s)
		}
		s.add(n, labels)
	}
	slices.SortStableFunc(all, func(a, b *shape) int { return cmp.Compare(b.nodes, a.nodes) })
	all = all[:min(len(all), maxShapes)]
	for _, s := range all {
		s.tree, s.least = s.node(), manifest.Node{} // documents are large
	}
	return all
}

func (s *shape) add(n manifest.Node, labels map[string]string) {
	s.nodes++
	if zone := labels[zoneLabel]; zone != "" && !slices.Contains(s.zones, zone) {
		s.zones = append(s.zones, zone)
		slices.Sort(s.zones)
	}
	if amount(n, cluster.Memory) < amount(s.least, cluster.Memory) {
		s.least = n
	}
	maps.DeleteFunc(s.labels, func(key, value string) bool {
		return labels[key] != value || slices.Contains(ownLabels, key) || strings.Contains(value, n.Spec.Name)
	})
}

func amount(n manifest.Node, resource cluster.Resource) int64 {
	for _, q := range n.Spec.Allocatable {
		if q.Resource == resource {
			return q.Amount
		}
	}
	return 0
}

// shapeKey is equal for the nodes of one shape.
func shapeKey(n manifest.Node, labels map[string]string) string {
	var b strings.Builder
	if t := labels[typeLabel]; t != "" {
		b.WriteString(t)
	} else {
		fmt.Fprintf(&b, "%d cpu, %d GiB", amount(n, cluster.CPU)/1000, amount(n, cluster.Memory)>>30)
	}
	for _, q := range n.Spec.Allocatable {
		fmt.Fprintf(&b, " %d", q.Resource)
	}
	for _, taint := range lastingTaints(n.At) {
		fmt.Fprintf(&b, " %v", taint)
	}
	return b.String()
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

// node is the template of the pool, as a Node.
func (s *shape) node() map[string]any {
	labels, allocatable := map[string]any{}, map[string]any{}
	for key, value := range s.labels {
		labels[key] = value
	}
	amounts := s.least.At.Find("status.allocatable")
	if amounts.Len() == 0 {
		amounts = s.least.At.Find("status.capacity")
	}
	for resource, q := range amounts.Entries() {
		allocatable[resource] = q.Text()
	}
	tree := map[string]any{"status": map[string]any{"allocatable": allocatable}}
	if len(labels) > 0 {
		tree["metadata"] = map[string]any{"labels": labels}
	}
	if taints := lastingTaints(s.least.At); len(taints) > 0 {
		tree["spec"] = map[string]any{"taints": taints}
	}
	return tree
}

// pool is a pool of no nodes yet, for the fleet of a scenario.
type pool struct {
	Pool     string         `json:"pool"`
	Count    int            `json:"count"`
	Zones    []string       `json:"zones,omitempty"`
	Template map[string]any `json:"template"`

	like int // nodes that the dump has of the kind
}

// pools are those that could be made of what the cluster has, with neutral names if they are to
// have them.
func (d *dump) pools() []pool {
	taken := map[string]bool{}
	var out []pool
	for _, s := range d.shapes {
		p := pool{Zones: slices.Clone(s.zones), Template: s.tree, like: s.nodes}
		if d.scrubber != nil {
			p.Template = d.scrubber.object("Node", s.tree)
			for i, zone := range p.Zones {
				p.Zones[i] = d.scrubber.value(zoneLabel, zone)
			}
		}
		kind, _ := field(p.Template, "metadata", "labels", typeLabel).(string)
		p.Pool = poolName(kind, taken)
		out = append(out, p)
	}
	return out
}

// have is a number of nodes, with its verb.
func have(nodes int) string {
	if nodes == 1 {
		return "1 node is"
	}
	return counted(nodes, "node") + " are"
}

// notInNames is what names of nodes cannot hold.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// poolName makes a name of an instance type; none has been taken before.
func poolName(kind string, taken map[string]bool) string {
	const longest = 40
	base := notInNames.ReplaceAllString(strings.ToLower(kind), "-")
	base = strings.Trim(base[:min(len(base), longest)], "-")
	if base == "" {
		base = "nodes"
	}
	name := base
	for n := 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
}

// poolsText is the pools as entries of a fleet.
func (d *dump) poolsText(scenario string) (string, error) {
	pools := d.pools()
	if len(pools) == 0 {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, `
  # Nodes to add, none yet, of the shapes that were found. How many would do? With pricePerHour
  # in several pools, the cheapest mix is found.
  #   berth plan %s --goal 'placement.pending <= 0' --vary pool.%s.count=0..20
`, scenario, pools[0].Pool)
	for _, p := range pools {
		text, err := document.Marshal([]pool{p})
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  # %s as large as this or a little larger.\n", have(p.like))
		for line := range strings.Lines(string(text)) {
			b.WriteString("  " + line)
		}
	}
	return b.String(), nil
}
