package berth_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folders are the top-level folders with code, and those below whose packages a reader must choose among. Each has a
// README of at most readmeLimit lines.
var folders = []string{"cmd", "sim", "sim/model", "scheduler", "workloads", "scenarios", "reports", "conformance"}

const readmeLimit = 25

var (
	link = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	// firstCell is that of a row of a table, and quoted what is named in it.
	firstCell = regexp.MustCompile(`(?m)^\|([^|]*)\|`)
	quoted    = regexp.MustCompile("`([a-z/]+)`")
)

// TestFolders: the README of a folder says what lives there, what it may import and where to start reading; its links lead
// somewhere, and its table has every folder with code below it and no other.
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
	return append(faults, tableFaults(folder, text, packages)...)
}

// tableFaults compares the names in the first column of the tables with the folders with code. The folder's own package
// may be named too. A README needs no table if at most one folder has code.
func tableFaults(folder, text string, packages map[string]imports) []string {
	var faults []string
	listed := map[string]bool{}
	for _, cell := range firstCell.FindAllStringSubmatch(text, -1) {
		for _, name := range quoted.FindAllStringSubmatch(cell[1], -1) {
			listed[name[1]] = true
		}
	}
	missing, known := map[string]bool{}, map[string]bool{path.Base(folder): true}
	for pkg := range packages {
		below, ok := strings.CutPrefix(pkg, folder+"/")
		for name := below; ok && name != "."; name = path.Dir(name) {
			known[name] = true
		}
		if first, _, _ := strings.Cut(below, "/"); ok && !listed[first] {
			missing[first] = true
		}
	}
	if len(listed) == 0 && len(missing) > 1 {
		return []string{"has no table of the folders below it"}
	}
	if len(listed) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		faults = append(faults, "does not list "+name)
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !known[name] {
			faults = append(faults, "lists "+name+", which is not a folder with code")
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
	packages["sim/model"] = imports{}
	if faults := readmeFaults("sim", "May import: z. Start reading at a.\n", packages); len(faults) != 1 || faults[0] != "has no table of the folders below it" {
		t.Errorf("folders without a table: %q", faults)
	}
	delete(packages, "sim/model")
	extra := strings.Replace(good, "| y |\n", "| y |\n| [`gone`](files), `files/document` | z |\n", 1)
	if faults := readmeFaults("sim", extra, packages); len(faults) != 1 || faults[0] != "lists gone, which is not a folder with code" {
		t.Errorf("a folder that is listed and does not exist: %q", faults)
	}
	if faults := readmeFaults("sim", good+"[a](nowhere.go)\n", packages); len(faults) != 1 || faults[0] != "links to nowhere.go, which does not exist" {
		t.Errorf("a link that leads nowhere: %q", faults)
	}
}
