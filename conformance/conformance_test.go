package conformance

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/berth-sim/berth/sim/model/release"
)

var (
	cases = flag.Int("cases", 42, "how many generated cases to compare")
	seed  = flag.Uint64("seed", 1, "seed of the first of them")

	kubernetes = flag.String("kubernetes", DefaultRelease, "release whose kube-scheduler decides")
	kube       *Kube
)

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if kube, err = StartKube(*kubernetes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := kube.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// rulesOf are berth's rules of the release.
func rulesOf(t *testing.T) *release.Rules {
	t.Helper()
	followed, err := release.Parse(kube.Release)
	if err != nil {
		t.Fatal(err)
	}
	rules := followed.Rules()
	return &rules
}

// TestGenerated compares a bounded number of generated cases.
func TestGenerated(t *testing.T) {
	t.Parallel()
	table, err := Run(Options{Kube: kube, Cases: *cases, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", table)
	if n := table.Mismatches(); n > 0 {
		t.Errorf("%d cases differ", n)
	}
}

// TestFound compares the cases that once differed, with both ways of breaking ties.
func TestFound(t *testing.T) {
	files, err := filepath.Glob("testdata/found/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		c, err := ReadCase(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c.Heap = range []bool{false, true} {
			if what, _ := c.finding(kube); what.kind != "" {
				t.Errorf("%s: %s", file, what.text)
			}
		}
	}
}

// TestGenerateIsPure makes a case of each family twice.
func TestGenerateIsPure(t *testing.T) {
	for i := range families {
		a, err := generate(&families[i], 7).YAML()
		if err != nil {
			t.Fatal(err)
		}
		b, _ := generate(&families[i], 7).YAML()
		if string(a) != string(b) {
			t.Errorf("family %s: the same seed gives two cases", families[i].name)
		}
	}
}

// TestShrink leaves of a case only what its difference needs.
func TestShrink(t *testing.T) {
	c := generate(&families[0], 1)
	c.Objects = append(c.Objects, object{"apiVersion": "v1", "kind": "Nonsense", "metadata": object{"name": "x"}})
	what, _ := c.finding(kube)
	if small := shrink(c, kube, what.kind); len(small.Objects) != 1 || small.Objects[0]["kind"] != "Nonsense" {
		t.Errorf("%d objects are left", len(small.Objects))
	}
}
