package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Options say what to compare.
type Options struct {
	Cases    int
	Seed     uint64
	Only     string // a family; empty: all of them in turn
	Found    string // directory for the cases that differ, shrunk; empty: they are not kept
	MaxFound int    // stop after so many
}

// Row is how the cases of one family went.
type Row struct {
	Family                       string
	Cases, Decisions, Mismatches int
	Findings                     []string // a line for each mismatch
}

// Table is how all went, by family.
type Table []Row

// Run generates and compares cases, family by family in turn.
func Run(o Options) (Table, error) {
	var chosen []*family
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
	for i := range o.Cases {
		at := i % len(chosen)
		if err := table[at].try(generate(chosen[at], o.Seed+uint64(i)), o.Found); err != nil {
			return nil, err
		}
		if o.MaxFound > 0 && table.Mismatches() >= o.MaxFound {
			break
		}
	}
	return table, nil
}

// try compares one case and keeps it, shrunk, if the sides differ.
func (r *Row) try(c *Case, found string) error {
	what, decisions := c.finding()
	r.Cases++
	r.Decisions += decisions
	if what.kind == "" {
		return nil
	}
	r.Mismatches++
	if found == "" {
		r.Findings = append(r.Findings, fmt.Sprintf("%s %d: %s", c.Family, c.Seed, what.text))
		return nil
	}
	small := shrink(c, what.kind)
	what, _ = small.finding()
	path := filepath.Join(found, fmt.Sprintf("%s-%d.yaml", strings.ReplaceAll(c.Family, " ", "-"), c.Seed))
	r.Findings = append(r.Findings, path+": "+what.text)
	text, err := small.YAML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(found, 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte("# "+strings.ReplaceAll(what.text, "\n", "\n# ")+"\n"), text...), 0o644)
}

// finding is what is wrong with a case; an empty kind: nothing.
type finding struct{ kind, text string }

func (c *Case) finding() (finding, int) {
	r, err := c.Run()
	switch {
	case err != nil:
		return finding{errorKind(err), err.Error()}, r.Attempts
	case r.Difference != nil:
		return finding{r.Difference.What, r.Difference.String()}, r.Attempts
	}
	return finding{}, r.Attempts
}

// places are what moves in an error when the case gets smaller.
var places = regexp.MustCompile(`\S+\.yaml:\d+:\d+: |\[\d+\]`)

// errorKind is the first line of an error without the places that it names.
func errorKind(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return "error: " + places.ReplaceAllString(line, "")
}

// Mismatches counts the cases that differ.
func (t Table) Mismatches() int {
	n := 0
	for _, r := range t {
		n += r.Mismatches
	}
	return n
}

// String is the table, with what differs below it.
func (t Table) String() string {
	var b strings.Builder
	row := func(family string, cases, decisions, mismatches any) {
		fmt.Fprintf(&b, "%-14s %8v %10v %11v\n", family, cases, decisions, mismatches)
	}
	row("FAMILY", "CASES", "DECISIONS", "MISMATCHES")
	var sum Row
	for _, r := range t {
		row(r.Family, r.Cases, r.Decisions, r.Mismatches)
		sum.Cases, sum.Decisions = sum.Cases+r.Cases, sum.Decisions+r.Decisions
	}
	row("all", sum.Cases, sum.Decisions, t.Mismatches())
	for _, r := range t {
		for _, f := range r.Findings {
			b.WriteString(f + "\n")
		}
	}
	return b.String()
}
