package plugins_test

import (
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// nodeAffinityOf reads the YAML of a node affinity, faults of values included, as a pod's is read.
func nodeAffinityOf(t testing.TB, v *cluster.Vocabulary, text string) *cluster.Class {
	t.Helper()
	docs, err := document.Parse("pod.yaml", []byte(`
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: web}]
  affinity:
    nodeAffinity:
      `+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n      ")))
	if err != nil {
		t.Fatal(err)
	}
	loader := manifest.New(v)
	if err := loader.Load(docs...); err != nil {
		t.Fatal(err)
	}
	return loader.Pods[0].Class
}

// affinityWorld is a world of one plugin whose pod p has a node affinity.
func affinityWorld(t testing.TB, args any, affinity string) *world {
	t.Helper()
	w := newWorld(t, worldConfig{plugins: []string{"NodeAffinity"}, args: map[string]any{"NodeAffinity": args}})
	w.affinity = func(pod string, class *cluster.Class) {
		if pod == "p" && affinity != "" {
			from := nodeAffinityOf(t, w.cl.Vocabulary, affinity)
			class.HasRequired, class.Required, class.Preferred = from.HasRequired, from.Required, from.Preferred
		}
	}
	return w
}

// required is a required node affinity of terms in YAML's flow style.
func required(terms string) string {
	return "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + terms + "]}"
}

func preferred(terms string) string {
	return "preferredDuringSchedulingIgnoredDuringExecution: [" + terms + "]"
}

func TestNodeAffinityFilters(t *testing.T) {
	const didNotMatch = "node(s) didn't match Pod's node affinity/selector"
	expr := func(s string) string { return "{matchExpressions: [{" + s + "}]}" }
	tests := []struct {
		name, selector, affinity string
		want                     string // feasible nodes, or the message
	}{
		{"nothing asked for", "", "", "n1 n2 n3"},
		{"selector", "selector=disk:ssd", "", "n1 n2"},
		{"selector, all pairs", "selector=disk:ssd selector=size:9", "", "n2"},
		{"selector and affinity", "selector=disk:ssd", required(expr("key: size, operator: Lt, values: ['9']")), "n1"},
		{"In", "", required(expr("key: disk, operator: In, values: [hdd, nvme]")), "n3"},
		{"NotIn also without the label", "", required(expr("key: size, operator: NotIn, values: ['5']")), "n2 n3"},
		{"Exists", "", required(expr("key: size, operator: Exists")), "n1 n2"},
		{"DoesNotExist", "", required(expr("key: size, operator: DoesNotExist")), "n3"},
		{"Gt", "", required(expr("key: size, operator: Gt, values: ['5']")), "n2"},
		{"Lt", "", required(expr("key: size, operator: Lt, values: ['9']")), "n1"},
		{"terms are or", "", required(expr("key: disk, operator: In, values: [hdd]") + ", " + expr("key: size, operator: In, values: ['5']")), "n1 n3"},
		{"an empty term matches nothing", "", required("{}, " + expr("key: size, operator: In, values: ['5']")), "n1"},
		{"only empty terms", "", required("{}"), "0/3 nodes are available: 3 " + didNotMatch + "."},
		{"the host name, per node", "", required(expr("key: kubernetes.io/hostname, operator: NotIn, values: [n2]")), "n1 n3"},
		{"fields: one name", "", required("{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}"), "n2"},
		{
			"fields: the union over the terms", "",
			required("{matchFields: [{key: metadata.name, operator: In, values: [n3]}]}, {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}"), "n1 n3",
		},
		{
			"fields: the intersection within a term is empty", "",
			required("{matchFields: [{key: metadata.name, operator: In, values: [n1]}, {key: metadata.name, operator: In, values: [n2]}]}"),
			"0/3 nodes are available: pod affinity terms conflict.",
		},
		{
			"fields: a conflict in one term of two", "",
			required("{matchFields: [{key: metadata.name, operator: In, values: [n1]}, {key: metadata.name, operator: In, values: [n2]}]}, {matchFields: [{key: metadata.name, operator: In, values: [n3]}]}"),
			"n3",
		},
		{
			"fields: a term without names lifts the limit", "",
			required("{matchFields: [{key: metadata.name, operator: In, values: [n2]}]}, " + expr("key: disk, operator: In, values: [hdd]")), "n2 n3",
		},
		{"fields: NotIn does not limit", "", required("{matchFields: [{key: metadata.name, operator: NotIn, values: [n2]}]}"), "n1 n3"},
		{
			"fields and labels of one term", "",
			required("{matchFields: [{key: metadata.name, operator: In, values: [n3]}], matchExpressions: [{key: disk, operator: In, values: [ssd]}]}"),
			"0/3 nodes are available: 1 " + didNotMatch + ", 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
		},
		{"fields: no such node", "", required("{matchFields: [{key: metadata.name, operator: In, values: [n9]}]}"), "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [NodeAffinity]."},
		{"labels that no node has", "", required(expr("key: gpu, operator: Exists")), "0/3 nodes are available: 3 " + didNotMatch + "."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := affinityWorld(t, nil, tt.affinity)
			w.addNodes("n1 label=disk:ssd label=size:5", "n2 label=disk:ssd label=size:9", "n3 label=disk:hdd")
			w.addPods("p " + tt.selector)
			if got := feasibleOr(w, w.try("p")); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// feasibleOr is the names of the feasible nodes, or why there are none.
func feasibleOr(w *world, a *scheduler.Attempt) string {
	if a.Outcome != scheduler.Scheduled {
		return a.Message()
	}
	var names []string
	a.EachScore(func(node cluster.NodeID, plugin string, _ int64) {
		if plugin == scheduler.TotalScore {
			names = append(names, w.cl.Node(node).Name)
		}
	})
	if names == nil {
		return w.cl.Node(a.Node).Name
	}
	return strings.Join(names, " ")
}

func TestAddedAffinity(t *testing.T) {
	v := cluster.NewVocabulary()
	added := func(text string) *cluster.Class { return nodeAffinityOf(t, v, text) }
	ssd := added(required("{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}"))
	far := added(preferred("{weight: 3, preference: {matchExpressions: [{key: far, operator: Exists}]}}"))
	args := plugins.NodeAffinityArgs{Added: ssd.Required, Preferred: far.Preferred}
	w := newWorld(t, worldConfig{plugins: []string{"NodeAffinity"}, args: map[string]any{"NodeAffinity": args}, vocabulary: v})
	w.affinity = func(pod string, class *cluster.Class) {
		if pod == "prefers" {
			class.Preferred = nodeAffinityOf(t, v, preferred("{weight: 2, preference: {matchExpressions: [{key: size, operator: Exists}]}}")).Preferred
		}
	}
	w.addNodes("n1 label=disk:ssd label=far:yes", "n2 label=disk:ssd label=size:9", "n3 label=disk:hdd label=size:9 label=far:yes")
	w.addPods("plain", "selects selector=disk:hdd", "prefers", "both selector=size:5")
	for _, tt := range []struct{ pod, want string }{
		{"plain", "n1=100 n2=0"},
		{"prefers", "n1=100 n2=66"}, // 3 and 2
	} {
		if got := scores(w, w.try(tt.pod), "NodeAffinity"); got != tt.want {
			t.Errorf("%s: scores %s, want %s", tt.pod, got, tt.want)
		}
	}
	for _, tt := range []struct{ pod, want string }{
		// n3 fails by the added affinity, which is asked first.
		{"selects", "2 node(s) didn't match Pod's node affinity/selector"},
		{"both", "1 node(s) didn't match scheduler-enforced node affinity, 2 node(s) didn't match Pod's"},
	} {
		mustSay(t, w.try(tt.pod), tt.want)
	}
}

func TestNodeAffinityScores(t *testing.T) {
	term := func(weight, e string) string {
		return "{weight: " + weight + ", preference: {matchExpressions: [{" + e + "}]}}"
	}
	tests := []struct{ name, affinity, want string }{
		{"no preference: not scored", required("{matchExpressions: [{key: disk, operator: Exists}]}"), ""},
		{"the heaviest becomes 100", preferred(term("40", "key: disk, operator: In, values: [ssd]")), "n1=100 n2=100 n3=0"},
		{
			"weights add up and are cut",
			preferred(term("20", "key: disk, operator: In, values: [ssd]") + ", " + term("40", "key: size, operator: Gt, values: ['5']") + ", " + term("10", "key: disk, operator: In, values: [hdd]")),
			"n1=33 n2=100 n3=16", // 20, 60, 10
		},
		{"nothing matches: all 0", preferred(term("40", "key: gpu, operator: Exists")), "n1=0 n2=0 n3=0"},
		{"an empty preference matches nothing", preferred("{weight: 40, preference: {}}, " + term("1", "key: size, operator: In, values: ['9']")), "n1=0 n2=100 n3=0"},
		{"a name", preferred("{weight: 1, preference: {matchFields: [{key: metadata.name, operator: In, values: [n3]}]}}"), "n1=0 n2=0 n3=100"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := affinityWorld(t, nil, tt.affinity)
			w.addNodes("n1 label=disk:ssd label=size:5", "n2 label=disk:ssd label=size:9", "n3 label=disk:hdd")
			w.addPods("p")
			if got := scores(w, w.try("p"), "NodeAffinity"); got != tt.want {
				t.Errorf("scores %s, want %s", got, tt.want)
			}
		})
	}
}

// A preference whose number is not a label value passes the API server. It fails the pod as soon
// as nodes must be scored, and does not matter when one is feasible.
func TestAFaultyPreferenceFailsOnlyWhenNodesAreScored(t *testing.T) {
	affinity := preferred("{weight: 1, preference: {matchExpressions: [{key: size, operator: Gt, values: ['-3']}]}}")
	for _, tt := range []struct{ pod, want string }{
		{"p selector=disk:hdd", ""},
		{"p", `running PreScore plugin "NodeAffinity": `},
	} {
		w := affinityWorld(t, nil, affinity)
		w.addNodes("n1 label=disk:ssd", "n2 label=disk:ssd", "n3 label=disk:hdd")
		w.addPods(tt.pod)
		a := w.try("p")
		mustSay(t, a, tt.want)
		if tt.want != "" && a.Outcome != scheduler.Failed {
			t.Errorf("outcome %s, want an error", a.Outcome)
		}
	}
}
