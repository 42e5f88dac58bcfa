package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/table"
	"github.com/berth-sim/berth/reports/upgrades"
	"github.com/berth-sim/berth/sim/model/release"
)

// The page on releases has the table of rules that berth version --rules prints, and every release.
func TestTableOfRulesInTheDocumentation(t *testing.T) {
	const path = "../../docs/releases.md"
	before := checkMadePart(t, path, "rules", berth(t.Context(), 80, "version", "--rules", "-o", "markdown").out)
	for _, r := range release.All() {
		if row := "| " + r.String() + " | " + r.Version + " |"; !strings.Contains(before, row) {
			t.Errorf("%s: no row %q", path, row)
		}
	}
}

// checkMadePart compares a part of a page that is made with what it should be, or writes it. It returns the page up to it.
func checkMadePart(t *testing.T, path, name, want string) (before string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, _ := strings.Cut(string(text), begin)
	shown, after, found := strings.Cut(rest, end)
	switch {
	case !found:
		t.Fatalf("%s: the part %q has no marks around it", path, name)
	case rewriting():
		rewrite(t, path, string(text), before+begin+want+end+after)
	case shown != want:
		t.Errorf("%s: the part %q is out of date; go test ./cmd/berth -args -rewrite writes it again. It is\n%s", path, name, want)
	}
	return before
}

// The page on upgrades says what each release changes in every bundled scenario.
func TestUpgradesInTheDocumentation(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rows table.Table
	for _, file := range files {
		answer := berth(t.Context(), 80, "upgrade", file, "--kubernetes", strings.Join(releaseWords(), ","), "-q", "-o", "json")
		if answer.code != exitDone {
			continue // manifests for other scenarios
		}
		var u struct{ Steps []upgrades.Step }
		if err := json.Unmarshal([]byte(answer.out), &u); err != nil {
			t.Fatal(err)
		}
		row := []string{strings.TrimSuffix(filepath.Base(file), ".yaml")}
		rows.Head = []string{"scenario"}
		for _, step := range u.Steps {
			rows.Head, row = append(rows.Head, step.From+" to "+step.To), append(row, inOneCell(&step))
		}
		rows.Rows = append(rows.Rows, row)
	}
	checkMadePart(t, "../../docs/upgrade.md", "upgrades", rows.Markdown())
}

// inOneCell says how many pods have another node, and which rules make the difference.
func inOneCell(s *upgrades.Step) string {
	if s.Divergence == nil {
		return "nothing"
	}
	var rules []string
	for _, r := range s.Rules {
		rules = append(rules, r.Rule)
	}
	for _, set := range s.Together {
		rules = append(rules, strings.Join(set, " with "))
	}
	what := "messages"
	if !s.Divergence.TextOnly {
		what = human.Counted(s.Change.Moved+s.Change.Gained+s.Change.Lost, "pod") + " elsewhere"
	}
	return fmt.Sprintf("%s: %s", what, strings.Join(rules, ", "))
}
