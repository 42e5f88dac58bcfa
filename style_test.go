package berth_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Sizes in lines. What passes the advice is logged, what passes the limit fails.
const (
	functionAdvice, functionLimit = 60, 80
	fileAdvice, fileLimit         = 400, 500
	parameterLimit                = 5
)

// examples are commands too.
const examples = "docs/examples/"

// A ban closes names of a package to all files except those under some directories.
type ban struct {
	pkg    string
	names  string // separated by spaces
	except string // directories whose files are free, and single files that are; separated by spaces
	tests  bool   // whether tests are bound too
	why    string
}

var bans = []ban{
	{
		pkg:    "time",
		names:  "Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker",
		except: "cmd/",
		tests:  true,
		why:    "a run knows only virtual time",
	},
	{
		pkg: "math/rand/v2",
		names: "ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Perm Shuffle " +
			"Uint Uint32 Uint32N Uint64 Uint64N UintN",
		tests: true,
		why:   "the global source is not seeded; draw from a named stream",
	},
	{
		pkg: "math",
		names: "Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 Gamma Hypot " +
			"J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh Y0 Y1 Yn",
		why: "its last bits depend on the processor; use sim/model/portable",
	},
	{
		pkg:    "os",
		names:  "Getenv LookupEnv Environ ExpandEnv",
		except: "scheduler/config/legacy.go scenarios/replay/build.go cmd/berth/streams.go",
		why:    "what a run reads of the environment is an input in its manifest; add the file to this list when it is",
	},
	{pkg: "fmt", names: "Print Printf Println", except: "cmd/", why: "only cmd writes to the terminal"},
	{pkg: "os", names: "Stdout", except: "cmd/", why: "only cmd writes to the terminal"},
}

// A method ban closes methods of a name, whatever the type, to all code but tests.
var methodBans = []struct{ names, why string }{
	{"ExpFloat64 NormFloat64", "its last bits depend on the processor; workloads/arrival draws the same number"},
}

// vaguePackages are names that say nothing of what a package holds.
var vaguePackages = []string{"base", "common", "helper", "helpers", "types", "util", "utils"}

// openEnds finds notes of unfinished work; the words are broken here so that this file has none.
var openEnds = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)

// proseExtensions are the files, besides Go's, that a person reads.
var proseExtensions = []string{".md", ".yaml", ".yml"}

func TestStyle(t *testing.T) {
	err := walkFiles(".", func(file string) error {
		isGo := path.Ext(file) == ".go"
		if !isGo && !slices.Contains(proseExtensions, path.Ext(file)) {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		r := review{file: file}
		r.openEnds(string(src))
		if isGo {
			if err := r.source(src); err != nil {
				return err
			}
		}
		for _, fault := range r.faults {
			t.Error(fault)
		}
		for _, advice := range r.advice {
			t.Log(advice)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A review gathers what is wrong with one file (faults) and what could be better (advice), as "file:line: what".
type review struct {
	file           string // slash-separated, relative to the repository
	lines          *token.File
	faults, advice []string
}

func (r *review) fault(line int, format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf("%s:%d: %s", r.file, line, fmt.Sprintf(format, args...)))
}

func (r *review) test() bool { return strings.HasSuffix(r.file, "_test.go") }

func (r *review) openEnds(text string) {
	for i, line := range strings.Split(text, "\n") {
		if word := openEnds.FindString(line); word != "" {
			r.fault(i+1, "%s: finish it, or open an issue", word)
		}
	}
}

// source reviews a Go file. Its error is a syntax error.
func (r *review) source(src []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, r.file, src, parser.ParseComments)
	if err != nil {
		return err
	}
	r.lines = set.File(file.Pos())
	if name := strings.TrimSuffix(file.Name.Name, "_test"); slices.Contains(vaguePackages, name) {
		r.fault(1, "package %s: name what it holds", name)
	}
	r.size(1, "file", r.lines.LineCount(), fileAdvice, fileLimit)
	r.bannedNames(file)
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			r.function(f)
		}
		if !r.test() {
			r.documented(decl)
		}
	}
	return nil
}

func (r *review) size(line int, what string, lines, advice, limit int) {
	switch {
	case lines > limit:
		r.fault(line, "%s has %d lines, the limit is %d", what, lines, limit)
	case lines > advice:
		r.advice = append(r.advice, fmt.Sprintf("%s:%d: %s has %d lines, better at most %d", r.file, line, what, lines, advice))
	}
}

func (r *review) function(f *ast.FuncDecl) {
	from, to := r.lines.Line(f.Pos()), r.lines.Line(f.End())
	r.size(from, f.Name.Name, to-from+1, functionAdvice, functionLimit)
	if n := f.Type.Params.NumFields(); n > parameterLimit {
		r.fault(from, "%s has %d parameters, the limit is %d", f.Name.Name, n, parameterLimit)
	}
}

// bannedNames looks for the bans' names under whatever name the file imports their package by.
func (r *review) bannedNames(file *ast.File) {
	imported := map[string]string{} // local name → path
	for _, spec := range file.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value) // parsed, so quoted well
		switch {
		case spec.Name == nil:
			imported[path.Base(strings.TrimSuffix(importPath, "/v2"))] = importPath
		case spec.Name.Name == ".":
			r.fault(r.lines.Line(spec.Pos()), "a dot import hides where names come from")
		default:
			imported[spec.Name.Name] = importPath
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		r.method(selector)
		// An identifier that the parser resolved is a variable that shadows the package.
		if x, ok := selector.X.(*ast.Ident); ok && x.Obj == nil {
			r.selected(selector, imported[x.Name])
		}
		return true
	})
}

// selected reviews the use of a name of the imported package.
func (r *review) selected(selector *ast.SelectorExpr, importPath string) {
	for _, b := range bans {
		excepted := slices.ContainsFunc(strings.Fields(b.except), func(path string) bool { return strings.HasPrefix(r.file, path) })
		free := excepted || b.except != "" && strings.HasPrefix(r.file, examples) || r.test() && !b.tests
		if b.pkg == importPath && !free && slices.Contains(strings.Fields(b.names), selector.Sel.Name) {
			r.fault(r.lines.Line(selector.Pos()), "%s.%s: %s", b.pkg, selector.Sel.Name, b.why)
		}
	}
}

// method reviews the use of a name that may be a method's.
func (r *review) method(selector *ast.SelectorExpr) {
	for _, b := range methodBans {
		if !r.test() && slices.Contains(strings.Fields(b.names), selector.Sel.Name) {
			r.fault(r.lines.Line(selector.Pos()), "%s: %s", selector.Sel.Name, b.why)
		}
	}
}

// documented asks for a comment at every exported function, method of an exported type, type, and group of values.
func (r *review) documented(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && d.Doc.Text() == "" {
			r.fault(r.lines.Line(d.Pos()), "exported %s has no comment", d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			r.documentedSpec(spec, d)
		}
	}
}

func (r *review) documentedSpec(spec ast.Spec, group *ast.GenDecl) {
	comment := group.Doc.Text()
	var names []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		names = []*ast.Ident{s.Name}
		if group.Lparen.IsValid() { // each type of a group needs its own
			comment = ""
		}
		comment += s.Doc.Text() + s.Comment.Text()
	case *ast.ValueSpec:
		names = s.Names
		comment += s.Doc.Text() + s.Comment.Text()
	}
	for _, name := range names {
		if name.IsExported() && comment == "" {
			r.fault(r.lines.Line(name.Pos()), "exported %s has no comment", name.Name)
		}
	}
}

// exportedReceiver reports whether f is a function or a method of an exported type.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	receiver := f.Recv.List[0].Type
	for {
		switch t := receiver.(type) {
		case *ast.StarExpr:
			receiver = t.X
		case *ast.IndexExpr:
			receiver = t.X
		case *ast.IndexListExpr:
			receiver = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}

func TestStyleTripsOnPlantedViolations(t *testing.T) {
	body := func(lines int) string {
		return "package sim\nfunc f() {\n" + strings.Repeat("\tf()\n", lines-2) + "}\n"
	}
	uses := func(pkg, expression string) string {
		return fmt.Sprintf("package sim\nimport %q\nvar _ = %s\n", pkg, expression)
	}
	tests := []struct {
		name, file, src string
		want            string // part of the one fault; empty: none
	}{
		{"wall clock", "sim/run.go", uses("time", "time.Now"), "sim/run.go:3: time.Now: a run knows only virtual time"},
		{"wall clock in a test", "sim/run_test.go", uses("time", "time.Since"), "time.Since"},
		{"wall clock in cmd", "cmd/berth/run.go", uses("time", "time.Now()"), ""},
		{"duration", "sim/run.go", uses("time", "time.Second"), ""},
		{"renamed import", "sim/run.go", "package sim\nimport wall \"time\"\nvar _ = wall.Tick", "time.Tick"},
		{"dot import", "sim/run.go", "package sim\nimport . \"time\"\nvar _ = Now", "dot import"},
		{"global random source", "cmd/berth/run.go", uses("math/rand/v2", "rand.IntN(6)"), "math/rand/v2.IntN"},
		{"own random source", "sim/run.go", uses("math/rand/v2", "rand.New(rand.NewPCG(1, 2)).IntN(6)"), ""},
		{"shadowed package", "sim/run.go", "package sim\nimport \"math/rand/v2\"\n" +
			"func f() { rand := rand.New(rand.NewPCG(1, 2)); rand.IntN(6) }", ""},
		{"exponential", "reports/table.go", uses("math", "math.Exp(1)"), "math.Exp: its last bits depend on the processor"},
		{"exponential in a test", "reports/table_test.go", uses("math", "math.Exp(1)"), ""},
		{"square root", "reports/table.go", uses("math", "math.Sqrt(2)"), ""},
		{"normal draw", "workloads/web.go", "package workloads\nvar x = rnd.NormFloat64()", "NormFloat64: its last bits depend"},
		{"print", "reports/table.go", uses("fmt", "fmt.Println"), "fmt.Println: only cmd writes"},
		{"standard output", "reports/table.go", uses("os", "os.Stdout"), "os.Stdout: only cmd writes"},
		{"environment", "scheduler/config/legacy_args.go", uses("os", "os.Getenv"), "os.Getenv: what a run reads of the environment"},
		{"environment in the manifest", "scheduler/config/legacy.go", uses("os", "os.Getenv"), ""},
		{"print in an example", "reports/example_test.go", uses("fmt", "fmt.Println"), ""},
		{"function without comment", "sim/run.go", "package sim\nfunc Run() {}", "exported Run has no comment"},
		{"only a directive", "sim/run.go", "package sim\n//go:noinline\nfunc Run() {}", "exported Run has no comment"},
		{"method without comment", "sim/run.go", "package sim\nfunc (*World[K]) Run() {}", "exported Run has no comment"},
		{"method of an unexported type", "sim/run.go", "package sim\nfunc (w *world) Len() int { return 0 }", ""},
		{"type without comment", "sim/run.go", "package sim\n// All.\ntype (\n\tWorld struct{}\n)", "exported World has no comment"},
		{"group of constants", "sim/run.go", "package sim\n// All.\nconst (\n\tA = iota\n\tB\n)", ""},
		{"constants without comment", "sim/run.go", "package sim\nconst (\n\tA = iota // ready\n\tB\n)", "run.go:4: exported B"},
		{"exported in a test", "sim/run_test.go", "package sim\nfunc TestRun() {}", ""},
		{"function at the limit", "sim/run.go", body(functionLimit), ""},
		{"long function", "sim/run.go", body(functionLimit + 1), "sim/run.go:2: f has 81 lines"},
		{"long file", "sim/run.go", "package sim" + strings.Repeat("\n", fileLimit+1), "file has 501 lines"},
		{"many parameters", "sim/run.go", "package sim\nfunc f(a, b, c int, d, e, f string) {}", "f has 6 parameters"},
		{"vague package", "sim/utils/run.go", "package utils", "package utils: name what it holds"},
		{"vague test package", "sim/utils/run_test.go", "package utils_test", "package utils"},
		{"open end", "sim/run.go", "package sim\n// TO" + "DO: more", "sim/run.go:2: "},
		{"part of a word", "sim/run.go", "package sim\n// TO" + "DOS is no such word", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := review{file: tt.file}
			r.openEnds(tt.src)
			if err := r.source([]byte(tt.src)); err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(r.faults) == 0 {
				return
			}
			if tt.want == "" || len(r.faults) != 1 || !strings.Contains(r.faults[0], tt.want) {
				t.Errorf("faults = %q, want one with %q", r.faults, tt.want)
			}
		})
	}
}
