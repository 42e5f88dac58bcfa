package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// made is where in the page of the commands the part begins that is made from them.
const made = "<!-- made by: go test ./cmd/berth -run TestCommandReference -args -rewrite -->\n"

func TestCommandReferenceIsUpToDate(t *testing.T) {
	atRoot(t)
	const path = "docs/cli.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(page), made)
	if !found {
		t.Fatalf("%s has no line %s", path, made)
	}
	current := head + made + commandReference()
	switch {
	case rewriting():
		rewrite(t, path, string(page), current)
	case current != string(page):
		t.Errorf("%s is out of date; go test ./cmd/berth -args -rewrite writes it again", path)
	}
}

// commandReference is a section for every verb.
func commandReference() string {
	var b strings.Builder
	for _, c := range verbs(newRoot(streams{width: defaultWidth})) {
		if c.Hidden || c.Name() == "help" || c.HasParent() && c.Parent().Name() == "completion" {
			continue
		}
		level := max(len(strings.Fields(c.CommandPath())), 2)
		fmt.Fprintf(&b, "\n%s %s\n\n%s\n", strings.Repeat("#", level), c.CommandPath(), cmp.Or(c.Long, c.Short+"."))
		if c.Runnable() {
			fmt.Fprintf(&b, "\n```text\n%s\n", c.UseLine())
			if flags := c.NonInheritedFlags().FlagUsages(); flags != "" {
				b.WriteString("\n" + flags)
			}
			b.WriteString("```\n")
		}
		if lines := examples(c); len(lines) > 0 {
			fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.Join(lines, "\n"))
		}
	}
	return b.String()
}

// dataKeys are the members of berth's JSON whose own keys are names, not words of the format.
var dataKeys = []string{"metrics", "units", "amounts", "allocatable", "labels", "reasons", "scores"}

// keysOf are the keys of a JSON value, at any depth.
func keysOf(value any, into map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			into[key] = true
			if !slices.Contains(dataKeys, key) {
				keysOf(member, into)
			}
		}
	case []any:
		for _, element := range v {
			keysOf(element, into)
		}
	}
}

// jsonKeys are the keys of a stream of JSON values, and the kinds of records.
func jsonKeys(t *testing.T, text []byte, into map[string]bool) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	for d.More() {
		var value map[string]any
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		keysOf(value, into)
		if kind, ok := value["kind"].(string); ok {
			into[kind] = true
		}
	}
}

func TestEveryKeyOfTheOutputIsDocumented(t *testing.T) {
	atRoot(t)
	page, err := os.ReadFile("docs/output.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, scenario := range []string{"quickstart", "preemption"} {
		dir := filepath.Join(t.TempDir(), scenario)
		var output bytes.Buffer
		args := []string{"run", "scenarios/" + scenario + ".yaml", "--inflate", "--horizon", "1h30m", "--out", dir}
		if code := execute(context.Background(), args, streams{out: &output, err: &output}); code != exitDone {
			t.Fatalf("%v ends with code %d:\n%s", args, code, output.String())
		}
		for _, name := range []string{"manifest.json", "summary.json", "records.jsonl"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			jsonKeys(t, text, keys)
		}
	}
	var output bytes.Buffer
	args := []string{"place", "-f", "scenarios/manifests/cluster.yaml", "--scores", "-o", "jsonl"}
	if code := execute(context.Background(), args, streams{out: &output, err: &output}); code != exitDone {
		t.Fatalf("%v ends with code %d:\n%s", args, code, output.String())
	}
	jsonKeys(t, output.Bytes(), keys)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !strings.Contains(string(page), "`"+key+"`") {
			t.Errorf("docs/output.md does not say what `%s` is", key)
		}
	}
}
