package berth_test

import (
	"bufio"
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var arm64Binaries = flag.String("arm64", "", "binaries built for arm64, separated by spaces, for TestNoFusedInstructions")

// TestNoFusedInstructions: on arm64 the compiler makes x*y + z one instruction, which rounds once where amd64 rounds
// twice. A product that is added to something is written float64(x*y), which forbids that.
func TestNoFusedInstructions(t *testing.T) {
	if *arm64Binaries == "" {
		t.Skip("needs binaries for arm64: make same-bytes")
	}
	for _, binary := range strings.Fields(*arm64Binaries) {
		for _, found := range fusedInstructions(t, binary) {
			t.Errorf("%s: %s: round the product, float64(x*y), before it is added to something", filepath.Base(binary), found)
		}
	}
}

// fused matches the names that Go's disassembler gives to multiply-add and multiply-subtract of both precisions.
var fused = regexp.MustCompile(`\bFN?M(ADD|SUB)[SD]\b`)

// fusedInstructions returns the functions of this module with a fused instruction, each with the file and line.
func fusedInstructions(t *testing.T, binary string) []string {
	t.Helper()
	disassembler := exec.Command("go", "tool", "objdump", "-s", regexp.QuoteMeta(modulePath), binary)
	out, err := disassembler.Output()
	if err != nil {
		t.Fatalf("go tool objdump %s: %v", binary, err)
	}
	functions, found := scanFused(bytes.NewReader(out))
	if functions == 0 {
		t.Fatalf("%s has no function of %s", binary, modulePath)
	}
	return found
}

// scanFused reads what go tool objdump prints.
func scanFused(disassembly io.Reader) (functions int, found []string) {
	function := ""
	lines := bufio.NewScanner(disassembly)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if header, ok := strings.CutPrefix(line, "TEXT "); ok {
			function, _, _ = strings.Cut(header, "(SB)")
			functions++
		} else if fused.MatchString(line) {
			found = append(found, strings.Fields(line)[0]+": "+strings.TrimPrefix(function, modulePath+"/"))
		}
	}
	slices.Sort(found)
	return functions, slices.Compact(found)
}

func TestNoFusedInstructionsTripsOnPlantedViolations(t *testing.T) {
	dir := t.TempDir()
	source, object := filepath.Join(dir, "planted.go"), filepath.Join(dir, "planted.o")
	err := os.WriteFile(source, []byte(`package planted

func Added(x, y, z float64) float64      { return x*y + z }
func Subtracted(x, y, z float64) float64 { return z - x*y }
func Single(x, y, z float32) float32     { return x*y - z }
func Sum(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
func Rounded(x, y, z float64) float64 { return float64(x*y) + z }
`), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	compiler := exec.Command("go", "tool", "compile", "-p", modulePath+"/planted", "-o", object, source)
	compiler.Env = append(os.Environ(), "GOARCH=arm64")
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Fatalf("go tool compile: %v\n%s", err, out)
	}
	got := fusedInstructions(t, object)
	want := []string{"planted.go:3: planted.Added", "planted.go:4: planted.Subtracted", "planted.go:5: planted.Single", "planted.go:8: planted.Sum"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
