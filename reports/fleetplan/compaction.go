package fleetplan

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/quantile"
	"github.com/berth-sim/berth/reports/table"
)

// Compaction is how few nodes a workload fits into when nodes are taken away at random.
type Compaction struct {
	Scenario, Policy string
	Goal             string // that must hold besides; empty: none
	Nodes            int    // of the whole fleet
	Quantile         int    // percent: the answer is that percentile of the trials
	Pending          float64
	Trials           []Trial
	Warnings         []string
	Skipped          []string // lines on objects that do not affect scheduling
	Partial          bool
}

// Trial is one order in which nodes are taken away.
type Trial struct {
	Seed    uint64
	Fits    bool // the workload fits into the fleet, or into copies of it
	Copies  int  // of the fleet that the trial began with, itself included
	Nodes   int  // the fewest that it fits into; all of the fleet, where it does not
	Arrived float64
	Pending float64 // with so many nodes
	LeftOut int     // pods that no node could take even when it is empty; they are not among Arrived
	Why     string  // it does not fit into one node fewer
	Reasons []Reason
	Runs    int
}

// CompactionSchema names the form of a compaction's JSON.
const CompactionSchema = "berth/compaction/v1"

// Fits reports whether the workload fits into the fleet, or into copies of it, in all trials.
func (c *Compaction) Fits() bool {
	return !slices.ContainsFunc(c.Trials, func(t Trial) bool { return !t.Fits })
}

// sizes are the numbers of nodes of the trials, sorted.
func (c *Compaction) sizes() []int {
	var out []int
	for _, t := range c.Trials {
		out = append(out, t.Nodes)
	}
	slices.Sort(out)
	return out
}

// Enough is the percentile of the trials: so many nodes do.
func (c *Compaction) Enough() int {
	return quantile.Percentile(c.sizes(), c.Quantile)
}

// copied is how many trials began with copies of the fleet, which was too small for them.
func (c *Compaction) copied() int {
	n := 0
	for _, t := range c.Trials {
		if t.Copies > 1 {
			n++
		}
	}
	return n
}

// leftOut is how many pods were left out of a trial, at most.
func (c *Compaction) leftOut() int {
	n := 0
	for _, t := range c.Trials {
		n = max(n, t.LeftOut)
	}
	return n
}

// Answer is how few nodes would do, in a sentence or two.
func (c *Compaction) Answer() []string {
	sizes := c.sizes()
	if !c.Fits() {
		at := slices.IndexFunc(c.Trials, func(t Trial) bool { return !t.Fits })
		t := &c.Trials[at]
		probe := Probe{Reasons: t.Reasons}
		return []string{fmt.Sprintf("the workload fits neither into all %s nor into copies of them: with seed %d %s%s",
			human.Counted(c.Nodes, "node"), t.Seed, t.Why, probe.pending())}
	}
	enough, trials := c.Enough(), human.Counted(len(c.Trials), "trial")
	least, most := sizes[0], sizes[len(sizes)-1]
	if enough > c.Nodes {
		more := float64(enough - c.Nodes)
		return []string{fmt.Sprintf("%s are too few: %s would do, %s more (%s). In %d %% of %s no more were needed, at least %d and at most %d in all of them",
			human.Counted(c.Nodes, "node"), human.Whole(enough), human.Number(more, 0), human.Share(more/float64(c.Nodes)),
			c.Quantile, trials, least, most)}
	}
	spare := c.Nodes - enough
	if spare == 0 {
		return []string{fmt.Sprintf("no node can be removed: of %s, at least %d and at most %d were needed in %s",
			human.Counted(c.Nodes, "node"), least, most, trials)}
	}
	text := fmt.Sprintf("%s of %d would do, %s fewer (%s)", human.Counted(enough, "node"), c.Nodes,
		human.Whole(spare), human.Share(float64(spare)/float64(c.Nodes)))
	if least == most {
		return []string{text + ": as many were needed in all of " + trials}
	}
	return []string{fmt.Sprintf("%s: in %d %% of %s no more were needed, at least %d and at most %d in all of them",
		text, c.Quantile, trials, least, most)}
}

// Render writes the compaction in the view's format.
func (c *Compaction) Render(w io.Writer, view output.View) error {
	return view.Write(w, output.Forms{
		Table: c.text,
		Markdown: func() string {
			return "# " + c.head() + "\n\n" + strings.Join(c.Answer(), "\n\n") + "\n\n## Trials\n\n" + c.table().Markdown() + "\n" + c.method() + "\n"
		},
		JSON: func() any { return c.object() },
		CSV:  c.csv,
	})
}

func (c *Compaction) text(width int) (string, error) {
	var b strings.Builder
	for _, text := range append([]string{c.head()}, c.Answer()...) {
		b.WriteString(table.Paragraph(text, width) + "\n")
	}
	drawn, err := c.table().ShortenLast(width).Draw(width)
	if err != nil {
		return "", err
	}
	b.WriteString("TRIALS\n\n" + drawn + "\n" + table.Paragraph(c.method(), width))
	return b.String(), nil
}

func (c *Compaction) head() string {
	title := c.Scenario
	if c.Partial {
		title += " (partial)"
	}
	text := fmt.Sprintf("%s: compaction of %s, policy %s", title, human.Counted(c.Nodes, "node"), c.Policy)
	if c.Goal != "" {
		text += ", goal " + c.Goal
	}
	return text
}

// table has a row for each trial.
func (c *Compaction) table() table.Table {
	t := table.Table{Head: []string{"seed", "nodes", "pending", "what one node fewer would bring"}, Words: []int{3}}
	for _, trial := range c.Trials {
		t.Rows = append(t.Rows, []string{
			strconv.FormatUint(trial.Seed, 10), human.Whole(trial.Nodes), human.Number(trial.Pending, 0), trial.Why,
		})
	}
	return t
}

// method says what the answer rests on.
func (c *Compaction) method() string {
	text := "Each trial removes nodes in a random order and schedules the whole workload again"
	if c.Goal == "" {
		text += " until more than " + human.Short(100*c.Pending) + " % of the pods stay pending."
	} else {
		text += " until the goal no longer holds, or more than " + human.Short(100*c.Pending) + " % of the pods stay pending."
	}
	text += " The search bisects the number of nodes, and then tries the next larger numbers."
	if n := c.leftOut(); n > 0 {
		text += " Left out: " + human.Counted(n, "pod") + " that no node could take even when it is empty."
	}
	if n := c.copied(); n > 0 {
		text += fmt.Sprintf(" The fleet was too small for %d of %s, which began with copies of it.", n, human.Counted(len(c.Trials), "trial"))
	}
	return text + " Cell compaction after Verma et al., EuroSys 2015, section 5.1."
}

type compactionObject struct {
	Schema   string        `json:"schema"`
	Scenario string        `json:"scenario"`
	Policy   string        `json:"policy"`
	Goal     string        `json:"goal,omitempty"`
	Partial  bool          `json:"partial"`
	Nodes    int           `json:"nodes"` // today's
	Fits     bool          `json:"fits"`
	Enough   int           `json:"enough"`
	Least    int           `json:"least"`
	Most     int           `json:"most"`
	Quantile int           `json:"quantile"`
	Pending  float64       `json:"pendingAllowed"`
	Answer   []string      `json:"answer"`
	Trials   []trialObject `json:"trials"`
}

type trialObject struct {
	Seed    uint64        `json:"seed"`
	Fits    bool          `json:"fits"`
	Copies  int           `json:"copies"`
	Nodes   int           `json:"nodes"`
	Pods    output.Number `json:"pods"`
	LeftOut int           `json:"leftOut"`
	Pending output.Number `json:"pending"`
	Why     string        `json:"why"`
	Runs    int           `json:"runs"`
}

func (c *Compaction) object() compactionObject {
	sizes := c.sizes()
	out := compactionObject{
		Schema: CompactionSchema, Scenario: c.Scenario, Policy: c.Policy, Goal: c.Goal, Partial: c.Partial, Nodes: c.Nodes,
		Fits: c.Fits(), Enough: c.Enough(), Least: sizes[0], Most: sizes[len(sizes)-1], Quantile: c.Quantile, Pending: c.Pending,
		Answer: c.Answer(),
	}
	for _, t := range c.Trials {
		out.Trials = append(out.Trials, trialObject{t.Seed, t.Fits, t.Copies, t.Nodes, output.Number(t.Arrived), t.LeftOut, output.Number(t.Pending), t.Why, t.Runs})
	}
	return out
}

// csv has a row for each trial.
func (c *Compaction) csv() [][]string {
	rows := [][]string{{"seed", "fits", "copies", "nodes", "pods", "leftOut", "pending", "why", "runs"}}
	for _, t := range c.Trials {
		rows = append(rows, []string{
			strconv.FormatUint(t.Seed, 10), strconv.FormatBool(t.Fits), strconv.Itoa(t.Copies), strconv.Itoa(t.Nodes), output.FormatNumber(t.Arrived),
			strconv.Itoa(t.LeftOut), output.FormatNumber(t.Pending), t.Why, strconv.Itoa(t.Runs),
		})
	}
	return rows
}
