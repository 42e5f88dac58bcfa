package fleetplan

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/sim/answers/drain"
)

// Drain is which nodes can be given back while everything that runs today runs again.
type Drain struct {
	Scenario, Policy string
	*drain.Result
}

// DrainSchema names the form of a drain's JSON.
const DrainSchema = "berth/drain/v1"

// fewNames is how many pods or nodes are named where all of them are not asked for.
const fewNames = 5

// Answer is how few nodes hold what runs, in a sentence or two.
func (d *Drain) Answer() []string {
	left, spare := d.Nodes-len(d.Steps), len(d.Steps)
	bound := fmt.Sprintf("by the sum of %s, at least %s needed", d.AtLeast.Resource, human.Counted(d.AtLeast.Nodes, "node")+be(d.AtLeast.Nodes))
	if d.AtLeast.Resource == "" {
		bound = "the pods request nothing that sets a lower limit"
	}
	if spare == 0 {
		return []string{fmt.Sprintf("no node can be drained so that everything that runs today runs again: %s", bound)}
	}
	return []string{fmt.Sprintf("%s of %s hold what runs today: drain %s (%s), one after the other in this order; %s",
		human.Counted(left, "node"), human.Whole(d.Nodes), human.Counted(spare, "node"), human.Share(float64(spare)/float64(d.Nodes)), bound)}
}

func be(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

// Render writes the answer in the view's format. With view.All, all pods and nodes are named.
func (d *Drain) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table: func(width int) (string, error) { return d.text(width, view.All) },
		Markdown: func() string {
			text := "# " + d.head() + "\n\n" + strings.Join(d.Answer(), "\n\n") + "\n"
			if len(d.Steps) > 0 {
				text += "\n## Steps\n\n" + d.steps().Markdown()
			}
			return text + "\n" + strings.Join(d.notes(view.All), "\n\n") + "\n"
		},
		JSON: func() any { return d.object() },
		CSV:  d.csv,
	})
}

func (d *Drain) text(width int, all bool) (string, error) {
	var b strings.Builder
	for _, text := range append([]string{d.head()}, d.Answer()...) {
		b.WriteString(table.Paragraph(text, width) + "\n")
	}
	if len(d.Steps) > 0 {
		drawn, err := d.steps().ShortenLast(width).Draw(width)
		if err != nil {
			return "", err
		}
		b.WriteString("STEPS\n\n" + drawn + "\n")
	}
	notes := d.notes(all)
	for i, note := range notes {
		b.WriteString(table.Paragraph(note, width))
		if i < len(notes)-1 {
			b.WriteString("\n")
		}
	}
	return b.String(), nil
}

func (d *Drain) head() string {
	return fmt.Sprintf("%s: nodes to drain of %s, policy %s", d.Scenario, human.Whole(d.Nodes), d.Policy)
}

// steps has a row for each node to drain.
func (d *Drain) steps() table.Table {
	t := table.Table{Head: []string{"step", "pods", "waves", "node", "its pods go to"}, Words: []int{3, 4}}
	for i, s := range d.Steps {
		pods := 0
		var to []string
		for _, wave := range s.Waves {
			pods += len(wave)
			for _, m := range wave {
				to = append(to, m.Node)
			}
		}
		t.Rows = append(t.Rows, []string{human.Whole(i + 1), human.Whole(pods), human.Whole(len(s.Waves)), s.Node, grouped(to)})
	}
	return t
}

// grouped lists names, each once with how often it occurs, in order of the first occurrence.
func grouped(names []string) string {
	count := map[string]int{}
	var order []string
	for _, name := range names {
		if count[name]++; count[name] == 1 {
			order = append(order, name)
		}
	}
	for i, name := range order {
		if n := count[name]; n > 1 {
			order[i] = fmt.Sprintf("%s (%d)", name, n)
		}
	}
	return strings.Join(order, ", ")
}

// notes say what the answer rests on, and what it costs.
func (d *Drain) notes(all bool) []string {
	var out []string
	if n := len(d.Unmanaged); n > 0 {
		lost := map[bool]string{true: "it is", false: "they are"}[n == 1]
		out = append(out, fmt.Sprintf("No controller re-creates %s of these nodes: %s lost (kubectl drain needs --force): %s.",
			human.Counted(n, "pod"), lost, few(d.Unmanaged, all)))
	}
	if n := len(d.LocalData); n > 0 {
		out = append(out, fmt.Sprintf("The emptyDir volumes of %s are lost (kubectl drain needs --delete-emptydir-data): %s.",
			human.Counted(n, "pod"), few(d.LocalData, all)))
	}
	if n := len(d.Pending); n > 0 {
		out = append(out, fmt.Sprintf("Pending today, and ignored: %s: %s.", human.Counted(n, "pod"), few(d.Pending, all)))
	}
	if d.Placed > 0 {
		out = append(out, fmt.Sprintf("%s that the manifests have as pending can be placed now, and count as running.", human.Counted(d.Placed, "pod")))
	}
	var rules []string
	for _, k := range d.Remaining {
		if k.Rule || all {
			rules = append(rules, k.Node+" ("+k.Why+")")
		}
	}
	if len(rules) > 0 {
		what := "Nodes that cannot be drained"
		if all {
			what = "Nodes that stay"
		}
		out = append(out, what+": "+few(rules, all)+".")
	}
	return append(out, "All of these nodes are cordoned first. Then each is drained in waves and removed: the pods of a wave may be evicted at once "+
		"without breaking a PodDisruptionBudget, and run again before the next wave begins. The scheduler placed each of them in turn. The nodes "+
		"were chosen by a heuristic: a better choice may exist, down to the lower limit.")
}

// few lists names: the first of them, or all.
func few(names []string, all bool) string {
	if all || len(names) <= fewNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %s more", strings.Join(names[:fewNames], ", "), human.Whole(len(names)-fewNames))
}

type drainObject struct {
	Schema    string       `json:"schema"`
	Scenario  string       `json:"scenario"`
	Policy    string       `json:"policy"`
	Nodes     int          `json:"nodes"`
	Needed    int          `json:"needed"`
	AtLeast   boundObject  `json:"atLeast"`
	Answer    []string     `json:"answer"`
	Running   int          `json:"running"`
	Placed    int          `json:"placed"`
	Pending   []string     `json:"pending"`
	Unmanaged []string     `json:"unmanaged"`
	LocalData []string     `json:"localData"`
	Steps     []stepObject `json:"steps"`
	Kept      []keptObject `json:"kept"`
}

type boundObject struct {
	Nodes    int    `json:"nodes"`
	Resource string `json:"resource"`
}

type stepObject struct {
	Node  string         `json:"node"`
	Pool  string         `json:"pool"`
	Stays int            `json:"stays"`
	Waves [][]moveObject `json:"waves"`
}

type moveObject struct {
	Pod  string `json:"pod"`
	Node string `json:"node"`
}

type keptObject struct {
	Node string `json:"node"`
	Why  string `json:"why"`
	Rule bool   `json:"rule"`
}

func (d *Drain) object() drainObject {
	out := drainObject{
		Schema: DrainSchema, Scenario: d.Scenario, Policy: d.Policy, Nodes: d.Nodes, Needed: d.Nodes - len(d.Steps),
		AtLeast: boundObject{d.AtLeast.Nodes, d.AtLeast.Resource}, Answer: d.Answer(), Running: d.Running, Placed: d.Placed,
		Pending: append([]string{}, d.Pending...), Unmanaged: append([]string{}, d.Unmanaged...), LocalData: append([]string{}, d.LocalData...),
		Steps: []stepObject{}, Kept: []keptObject{},
	}
	for _, s := range d.Steps {
		step := stepObject{Node: s.Node, Pool: s.Pool, Stays: s.NotEvicted, Waves: [][]moveObject{}}
		for _, wave := range s.Waves {
			moves := []moveObject{}
			for _, m := range wave {
				moves = append(moves, moveObject(m))
			}
			step.Waves = append(step.Waves, moves)
		}
		out.Steps = append(out.Steps, step)
	}
	for _, k := range d.Remaining {
		out.Kept = append(out.Kept, keptObject(k))
	}
	return out
}

// csv has a row for each pod that moves, and one for each node without such a pod.
func (d *Drain) csv() [][]string {
	rows := [][]string{{"step", "node", "wave", "pod", "to"}}
	for i, s := range d.Steps {
		step := strconv.Itoa(i + 1)
		if len(s.Waves) == 0 {
			rows = append(rows, []string{step, s.Node, "", "", ""})
		}
		for w, wave := range s.Waves {
			for _, m := range wave {
				rows = append(rows, []string{step, s.Node, strconv.Itoa(w + 1), m.Pod, m.Node})
			}
		}
	}
	return rows
}
