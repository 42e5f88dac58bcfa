package conformance

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/berth-sim/berth/conformance/protocol"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
)

// TestAdmission has kube-apiserver's own plugins admit random pods beside berth: both
// refuse a pod or neither does, and then both make the same pod of it. LimitRanges are
// validated by both, too.
func TestAdmission(t *testing.T) {
	rules := rulesOf(t)
	refused, admitted, badLimits := 0, 0, 0
	for seed := range uint64(800) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 99))}
		namespace, limits, pod := g.namespace(), g.limitRange(), g.admittedPod()
		theirs, err := call[protocol.Admitted](kube, protocol.Admit, protocol.Admission{
			Namespace: []byte(show(namespace)), LimitRange: []byte(show(limits)), Pod: []byte(show(pod)),
		})
		if err != nil {
			t.Fatal(err)
		}
		vocabulary := cluster.NewVocabulary()
		ours, oursErr := classOf(vocabulary, rules, protocol.AdmissionPlugins, show(namespace, limits, pod))
		if wrong := theirs.LimitRange; wrong != "" {
			badLimits++
			if oursErr == nil {
				t.Errorf("seed %d: berth takes a LimitRange that is wrong: %s\n%s", seed, wrong, show(limits))
			}
			continue
		}
		switch {
		case (theirs.Refused != "") != (oursErr != nil):
			t.Errorf("seed %d: berth says %v, kube-apiserver %q\n%s", seed, oursErr, theirs.Refused, show(namespace, limits, pod))
		case theirs.Refused != "":
			refused++
		default:
			admitted++
			again, err := classOf(vocabulary, rules, nil, string(theirs.Pod))
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, theirs.Pod)
			}
			if again != ours {
				t.Errorf("seed %d: berth makes of it\n%+v\nkube-apiserver\n%+v\n%s", seed, ours, again, show(namespace, limits, pod))
			}
		}
	}
	if admitted < 100 || refused < 100 || badLimits < 30 {
		t.Errorf("the cases are one-sided: %d pods admitted, %d refused, %d LimitRanges wrong", admitted, refused, badLimits)
	}
}

// classOf is the class that berth makes of the pod among the objects.
func classOf(v *cluster.Vocabulary, rules *release.Rules, plugins []string, objects string) (*cluster.Class, error) {
	l := manifest.New(v)
	l.Follow(release.Newest(), rules)
	if _, err := l.EnableAdmission(plugins); err != nil {
		return nil, err
	}
	docs, err := document.Parse("objects.yaml", []byte(objects))
	if err != nil {
		return nil, err
	}
	if err := l.Load(docs...); err != nil {
		return nil, err
	}
	return l.Pods[0].Class, nil
}

func show(objects ...object) string {
	var b strings.Builder
	for _, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			panic(err)
		}
		b.WriteString("---\n")
		b.Write(text)
	}
	return b.String()
}

func (g *generator) namespace() object {
	annotations := object{}
	if g.chance(0.4) {
		annotations["scheduler.alpha.kubernetes.io/node-selector"] = pick(g, "team=red", "team=red, disk=ssd", "team in (red)", "")
	}
	if g.chance(0.4) {
		annotations["scheduler.alpha.kubernetes.io/defaultTolerations"] = pick(g, "",
			`[{"key": "team", "operator": "Equal", "value": "red", "effect": "NoSchedule"}]`,
			`[{"key": "team", "operator": "Exists"}, {"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]`, `[}`)
	}
	if g.chance(0.3) {
		annotations["scheduler.alpha.kubernetes.io/tolerationsWhitelist"] = pick(g, "", "[]",
			`[{"operator": "Exists"}]`,
			`[{"key": "team", "operator": "Exists"}, {"key": "node.kubernetes.io/memory-pressure", "operator": "Exists"},
			  {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]`)
	}
	return object{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": "team", "annotations": annotations}}
}

// amountsFor are of a few resources, so that they meet.
func (g *generator) amountsFor(chance float64) object {
	list := object{}
	for _, r := range [][]string{
		{"cpu", "0", "100m", "250m", "500m", "1"}, {"memory", "128Mi", "256Mi", "1Gi"},
		{"ephemeral-storage", "1Gi", "2Gi"}, {"example.com/gpu", "1", "2"}, {"hugepages-2Mi", "2Mi", "4Mi"},
	} {
		if g.chance(chance) {
			list[r[0]] = pick(g, r[1:]...)
		}
	}
	return list
}

func (g *generator) limitRange() object {
	var items []any
	if g.chance(0.8) {
		item := object{"type": "Container"}
		for _, field := range []string{"min", "max", "default", "defaultRequest"} {
			if list := g.amountsFor(0.15); len(list) > 0 {
				item[field] = list
			}
		}
		if g.chance(0.15) {
			item["maxLimitRequestRatio"] = object{"cpu": pick(g, "1", "1500m", "2", "500m")}
		}
		items = append(items, item)
	}
	if g.chance(0.4) {
		item := object{"type": "Pod"}
		for _, field := range []string{"min", "max"} {
			if list := g.amountsFor(0.12); len(list) > 0 {
				item[field] = list
			}
		}
		if g.chance(0.1) {
			item["maxLimitRequestRatio"] = object{"memory": pick(g, "1", "2", "3")}
		}
		items = append(items, item)
	}
	if g.chance(0.05) {
		items = append(items, object{"type": pick(g, "PersistentVolumeClaim", "Thing", "Pod")})
	}
	return object{
		"apiVersion": "v1", "kind": "LimitRange", "metadata": object{"name": "limits", "namespace": "team"}, "spec": object{"limits": items},
	}
}

func (g *generator) admittedPod() object {
	container := func(name string) object {
		resources := object{}
		if g.chance(0.6) {
			resources["requests"] = g.amountsFor(0.3)
		}
		if g.chance(0.4) {
			resources["limits"] = g.amountsFor(0.3)
		}
		return object{"name": name, "image": "pause:3", "resources": resources}
	}
	spec := object{"containers": []any{container("a")}}
	if g.chance(0.4) {
		spec["containers"] = append(spec["containers"].([]any), container("b"))
	}
	if g.chance(0.3) {
		spec["initContainers"] = []any{container("i")}
		if g.chance(0.5) {
			spec["initContainers"].([]any)[0].(object)["restartPolicy"] = "Always"
		}
	}
	if g.chance(0.2) {
		spec["resources"] = object{"limits": object{"cpu": pick(g, "1", "2", "4")}}
		if g.chance(0.5) {
			spec["resources"].(object)["requests"] = object{"cpu": pick(g, "500m", "1"), "memory": "2Gi"}
		}
	}
	if g.chance(0.4) {
		spec["nodeSelector"] = object{pick(g, "team", "disk", "zone"): pick(g, "red", "ssd")}
	}
	var tolerations []any
	for range g.IntN(3) {
		t := object{"operator": "Exists"}
		if g.chance(0.8) {
			t["key"] = pick(g, "team", "gpu", "example.com/gpu", "node.kubernetes.io/not-ready", "node.kubernetes.io/memory-pressure")
			if g.chance(0.3) {
				t["operator"], t["value"] = "Equal", pick(g, "red", "blue")
			}
		}
		if g.chance(0.7) {
			t["effect"] = pick(g, "NoSchedule", "NoExecute", "PreferNoSchedule")
			if t["effect"] == "NoExecute" && g.chance(0.5) {
				t["tolerationSeconds"] = g.IntN(3) * 200
			}
		}
		tolerations = append(tolerations, t)
	}
	spec["tolerations"] = tolerations
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": "p", "namespace": "team"}, "spec": spec}
}
