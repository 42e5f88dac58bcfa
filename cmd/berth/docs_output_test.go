package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// trimmed stands in a page for lines of output that are not shown.
const trimmed = "…"

// segments are the lines shown, split where lines were trimmed away.
func segments(shown []string) [][]string {
	all := [][]string{nil}
	for _, line := range shown {
		if strings.TrimSpace(line) == trimmed {
			all = append(all, nil)
			continue
		}
		last := len(all) - 1
		all[last] = append(all[last], strings.TrimRight(line, " "))
	}
	return all
}

func outputLines(output string) []string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// compareOutput says how output differs from what is shown of it.
func compareOutput(shown []string, output string) error {
	left := outputLines(output)
	parts := segments(shown)
	for i, part := range parts {
		at := find(left, part)
		switch {
		case i == 0 && at != 0:
			return fmt.Errorf("the output does not begin as shown; it is\n%s", output)
		case at < 0:
			return fmt.Errorf("the output does not contain, in this place,\n%s\nit is\n%s", strings.Join(part, "\n"), output)
		}
		left = left[at+len(part):]
	}
	if len(left) > 0 && len(parts[len(parts)-1]) > 0 {
		return fmt.Errorf("the output goes on after what is shown, and no line %q says so:\n%s", trimmed, strings.Join(left, "\n"))
	}
	return nil
}

// find is where part begins in lines, or -1.
func find(lines, part []string) int {
	for at := 0; at+len(part) <= len(lines); at++ {
		if slices.Equal(lines[at:at+len(part)], part) {
			return at
		}
	}
	return -1
}

// renew shows of a new output what was shown of the old one. What follows a trimmed part is
// found by its first line, and has as many paragraphs as it had; what was shown whole is
// shown whole.
func renew(shown []string, output string) ([]string, error) {
	parts, left := segments(shown), outputLines(output)
	if len(parts) == 1 {
		return left, nil
	}
	var renewed []string
	for i, part := range parts {
		if i > 0 {
			renewed = append(renewed, trimmed)
		}
		at := 0
		if i > 0 && len(part) > 0 {
			at = slices.Index(left, part[0])
		}
		if at < 0 {
			return nil, fmt.Errorf("the output has no line %q any more: edit by hand what is shown", part[0])
		}
		left = left[at:]
		until := paragraphs(left, part)
		renewed, left = append(renewed, left[:until]...), left[until:]
	}
	return renewed, nil
}

// paragraphs is how many lines hold as many paragraphs as the part has.
func paragraphs(lines, part []string) int {
	if len(part) == 0 {
		return 0
	}
	more := 1
	for _, line := range part {
		if line == "" {
			more++
		}
	}
	for i, line := range lines {
		if line == "" {
			more--
		}
		if more == 0 {
			return i
		}
	}
	return len(lines)
}

func TestShownOutputIsCompared(t *testing.T) {
	const output = "one\ntwo  \nthree\nfour\n"
	for _, c := range []struct {
		shown []string
		good  bool
	}{
		{[]string{"one", "two", "three", "four"}, true},
		{[]string{"one", "…"}, true},
		{[]string{"…", "three", "…"}, true},
		{[]string{"one", "…", "four"}, true},
		{[]string{"one", "two", "three"}, false},
		{[]string{"one", "…", "three"}, false},
		{[]string{"two", "…"}, false},
		{[]string{"one", "…", "2", "…"}, false},
		{[]string{"…", "three", "…", "two", "…"}, false},
	} {
		if err := compareOutput(c.shown, output); (err == nil) != c.good {
			t.Errorf("%q: %v", c.shown, err)
		}
	}
}

func TestShownOutputIsRenewed(t *testing.T) {
	shown := []string{"old head", "", "one row", "…", "PART", "old", "…"}
	got, err := renew(shown, "new head\n\none row\nanother\n\nmore\n\nPART\nnew\n\nrest\n")
	want := []string{"new head", "", "one row", "another", "…", "PART", "new", "…"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := renew(shown, "new head\n\none row\n\nmore\n"); err == nil {
		t.Error("a part that is gone was not noticed")
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]+))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unnamed = regexp.MustCompile(`[^\w\- ]`)
)

// anchors are the names that the headings of a page can be linked by.
func anchors(page string) map[string]bool {
	names := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		names[strings.ReplaceAll(unnamed.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return names
}

// brokenLinks are the links of a page, into the repository, that lead nowhere.
func brokenLinks(path, page string) []string {
	var broken []string
	for _, m := range link.FindAllStringSubmatch(page, -1) {
		target := filepath.Join(filepath.Dir(path), m[1])
		if strings.Contains(m[1], ":") {
			continue // out of the repository
		}
		if m[1] == "" {
			target = path
		}
		text, err := os.ReadFile(target)
		if !exists(target) || m[2] != "" && (err != nil || !anchors(string(text))[m[2]]) {
			broken = append(broken, m[0])
		}
	}
	return broken
}

func TestLinksOfTheDocumentationLeadSomewhere(t *testing.T) {
	atRoot(t)
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range brokenLinks(path, string(text)) {
			t.Errorf("%s: %s leads nowhere", path, broken)
		}
	}
	planted := "[a](nowhere.md) [b](README.md#no-such-heading) [c](README.md#berth) [d](https://example.com/x)"
	if broken := brokenLinks("README.md", planted); len(broken) != 2 {
		t.Errorf("of two planted broken links, these were noticed: %q", broken)
	}
}

func TestPlantedBrokenCommandsAreNoticed(t *testing.T) {
	atRoot(t)
	page := strings.Join([]string{
		"```sh", "berth validate scenarios/quickstart.yaml  # a remark", "berth validate scenarios/nowhere.yaml  # exit code 2", "```",
		"```sh", "berth validate scenarios/nowhere.yaml", "berth fly", "rm -rf /", "berth version | cat",
		"berth validate scenarios/quickstart.yaml # exit code 2", "```",
		"<!-- not run: it never ends -->", "```sh", "yes", "```",
	}, "\n")
	blocks := fences(page)
	if len(blocks) != 3 || blocks[2].notRun == "" {
		t.Fatalf("the page has blocks %+v", blocks)
	}
	for i, good := range []bool{true, false} {
		for _, step := range blocks[i].steps() {
			if _, err := newSession(t).run(t, step.command); (err == nil) != good {
				t.Errorf("%s: %v", step.command, err)
			}
		}
	}
}
