package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
)

const scenarioPage = "docs/scenario.md"

// documented is what a row of a table of the scenario reference says of a field.
type documented struct{ kind, preset, meaning string }

var fieldRow = regexp.MustCompile("^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| (.+) \\|$")

// documentedFields are the rows of the page, by path.
func documentedFields(page string) map[string]documented {
	rows := map[string]documented{}
	for line := range strings.Lines(page) {
		if m := fieldRow.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			rows[m[1]] = documented{m[2], m[3], m[4]}
		}
	}
	return rows
}

// schemaField is a field of the scenario file.
type schemaField struct {
	kind     string // as the page names it
	required bool
	words    []string // it takes one of these
}

// fields is the fields of a scenario by path, read off the types that decode it.
type fields map[string]schemaField

// families are structs that several fields share; the page has them once.
var families = map[reflect.Type]string{
	reflect.TypeFor[scenarios.TraceOptions](): "workloads[].trace.*",
	reflect.TypeFor[scenarios.Selection]():    "events[].*",
}

// freeKinds are the fields that are read later than the file, by what they are called.
var freeKinds = map[string]string{
	"fleet[].template": "Node", "workloads[].template": "PodTemplateSpec", "workloads[].templates[].template": "PodTemplateSpec",
}

var scalarKinds = map[reflect.Type]string{
	reflect.TypeFor[scenarios.Duration](): "duration", reflect.TypeFor[scenarios.Rate](): "rate",
	reflect.TypeFor[release.Release](): "release", reflect.TypeFor[recipe.Horizon](): "horizon", reflect.TypeFor[scenarios.MilliCPU](): "quantity",
	reflect.TypeFor[scenarios.Bytes](): "quantity",
}

func (s fields) walk(at string, of reflect.Type) {
	if family, shared := families[of]; shared {
		at = family
	}
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			s.walk(at, f.Type)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		path := strings.TrimPrefix(at+"."+name, ".")
		field := schemaField{}
		for rule := range strings.SplitSeq(f.Tag.Get("doc"), ",") {
			words, choice := strings.CutPrefix(rule, "oneof=")
			field.required = field.required || rule == "required"
			if choice {
				field.words = strings.Split(words, "|")
			}
		}
		field.kind = s.kindOf(path, f.Type)
		s[path] = field
	}
}

// kindOf is what the page calls a type; the fields of a struct are walked.
func (s fields) kindOf(path string, of reflect.Type) string {
	if kind, scalar := scalarKinds[of]; scalar {
		return kind
	}
	switch {
	case of == reflect.TypeFor[document.Value]():
		if kind, free := freeKinds[path]; free {
			return kind
		}
		return "span"
	case of.Kind() == reflect.Pointer:
		return s.kindOf(path, of.Elem())
	case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct:
		s.walk(path+"[]", of.Elem())
		return "list"
	case of.Kind() == reflect.Slice:
		return "list of " + s.kindOf(path, of.Elem())
	case of.Kind() == reflect.Map:
		return "map of " + s.kindOf(path, of.Elem())
	case of.Kind() == reflect.Struct:
		s.walk(path, of)
		return "mapping"
	}
	return map[reflect.Kind]string{
		reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer", reflect.Uint64: "integer", reflect.Float64: "number",
	}[of.Kind()]
}

// scenarioSchema is every field that a scenario can have.
func scenarioSchema() fields {
	s := fields{}
	s.walk("", reflect.TypeFor[scenarios.File]())
	s.walk("span", reflect.TypeFor[scenarios.DurationDistribution]())
	return s
}

// undocumented says where the page and the schema differ, one sentence each.
func undocumented(s fields, rows map[string]documented) []string {
	var faults []string
	for _, path := range slices.Sorted(maps.Keys(s)) {
		f, row := s[path], rows[path]
		switch {
		case row == documented{}:
			faults = append(faults, path+" is not documented")
			continue
		case row.kind != f.kind:
			faults = append(faults, fmt.Sprintf("%s is called a %s, it is a %s", path, row.kind, f.kind))
		case f.required && row.preset != "required":
			faults = append(faults, path+" is required")
		}
		for _, word := range f.words {
			if !strings.Contains(row.preset+row.meaning, "`"+word+"`") {
				faults = append(faults, fmt.Sprintf("%s does not say that it may be %s", path, word))
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(rows)) {
		if _, is := s[path]; !is && strings.ContainsAny(path, ".") {
			faults = append(faults, path+" is documented, and is not a field")
		}
	}
	return faults
}

func TestEveryFieldOfAScenarioIsDocumented(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile(scenarioPage)
	if err != nil {
		t.Fatal(err)
	}
	s, rows := scenarioSchema(), documentedFields(string(page))
	for _, fault := range undocumented(s, rows) {
		t.Errorf("%s: %s", scenarioPage, fault)
	}
	rows["fleet[].color"] = documented{"string", "none", "planted"}
	delete(rows, "seed")
	rows["tieBreak"] = documented{"string", "`random`", "`random`, `first` or `rank`"}
	if planted := undocumented(s, rows); len(planted) != 3 {
		t.Errorf("three planted faults give %q", planted)
	}
}

// minimal is what every scenario needs, section by section.
var minimal = []struct{ field, text string }{
	{"apiVersion", "apiVersion: " + scenarios.APIVersion},
	{"kind", "kind: " + scenarios.Kind},
	{"metadata", "metadata: {name: fragment}"},
	{"horizon", "horizon: 1h"},
	{"fleet", "fleet: [{pool: general, count: 1, template: {status: {allocatable: {cpu: \"16\", memory: 64Gi}}}}]"},
}

// complete makes a scenario of a fragment of one; a whole document stays as it is.
func complete(text string) string {
	fields := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(\w+):`).FindAllStringSubmatch(text, -1) {
		fields[m[1]] = true
	}
	if fields["kind"] {
		return text
	}
	for _, m := range minimal {
		if !fields[m.field] {
			text += "\n" + m.text
		}
	}
	return text
}

// The YAML of the pages is scenarios, fragments of them, rules of gates, and scheduler configurations.
func TestYAMLOfTheDocumentationIsValid(t *testing.T) {
	atRoot(t)
	dir := t.TempDir()
	for _, from := range []string{"scenarios", standIns} { // what a scenario may refer to
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fences(string(text)) {
			if f.lang != "yaml" || f.notRun != "" {
				continue
			}
			if err := validateBlock(t, dir, strings.Join(f.lines, "\n")); err != nil {
				t.Errorf("%s:%d: %v", path, f.line+1, err)
			}
		}
	}
	for _, planted := range []string{"horizont: 2h", "kind: Scenario", "collect: {every: soon}", "policy: nowhere.yaml"} {
		if validateBlock(t, dir, planted) == nil {
			t.Errorf("%q was taken for valid", planted)
		}
	}
}

// validateBlock validates the text of a YAML block as if it were a file in dir.
func validateBlock(t *testing.T, dir, text string) error {
	t.Helper()
	file := filepath.Join(dir, "block-of-a-page.yaml")
	if err := os.WriteFile(file, []byte(complete(text)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := validateFile(file, recipe.Recipe{})
	return err
}
