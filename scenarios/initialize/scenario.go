package initialize

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
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
		named[part.name] = quoted(base)
		f := file{path: filepath.Join(filepath.Dir(out), base), origins: new([]origin)}
		f.write = d.objects(part.objects, f.origins)
		files = append(files, f)
	}
	pools, err := d.poolsText(filepath.Base(out))
	if err != nil {
		return nil, err
	}
	return append([]file{{path: out, write: text(d.scenario(quoted(stem), named, pools))}}, files...), nil
}

// bareText matches texts that YAML takes as they are, wherever they stand.
var bareText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._/-]*$`)

// quoted is a text as YAML has it. A text in JSON is one in YAML.
func quoted(s string) string {
	if bareText.MatchString(s) && !slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, strings.ToLower(s)) {
		return s
	}
	return inJSON(s)
}

// objects writes objects, with neutral names if they are to have them.
func (d *dump) objects(objects []object, origins *[]origin) content {
	return func(ctx context.Context, w io.Writer) error {
		lines := &lineCounter{Writer: w}
		out := document.NewWriter(lines)
		for _, o := range objects {
			if err := ctx.Err(); err != nil {
				return err
			}
			*origins = append(*origins, origin{lines.ended + 1, o.from})
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

// scenario is the text of the scenario; its label and files are as YAML has them.
func (d *dump) scenario(label string, files map[string]string, pools string) string {
	var b strings.Builder
	b.WriteString("# What a cluster held at one moment, as berth init found it:\n#\n")
	for _, line := range d.found {
		b.WriteString("#   " + line + "\n")
	}
	for i, line := range d.unused() {
		if i == 0 {
			line = "left out: " + line
		}
		b.WriteString("#   " + line + "\n")
	}
	b.WriteString(`#
# Pods that run stay where they were found; pending ones arrive at 0, and controllers make
# what they lack. Every field is in docs/scenario.md; berth schema helps an editor.
apiVersion: berth/v1alpha1
kind: Scenario
metadata:
  name: ` + label + `

# How long to go on. A cluster at rest has little to tell: add arrivals below.
horizon: 1h
` + d.follows() + `
fleet:
  - manifests: [` + files["nodes"] + `]
` + pools)
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

// follows is the release that the scenario follows, if the nodes say theirs.
func (d *dump) follows() string {
	if d.kubernetes == nil {
		return ""
	}
	return "\n# The release of the kubelets; berth upgrade shows what a newer one changes.\nkubernetes: \"" + d.kubernetes.String() + "\"\n"
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
		case p.Absent:
		case p.NodeName != "":
			running++
		default:
			pending++
		}
	}
	line := fmt.Sprintf("%s on nodes, %s pending", human.Counted(running, "pod"), human.Whole(pending))
	if finished > 0 {
		line += fmt.Sprintf(", %s finished", human.Whole(finished))
	}
	return []string{foundNodes(objects.Nodes), line}
}

// unused says in lines what a scenario has no use for.
func (d *dump) unused() []string {
	var left []string
	for _, what := range slices.Sorted(maps.Keys(d.leftOut)) {
		left = append(left, human.Whole(d.leftOut[what])+" "+what)
	}
	return Wrap(left, lineWidth)
}

// lineWidth is how long lines are that say what a cluster holds.
const lineWidth = 88

// Wrap joins words by commas, to lines of the width at most where no word is longer.
func Wrap(words []string, width int) []string {
	var lines []string
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
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
	line := fmt.Sprintf("%s: %s cpu, %s GiB of memory", human.Counted(len(nodes), "node"), human.Whole(int(cpu/1000)), human.Whole(int(memory>>30)))
	if len(zones) > 0 {
		line += ", " + human.Counted(len(zones), "zone")
	}
	return line
}

// kindsOf counts objects by kind, the most frequent first.
func kindsOf(objects []object) []string {
	counts := map[string]int{}
	for _, o := range objects {
		counts[o.kind]++
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = human.Whole(counts[kind]) + " " + kind
	}
	return Wrap(kinds, lineWidth)
}
