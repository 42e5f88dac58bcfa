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
	"strings"
	"testing"
	"unicode"
)

// glossaryFile has the words that the project avoids; the history of changes may quote them.
const glossaryFile = "docs/glossary.md"

var glossaryExempt = []string{glossaryFile, "glossary_test.go", "CHANGELOG.md"}

// avoided is a form of a word that the project does not use.
type avoided struct {
	form  string // in lower case
	write string
	text  *regexp.Regexp // finds the form in text; nil: it may be used there
	names bool           // whether names of Go code must not have it as a word
	whole bool           // whether names of Go code must not be it
}

func TestGlossary(t *testing.T) {
	words := readGlossary(t)
	check := func(file string) error {
		if slices.Contains(glossaryExempt, file) {
			return nil
		}
		isGo := path.Ext(file) == ".go"
		if !isGo && !slices.Contains(proseExtensions, path.Ext(file)) {
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
	}
	// The conformance modules are ones of their own, which walkFiles leaves out.
	for _, root := range []string{".", "conformance", "conformance/schedulerplugins"} {
		if err := walkFiles(root, func(file string) error { return check(path.Join(root, file)) }); err != nil {
			t.Fatal(err)
		}
	}
}

// readGlossary reads the table of words to avoid.
func readGlossary(t *testing.T) []avoided {
	t.Helper()
	text, err := os.ReadFile(glossaryFile)
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| not | where | write |\n|---|---|---|\n")
	if !found {
		t.Fatalf("%s has no table of words to avoid", glossaryFile)
	}
	var words []avoided
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 3 {
			break
		}
		for form := range strings.SplitSeq(cells[0], ", ") {
			a := avoided{
				form: strings.ToLower(form), write: cells[2],
				names: cells[1] == "names" || cells[1] == "both", whole: cells[1] == "whole names",
			}
			if cells[1] == "text" || cells[1] == "both" {
				a.text = regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(regexp.QuoteMeta(a.form), " ", `\s+`) + `\b`)
			}
			words = append(words, a)
		}
	}
	if len(words) == 0 {
		t.Fatalf("%s lists no words to avoid", glossaryFile)
	}
	return words
}

// glossaryFaults returns where a file uses words to avoid, as "file:line: what". Its error is a syntax error.
func glossaryFaults(words []avoided, file string, src []byte) ([]string, error) {
	var faults []string
	inText := func(line int, text string) {
		for _, w := range words {
			if w.text == nil {
				continue
			}
			for _, at := range w.text.FindAllStringIndex(text, -1) {
				faults = append(faults, fmt.Sprintf("%s:%d: %q: write %s", file, line+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], w.write))
			}
		}
	}
	if path.Ext(file) != ".go" {
		inText(1, string(src))
		return faults, nil
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range parsed.Comments {
		inText(set.Position(group.Pos()).Line, group.Text())
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				inText(set.Position(n.Pos()).Line, n.Value)
			}
		case *ast.Ident:
			for _, w := range words {
				if w.names && slices.Contains(wordsOf(n.Name), w.form) || w.whole && strings.EqualFold(n.Name, w.form) {
					faults = append(faults, fmt.Sprintf("%s:%d: the name %s: write %s", file, set.Position(n.Pos()).Line, n.Name, w.write))
				}
			}
		}
		return true
	})
	return faults, nil
}

// wordsOf splits a name in mixed caps into words in lower case.
func wordsOf(name string) []string {
	var words []string
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		ends := i == len(runes) || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if ends {
			words = append(words, strings.ToLower(string(runes[start:i])))
			start = i
		}
	}
	return words
}

func TestGlossaryTripsOnPlantedViolations(t *testing.T) {
	words := readGlossary(t)
	tests := []struct {
		name, file, src string
		want            string // part of the one fault; empty: none
	}{
		{"comment", "sim/a.go", "package sim\n\n// F says\n// whether it is so.\nfunc F() {}\n", `sim/a.go:3: "says\nwhether": write reports whether`},
		{"message", "sim/a.go", "package sim\nvar s = `the pod is made anew`\n", `"made anew": write re-created`},
		{"name", "sim/a.go", "package sim\nfunc setDoomBy() {}\n", "sim/a.go:2: the name setDoomBy"},
		{"acronym in a name", "sim/a.go", "package sim\nvar HTTPMoods int\n", "the name HTTPMoods"},
		{"whole name", "sim/a.go", "package sim\nfunc Turn() {}\n", "the name Turn: write incarnation"},
		{"part of a word in a name", "sim/a.go", "package sim\nvar turned, inTurn, doomsday int\n", ""},
		{"word that only names must not have", "sim/a.go", "package sim\n\n// It is the turn of the moods.\nvar a int\n", ""},
		{"docs", "docs/a.md", "One.\n\nWhat is Not there\nyet.\n", `docs/a.md:3: "Not there\nyet": write not supported`},
		{"scenario", "scenarios/a.yaml", "# heeds taints\n", `scenarios/a.yaml:1: "heeds"`},
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
