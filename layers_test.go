package berth_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/berth-sim/berth"

// A group is the packages in some folders, and the groups whose packages they may import. Packages of one group
// may import each other.
type group struct {
	name    string
	folders []string // a folder stands for its package and for all packages below it
	imports []string // names of groups, all of them above this one in the table
	tests   []string // names of more groups that its tests may import
}

// groups is the structure of the project, from the bottom up. docs/adr/0015-groups.md shows the same table and says
// why; a package in none of the folders is an error.
var groups = []group{
	{"files", []string{"sim/files"}, nil, nil},
	{"model", []string{"sim/model"}, []string{"files"}, nil},
	{"scheduler", []string{"scheduler"}, []string{"files", "model"}, []string{"workloads"}},
	{"workloads", []string{"workloads"}, []string{"files", "model"}, nil},
	{"world", []string{"sim/world"}, []string{"model", "scheduler", "workloads"}, []string{"files"}},
	{"answers", []string{"sim/answers"}, []string{"files", "model", "scheduler", "workloads", "world"}, nil},
	{"reports", []string{"reports"}, []string{"files", "model", "answers"}, []string{"world", "scenarios"}},
	{"scenarios", []string{"scenarios"}, []string{"files", "model", "scheduler", "workloads", "world", "answers", "reports"}, nil},
	{"commands", []string{"cmd", "docs/examples"}, []string{"files", "model", "scheduler", "answers", "reports", "scenarios"}, []string{"world"}},
}

// manifestFolder holds the steps from the text of a Kubernetes object to the cluster state. Its own package drives them.
const manifestFolder = "sim/model/manifest"

// manifestSteps are the packages below manifestFolder, and which of these each may import: a later step imports earlier
// ones. The last three are rules that steps share.
var manifestSteps = map[string][]string{
	"decode":    nil,
	"validate":  {"decode", "devices", "intree", "resources"},
	"admit":     {"decode", "validate", "resources"},
	"encode":    {"resources"},
	"compile":   {"decode", "validate", "admit", "encode", "devices", "intree", "resources"},
	"devices":   nil,
	"intree":    nil,
	"resources": nil,
}

// doors names, for each external module or package, the one package that may import it. A name with /... at its end
// is a folder: its package and all packages below it. The longest entry that is a prefix of an import decides.
var doors = map[string]string{
	"gopkg.in/yaml.v3":                  "sim/files/document",
	"github.com/robfig/cron/v3":         "workloads",
	"k8s.io/api":                        "sim/model/manifest/...",
	"k8s.io/apimachinery":               "sim/model/manifest/...",
	"gonum.org/v1/gonum/stat/distuv":    "workloads/arrival",
	"gonum.org/v1/gonum/mathext":        "reports/paired",
	"github.com/olekukonko/tablewriter": "reports/table",
	"github.com/spf13/cobra":            "cmd/berth",
	"github.com/spf13/pflag":            "cmd/berth",
	"golang.org/x/term":                 "cmd/berth",
	"gonum.org/v1/plot":                 "reports/chart",
	"github.com/expr-lang/expr":         "reports/goal",
	"net/http":                          "scheduler/extender",
	"math/rand":                         "workloads/fgd",
}

// testModules may be imported by every test and by nothing else.
var testModules = []string{"github.com/cockroachdb/datadriven", "github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "github.com/santhosh-tekuri/jsonschema/v6"}

// modules are the folders of modules of their own. Their packages are in no group, so the list is short.
var modules = []string{"conformance", "conformance/kube", "conformance/protocol", "conformance/schedulerplugins", "docs/examples/extender"}

// closedStd lists the parts of the standard library that no package may import, with the reason.
var closedStd = map[string]string{
	"C":         "berth is one static binary",
	"math/rand": "random numbers come from named streams over math/rand/v2; the stream of the paper on fragmentation gradient descent has one door",
	"net/http":  "berth has no network but that to extenders, whose package is the one door; tests may serve",
	"net":       "berth has no network; addresses are parsed by net/netip",
}

func TestLayers(t *testing.T) {
	packages, err := readImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range layerViolations(packages) {
		t.Error(v)
	}
	if found, err := nestedModules("."); err != nil || !slices.Equal(found, modules) {
		t.Errorf("modules of their own are in %v (%v), want %v: what lies in one is in no group", found, err, modules)
	}
}

// layerViolations returns one sentence for each import that groups and doors forbid, in sorted order. Its
// keys and the project's own import paths are relative to the module.
func layerViolations(packages map[string]imports) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		if groupOf(pkg) == nil {
			found = append(found, fmt.Sprintf("%s: is in no group", pkg))
			continue
		}
		if step, is := strings.CutPrefix(pkg, manifestFolder+"/"); is {
			if _, known := manifestSteps[step]; !known {
				found = append(found, fmt.Sprintf("%s: is not among the steps of %s", pkg, manifestFolder))
			}
		}
		for _, imported := range packages[pkg].code {
			if why := forbidden(pkg, imported, false); why != "" {
				found = append(found, fmt.Sprintf("%s: imports %s: %s", pkg, imported, why))
			}
		}
		for _, imported := range packages[pkg].tests {
			if why := forbidden(pkg, imported, true); why != "" {
				found = append(found, fmt.Sprintf("%s: its tests import %s: %s", pkg, imported, why))
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// forbidden returns why pkg must not import the path, or nothing. A test may also import the modules for tests.
func forbidden(pkg, imported string, test bool) string {
	if own, ok := strings.CutPrefix(imported+"/", modulePath+"/"); ok {
		if slices.ContainsFunc(strings.Split(own, "/"), isSkipped) {
			return "lies in a folder that ./... leaves out, where nothing is checked"
		}
		return forbiddenGroup(pkg, strings.TrimSuffix(own, "/"), test)
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		if door := doors[imported]; door != "" && (test || isDoor(door, pkg)) {
			return ""
		}
		return closedStd[imported]
	}
	if test && slices.ContainsFunc(testModules, func(m string) bool { return within(imported, m) }) {
		return ""
	}
	switch door := doorOf(imported); {
	case door == "":
		return "no package has a door for this module"
	case isDoor(door, pkg):
		return ""
	default:
		return "its one door is " + door
	}
}

// isDoor reports whether a package is a door or lies in the folder that is one.
func isDoor(door, pkg string) bool {
	folder, isFolder := strings.CutSuffix(door, "/...")
	return door == pkg || isFolder && within(pkg, folder)
}

func forbiddenGroup(pkg, imported string, test bool) string {
	from, to := groupOf(pkg), groupOf(imported)
	step, isStep := strings.CutPrefix(pkg, manifestFolder+"/")
	of, ofManifest := strings.CutPrefix(imported+"/", manifestFolder+"/")
	switch {
	case to == nil:
		return "is in no group"
	case isStep && ofManifest && pkg != imported && !slices.Contains(manifestSteps[step], strings.TrimSuffix(of, "/")):
		return fmt.Sprintf("step %s may not import it", step)
	case from == to || slices.Contains(from.imports, to.name) || test && slices.Contains(from.tests, to.name):
		return ""
	default:
		return fmt.Sprintf("%s may not import %s", from.name, to.name)
	}
}

// groupOf returns the group of a package, or nil when it is in none. The longest folder decides.
func groupOf(pkg string) *group {
	var found *group
	longest := ""
	for i := range groups {
		for _, folder := range groups[i].folders {
			if within(pkg, folder) && len(folder) > len(longest) {
				found, longest = &groups[i], folder
			}
		}
	}
	return found
}

// doorOf returns the package or folder that may import the path, or nothing when the path is unknown.
func doorOf(imported string) string {
	for p := imported; p != "."; p = path.Dir(p) {
		if door, ok := doors[p]; ok {
			return door
		}
	}
	return ""
}

func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

// TestGroups: an edge goes to a group further up in the table, so that no group can come to depend on itself, and
// the ADR shows the table that is checked.
func TestGroups(t *testing.T) {
	for _, fault := range groupFaults(groups) {
		t.Error(fault)
	}
	text, err := os.ReadFile("docs/adr/0015-groups.md")
	if err != nil {
		t.Fatal(err)
	}
	if shown, table := tablesIn(string(text)), groupTable(groups); shown != table {
		t.Errorf("docs/adr/0015-groups.md has\n%s\nwant this table of groups, and no other:\n%s", shown, table)
	}
}

// tablesIn returns the lines of all tables in a page of Markdown. A table lasts to the next empty line, so that a row
// without its first bar is a line of it too.
func tablesIn(text string) string {
	var b strings.Builder
	inTable := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		inTable = trimmed != "" && (inTable || strings.HasPrefix(trimmed, "|"))
		if inTable {
			b.WriteString(line)
		}
	}
	return b.String()
}

// groupFaults returns one sentence for each edge to a group that is not above its own, and for each edge of tests to no
// group.
func groupFaults(groups []group) []string {
	var faults, above []string
	for _, g := range groups {
		for _, to := range g.imports {
			if !slices.Contains(above, to) {
				faults = append(faults, fmt.Sprintf("%s imports %s, which is not above it", g.name, to))
			}
		}
		above = append(above, g.name)
		for _, to := range g.tests {
			if !slices.ContainsFunc(groups, func(g group) bool { return g.name == to }) {
				faults = append(faults, fmt.Sprintf("tests of %s import %s, which is not a group", g.name, to))
			}
		}
	}
	return faults
}

// groupTable returns the groups as a table in Markdown.
func groupTable(groups []group) string {
	cell := func(list []string, format string) string {
		var out []string
		for _, name := range list {
			out = append(out, fmt.Sprintf(format, name))
		}
		if len(out) == 0 {
			return "–"
		}
		return strings.Join(out, ", ")
	}
	var b strings.Builder
	b.WriteString("| group | folders | may import | its tests also |\n|---|---|---|---|\n")
	for _, g := range groups {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", g.name, cell(g.folders, "`%s`"), cell(g.imports, "%s"), cell(g.tests, "%s"))
	}
	return b.String()
}

func TestGroupFaults(t *testing.T) {
	planted := []group{{name: "low", imports: []string{"high"}}, {name: "high", imports: []string{"low"}, tests: []string{"hihg"}}}
	want := []string{"low imports high, which is not above it", "tests of high import hihg, which is not a group"}
	if got := groupFaults(planted); !slices.Equal(got, want) {
		t.Errorf("groupFaults = %q, want %q", got, want)
	}
}

// TestTablesIn: a row that is added to the table of groups, at its end or elsewhere in the page, well-formed or not, is
// not missed.
func TestTablesIn(t *testing.T) {
	table := groupTable(groups)
	if got := tablesIn("# Title\n\n" + table + "\nText.\n"); got != table {
		t.Errorf("the table alone: %q", got)
	}
	for _, page := range []string{
		table + "| extra | `extra` | files | – |\n", table + "extra | `extra` | files | – |\n", "# Title\n\n" + table + "extra, without bars\n\nText.\n", table + "\n" + table, strings.Replace(table, "| world |\n", "| – |\n", 1),
	} {
		if tablesIn(page) == table {
			t.Errorf("passes for the table of groups:\n%s", page)
		}
	}
}

func TestLayersTripsOnPlantedViolations(t *testing.T) {
	own := func(pkg string) string { return modulePath + "/" + pkg }
	tests := []struct {
		name string
		pkg  string
		imports
		want string // part of the one violation; empty: none
	}{
		{"allowed edge", "sim/world", imports{code: []string{own("scheduler"), "time"}}, ""},
		{"same group", "scheduler/plugins", imports{code: []string{own("scheduler")}}, ""},
		{"commands drive no world", "cmd/berth", imports{code: []string{own("sim/world")}}, "commands may not import world"},
		{"upward", "sim/model/clock", imports{code: []string{own("sim/world")}}, "model may not import world"},
		{"reports above scenarios", "reports/diff", imports{code: []string{own("scenarios")}}, "reports may not import scenarios"},
		{"beside", "scheduler", imports{code: []string{own("workloads")}}, "scheduler may not import workloads"},
		{"folder of no group", "utils", imports{}, "utils: is in no group"},
		{"folder between groups", "sim/other", imports{}, "sim/other: is in no group"},
		{"name that begins like a group", "sim/modeling", imports{}, "is in no group"},
		{"import of no group", "sim/world", imports{code: []string{own("utils")}}, "is in no group"},
		{"next step", "sim/model/manifest/admit", imports{code: []string{own("sim/model/manifest/validate")}}, ""},
		{"step that looks ahead", "sim/model/manifest/validate", imports{code: []string{own("sim/model/manifest/admit")}}, "step validate may not import it"},
		{"encode looks at a step", "sim/model/manifest/encode", imports{code: []string{own("sim/model/manifest/decode")}}, "step encode may not import it"},
		{"step that imports the whole", "sim/model/manifest/decode", imports{code: []string{own("sim/model/manifest")}}, "step decode may not import it"},
		{"step that is not listed", "sim/model/manifest/later", imports{}, "is not among the steps"},
		{"import from testdata", "sim/world", imports{code: []string{own("sim/world/testdata/deep")}}, "leaves out"},
		{"test that imports from testdata", "cmd/berth", imports{tests: []string{own("sim/testdata")}}, "leaves out"},
		{"import from a hidden folder", "sim/world", imports{code: []string{own("sim/world/.deep")}}, "leaves out"},
		{"import of the root", "sim/world", imports{code: []string{modulePath}}, "is in no group"},
		{"code at the root", ".", imports{}, "is in no group"},
		{"door", "sim/model/manifest", imports{code: []string{"k8s.io/api/core/v1"}}, ""},
		{"out of its door", "sim/model/cluster", imports{code: []string{"k8s.io/api/core/v1"}}, "its one door is sim/model/manifest"},
		{"in the folder of a door", "sim/model/manifest/compile", imports{code: []string{"k8s.io/api/core/v1"}}, ""},
		{"folder that begins like a door", "sim/model/manifests", imports{code: []string{"k8s.io/api/core/v1"}}, "its one door is sim/model/manifest/..."},
		{"below a door that is no folder", "reports/chart/deep", imports{code: []string{"gonum.org/v1/plot"}}, "its one door is reports/chart"},
		{"inner door", "workloads/arrival", imports{code: []string{"gonum.org/v1/gonum/stat/distuv"}}, ""},
		{"inner door from the outer", "reports", imports{code: []string{"gonum.org/v1/gonum/stat/distuv"}}, "its one door is workloads/arrival"},
		{"unknown module", "sim/world", imports{code: []string{"github.com/google/uuid"}}, "no package has a door"},
		{"name that begins like a module", "sim/model/manifest", imports{code: []string{"k8s.io/apiserver"}}, "no package has a door"},
		{"closed part of std", "cmd/berth", imports{code: []string{"net/http"}}, "berth has no network"},
		{"door to a closed part of std", "scheduler/extender", imports{code: []string{"net/http"}}, ""},
		{"test that serves", "cmd/berth", imports{tests: []string{"net/http"}}, ""},
		{"test beside its package", "reports", imports{tests: []string{own("reports"), testModules[0]}}, ""},
		{"edge for tests", "reports/html", imports{tests: []string{own("scenarios")}}, ""},
		{"test of an upper group", "sim/world", imports{tests: []string{own("scenarios")}}, "its tests import"},
		{"test out of a door", "sim/world", imports{tests: []string{"gopkg.in/yaml.v3"}}, "its one door is sim/files/document"},
		{"test module in code", "sim/world", imports{code: []string{testModules[0]}}, "no package has a door"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := layerViolations(map[string]imports{tt.pkg: tt.imports})
			if tt.want == "" && len(got) == 0 {
				return
			}
			if tt.want == "" || len(got) != 1 || !strings.Contains(got[0], tt.want) {
				t.Errorf("violations = %q, want one with %q", got, tt.want)
			}
		})
	}
}
