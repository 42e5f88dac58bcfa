package starter

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
)

// write makes the scenario and the files that it names.
func (d *dump) write(out string) ([]file, error) {
	stem := strings.TrimSuffix(filepath.Base(out), filepath.Ext(out))
	var files []file
	add := func(name string, objects []object) (string, error) {
		if len(objects) == 0 {
			return "", nil
		}
		base := stem + "-" + name + ".yaml"
		text, err := objectsText(objects)
		files = append(files, file{path: filepath.Join(filepath.Dir(out), base), text: text})
		return base, err
	}
	named := map[string]string{}
	for _, part := range []struct {
		name    string
		objects []object
	}{{"nodes", d.nodes}, {"objects", d.others}, {"pods", d.pods}, {"jobs", d.jobs}} {
		base, err := add(part.name, part.objects)
		if err != nil {
			return nil, err
		}
		named[part.name] = base
	}
	label, err := document.Marshal(stem)
	if err != nil {
		return nil, err
	}
	return append([]file{{path: out, text: []byte(d.scenario(label, named))}}, files...), nil
}

// scenario is the text of the scenario; label is its name as YAML has it.
func (d *dump) scenario(label []byte, files map[string]string) string {
	var b strings.Builder
	b.WriteString("# What a cluster held at one moment, as berth init found it:\n#\n")
	for _, line := range d.found {
		b.WriteString("#   " + line + "\n")
	}
	if left := d.unused(); left != "" {
		b.WriteString("#   left out: " + left + "\n")
	}
	b.WriteString(`#
# Pods that run stay where they were found; pending ones arrive at 0, and controllers make
# what they lack. Every field is in docs/scenario.md; berth schema helps an editor.
apiVersion: berth/v1alpha1
kind: Scenario
metadata:
  name: ` + strings.TrimSpace(string(label)) + `

# How long to go on. A cluster at rest has little to tell: add arrivals below.
horizon: 1h

fleet:
  - manifests: [` + files["nodes"] + `]
`)
	if files["objects"] != "" {
		b.WriteString("\n# What pods and nodes refer to.\nobjects: [" + files["objects"] + "]\n")
	}
	if len(d.admission) > 0 {
		b.WriteString("\n# The API server gives pods the limits of their namespace, see docs/admission.md.\nadmission: [" + strings.Join(d.admission, ", ") + "]\n")
	}
	b.WriteString("\nworkloads:\n")
	if files["pods"] != "" {
		b.WriteString("  - name: pods\n    manifests: [" + files["pods"] + "]\n")
	}
	if files["jobs"] != "" {
		b.WriteString("  - name: jobs\n    # A dump does not say how long work takes.\n    lifetime: 10m\n    manifests: [" + files["jobs"] + "]\n")
	}
	b.WriteString(d.more())
	b.WriteString(`
# The scheduler's configuration; without it, kube-scheduler's defaults.
# policy: kube-scheduler-config.yaml

# What happens to nodes on the way.
# events:
#   - {at: 10m, drain: {nodes: [` + d.nodes[0].name + `]}}
`)
	return b.String()
}

// more is a workload to add to what was found; where there is none, it is the one.
func (d *dump) more() string {
	const text = `  # What would come on top: how full can the cluster get?
  - name: more
    arrivals: {every: 1m, limit: 20}
    lifetime: 30m
    template:
      spec:
        containers:
          - {name: app, image: "more:1", resources: {requests: {cpu: 500m, memory: 1Gi}}}
`
	if len(d.pods)+len(d.jobs) == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("  # " + strings.TrimPrefix(strings.TrimPrefix(line, "  # "), "  "))
	}
	return b.String()
}

// found says what nodes and pods a cluster holds.
func found(objects *manifest.Objects) []string {
	running, pending, finished := 0, 0, 0
	for i := range objects.Pods {
		switch p := &objects.Pods[i]; {
		case p.Finished:
			finished++
		case p.NodeName != "":
			running++
		default:
			pending++
		}
	}
	line := fmt.Sprintf("%s on nodes, %d pending", counted(running, "pod"), pending)
	if finished > 0 {
		line += fmt.Sprintf(", %d finished", finished)
	}
	return []string{foundNodes(objects.Nodes), line}
}

// unused says what a scenario has no use for; empty: nothing.
func (d *dump) unused() string {
	var left []string
	for _, what := range slices.Sorted(maps.Keys(d.leftOut)) {
		left = append(left, fmt.Sprintf("%d %s", d.leftOut[what], what))
	}
	return strings.Join(left, ", ")
}

// foundNodes says how much the nodes have.
func foundNodes(nodes []manifest.Node) string {
	var cpu, memory int64
	zones := map[string]bool{}
	for _, n := range nodes {
		for _, q := range n.Spec.Allocatable {
			switch q.Resource {
			case cluster.CPU:
				cpu += q.Amount
			case cluster.Memory:
				memory += q.Amount
			}
		}
		if zone := n.At.Get("metadata").Get("labels").Get("topology.kubernetes.io/zone").Text(); zone != "" {
			zones[zone] = true
		}
	}
	line := fmt.Sprintf("%s: %d cpu, %d GiB of memory", counted(len(nodes), "node"), cpu/1000, memory>>30)
	if len(zones) > 0 {
		line += ", " + counted(len(zones), "zone")
	}
	return line
}

// kindsOf counts objects by kind, the most frequent first.
func kindsOf(objects []object) string {
	counts := map[string]int{}
	for _, o := range objects {
		counts[o.kind]++
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", counts[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// counted is a number of things, in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
