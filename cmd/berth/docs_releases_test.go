package main

import (
	"os"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/release"
)

// The page on releases has the table of rules that berth version --rules prints, and every release.
func TestTableOfRulesInTheDocumentation(t *testing.T) {
	const path, begin, end = "../../docs/releases.md", "<!-- rules -->\n", "<!-- end of rules -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), begin)
	shown, after, found := strings.Cut(rest, end)
	want := berth(t.Context(), 80, "version", "--rules", "-o", "markdown").out
	switch {
	case !found:
		t.Fatalf("%s: the table of rules has no marks around it", path)
	case rewriting():
		rewrite(t, path, string(text), before+begin+want+end+after)
	case shown != want:
		t.Errorf("%s: the table of rules is out of date; go test ./cmd/berth -args -rewrite writes it again", path)
	}
	for _, r := range release.All() {
		if row := "| " + r.String() + " | " + r.Version + " |"; !strings.Contains(before, row) {
			t.Errorf("%s: no row %q", path, row)
		}
	}
}
