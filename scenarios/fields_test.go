package scenarios_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

// forPeople are the fields that a run does not depend on, or that have one value only.
var forPeople = []string{"apiVersion", "kind", "metadata.description", "metadata.labels"}

// TestEveryFieldMatters changes each field of the schema and wants another run: a field
// that is accepted and ignored would be found here.
func TestEveryFieldMatters(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range fieldFiles {
		write(t, name, text)
	}
	seen := map[string]bool{}
	for _, c := range fieldCases() {
		seen[c.field] = true
		t.Run(c.field, func(t *testing.T) {
			from, to := fingerprint(t, c.from), fingerprint(t, c.to)
			if from == to {
				t.Errorf("the run is the same with\n%s\nand with\n%s", c.from, c.to)
			}
		})
	}
	fields := leaves(reflect.TypeFor[scenarios.File](), "")
	for _, span := range leaves(reflect.TypeFor[scenarios.DurationDistribution](), "") {
		fields = append(fields, "span."+span)
	}
	for _, field := range fields {
		if !seen[field] && !slices.Contains(forPeople, field) && !isRefused(field) {
			t.Errorf("%s has no case", field)
		}
		delete(seen, field)
	}
	for field := range seen {
		t.Errorf("%s is not a field", field)
	}
}

// leaves are the paths of the fields of a type that hold values, in the order of the
// type.
func leaves(t reflect.Type, path string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
			path += "[]"
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[scenarios.File]().PkgPath() {
		return []string{path}
	}
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			out = append(out, leaves(f.Type, path)...)
		case path == "":
			out = append(out, leaves(f.Type, name)...)
		default:
			out = append(out, leaves(f.Type, path+"."+name)...)
		}
	}
	return out
}

// fingerprint is all that a run records.
func fingerprint(t *testing.T, text string) string {
	t.Helper()
	write(t, "in.yaml", completed(text))
	s, err := scenarios.Load("in.yaml")
	if err != nil {
		t.Fatalf("%v\nof\n%s", err, text)
	}
	run, err := s.Build(scenarios.Options{})
	if err != nil {
		t.Fatalf("%v\nof\n%s", err, text)
	}
	defer run.Close()
	log := play(t, run)
	if log.err != nil {
		return log.err.Error()
	}
	out, err := json.Marshal(log.records)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestFingerprint holds the yardstick of TestEveryFieldMatters to its task: two runs of
// one scenario are the same.
func TestFingerprint(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "seed: 3\nworkloads:\n" + synthetic("arrivals: {poisson: {rate: 1/m}}")
	if first, second := fingerprint(t, text), fingerprint(t, text); first != second {
		t.Error("two runs of one scenario differ")
	}
	if _, err := os.Stat("in.yaml"); err != nil {
		t.Error(err)
	}
}

const podSpec = `{spec: {containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}`

// synthetic is a workload with one template.
func synthetic(fields string) string {
	return "  - {name: web, " + fields + ", template: " + podSpec + "}\n"
}

// fieldCase is a scenario before and after a change of one field.
type fieldCase struct{ field, from, to string }

// change makes a case of a text with one hole.
func change(field, text, from, to string) fieldCase {
	if !strings.Contains(text, "@") {
		panic("no hole in " + text)
	}
	return fieldCase{field, strings.ReplaceAll(text, "@", from), strings.ReplaceAll(text, "@", to)}
}

func fieldCases() []fieldCase {
	return slices.Concat(topCases(), fleetCases(), workloadCases(), arrivalCases(), spanCases(), traceCases(), eventCases(), deviceCases())
}
