package conformance

import (
	"testing"

	"github.com/berth-sim/berth/conformance/protocol"
)

// TestGeneratedAreValid has the API server's own validation look at generated objects, so
// that an object which berth refuses is berth's fault.
func TestGeneratedAreValid(t *testing.T) {
	t.Parallel()
	families := familiesOf(kube.Release)
	for i := range families {
		for seed := range uint64(8) {
			c := generate(&families[i], seed)
			for _, fault := range faultsOf(t, c) {
				t.Errorf("%s %d: %s", c.Family, seed, fault)
			}
		}
	}
}

// TestFaultsOf shows that the validation is asked.
func TestFaultsOf(t *testing.T) {
	c := generate(&family{name: "spread", minNodes: 3, maxNodes: 3, spread: 1}, 1)
	changed("Pod", "maxSkew", func(any) any { return 0 })(c)
	if len(faultsOf(t, c)) == 0 {
		t.Error("a maxSkew of 0 is not complained of")
	}
}

// faultsOf is what the API server has against a case.
func faultsOf(t *testing.T, c *Case) []string {
	t.Helper()
	wire, err := c.wire()
	if err != nil {
		t.Fatal(err)
	}
	faults, err := call[[]string](kube, protocol.Validate, wire)
	if err != nil {
		t.Fatalf("%s %d: %v", c.Family, c.Seed, err)
	}
	return faults
}
