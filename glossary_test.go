package berth_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// glossaryExempt are files that may quote the words, and the texts of others.
var glossaryExempt = []string{glossaryFile, "glossary_test.go", "CHANGELOG.md", "LICENSE"}

// textExtensions are those of the files, besides Go's, whose words are checked. Files without an extension are checked too.
var textExtensions = append([]string{"", ".markdown", ".txt", ".txtar", ".tmpl", ".table", ".js", ".css", ".json", ".jsonl", ".s"}, proseExtensions...)

func TestGlossary(t *testing.T) {
	words := readGlossary(t)
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "fuzz" {
				return fs.SkipDir // found inputs are not written by people
			}
			return nil
		}
		isGo := path.Ext(file) == ".go"
		if slices.Contains(glossaryExempt, file) || !isGo && !slices.Contains(textExtensions, path.Ext(file)) {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		faults, err := glossaryFaults(words, file, src)
		for _, fault := range faults {
			t.Error(fault)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// glossaryFaults returns where a file uses words to avoid, as "file:line: what". Its error is a syntax error.
func glossaryFaults(words []avoided, file string, src []byte) ([]string, error) {
	r := glossaryReview{words: words, file: file, lines: token.NewFileSet()}
	if path.Ext(file) != ".go" {
		r.text(1, string(src))
		return r.faults, nil
	}
	parsed, err := parser.ParseFile(r.lines, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range parsed.Comments {
		r.text(r.line(group), group.Text())
	}
	ast.Inspect(parsed, r.node)
	return r.faults, nil
}

// A glossaryReview gathers the uses of words to avoid in one file.
type glossaryReview struct {
	words  []avoided
	file   string
	lines  *token.FileSet
	faults []string
}

func (r *glossaryReview) line(n ast.Node) int { return r.lines.Position(n.Pos()).Line }

func (r *glossaryReview) text(line int, text string) {
	lower := strings.ToLower(text)
	for _, w := range r.words {
		if !w.inText() {
			continue
		}
		for _, at := range w.find(text, lower) {
			r.faults = append(r.faults, fmt.Sprintf("%s:%d: %q: write %s", r.file, line+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], w.write))
		}
	}
}

func (r *glossaryReview) name(line int, name string) {
	words := spaced(name)
	lower := strings.ToLower(words)
	for _, w := range r.words {
		if w.inNames() && len(w.find(words, lower)) > 0 {
			r.faults = append(r.faults, fmt.Sprintf("%s:%d: the name %s: write %s", r.file, line, name, w.write))
		}
	}
}

// node reviews strings and names. A name of another package is reviewed where it is declared.
func (r *glossaryReview) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		r.text(r.line(n), stringText(n))
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			r.text(r.line(n), r.sum(n))
			return false
		}
	case *ast.SelectorExpr:
		ast.Inspect(n.X, r.node)
		return false
	case *ast.Ident:
		r.name(r.line(n), n.Name)
	}
	return true
}

// sum returns the text that + puts together; what is not a literal is reviewed by itself and stands as a word in it.
func (r *glossaryReview) sum(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return stringText(e)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return r.sum(e.X) + r.sum(e.Y)
		}
	}
	ast.Inspect(e, r.node)
	return "x"
}

// stringText is what a literal says. Only a raw string keeps its line breaks, since they are lines of the file too.
func stringText(lit *ast.BasicLit) string {
	text, err := strconv.Unquote(lit.Value)
	switch {
	case lit.Kind != token.STRING || err != nil:
		return ""
	case strings.HasPrefix(lit.Value, "`"):
		return text
	}
	return strings.ReplaceAll(text, "\n", " ")
}

func TestGlossaryTripsOnPlantedViolations(t *testing.T) {
	words := readGlossary(t)
	tests := []struct {
		name, file, src string
		want            string // part of the one fault; empty: none
	}{
		{"comment", "sim/a.go", "package sim\n\n// F says\n// whether it is so.\nfunc F() {}\n", `sim/a.go:3: "says\nwhether": write report whether`},
		{"message", "sim/a.go", "package sim\nvar s = `the pod is made anew`\n", `"made anew": write re-create`},
		{"message in parts", "sim/a.go", "package sim\nvar s = \"not there \" +\n\t\"yet\"\n", `sim/a.go:2: "not there yet"`},
		{"message with a value", "sim/a.go", "package sim\nvar s = \"turns \" + name + \" down\"\n", `"turns x down"`},
		{"message beside a value", "sim/a.go", "package sim\nvar s = f(`dooms`) + \"it\"\n", `"dooms"`},
		{"message over lines", "sim/a.go", "package sim\nvar s = \"not there\\nyet\"\n", `"not there yet"`},
		{"name", "sim/a.go", "package sim\nfunc setDoomBy() {}\n", "sim/a.go:2: the name setDoomBy"},
		{"name of two words", "sim/a.go", "package sim\nfunc moveToPool() {}\n", "the name moveToPool"},
		{"name with a digit", "sim/a.go", "package sim\nvar doom2 int\n", "the name doom2"},
		{"acronym in a name", "sim/a.go", "package sim\nvar HTTPMoods int\n", "the name HTTPMoods"},
		{"whole name", "sim/a.go", "package sim\nfunc Turn() {}\n", "the name Turn: write incarnation"},
		{"exported whole name", "sim/a.go", "package sim\nfunc Under() {}\n", "the name Under"},
		{"name that only exported names must not be", "sim/a.go", "package sim\nfunc under() {}\n", ""},
		{"name of another package", "sim/a.go", "package sim\nvar s = strings.Cut\n", ""},
		{"part of a word in a name", "sim/a.go", "package sim\nvar turned, inTurn, doomsday int\n", ""},
		{"word that only names must not have", "sim/a.go", "package sim\n\n// It is the turn of the moods.\nvar a int\n", ""},
		{"docs", "docs/a.md", "One.\n\nWhat is Not there\nyet.\n", `docs/a.md:3: "Not there\nyet": write not supported`},
		{"heading", "docs/a.md", "## Words\n", "write Terms"},
		{"inflection", "scenarios/a.yaml", "# heeding taints\n", `scenarios/a.yaml:1: "heeding"`},
		{"inflection of a word with e", "docs/a.md", "The run, hoping for a node.\n", `"hoping for"`},
		{"comment over lines", "scenarios/a.yaml", "# not there\n# yet\n", `"not there\n# yet"`},
		{"phrase with a gap", "a.txt", "It turned all of them down.\n", `"turned all of them down"`},
		{"phrase with a wide gap", "a.txt", "It turns the pods of this namespace down.\n", `"turns the pods of this namespace down"`},
		{"phrase with too wide a gap", "a.txt", "It turned all of them round and then went down.\n", ""},
		{"phrase with too wide a gap for one sign", "a.txt", "They told what none of them said apart.\n", ""},
		{"phrase that is a metaphor", "a.txt", "What speaks against it.\n", `"speaks against": write reject`},
		{"phrase over two sentences", "a.txt", "It turned. Down there.\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults, err := glossaryFaults(words, tt.file, []byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(faults) == 0 {
				return
			}
			if tt.want == "" || len(faults) != 1 || !strings.Contains(faults[0], strings.ReplaceAll(tt.want, "\n", `\n`)) {
				t.Errorf("faults = %q, want one with %q", faults, tt.want)
			}
		})
	}
}

func TestGlossaryRefusesMalformedTables(t *testing.T) {
	const head = "| not | where | write |\n|---|---|---|\n"
	for _, tt := range []struct{ page, want string }{
		{head + "| a | text | b |\n| c | both | d |\n\nText | of | the | page.\n", ""},
		{"Text.\n", "there is no table"},
		{head + "\n| a | text | b |\n", "there is no table"},
		{head + "| a | txet | b |\n", `"txet" must be one of`},
		{head + "| a | text | b |\n| c | text |\n| d | text | e |\n\n", "must be a row of three cells"},
		{head + "| a | text | b | c |\n", "must be a row of three cells"},
		{head + "| a | text | b |\nc | text | d\n", "must be a row of three cells"},
		{head + "| a|b | text | c |\n", "must be a row of three cells"},
		{head + "| a, , b | text | c |\n", "empty form"},
	} {
		words, err := parseGlossary(tt.page)
		switch {
		case tt.want == "" && (err != nil || len(words) != 2):
			t.Errorf("%q: %v, %v, want two words", tt.page, words, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%q: %v, want an error with %q", tt.page, err, tt.want)
		}
	}
}
