package berth_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// firstWord finds the identifier that a comment begins with.
	firstWord = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)
	// mixedCaps finds what only an identifier looks like: a small letter before a capital one, or an underscore.
	mixedCaps = regexp.MustCompile(`\p{Ll}\p{Lu}|_`)
)

func TestDocCommentsBeginWithTheName(t *testing.T) {
	err := walkModules(".", func(file string) error {
		if path.Ext(file) != ".go" {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		faults, err := docCommentFaults(file, src)
		for _, fault := range faults {
			t.Error(fault)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// walkModules visits the files of this module and of all modules in folders of it, test data too, as slash-separated
// paths below root.
func walkModules(root string, visit func(file string) error) error {
	return fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || file == ".":
			return err
		case !entry.IsDir():
			return visit(file)
		case entry.Name() == ".git":
			return fs.SkipDir
		}
		return nil
	})
}

// docCommentFaults returns the declarations of a file whose comments begin with another name. Its error is a syntax
// error.
func docCommentFaults(file string, src []byte) ([]string, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	r := review{file: file, lines: set.File(parsed.Pos())}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			r.docComment(d.Doc, !r.test(), d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				doc := d.Doc
				if d.Lparen.IsValid() { // the comment above is on the group
					doc = nil
				}
				r.docCommentOfSpec(spec, doc)
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok {
			r.docComment(field.Doc, false, field.Names...)
		}
		return true
	})
	return r.faults, nil
}

func (r *review) docCommentOfSpec(spec ast.Spec, doc *ast.CommentGroup) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if doc == nil {
			doc = s.Doc
		}
		r.docComment(doc, !r.test(), s.Name)
	case *ast.ValueSpec:
		grouped := doc == nil
		if grouped {
			doc = s.Doc
		}
		r.docComment(doc, !r.test() && !grouped, s.Names...)
	}
}

// docComment reviews the comment on a declaration of some names. The comment begins with one of them, after an article
// or not, if strict and the names are exported; otherwise it may begin with a word that cannot be taken for a name.
func (r *review) docComment(doc *ast.CommentGroup, strict bool, names ...*ast.Ident) {
	words := strings.Fields(doc.Text())
	if len(words) == 0 || len(names) == 0 || words[0] == "Upstream:" {
		return
	}
	first := firstWord.FindString(words[0])
	if slices.Contains([]string{"A", "An", "The"}, first) && len(words) > 1 {
		first = firstWord.FindString(words[1])
	}
	named := func(name *ast.Ident) bool { return name.Name == first }
	exported := func(name *ast.Ident) bool { return name.IsExported() }
	looksLikeName := words[0] == first+":" || words[0] == first && (mixedCaps.MatchString(first) || strings.ToLower(first[:1]) == first[:1])
	if !slices.ContainsFunc(names, named) && (looksLikeName || strict && slices.ContainsFunc(names, exported)) {
		r.fault(r.lines.Line(doc.Pos()), "the comment on %s begins with %q: begin with the name", names[0].Name, first)
	}
}

func TestDocCommentsTripOnPlantedViolations(t *testing.T) {
	tests := []struct {
		name, file, src string
		want            string // part of the one fault; empty: none
	}{
		{"function", "sim/a.go", "// Stop ends it.\nfunc Halt() {}", `sim/a.go:2: the comment on Halt begins with "Stop"`},
		{"method", "sim/a.go", "// keptFor is it.\nfunc (a *b) reservedFor() {}", `the comment on reservedFor begins with "keptFor"`},
		{"small word", "sim/a.go", "// look is it.\ntype nodeLabels struct{}", `the comment on nodeLabels begins with "look"`},
		{"constant", "sim/a.go", "// Three of them.\nconst Limit = 3", "the comment on Limit"},
		{"constant of a group", "sim/a.go", "const (\n\t// noLimit is none.\n\tlimit = 3\n)", "sim/a.go:3: the comment on limit"},
		{"type of a group", "sim/a.go", "type (\n\t// A Box holds it.\n\tCrate struct{}\n)", "the comment on Crate"},
		{"field", "sim/a.go", "type a struct {\n\t// limitsCome: later.\n\tLimitsFollow bool\n}", "the comment on LimitsFollow"},
		{"method of an interface", "sim/a.go", "type a interface {\n\t// doIt does it.\n\tDo()\n}", "the comment on Do"},
		{"in the conformance module", "conformance/a.go", "// Stop ends it.\nfunc Halt() {}", "the comment on Halt"},
		{"in a test", "sim/a_test.go", "// TestB checks it.\nfunc TestA() {}", "the comment on TestA"},
		{"own name", "sim/a.go", "// Halt ends it.\nfunc Halt() {}", ""},
		{"article", "sim/a.go", "// A Box holds it.\ntype Box struct{}", ""},
		{"one of several names", "sim/a.go", "// B is larger.\nvar A, B int", ""},
		{"group", "sim/a.go", "// All of them.\nconst (\n\tA = 1\n)", ""},
		{"sentence on what is not exported", "sim/a.go", "// Largest first.\nfunc less() {}", ""},
		{"sentence on a test", "sim/a_test.go", "// Nothing is lost.\nfunc TestA() {}", ""},
		{"compound word", "sim/a_test.go", "// kube-scheduler waits.\nfunc TestA() {}", ""},
		{"directive", "sim/a.go", "//go:noinline\nfunc Halt() {}", ""},
		{"source of a copied rule", "sim/a.go", "// Upstream: validateA, v1.36.3.\nfunc checkA() {}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults, err := docCommentFaults(tt.file, []byte("package sim\n"+tt.src+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && len(faults) == 0 {
				return
			}
			if tt.want == "" || len(faults) != 1 || !strings.Contains(faults[0], tt.want) {
				t.Errorf("faults = %q, want one with %q", faults, tt.want)
			}
		})
	}
}
