package berth_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	quotedPath  = regexp.MustCompile("`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)/?`")
	placeholder = regexp.MustCompile(`(^|/)[A-Z]{2,}(/|$)`)
	quotedName  = regexp.MustCompile("`([a-z][a-z0-9]*)\\.([A-Z][A-Za-z0-9]*)[^`]*`")
	goBlock     = regexp.MustCompile("(?s)```go\n.*?```")
	goName      = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.([A-Z][A-Za-z0-9]*)`)
	documentRef = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)\s]*)?\)`)
	superseded  = regexp.MustCompile(`(?m)^Status: superseded`)
)

// referencesExempt are documents about earlier states.
var referencesExempt = []string{"CHANGELOG.md"}

// TestDocReferences: paths of the repository, names of packages' declarations and links in Markdown files exist.
func TestDocReferences(t *testing.T) {
	files := []string{"conformance/README.md", "conformance/schedulerplugins/README.md"} // modules of their own, which walkFiles leaves out
	packages := map[string][]string{}
	err := walkFiles(".", func(file string) error {
		switch {
		case path.Ext(file) == ".md":
			files = append(files, file)
		case path.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go"):
			name := path.Base(path.Dir(file))
			packages[name] = append(packages[name], file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := references{exists: exists, packages: packages, declared: map[string]map[string]bool{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range r.faults(file, string(text)) {
			t.Error(fault)
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// references checks what documents refer to.
type references struct {
	exists   func(path string) bool
	packages map[string][]string        // Go files by package name
	declared map[string]map[string]bool // exported declarations by package name, of the packages that were asked for
}

// faults returns the references of a document that lead nowhere. A document that is superseded may refer to what existed
// when it was written, but its links must lead somewhere.
func (r *references) faults(file, text string) []string {
	for _, exempt := range referencesExempt {
		if file == exempt {
			return nil
		}
	}
	var faults []string
	fault := func(at int, what string) {
		faults = append(faults, fmt.Sprintf("%s:%d: %s does not exist", file, 1+strings.Count(text[:at], "\n"), what))
	}
	for _, m := range documentRef.FindAllStringSubmatchIndex(text, -1) {
		if to := text[m[2]:m[3]]; !r.exists(path.Join(path.Dir(file), to)) {
			fault(m[2], to)
		}
	}
	if superseded.MatchString(text) {
		return faults
	}
	for _, m := range quotedPath.FindAllStringSubmatchIndex(text, -1) {
		quoted := text[m[2]:m[3]]
		top, _, _ := strings.Cut(quoted, "/")
		if r.exists(top) && !placeholder.MatchString(quoted) && !r.exists(quoted) && !r.exists(path.Join(path.Dir(file), quoted)) {
			fault(m[2], quoted)
		}
	}
	name := func(at int, pkg, name string) {
		if len(r.packages[pkg]) > 0 && !r.declarations(pkg)[name] {
			fault(at, pkg+"."+name)
		}
	}
	for _, m := range quotedName.FindAllStringSubmatchIndex(text, -1) {
		name(m[2], text[m[2]:m[3]], text[m[4]:m[5]])
	}
	for _, block := range goBlock.FindAllStringIndex(text, -1) {
		code := text[block[0]:block[1]]
		for _, m := range goName.FindAllStringSubmatchIndex(code, -1) {
			name(block[0]+m[2], code[m[2]:m[3]], code[m[4]:m[5]])
		}
	}
	return faults
}

// declarations returns the exported declarations of the packages of that name.
func (r *references) declarations(pkg string) map[string]bool {
	if known := r.declared[pkg]; known != nil {
		return known
	}
	out := map[string]bool{}
	for _, file := range r.packages[pkg] {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler reports it
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				out[d.Name.Name] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						out[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							out[name.Name] = true
						}
					}
				}
			}
		}
	}
	r.declared[pkg] = out
	return out
}

func TestDocReferencesTripsOnPlantedViolations(t *testing.T) {
	there := map[string]bool{"sim": true, "sim/world": true, "docs/run.md": true}
	r := references{
		exists: func(path string) bool { return there[path] }, packages: map[string][]string{"world": {"x.go"}},
		declared: map[string]map[string]bool{"world": {"World": true}},
	}
	for text, want := range map[string]string{
		"In `sim/world`, see [a run](run.md#top).":        "",
		"`world.World` and `math.Exp`, `world.World.Run`": "",
		"`pkg/scheduler/schedule_one.go`, `sim/DIR/a`":    "",
		"One.\nIn `sim/clock`.":                           "docs/a.md:2: sim/clock does not exist",
		"See [a run](runs.md).":                           "docs/a.md:1: runs.md does not exist",
		"```go\nx := world.Player{}\n```":                 "docs/a.md:2: world.Player does not exist",
		"`world.Player` plays.":                           "docs/a.md:1: world.Player does not exist",
		"Status: superseded by b\n`sim/clock`":            "",
		"Status: superseded by [b](b.md)\n`sim/clock`":    "docs/a.md:1: b.md does not exist",
	} {
		if got := strings.Join(r.faults("docs/a.md", text), "; "); got != want {
			t.Errorf("of %q: %q, want %q", text, got, want)
		}
	}
	if faults := r.faults("CHANGELOG.md", "`sim/clock`"); len(faults) > 0 {
		t.Errorf("the changelog is checked: %q", faults)
	}
}
