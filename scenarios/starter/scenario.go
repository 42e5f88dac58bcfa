package starter

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
)

// draft makes the scenario and the files that it names.
func (d *dump) draft(out string) ([]file, error) {
	stem := strings.TrimSuffix(filepath.Base(out), filepath.Ext(out))
	var files []file
	named := map[string]string{}
	for _, part := range []struct {
		name    string
		objects []object
	}{{"nodes", d.nodes}, {"objects", d.others}, {"pods", d.pods}, {"jobs", d.jobs}} {
		if len(part.objects) == 0 {
			continue
		}
		base := stem + "-" + part.name + ".yaml"
		named[part.name] = base
		files = append(files, file{path: filepath.Join(filepath.Dir(out), base), write: d.objects(part.objects)})
	}
	label, err := document.Marshal(stem)
	if err != nil {
		return nil, err
	}
	return append([]file{{path: out, write: text(d.scenario(label, named))}}, files...), nil
}

// objects writes objects, with neutral names if they are to have them.
func (d *dump) objects(objects []object) content {
	return func(ctx context.Context, w io.Writer) error {
		out := document.NewWriter(w)
		for _, o := range objects {
			if err := ctx.Err(); err != nil {
				return err
			}
			tree, err := o.tree()
			if err != nil {
				return err
			}
			if d.scrubber != nil {
				tree = d.scrubber.object(o.kind, tree)
			} else {
				trim(tree)
			}
			if err := out.Write(tree); err != nil {
				return err
			}
		}
		return nil
	}
}

// firstNode is the name of a node, as it is written.
func (d *dump) firstNode() string {
	if d.scrubber != nil {
		return d.scrubber.of("node", d.nodes[0].name)
	}
	return d.nodes[0].name
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
#   - {at: 10m, drain: {nodes: [` + d.firstNode() + `]}}
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
