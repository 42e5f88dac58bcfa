package conformance

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/berth-sim/berth/sim/files/parallel"
)

// Options say what to compare.
type Options struct {
	Kube     *Kube // with which kube-scheduler
	Cases    int
	Seed     uint64
	Only     string    // a family; empty: all of them in turn
	Found    string    // directory for the cases that differ, shrunk; empty: they are not kept
	MaxFound int       // stop after so many
	Progress io.Writer // gets a line about the progress now and then; nil: none
}

// Row is how the cases of one family went. A decision is an attempt: one pod through one
// scheduling cycle, with all that was decided of it on every node.
type Row struct {
	Family                       string
	Cases, Decisions, Mismatches int
	Nodes                        int      // that were looked at, over all decisions
	Findings                     []string // a line for each mismatch
}

// Table is how all went, by family.
type Table []Row

// Run generates and compares cases, family by family in turn, as many at a time as there
// are cores.
func Run(o Options) (Table, error) {
	var chosen []*family
	families := familiesOf(o.Kube.Release)
	for i := range families {
		if o.Only == "" || o.Only == families[i].name {
			chosen = append(chosen, &families[i])
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("there is no family %q", o.Only)
	}
	table := make(Table, len(chosen))
	for i, f := range chosen {
		table[i].Family = f.name
	}
	began := time.Now()
	r := &running{options: o, chosen: chosen, rows: make([]Row, o.Cases), reported: began}
	err := parallel.Do(context.Background(), 0, o.Cases, r.try)
	for i := range r.rows {
		table[i%len(chosen)].add(&r.rows[i])
	}
	if o.Progress != nil {
		fmt.Fprintf(o.Progress, "%d cases in %s: %.1f cases/s\n", table.Cases(), time.Since(began).Round(time.Second),
			float64(table.Cases())/time.Since(began).Seconds())
	}
	return table, err
}

// running is a Run under way.
type running struct {
	options Options
	chosen  []*family
	rows    []Row // by case

	sync.Mutex
	done, mismatches int
	reported         time.Time
}

// try runs a case, unless enough mismatches have been found.
func (r *running) try(i int) error {
	if r.enough() {
		return nil
	}
	c := generate(r.chosen[i%len(r.chosen)], r.options.Seed+uint64(i))
	err := r.rows[i].try(c, &r.options)
	r.finish(&r.rows[i])
	return err
}

func (r *running) enough() bool {
	r.Lock()
	defer r.Unlock()
	return r.options.MaxFound > 0 && r.mismatches >= r.options.MaxFound
}

// finish notes how a case went, and tells how far it is every ten seconds.
func (r *running) finish(row *Row) {
	r.Lock()
	defer r.Unlock()
	r.done++
	r.mismatches += row.Mismatches
	if r.options.Progress != nil && time.Since(r.reported) > 10*time.Second {
		r.reported = time.Now()
		fmt.Fprintf(r.options.Progress, "%d of %d cases, %d differ\n", r.done, r.options.Cases, r.mismatches)
	}
}

// add puts the figures of a case to those of its family.
func (r *Row) add(other *Row) {
	r.Cases += other.Cases
	r.Decisions += other.Decisions
	r.Nodes += other.Nodes
	r.Mismatches += other.Mismatches
	r.Findings = append(r.Findings, other.Findings...)
}

// try compares one case and keeps it, shrunk, if the sides differ.
func (r *Row) try(c *Case, o *Options) error {
	what, result := c.watched(o.Kube)
	r.Cases++
	r.Decisions += result.Attempts
	r.Nodes += result.Nodes
	if what.kind == "" {
		return nil
	}
	r.Mismatches++
	if o.Found == "" || what.kind == hangs {
		r.Findings = append(r.Findings, fmt.Sprintf("%s %d: %s", c.Family, c.Seed, what.line()))
		return nil
	}
	small := shrink(c, o.Kube, what.kind)
	what, _ = small.finding(o.Kube)
	path := filepath.Join(o.Found, fmt.Sprintf("%s-%d.yaml", strings.ReplaceAll(c.Family, " ", "-"), c.Seed))
	r.Findings = append(r.Findings, path+": "+what.line())
	text, err := small.YAML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Found, 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte("# "+strings.ReplaceAll(what.text, "\n", "\n# ")+"\n"), text...), 0o644)
}

// finding is what is wrong with a case; an empty kind: nothing.
type finding struct{ kind, text string }

// hangs is the kind of a case that does not end within caseTimeout.
const (
	hangs       = "hang"
	caseTimeout = time.Minute
)

// watched is finding for a case that may never end.
func (c *Case) watched(k *Kube) (finding, Result) {
	type answer struct {
		what   finding
		result Result
	}
	done := make(chan answer, 1)
	go func() {
		what, result := c.finding(k)
		done <- answer{what, result}
	}()
	select {
	case a := <-done:
		return a.what, a.result
	case <-time.After(caseTimeout):
		return finding{hangs, fmt.Sprintf("has not ended after %v", caseTimeout)}, Result{}
	}
}

// line is the text, or its first line and how many more there are.
func (f finding) line() string {
	line, rest, more := strings.Cut(f.text, "\n")
	if more {
		line += fmt.Sprintf(" (and %d lines)", strings.Count(rest, "\n")+1)
	}
	return line
}

func (c *Case) finding(k *Kube) (finding, Result) {
	r, err := c.Run(k)
	switch {
	case err != nil:
		return finding{errorKind(err), err.Error()}, r
	case r.Difference != nil:
		return finding{r.Difference.What, r.Difference.String()}, r
	}
	return finding{}, r
}

// places are what moves in an error when the case gets smaller.
var places = regexp.MustCompile(`\S+\.yaml:\d+:\d+: |\[\d+\]`)

// errorKind is the first line of an error without the places that it names.
func errorKind(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return "error: " + places.ReplaceAllString(line, "")
}

// Mismatches counts the cases that differ.
func (t Table) Mismatches() int { return t.sum().Mismatches }

// Cases counts all cases.
func (t Table) Cases() int { return t.sum().Cases }

func (t Table) sum() Row {
	all := Row{Family: "all"}
	for i := range t {
		all.add(&t[i])
	}
	return all
}

// String is the table, with what differs below it. Decisions are attempts; nodes are those
// that were looked at in them.
func (t Table) String() string {
	var b strings.Builder
	row := func(columns ...any) { fmt.Fprintf(&b, "%-14s %8v %10v %12v %11v\n", columns...) }
	row("FAMILY", "CASES", "DECISIONS", "ON NODES", "MISMATCHES")
	sum := t.sum()
	for _, r := range append(slices.Clone(t), sum) {
		row(r.Family, r.Cases, r.Decisions, r.Nodes, r.Mismatches)
	}
	for _, f := range sum.Findings {
		b.WriteString(f + "\n")
	}
	return b.String()
}
