package berth_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/berth-sim/berth"

// floors is the whole building: a package imports only from strictly lower floors, and a package that is not
// here does not belong to the project. See docs/adr/0001-floors.md.
var floors = map[string]int{
	"sim/atomicfile":       0,
	"sim/clock":            0,
	"sim/document":         0,
	"sim/fragment":         0,
	"sim/cluster":          10,
	"sim/cluster/manifest": 15,
	"scheduler":            20,
	"workloads/arrival":    20,
	"workloads/trace":      20,
	"workloads/fgd":        22,
	"workloads":            25,
	"scheduler/plugins":    30,
	"scheduler/extender":   30,
	"scheduler/legacy":     32,
	"scheduler/config":     35,
	"sim":                  40,
	"sim/explain":          45,
	"sim/capacity":         47,
	"scenarios":            50,
	"reports":              50,
	"reports/chart":        52,
	"reports/goal":         52,
	"reports/html":         55,
	"reports/diff":         55,
	"reports/paired":       5,
	"reports/gate":         53,
	"scenarios/experiment": 55,
	"scenarios/schema":     58,
	"scenarios/starter":    55,
	"scenarios/plan":       57,
	"reports/curves":       55,
	"reports/steady":       55,
	"scenarios/reproduce":  57,
	"scenarios/churn":      58,
	"cmd/fgd":              60,
	"docs/examples/plugin": 60,
	"cmd/berth":            60,
}

// doors names, for each external module or package, the one package that may import it. The longest entry that
// is a prefix of an import decides.
var doors = map[string]string{
	"gopkg.in/yaml.v3":                  "sim/document",
	"github.com/robfig/cron/v3":         "workloads",
	"k8s.io/api":                        "sim/cluster/manifest",
	"k8s.io/apimachinery":               "sim/cluster/manifest",
	"gonum.org/v1/gonum/stat/distuv":    "workloads/arrival",
	"gonum.org/v1/gonum/mathext":        "reports/paired",
	"github.com/olekukonko/tablewriter": "reports",
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

// closedStd lists the parts of the standard library that nobody may import, with the reason.
var closedStd = map[string]string{
	"C":         "berth is one static binary",
	"math/rand": "random numbers come from named streams over math/rand/v2; the stream of the paper on fragmentation gradient descent has one door",
	"net/http":  "berth has no network but that to extenders, whose package is the one door; tests may serve",
	"net":       "berth has no network; addresses are parsed by net/netip",
}

// imports are the import paths of one package: those of its code and those of its tests.
type imports struct{ code, tests []string }

func TestLayers(t *testing.T) {
	packages, err := readImports(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range layerViolations(packages) {
		t.Error(v)
	}
}

// layerViolations returns one sentence for each import that the floors and doors forbid, in sorted order. Its
// keys and the project's own import paths are relative to the module.
func layerViolations(packages map[string]imports) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		if _, listed := floors[pkg]; !listed {
			found = append(found, fmt.Sprintf("%s: is not listed in the table of floors", pkg))
			continue
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

// forbidden says why pkg must not import the path, or nothing. A test may also import from its own floor.
func forbidden(pkg, imported string, test bool) string {
	if own, ok := strings.CutPrefix(imported+"/", modulePath+"/"); ok {
		return forbiddenFloor(pkg, strings.TrimSuffix(own, "/"), test)
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		if door := doors[imported]; door != "" && (test || door == pkg) {
			return ""
		}
		return closedStd[imported]
	}
	if test && slices.ContainsFunc(testModules, func(m string) bool { return within(imported, m) }) {
		return ""
	}
	switch door := doorOf(imported); door {
	case pkg:
		return ""
	case "":
		return "no package has a door for this module"
	default:
		return "its one door is " + door
	}
}

func forbiddenFloor(pkg, imported string, test bool) string {
	floor, listed := floors[imported]
	switch {
	case !listed:
		return "is not listed in the table of floors"
	case floor < floors[pkg] || test && floor == floors[pkg]:
		return ""
	default:
		return fmt.Sprintf("floor %d is not below floor %d", floor, floors[pkg])
	}
}

// doorOf returns the package that may import the path, or nothing when the path is unknown.
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

// readImports parses the imports of every package below root, by package directory. The tests of the root itself
// watch over the whole project and are free.
func readImports(root string) (map[string]imports, error) {
	packages := map[string]imports{}
	err := walkFiles(root, func(file string) error {
		pkg, test := path.Dir(file), strings.HasSuffix(file, "_test.go")
		if path.Ext(file) != ".go" || pkg == "." && test {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		of := packages[pkg]
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if test {
				of.tests = append(of.tests, imported)
			} else {
				of.code = append(of.code, imported)
			}
		}
		packages[pkg] = of
		return nil
	})
	return packages, err
}

// walkFiles calls visit with the slash-separated path below root of every file of the project, in lexical order.
// It leaves out what "./..." leaves out: testdata, hidden directories, and modules of their own.
func walkFiles(root string, visit func(file string) error) error {
	tree := os.DirFS(root)
	return fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || file == "." {
			return err
		}
		if !entry.IsDir() {
			return visit(file)
		}
		_, err = fs.Stat(tree, path.Join(file, "go.mod"))
		if err == nil || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return nil
	})
}

func TestReadImports(t *testing.T) {
	root := t.TempDir()
	for file, src := range map[string]string{
		"go.mod":                  "module m",
		"root_test.go":            `package m; import "a"`,
		"sim/one.go":              `package sim; import ("a"; b "c")`,
		"sim/one_test.go":         `package sim_test; import . "d"`,
		"sim/testdata/planted.go": `package planted; import "e"`,
		".hidden/hidden.go":       `package hidden; import "f"`,
		"conformance/go.mod":      "module conformance",
		"conformance/real.go":     `package conformance; import "g"`,
	} {
		name := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readImports(root)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]imports{"sim": {code: []string{"a", "c"}, tests: []string{"d"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("readImports = %v, want %v", got, want)
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
		{"downward", "sim", imports{code: []string{own("scheduler"), "time"}}, ""},
		{"upward", "sim/clock", imports{code: []string{own("sim/cluster")}}, "floor 10 is not below floor 0"},
		{"sideways", "reports", imports{code: []string{own("scenarios")}}, "floor 50 is not below floor 50"},
		{"unlisted package", "utils", imports{}, "utils: is not listed"},
		{"import of an unlisted package", "sim", imports{code: []string{own("utils")}}, "is not listed"},
		{"import of the root", "sim", imports{code: []string{modulePath}}, "is not listed"},
		{"code at the root", ".", imports{}, "is not listed"},
		{"door", "sim/cluster/manifest", imports{code: []string{"k8s.io/api/core/v1"}}, ""},
		{"out of its door", "sim/cluster", imports{code: []string{"k8s.io/api/core/v1"}}, "its one door is sim/cluster/manifest"},
		{"inner door", "workloads/arrival", imports{code: []string{"gonum.org/v1/gonum/stat/distuv"}}, ""},
		{"inner door from the outer", "reports", imports{code: []string{"gonum.org/v1/gonum/stat/distuv"}}, "its one door is workloads/arrival"},
		{"unknown module", "sim", imports{code: []string{"github.com/google/uuid"}}, "no package has a door"},
		{"name that only begins alike", "sim/cluster/manifest", imports{code: []string{"k8s.io/apiserver"}}, "no package has a door"},
		{"closed part of std", "cmd/berth", imports{code: []string{"net/http"}}, "berth has no network"},
		{"door to a closed part of std", "scheduler/extender", imports{code: []string{"net/http"}}, ""},
		{"test that serves", "cmd/berth", imports{tests: []string{"net/http"}}, ""},
		{"test beside its package", "reports", imports{tests: []string{own("reports"), testModules[0]}}, ""},
		{"test of an upper floor", "sim", imports{tests: []string{own("scenarios")}}, "its tests import"},
		{"test out of a door", "sim", imports{tests: []string{"gopkg.in/yaml.v3"}}, "its one door is sim/document"},
		{"test module in code", "sim", imports{code: []string{testModules[0]}}, "no package has a door"},
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
