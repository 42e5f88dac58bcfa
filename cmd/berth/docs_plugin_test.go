package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The example of a plugin of one's own prints what docs/library.md shows, and is as short
// as it says.
func TestExamplePlugin(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skipf("no Go to build the example with: %v", err)
	}
	atRoot(t)
	const command = "go run ./docs/examples/plugin"
	page, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := fences(string(page))
	at := slices.IndexFunc(blocks, func(f fence) bool { return len(f.lines) > 0 && f.lines[0] == "$ "+command })
	if at < 0 {
		t.Fatalf("docs/library.md does not show %s", command)
	}
	out, err := exec.Command(tool, strings.Fields(command)[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := compareOutput(blocks[at].lines[1:], string(out)); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile("docs/examples/plugin/main.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	_, code, _ := strings.Cut(string(text), "// mostPods")
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if lines >= 40 {
		t.Errorf("the example has %d lines behind its imports, fewer than 40 were promised", lines)
	}
}
