package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestManyBrokenFiles reads a directory of 2,000 files of which half are broken, each in one of five ways: the first errors of
// all files are shown at once, those that cannot be parsed before the others, and the rest are counted.
func TestManyBrokenFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("good", 0o755); err != nil {
		t.Fatal(err)
	}
	broken := []string{
		"{apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {containers: []}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: p%d",
		"{apiVersion: v1, kind: Podd, metadata: {name: p%d}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {nodeNam: n, containers: [{name: c, image: i}]}}",
		"\x00\x1b[31m%d",
	}
	for i := range 2000 {
		text := fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: c%d}}", i)
		if i%2 == 0 {
			text = fmt.Sprintf(broken[i/2%len(broken)], i)
		}
		writeTestFile(t, fmt.Sprintf("bad/%04d.yaml", i), text)
	}
	a := attack{victim: victim{name: "0000.yaml"}, command: "place -f BADDIR"}
	for _, fault := range a.faults(t.Context()) {
		t.Error(fault)
	}
	r := berth(t.Context(), defaultWidth, a.args()...)
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	if r.code != exitInput || len(lines) != maxErrors+2 || lines[maxErrors] != "and 900 more errors" ||
		!strings.HasPrefix(lines[maxErrors+1], "1,000 of 2,000 files have errors: --exclude PATTERN leaves out files") {
		t.Errorf("exit %d with %d lines, the last of which is %q", r.code, len(lines), lines[len(lines)-1])
	}
}
