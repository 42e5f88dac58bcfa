package initialize

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
)

// pool is a pool of no nodes yet, for the fleet of a scenario.
type pool struct {
	Pool     string         `json:"pool"`
	Count    int            `json:"count"`
	Zones    []string       `json:"zones,omitempty"`
	Template map[string]any `json:"template"`

	shape *shape // of the nodes that the dump has of the kind
}

// maxPools is how many pools a scenario is given at most, those of the most nodes. The scenario says how
// many it is not given.
const maxPools = 100

// pools are those that could be made of what the cluster has, with neutral names if they are to
// have them.
func (d *dump) pools() []pool {
	shapes := d.shapes[:min(len(d.shapes), maxPools)]
	out := make([]pool, len(shapes))
	alike := map[string]int{} // shapes by instance type or size
	for i, s := range shapes {
		p := pool{Zones: slices.Clone(s.zones), Template: s.template, shape: s}
		if d.scrubber != nil {
			p.Template = d.scrubber.object("Node", s.template)
			for i, zone := range p.Zones {
				p.Zones[i] = d.scrubber.value(zoneLabel, zone)
			}
		}
		p.Pool = s.size
		if kind, _ := field(p.Template, "metadata", "labels", typeLabel).(string); kind != "" {
			p.Pool = kind
		}
		alike[p.Pool]++
		out[i] = p
	}
	taken := map[string]bool{}
	for i := range out {
		p := &out[i]
		if alike[p.Pool] > 1 && len(p.Zones) == 1 {
			p.Pool += "-" + p.Zones[0]
		}
		p.Pool = poolName(p.Pool, taken)
	}
	return out
}

// have is a number of nodes, with its verb.
func have(nodes int) string {
	if nodes == 1 {
		return "1 node is"
	}
	return human.Counted(nodes, "node") + " are"
}

// notInNames is what names of nodes cannot hold.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// poolName makes a valid name of what a pool is to be called, one that has not been taken before.
func poolName(kind string, taken map[string]bool) string {
	const longest = 40
	base := notInNames.ReplaceAllString(strings.ToLower(kind), "-")
	base = strings.Trim(base[:min(len(base), longest)], "-")
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
		fmt.Fprintf(&b, "  # %s as large as this or a little larger.\n", have(p.shape.nodes))
		if len(p.shape.unlike) > 0 {
			b.WriteString(commented(d.unlikeText(p.shape)))
		}
		for line := range strings.Lines(string(text)) {
			b.WriteString("  " + line)
		}
	}
	if more := len(d.shapes) - len(pools); more > 0 {
		nodes := 0
		for _, s := range d.shapes[len(pools):] {
			nodes += s.nodes
		}
		fmt.Fprintf(&b, "  # No pool is written for %s of other shapes, %s.\n", human.Counted(nodes, "node"), human.Counted(more, "shape"))
	}
	return b.String(), nil
}

// unlikeText names the labels that a pool does not have, since its nodes differ in them.
func (d *dump) unlikeText(s *shape) []string {
	keys := slices.Clone(s.unlike)
	if d.scrubber != nil {
		for i, key := range keys {
			keys[i] = d.scrubber.of("key", key)
		}
	}
	return Wrap(append([]string{"Their labels differ, and nothing in the dump reads them: " + keys[0]}, keys[1:]...), lineWidth)
}

// commented are lines as comments in a fleet.
func commented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("  # " + line + "\n")
	}
	return b.String()
}
