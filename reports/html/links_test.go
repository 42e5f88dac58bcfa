package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scenarios"
)

var (
	idPattern   = regexp.MustCompile(`\sid="([^"]+)"`)
	linkPattern = regexp.MustCompile(`href="#([^"]*)"`)
)

// Every link of a page leads to an element of the page, also without scripts; reasons lead to pods, pods to reasons and nodes, and
// nodes to pods.
func TestLinksLeadSomewhere(t *testing.T) {
	quick := play(t, "quickstart", scenarios.Options{})
	for name, dirs := range map[string][]string{"one run": {quick}, "two runs": {quick, play(t, "preemption", scenarios.Options{})}} {
		t.Run(name, func(t *testing.T) {
			page := written(t, read(t, dirs...))
			ids := map[string]bool{}
			for _, id := range idPattern.FindAllStringSubmatch(page, -1) {
				ids[id[1]] = true
			}
			to := map[string]int{}
			for _, link := range linkPattern.FindAllStringSubmatch(page, -1) {
				if !ids[link[1]] {
					t.Errorf("nothing is called %s", link[1])
				}
				kind, _, _ := strings.Cut(link[1], "-")
				to[kind]++
			}
			for _, kind := range []string{"reason", "pod", "node"} {
				if to[kind] < 10 {
					t.Errorf("%d links lead to a %s", to[kind], kind)
				}
			}
		})
	}
}

// The row of a pod is that of the table of pods: pods that were bound have a node, others have a reason.
func TestPodsAreThoseOfTheTable(t *testing.T) {
	for _, p := range read(t, play(t, "quickstart", scenarios.Options{})).pods() {
		if p.State == "pending" && (p.Reason.Name == "" || p.Reason.To == "" || p.Node.Name != "") {
			t.Errorf("%s is pending on %q for %+v", p.Name, p.Node.Name, p.Reason)
		}
		if p.State == "completed" && (p.Node.Name == "" || !strings.Contains(p.Times, "ended at ")) {
			t.Errorf("%s completed on %q: %s", p.Name, p.Node.Name, p.Times)
		}
	}
}
