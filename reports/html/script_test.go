package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestScripts runs the scripts below testdata/scripts. Commands:
//
//	log end=SECONDS columns=N pods=N   a log of records; the run is shown in so many columns, with
//	                            so many pods by waiting
//	stories                     the pods that waited longest or were evicted most, and what happened to them
//	pending                     why pods were pending in each column
//	peaks                       how many pods were pending at most in each column
//	heat                        how full each node and each pool was in each column
//	gangs, preemptions          their tables
//	losses                      why pods lost their nodes in each column
//	stays                       the time of pods on nodes, as the page has it
//	devices                     what the devices of each pool were used for in each column, and how full the nodes' were
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		var r *run
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "log" {
				r = fold(t, d)
				return ""
			}
			return show(t, r, d.Cmd)
		})
	})
}

func fold(t *testing.T, d *datadriven.TestData) *run {
	var end, columns int
	pods := 10
	d.ScanArgs(t, "end", &end)
	d.ScanArgs(t, "columns", &columns)
	d.MaybeScanArgs(t, "pods", &pods)
	l := limits{columns: columns, heatColumns: columns, occupancies: 100, pods: pods, preemptions: 10, gangs: 10}
	c := newCollector(clock.Time(end)*clock.Second, []string{"cpu", devicesRow}, l)
	for r, err := range record.Read("log", strings.NewReader(d.Input)) {
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		c.observe(r)
	}
	if err := c.life.Err(); err != nil {
		d.Fatalf(t, "%v", err)
	}
	c.finish()
	return &run{Run: &rundir.Run{Seconds: float64(end)}, collector: c}
}

func show(t *testing.T, r *run, what string) string {
	var b strings.Builder
	switch what {
	case "stories":
		for _, p := range byBoundAndWait(r.worst.all(), r.end) {
			fmt.Fprintf(&b, "%s: %s, waited %s, %d attempts, lost %s\n", p.name, p.row.State,
				human.Seconds(p.waited(r.end).Seconds()), p.attempts, human.Seconds(p.lost.Seconds()))
			for _, storyLine := range r.storyLines(p) {
				fmt.Fprintf(&b, "  %8s  %s\n", storyLine.When, storyLine.What)
			}
		}
	case "pending":
		for _, reason := range r.pending.most(9) {
			fmt.Fprintf(&b, "%v %s\n", reason.means, reason.label)
		}
	case "peaks":
		fmt.Fprintln(&b, r.pending.peaks)
	case "heat":
		for i := range r.nodes {
			fmt.Fprintf(&b, "%v %s\n", r.nodes[i].levelsOf(0, 2), r.nodes[i].name)
		}
		for _, g := range r.heat.groupings() {
			fmt.Fprintf(&b, "by %s\n", g.name)
			for _, row := range r.heat.rows(&g, 0) {
				fmt.Fprintf(&b, "%s, %s: %s\n", row.Name, row.Nodes, row.Description)
				for _, path := range row.Levels {
					fmt.Fprintf(&b, "  level %d %s\n", path.Level, path.Path)
				}
			}
		}
	case "gangs":
		b.WriteString((&Report{runs: []*run{r}}).gangFigures()[0].table.Markdown())
	case "preemptions":
		b.WriteString(r.preemptionTable().Markdown())
	case "losses":
		for _, cause := range r.losses.ordered() {
			fmt.Fprintf(&b, "%v %s\n", cause.counts, cause.label)
		}
	case "stays":
		for _, s := range r.longestOccupancies() {
			fmt.Fprintf(&b, "%s on %s from %v to %v: %s\n", s.name, r.nodeName(s.node), s.from, s.to,
				[]string{"left", "evicted", "still there"}[s.ending])
		}
	case "devices":
		for _, use := range r.devices.uses {
			for _, line := range use.lines(r.devices.edges()) {
				fmt.Fprintf(&b, "pool %q, %s: %.3f\n", use.pool, line.name, line.y)
			}
		}
		for i := range r.nodes {
			fmt.Fprintf(&b, "%v %s\n", r.nodes[i].levelsOf(1, 2), r.nodes[i].name)
		}
	default:
		t.Fatalf("there is no command %s", what)
	}
	return b.String()
}

// levelsOf are the levels of one of several resources.
func (n *node) levelsOf(resource, resources int) []byte {
	var out []byte
	for i := resource; i < len(n.levels); i += resources {
		out = append(out, n.levels[i])
	}
	return out
}

// A story that is too long keeps its beginning and its end.
func TestLongStory(t *testing.T) {
	var s story
	for i := range 200 {
		s.add(event{kind: record.PodAllowed, at: clock.Time(i)})
	}
	if len(s.events) != storyHead+storyTail || s.omitted != 200-storyHead-storyTail {
		t.Errorf("%d events are kept, %d are not", len(s.events), s.omitted)
	}
	if s.events[0].at != 0 || s.events[storyHead-1].at != storyHead-1 || s.events[len(s.events)-1].at != 199 {
		t.Errorf("the story is %v", s.events)
	}
}
