package conformance

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/conformance/protocol"
	"github.com/berth-sim/berth/scheduler"
)

// extendedFamily are the clusters on which extenders are compared.
var extendedFamily = family{
	name: "extenders", minNodes: 5, maxNodes: 25, spare: 0.4, runningPerNode: 6, extended: 0.4, taints: 0.2, affinity: 0.1, ports: 0.1,
	images: 0.5, priorities: 0.8, podAffinity: 0.2, spread: 0.4, budgets: 0.2, configured: 0.4, profiles: 0.2,
}

// extenders are one or two of them, drawn. Binding by an extender leaves no trace in the
// harness' API server, which preemption would have to see.
func extenders(rnd *rand.Rand, url string, binds bool) []any {
	var out []any
	for i := range 1 + rnd.IntN(2) {
		x := object{"urlPrefix": url + "/" + strconv.Itoa(i), "nodeCacheCapable": rnd.IntN(2) == 0, "ignorable": rnd.IntN(3) == 0}
		for _, verb := range []string{"filter", "preempt", "prioritize"} {
			if rnd.IntN(3) > 0 {
				x[verb+"Verb"] = verb
			}
		}
		x["weight"] = 1 + i
		if binds && i == 0 {
			x["bindVerb"] = "bind"
		}
		if rnd.IntN(3) == 0 {
			x["managedResources"] = []any{object{"name": []string{"example.com/gpu", "example.com/fpga"}[i], "ignoredByScheduler": rnd.IntN(2) == 0}}
		}
		out = append(out, x)
	}
	// The scores of one decide, so that there are no ties.
	return append(out, object{"urlPrefix": url + "/rank", "prioritizeVerb": "prioritize", "weight": 1000000, "nodeCacheCapable": rnd.IntN(2) == 0})
}

// comparable leaves out of an attempt what kube-scheduler's is not recorded with: what
// extenders did themselves.
func comparable(attempts []Attempt) []Attempt {
	for i := range attempts {
		a := &attempts[i]
		for node, v := range a.Rejected {
			if v.Plugin == scheduler.ExtenderName {
				delete(a.Rejected, node)
			}
		}
		for _, scores := range a.Scores {
			for plugin := range scores {
				if strings.HasPrefix(plugin, "http") || plugin == protocol.TotalScore {
					delete(scores, plugin)
				}
			}
		}
		a.Ties = nil
	}
	return attempts
}

// unbind has berth's attempts end as kube-scheduler's are recorded, when an extender fails
// to bind the pod: without a node. That berth gave it up shows in the attempts that follow.
func unbind(ours, theirs []Attempt) {
	for i := range min(len(ours), len(theirs)) {
		why := theirs[i].Message
		if ours[i].Node != "" && (why == "not on this node" || strings.HasPrefix(why, "failed bind ")) {
			ours[i].Node, ours[i].Message = "", why
		}
	}
}

// TestExtenders compares schedulers with extenders, which answer both sides alike.
func TestExtenders(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveExtender))
	defer server.Close()
	cases := 12
	if text := os.Getenv("CASES"); text != "" {
		cases, _ = strconv.Atoi(text)
	}
	attempts, seen := 0, map[string]int{}
	for seed := range uint64(cases) {
		f, rnd := extendedFamily, rand.New(rand.NewPCG(seed, 1))
		binds := seed%3 == 0
		if binds {
			f.priorities = 0
		}
		c := generate(&f, seed)
		c.Policy["extenders"] = extenders(rnd, server.URL, binds)
		theirs, err := kube.Decide(c)
		if err != nil {
			t.Fatalf("seed %d: kube-scheduler: %v", seed, err)
		}
		ours, err := c.berth(kube.Release, theirs)
		if err != nil {
			t.Fatalf("seed %d: berth: %v", seed, err)
		}
		for _, a := range theirs {
			for _, what := range []string{"closed", "gone", "both", "no such node", "code 503", "does not want to", "at least one victim", "no candidate node"} {
				if strings.Contains(a.Message, what) {
					seen[what]++
				}
			}
			if a.Nominated != "" {
				seen["nominated"]++
			}
		}
		attempts += len(theirs)
		unbind(ours, theirs)
		if d := compare(comparable(ours), comparable(theirs)); d != nil {
			t.Errorf("seed %d: %v", seed, d)
			if os.Getenv("VERBOSE") != "" {
				t.Logf("%+v\n%+v", ours[d.Attempt], theirs[d.Attempt])
				t.Logf("%v", c.Policy["extenders"])
			}
		}
	}
	t.Logf("%d attempts; %v", attempts, seen)
}
