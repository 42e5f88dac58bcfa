package conformance

import (
	"flag"
	"path/filepath"
	"testing"
)

var (
	cases = flag.Int("cases", 100, "how many generated cases to compare")
	seed  = flag.Uint64("seed", 1, "seed of the first of them")
)

// TestGenerated compares a bounded number of generated cases.
func TestGenerated(t *testing.T) {
	table, err := Run(Options{Cases: *cases, Seed: *seed})
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
			if what, _ := c.finding(); what.kind != "" {
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

// TestNotices shows that the comparison can fail: berth is given another configuration
// than kube-scheduler, plugin by plugin.
func TestNotices(t *testing.T) {
	for _, plant := range []struct {
		family string
		change object // of the profile, merged into its plugins
	}{
		{"taints", disabled("filter", "NodeUnschedulable")},
		{"taints", disabled("filter", "TaintToleration")},
		{"taints", disabled("score", "TaintToleration")},
		{"taints", weighted("TaintToleration", 4)},
		{"node affinity", disabled("preFilter", "NodeAffinity")},
		{"node affinity", disabled("filter", "NodeAffinity")},
		{"node affinity", weighted("NodeAffinity", 3)},
		{"ports", disabled("filter", "NodePorts")},
		{"resources", disabled("filter", "NodeResourcesFit")},
		{"resources", weighted("NodeResourcesFit", 2)},
		{"resources", weighted("NodeResourcesBalancedAllocation", 2)},
		{"images", disabled("score", "ImageLocality")},
		{"images", weighted("ImageLocality", 2)},
		{"preemption", disabled("postFilter", "DefaultPreemption")},
	} {
		if !noticed(t, plant.family, plant.change) {
			t.Errorf("family %s: nobody noticed %v", plant.family, plant.change)
		}
	}
}

func disabled(point, plugin string) object {
	return object{point: object{"disabled": []any{object{"name": plugin}}}}
}

func weighted(plugin string, weight int) object {
	return object{"score": object{"enabled": []any{object{"name": plugin, "weight": weight}}}}
}

// noticed says whether one of a few cases differs when berth's plugins are changed.
func noticed(t *testing.T, name string, change object) bool {
	t.Helper()
	for seed := range uint64(10) {
		for i := range families {
			if families[i].name != name {
				continue
			}
			c := generate(&families[i], seed)
			planted := *c
			planted.Policy = plain(c.Policy)
			plugins := planted.Policy["profiles"].([]any)[0].(object)["plugins"].(object)
			for point, set := range change {
				plugins[point] = set
			}
			ours, err := planted.berth()
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := c.kube(ours)
			if err != nil {
				t.Fatal(err)
			}
			if compare(ours, theirs) != nil {
				return true
			}
		}
	}
	return false
}

// TestShrink leaves of a case only what its difference needs.
func TestShrink(t *testing.T) {
	c := generate(&families[0], 1)
	c.Objects = append(c.Objects, object{"apiVersion": "v1", "kind": "Nonsense", "metadata": object{"name": "x"}})
	what, _ := c.finding()
	if small := shrink(c, what.kind); len(small.Objects) != 1 || small.Objects[0]["kind"] != "Nonsense" {
		t.Errorf("%d objects are left", len(small.Objects))
	}
}
