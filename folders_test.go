package berth_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// folders are the top-level folders with code. Each has a README of at most readmeLimit lines.
var folders = []string{"cmd", "sim", "scheduler", "workloads", "scenarios", "reports", "conformance"}

const readmeLimit = 25

var (
	link = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	row  = regexp.MustCompile("(?m)^\\| \\[?`([a-z]+)`")
)

// TestFolders: the README of a top-level folder says what lives there, what it may import and where to start reading; its
// links lead somewhere, and its table has every folder with code below it.
func TestFolders(t *testing.T) {
	packages, err := readImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		text, err := os.ReadFile(path.Join(folder, "README.md"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, fault := range readmeFaults(folder, string(text), packages) {
			t.Errorf("%s/README.md: %s", folder, fault)
		}
	}
}

func readmeFaults(folder, text string, packages map[string]imports) []string {
	var faults []string
	if n := strings.Count(text, "\n"); n > readmeLimit {
		faults = append(faults, "is too long")
	}
	for _, part := range []string{"ay import", "Start reading at"} {
		if !strings.Contains(text, part) {
			faults = append(faults, `has no "`+part+`"`)
		}
	}
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(path.Join(folder, m[1])); err != nil {
			faults = append(faults, "links to "+m[1]+", which does not exist")
		}
	}
	listed := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(text, -1) {
		listed[m[1]] = true
	}
	for pkg := range packages {
		below, ok := strings.CutPrefix(pkg, folder+"/")
		if first, _, _ := strings.Cut(below, "/"); ok && len(listed) > 0 && !listed[first] && !strings.Contains(text, "[`"+first+"`]") {
			faults = append(faults, "does not list "+first)
			listed[first] = true
		}
	}
	return faults
}

func TestFoldersTripsOnPlantedViolations(t *testing.T) {
	good := "| `sim` | x |\n| [`files`](files) | y |\n\nMay import: z. Start reading at [`files`](files).\n"
	packages := map[string]imports{"sim/files/document": {}}
	for text, want := range map[string]string{
		good:                            "",
		good + strings.Repeat("\n", 25): "is too long",
		strings.ReplaceAll(good, "May import", "It imports"): `has no "ay import"`,
	} {
		faults := strings.Join(readmeFaults("sim", text, packages), "; ")
		if want == "" && faults != "" || !strings.Contains(faults, want) {
			t.Errorf("of %q: %q, want %q", text, faults, want)
		}
	}
	if faults := readmeFaults("sim", "| `sim` | x |\nMay import: z. Start reading at a.\n", packages); len(faults) != 1 || faults[0] != "does not list files" {
		t.Errorf("a folder that is not listed: %q", faults)
	}
	if faults := readmeFaults("sim", good+"[a](nowhere.go)\n", packages); len(faults) != 1 || faults[0] != "links to nowhere.go, which does not exist" {
		t.Errorf("a link that leads nowhere: %q", faults)
	}
}
