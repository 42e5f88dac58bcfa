package conformance

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// plant is a mistake that berth is made to make in a family's cases: a plugin that errs,
// or a plugin that sees something else than is there.
type plant struct {
	plugin, what, family string
	flaw                 *flaw
	change               func(*Case) // what berth sees
}

// plantedCases is how many cases of a family must do to notice a mistake. CI compares
// more of each.
const plantedCases = 20

// TestNotices shows that the comparison can fail: berth makes one mistake at a time, and
// each is noticed.
func TestNotices(t *testing.T) {
	t.Parallel()
	theirs := map[string]map[uint64][]Attempt{}
	for _, p := range plants() {
		if theirs[p.family] == nil {
			theirs[p.family] = map[uint64][]Attempt{}
		}
		if seed, noticed := p.noticed(t, theirs[p.family]); !noticed {
			t.Errorf("%s: nobody noticed in %d cases of %q: %s", p.plugin, plantedCases, p.family, p.what)
		} else if testing.Verbose() {
			t.Logf("%-32s %-15s case %2d  %s", p.plugin, p.family, seed, p.what)
		}
	}
}

// TestFlawless shows that it is the mistake which is noticed, and not how it is planted: a
// plugin that is wrapped and does not err is not noticed.
func TestFlawless(t *testing.T) {
	t.Parallel()
	for _, p := range slices.Concat(filtering, scoring) {
		i := slices.IndexFunc(families, func(f family) bool { return f.name == p.family })
		for seed := range uint64(2) {
			c := generate(&families[i], seed).clone()
			c.registry = withFlaw(p.plugin, flaw{})
			if what, _ := c.finding(kube); what.kind != "" {
				t.Errorf("%s: %s", p.plugin, what.text)
			}
		}
	}
}

// noticed says in which case the mistake shows first. The decisions of kube-scheduler
// are kept for the next plant.
func (p *plant) noticed(t *testing.T, theirs map[uint64][]Attempt) (uint64, bool) {
	t.Helper()
	i := slices.IndexFunc(families, func(f family) bool { return f.name == p.family })
	for seed := range uint64(plantedCases) {
		c := generate(&families[i], seed)
		if theirs[seed] == nil {
			attempts, err := kube.Decide(c)
			if err != nil {
				t.Fatal(err)
			}
			theirs[seed] = attempts
		}
		c = c.clone()
		if p.flaw != nil {
			c.registry = withFlaw(p.plugin, *p.flaw)
		}
		if p.change != nil {
			p.change(c)
		}
		ours, err := c.berth(kube.Release, theirs[seed])
		if err != nil {
			t.Fatalf("%s, %s: %v", p.plugin, p.what, err)
		}
		if compare(ours, theirs[seed]) != nil {
			return seed, true
		}
	}
	return 0, false
}

func (c *Case) clone() *Case {
	other := *c
	other.Policy = runtime.DeepCopyJSON(plain(c.Policy))
	other.Objects = nil
	for _, o := range c.Objects {
		other.Objects = append(other.Objects, runtime.DeepCopyJSON(plain(o)))
	}
	return &other
}

// filtering are the plugins that reject nodes, each with a family where it does. NodeName is
// not among them: a pod that names its node is not scheduled.
var filtering = []struct{ plugin, family string }{
	{"NodeUnschedulable", "taints"}, {"TaintToleration", "taints"}, {"NodeAffinity", "node affinity"},
	{"NodePorts", "ports"}, {"NodeResourcesFit", "resources"}, {"VolumeRestrictions", "volumes"}, {"NodeVolumeLimits", "volumes"},
	{"VolumeBinding", "volumes"}, {"VolumeZone", "volumes"}, {"PodTopologySpread", "spread"}, {"InterPodAffinity", "pod affinity"},
	{"NodeDeclaredFeatures", "declared"},
}

// scoring are the plugins that score nodes, each with a family where it distinguishes them.
var scoring = []struct{ plugin, family string }{
	{"TaintToleration", "taints"}, {"NodeAffinity", "node affinity"}, {"NodeResourcesFit", "resources"},
	{"NodeResourcesBalancedAllocation", "resources"}, {"ImageLocality", "images"}, {"PodTopologySpread", "spread"},
	{"InterPodAffinity", "pod affinity"},
}

// plants are all mistakes: the same ones for each plugin, then those of its own.
func plants() []plant {
	var out []plant
	for _, p := range filtering {
		out = append(out,
			plant{p.plugin, "preemption is thought to help where it does not, and the other way round", p.family, &flaw{verdict: otherCode}, nil},
			plant{p.plugin, "a reason has another text", p.family, &flaw{reason: func(s string) string { return s + "s" }}, nil},
			plant{p.plugin, "every third node passes", p.family, &flaw{verdict: everyThirdPasses}, nil},
		)
	}
	for _, p := range scoring {
		out = append(out, plant{p.plugin, "one node scores 1 more", p.family, &flaw{scores: oneMore}, nil},
			plant{p.plugin, "the weight is 1 more", p.family, nil, heavier(p.plugin)})
	}
	return append(append(out, changedArguments()...), changedObjects()...)
}

func otherCode(_ cluster.NodeID, v scheduler.Verdict) scheduler.Verdict {
	if v.Code() == scheduler.Unschedulable {
		return scheduler.NewRejection(scheduler.UnschedulableAndUnresolvable, v.Detail())
	}
	return scheduler.NewRejection(scheduler.Unschedulable, v.Detail())
}

func everyThirdPasses(node cluster.NodeID, v scheduler.Verdict) scheduler.Verdict {
	if node%3 == 0 {
		return scheduler.Fits
	}
	return v
}

func oneMore(scores []int64) {
	if scores[0] < scheduler.MaxNodeScore {
		scores[0]++
	} else {
		scores[0]--
	}
}
