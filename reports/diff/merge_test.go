package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// TestScripts runs the scripts in testdata. A line is a record, in seconds: its run (1, 2 or
// 12 for both), the time, the pod by its number of arrival and what happened:
//
//	12 3 p0 arrives web-0        12 3 p0 takes n1
//	1 4 p1 fails                 2 4 p1 frees n1 by 2
//	2 5 p0 evicted by p1         2 5 p0 gone, bound n1, completed, rolled-back
//
// Two records of one time come in the order of the lines. The answer is where the runs diverge
// and what became of the pods with different outcomes.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			m := newMerge(Options{Pods: -1})
			logs := [2]*script{newScript(), newScript()}
			for _, line := range strings.Split(d.Input, "\n") {
				runs, rest, _ := strings.Cut(line, " ")
				for _, run := range runs {
					if err := logs[run-'1'].add(rest); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
			}
			var feeds [2]*feed
			for s := range feeds {
				feeds[s] = &feed{batches: make(chan []*record.Record), current: logs[s].records}
				close(feeds[s].batches)
			}
			if err := m.take(t.Context(), feeds); err != nil {
				t.Fatal(err)
			}
			m.finish()
			return result(m)
		})
	})
}

// script is the log of one run.
type script struct {
	records []*record.Record
	life    *lifecycle.Lifecycle[struct{}]
}

// newScript returns a log in which everything is declared.
func newScript() *script {
	s := &script{life: lifecycle.New[struct{}]()}
	s.observe(&record.Record{Kind: record.DeclareWorkload, Text: "w"})
	s.observe(&record.Record{Kind: record.DeclareClass})
	for n := range int32(4) {
		s.observe(&record.Record{Kind: record.NodeAdded, Node: n, NodeInfo: &record.NodeInfo{Name: fmt.Sprintf("n%d", n)}})
	}
	return s
}

func (s *script) observe(r *record.Record) {
	s.life.Observe(r)
	s.records = append(s.records, r)
}

// add adds what follows the runs in a line. A pod that completes was bound and has started just before.
func (s *script) add(line string) error {
	r, err := parse(line)
	if err != nil {
		return err
	}
	if p := s.life.Pod(r.Pod); p != nil {
		if r.Kind == record.PodCompleted && p.State < lifecycle.Starting {
			s.observe(&record.Record{Time: r.Time, Kind: record.PodBound, Pod: r.Pod, Node: max(p.Node, 0)})
		}
		if r.Kind == record.PodCompleted && p.State == lifecycle.Starting {
			s.observe(&record.Record{Time: r.Time, Kind: record.PodStarted, Pod: r.Pod, Node: p.Node})
		}
		if r.Kind.HasNode() && r.Kind != record.PodBound {
			r.Node = p.Node
		}
		r.Count = p.Attempts + 1
	}
	s.observe(r)
	return s.life.Err()
}

// parse reads what follows the runs in a line.
func parse(line string) (*record.Record, error) {
	var seconds float64
	var what string
	r := &record.Record{Node: -1, Group: -1, By: -1}
	if _, err := fmt.Sscanf(line, "%g p%d %s", &seconds, &r.Pod, &what); err != nil {
		return nil, err
	}
	words := strings.Fields(line)[3:]
	r.Time = clock.FromSeconds(seconds)
	node := func(word string) int32 { return int32(word[1] - '0') }
	a := &record.AttemptInfo{Outcome: "unschedulable", Node: -1, Nominated: -1}
	switch what {
	case "arrives":
		r.Kind, r.Text = record.PodArrived, words[0]
	case "takes":
		r.Kind, r.Attempt, a.Outcome, a.Node = record.PodAttempted, a, "scheduled", node(words[0])
	case "fails":
		r.Kind, r.Attempt = record.PodAttempted, a
	case "frees":
		r.Kind, r.Attempt, a.Nominated, a.Victims = record.PodAttempted, a, node(words[0]), int(words[2][0]-'0')
	case "evicted":
		r.Kind, r.Cause = record.PodEvicted, record.ByPreemption
		fmt.Sscanf(words[1], "p%d", &r.By)
	case "bound":
		r.Kind, r.Node = record.PodBound, node(words[0])
	case "gone":
		r.Kind = record.PodGone
	case "completed":
		r.Kind = record.PodCompleted
	case "rolled-back":
		r.Kind = record.PodRolledBack
	default:
		return nil, fmt.Errorf("there is no %q", what)
	}
	return r, nil
}

func result(m *merge) string {
	var b strings.Builder
	if p := m.divergence.found; p != nil {
		fmt.Fprintln(&b, p.sentence())
	}
	if o := m.divergence.order; o != nil {
		fmt.Fprintf(&b, "order: attempt %d is for %s in run 1, for %s in run 2\n", o.Attempt, o.Pods[0], o.Pods[1])
	}
	if f := m.prefix.first; f != nil {
		fmt.Fprintf(&b, "line %d differs\n", f.Line)
	}
	for _, p := range m.worst.list {
		fmt.Fprintf(&b, "%s: %s | %s, %s\n", p.Name, p.Outcomes[0].text(), p.Outcomes[1].text(), describeExtraWait(p.extraWait()))
	}
	fmt.Fprintf(&b, "%s\n", m.list[0].tally.sentence())
	if left := len(m.list[0].names); left > 0 {
		fmt.Fprintf(&b, "%d names are not forgotten\n", left)
	}
	return b.String()
}
