package manifest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// TestIgnoredKindsAreListed: the page of what differs names every kind that is skipped.
func TestIgnoredKindsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../../docs/fidelity.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(page), "berth accepts these kinds, and they have no effect: ")
	list, _, ends := strings.Cut(list, ".")
	if !found || !ends {
		t.Fatal("docs/fidelity.md does not say: berth accepts these kinds, and they have no effect: A, B, C.")
	}
	told := regexp.MustCompile(`,\s+`).Split(list, -1)
	slices.Sort(told)
	var names []string
	for _, k := range decode.IgnoredKinds() {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	if want := slices.Compact(names); !slices.Equal(told, want) {
		t.Errorf("docs/fidelity.md lists %q, want %q", told, want)
	}
}
