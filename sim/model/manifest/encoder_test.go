package manifest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/encode"
)

func loaded(t *testing.T, keep bool, text string) (*cluster.Cluster, *Loader) {
	t.Helper()
	v := cluster.NewVocabulary()
	l := New(v)
	if keep {
		l.KeepObjects()
	}
	docs, err := document.Parse("objects.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Load(docs...); err != nil {
		t.Fatal(err)
	}
	c := cluster.New(v)
	for _, n := range l.Nodes {
		if _, err := c.AddNode(n.Spec); err != nil {
			t.Fatal(err)
		}
	}
	return c, l
}

func podOf(t *testing.T, c *cluster.Cluster, class *cluster.Class) *v1.Pod {
	t.Helper()
	id := c.AddPod(cluster.Pod{Serial: 255, Name: "p", Class: class, Group: cluster.NoGroup})
	text, err := encode.NewEncoder(c).Pod(id)
	if err != nil {
		t.Fatal(err)
	}
	var pod v1.Pod
	if err := json.Unmarshal(text, &pod); err != nil {
		t.Fatal(err)
	}
	if pod.Name != "p" || pod.UID != "00000000-0000-4000-8000-0000000000ff" || pod.Status.Phase != v1.PodPending {
		t.Errorf("the pod is %s", text)
	}
	return &pod
}

const admittedObjects = `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: usual}
value: 7
globalDefault: true
preemptionPolicy: Never
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: box}
handler: box
overhead: {podFixed: {cpu: 250m, memory: 1Gi}}
scheduling: {nodeSelector: {boxed: "yes"}, tolerations: [{key: box, operator: Exists}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: sys}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}, annotations: {note: here}}
    spec:
      runtimeClassName: box
      nodeSelector: {disk: ssd}
      initContainers: [{name: i, image: i, resources: {limits: {cpu: "1"}}}]
      containers: [{name: c, image: i, resources: {limits: {cpu: "2", memory: 1Gi}, requests: {cpu: 100m}}}]
`

// A pod is encoded as admission leaves it.
func TestEncodeAdmitted(t *testing.T) {
	c, l := loaded(t, true, admittedObjects)
	template := l.Controllers[0].Template
	pod := podOf(t, c, template.Class)
	spec := &pod.Spec
	for name, ok := range map[string]bool{
		"namespace":        pod.Namespace == "sys",
		"labels":           pod.Labels["app"] == "agent",
		"annotations":      pod.Annotations["note"] == "here",
		"priority":         *spec.Priority == 7 && spec.PriorityClassName == "usual" && *spec.PreemptionPolicy == v1.PreemptNever,
		"scheduler":        spec.SchedulerName == "default-scheduler",
		"node selector":    len(spec.NodeSelector) == 2 && spec.NodeSelector["boxed"] == "yes",
		"overhead":         spec.Overhead.Cpu().MilliValue() == 250 && spec.Overhead.Memory().Value() == 1<<30,
		"limits as memory": spec.Containers[0].Resources.Requests.Memory().Value() == 1<<30,
		"own request":      spec.Containers[0].Resources.Requests.Cpu().MilliValue() == 100,
		"init container":   spec.InitContainers[0].Resources.Requests.Cpu().Value() == 1,
		"toleration":       spec.Tolerations[len(spec.Tolerations)-1].Key == "box",
	} {
		if !ok {
			t.Errorf("%s: the pod is %+v", name, pod)
		}
	}
	onNode := podOf(t, c, template.OnNode("n1"))
	terms := onNode.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	if len(terms) != 1 || terms[0].MatchFields[0].Values[0] != "n1" {
		t.Errorf("the pod of a DaemonSet has the affinity %+v", onNode.Spec.Affinity)
	}
	labeled := podOf(t, c, template.WithLabels(map[string]string{"more": "so"}))
	if labeled.Labels["more"] != "so" || labeled.Labels["app"] != "agent" {
		t.Errorf("labels = %v", labeled.Labels)
	}
}

// A new pod is encoded with what matchLabelKeys and mismatchLabelKeys name in its selectors,
// and with defaults that others can go by; one that has a uid has been through that.
func TestEncodeMergesLabelKeys(t *testing.T) {
	const text = `
{apiVersion: v1, kind: Node, metadata: {name: n1, uid: u-1, finalizers: [f/x], ownerReferences: [{apiVersion: v1, kind: Rack, name: r, uid: u-2}]}, status: {allocatable: {cpu: "4"}}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app: web, hash: a7}UID}
spec:
  hostNetwork: true
  topologySpreadConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {x: x}}, matchLabelKeys: [hash, absent]}]
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {matchLabels: {x: x}}, matchLabelKeys: [hash]}]
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: z, labelSelector: {matchLabels: {x: x}}, matchLabelKeys: [app]}}]
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {matchLabels: {x: x}}, mismatchLabelKeys: [hash]}]
      preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: z, labelSelector: {matchLabels: {x: x}}, mismatchLabelKeys: [app]}}]
  containers: [{name: c, image: i, ports: [{containerPort: 80}]}]
`
	for uid, want := range map[string]string{"": "hash In a7, hash In a7, app In web, hash NotIn a7, app NotIn web", ", uid: u": ", , , , "} {
		c, l := loaded(t, true, strings.ReplaceAll(text, "UID", uid))
		pod := podOf(t, c, l.Pods[0].Class)
		of := func(s *metav1.LabelSelector) string {
			var out []string
			for _, r := range s.MatchExpressions {
				out = append(out, fmt.Sprintf("%s %s %s", r.Key, r.Operator, strings.Join(r.Values, "+")))
			}
			return strings.Join(out, " and ")
		}
		a, b := pod.Spec.Affinity.PodAffinity, pod.Spec.Affinity.PodAntiAffinity
		got := strings.Join([]string{
			of(pod.Spec.TopologySpreadConstraints[0].LabelSelector),
			of(a.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector),
			of(a.PreferredDuringSchedulingIgnoredDuringExecution[0].PodAffinityTerm.LabelSelector),
			of(b.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector),
			of(b.PreferredDuringSchedulingIgnoredDuringExecution[0].PodAffinityTerm.LabelSelector),
		}, ", ")
		if got != want {
			t.Errorf("uid %q: %s, want %s", uid, got, want)
		}
		port := pod.Spec.Containers[0].Ports[0]
		if port.HostPort != 80 || port.Protocol != v1.ProtocolTCP || *pod.Spec.TerminationGracePeriodSeconds != 30 || pod.Spec.RestartPolicy != v1.RestartPolicyAlways {
			t.Errorf("defaults are missing in %+v", pod.Spec)
		}
		node, err := encode.NewEncoder(c).Node(0)
		if err != nil || !strings.Contains(string(node), `"uid":"u-1"`) || !strings.Contains(string(node), `"finalizers":["f/x"]`) || !strings.Contains(string(node), `"kind":"Rack"`) {
			t.Errorf("the node is %s, %v", node, err)
		}
	}
}

// Pods that differ in what scheduling does not read share a class, unless objects are kept.
func TestKeptObjectsTellClassesApart(t *testing.T) {
	const text = `
{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {note: x}}, spec: {containers: [{name: c, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: b, annotations: {note: y}}, spec: {containers: [{name: c, image: i}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: c, annotations: {note: y}, uid: u}, spec: {containers: [{name: c, image: i}]}}
`
	for keep, classes := range map[bool]int{false: 1, true: 2} {
		c, l := loaded(t, keep, text)
		if n := c.NumClasses(); n != classes {
			t.Errorf("kept %v: %d classes, want %d", keep, n, classes)
		}
		if l.Pods[1].Class != l.Pods[2].Class {
			t.Errorf("kept %v: the identity of a pod makes a class", keep)
		}
	}
}

// What was not kept is made up from what scheduling knows.
func TestEncodeWithoutObjects(t *testing.T) {
	c, l := loaded(t, false, `
{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {a: b}}, spec: {taints: [{key: k, value: v, effect: NoExecute}, {key: k, effect: NoSchedule}]}, status: {allocatable: {cpu: 1500m, memory: 1536Mi, hugepages-2Mi: 4Mi}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {schedulerName: s, containers: [{name: c, image: i, resources: {requests: {cpu: 100m}, limits: {example.com/x: "2"}}}]}}
`)
	class := l.Pods[0].Class
	pod := podOf(t, c, class)
	if requests := pod.Spec.Containers[0].Resources.Requests; requests.Cpu().MilliValue() != 100 || pod.Spec.SchedulerName != "s" {
		t.Errorf("the pod is %+v", pod)
	}
	e := encode.NewEncoder(c)
	if names := strings.Join(e.ResourceNames(class), " "); names != "cpu example.com/x" {
		t.Errorf("resources %s", names)
	}
	text, err := e.Node(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"name":"n1","labels":{"a":"b"}`, `{"key":"k","value":"v","effect":"NoExecute"},{"key":"k","effect":"NoSchedule"}`,
		`"allocatable":{"cpu":"1500m","hugepages-2Mi":"4Mi","memory":"1536Mi"}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the node is %s, without %s", text, want)
		}
	}
	if same, err := e.SameNode(0, text); !same || err != nil {
		t.Errorf("a node is not the same as itself: %v", err)
	}
	if same, _ := e.SameNode(0, []byte(strings.ReplaceAll(string(text), "1500m", "1501m"))); same {
		t.Error("a node with more cpu is the same")
	}
}

// A pod keeps the uid of its object.
func TestEncodedUID(t *testing.T) {
	c := cluster.New(cluster.NewVocabulary())
	id := c.AddPod(cluster.Pod{Serial: 255, UID: "given", Name: "p", Class: c.AddClass("", cluster.Class{}), Group: cluster.NoGroup})
	e := encode.NewEncoder(c)
	text, err := e.Pod(id)
	if err != nil {
		t.Fatal(err)
	}
	if e.UID(id) != "given" || !strings.Contains(string(text), `"uid":"given"`) {
		t.Errorf("the uid is %q, the pod %s", e.UID(id), text)
	}
}
