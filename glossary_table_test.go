package berth_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// glossaryFile has the words that the project avoids.
const glossaryFile = "docs/glossary.md"

// avoided is a form of a word that the project does not use.
type avoided struct {
	where, write string
	stem         string // every match has it, in lower case
	match        *regexp.Regexp
}

// find returns where a text has the form. lower is the text in lower case.
func (a *avoided) find(text, lower string) [][]int {
	if !strings.Contains(lower, a.stem) {
		return nil
	}
	return a.match.FindAllStringIndex(text, -1)
}

// places are what the column "where" can say.
var places = []string{"text", "names", "both", "whole names", "headings"}

func (a *avoided) inText() bool { return !a.inNames() || a.where == "both" }
func (a *avoided) inNames() bool {
	return a.where == "names" || a.where == "both" || a.where == "whole names"
}

// readGlossary reads the table of words to avoid.
func readGlossary(t *testing.T) []avoided {
	t.Helper()
	text, err := os.ReadFile(glossaryFile)
	if err != nil {
		t.Fatal(err)
	}
	words, err := parseGlossary(string(text))
	if err != nil {
		t.Fatalf("%s: %v", glossaryFile, err)
	}
	return words
}

// parseGlossary reads the table of a page. Each line up to the next empty one is a row of three cells.
func parseGlossary(page string) ([]avoided, error) {
	_, rows, found := strings.Cut(page, "| not | where | write |\n|---|---|---|\n")
	rows, _, _ = strings.Cut("\n"+rows, "\n\n")
	if !found || rows == "" {
		return nil, fmt.Errorf("there is no table of words to avoid")
	}
	var words []avoided
	for row := range strings.SplitSeq(strings.Trim(rows, "\n"), "\n") {
		inner, begins := strings.CutPrefix(row, "| ")
		inner, ends := strings.CutSuffix(inner, " |")
		cells := strings.Split(inner, " | ")
		switch {
		case !begins || !ends || len(cells) != 3 || strings.Count(row, "|") != 4:
			return nil, fmt.Errorf("%q must be a row of three cells: | not | where | write |", row)
		case !slices.Contains(places, cells[1]):
			return nil, fmt.Errorf("%q: %q must be one of %s", row, cells[1], strings.Join(places, ", "))
		}
		for form := range strings.SplitSeq(cells[0], ", ") {
			if strings.TrimSpace(form) == "" {
				return nil, fmt.Errorf("%q lists an empty form", row)
			}
			first := strings.ToLower(strings.Fields(spaced(form))[0])
			words = append(words, avoided{cells[1], cells[2], strings.TrimSuffix(first, "e"), formPattern(form, cells[1])})
		}
	}
	return words, nil
}

// between is what separates two words of a text: blanks, and the signs that comments and quotes begin lines with.
const between = `[\s#/>*]+`

// formPattern matches a form in any case, or as it is if it begins with a capital. Its words may have regular endings,
// except in a whole name. A name is matched as the words that it consists of.
func formPattern(form, where string) *regexp.Regexp {
	pattern, gap := "", ""
	for i, word := range strings.Fields(spaced(form)) {
		if word == "…" {
			gap += `(?:` + between + `[\w'-]+){0,3}`
			continue
		}
		if i > 0 {
			pattern += gap + between
		}
		if where != "whole names" {
			word = inflected(word)
		}
		pattern, gap = pattern+`\b`+word+`\b`, ""
	}
	switch where {
	case "headings":
		pattern = `(?m)^#+ ` + pattern + `$`
	case "whole names":
		pattern = `^` + pattern + `$`
	}
	if !unicode.IsUpper(rune(form[0])) {
		pattern = `(?i)` + pattern
	}
	return regexp.MustCompile(pattern)
}

// inflected matches a word with the endings -s, -ed and -ing. Other forms of a word are listed in the table.
func inflected(word string) string {
	stem := regexp.QuoteMeta(word)
	if s, ok := strings.CutSuffix(stem, "e"); ok {
		return s + `(?:e|es|ed|ing)`
	}
	return stem + `(?:s|es|ed|ing)?`
}

// spaced separates the words and numbers of a name in mixed caps, as in "HTTP Pods 2".
func spaced(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && (kindOf(r) != kindOf(runes[i-1]) && !(unicode.IsLower(r) && unicode.IsUpper(runes[i-1])) ||
			unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "_", " ")
}

// kindOf is the same for letters between which no word of a name begins.
func kindOf(r rune) int {
	switch {
	case unicode.IsUpper(r):
		return 1
	case unicode.IsLower(r):
		return 2
	case unicode.IsDigit(r):
		return 3
	}
	return 4
}
