package manifest

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

var gpuShape = Shape{
	Namespace:       "trace",
	Requests:        []ResourceAmount{{"cpu", 1500}, {"memory", 3 << 30}, {"example.com/gpu", 2}, {"example.com/milli", 0}},
	NodeLabelKey:    "example.com/model",
	NodeLabelValues: []string{"V100", "A100"},
	Labels:          map[string]string{"job": "7", "user": "a"},
	PriorityClass:   "low",
	SchedulerName:   "other",
}

const lowClass = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: -5}"

// written marshals an object and reads it again into a Loader that has interned what l has.
func written(t *testing.T, l *Loader, object any) *Loader {
	t.Helper()
	data, err := document.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := document.Parse("written.yaml", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if err := l.Load(docs...); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if !strings.HasPrefix(string(data), "apiVersion: v1\nkind: ") || strings.Contains(string(data), "null") {
		t.Errorf("nobody would write it like this:\n%s", data)
	}
	return l
}

func TestShapeIsThePodItWrites(t *testing.T) {
	for _, shape := range []Shape{{}, {Requests: []ResourceAmount{{"cpu", 1}}}, gpuShape} {
		l := load(t, lowClass)
		class, err := l.Shape(shape)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := l.Shape(shape); again != class {
			t.Errorf("%+v: another class the second time", shape)
		}
		written(t, l, shape.Pod("p"))
		if got := l.Pods[0].Class; got != class {
			t.Errorf("%+v: the pod is of class %+v, the shape of %+v", shape, got, class)
		}
		data, err := document.Marshal(shape.PodTemplate())
		if err != nil {
			t.Fatal(err)
		}
		docs, err := document.Parse("template.yaml", data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := l.Template(docs[0].Root(), TemplateOptions{}); err != nil || got.Class != class {
			t.Errorf("%+v: the template is of another class (%v)", shape, err)
		}
	}
}

func TestShapesDiffer(t *testing.T) {
	l := load(t, lowClass)
	seen := map[*cluster.Class]int{}
	for i, change := range []func(*Shape){
		func(*Shape) {},
		func(s *Shape) { s.Namespace = "" },
		func(s *Shape) { s.Requests = s.Requests[:2] },
		func(s *Shape) { s.Requests = append(slices.Clone(s.Requests), ResourceAmount{"ephemeral-storage", 1}) },
		func(s *Shape) { s.NodeLabelValues = s.NodeLabelValues[:1] },
		func(s *Shape) { s.NodeLabelKey = "" },
		func(s *Shape) { s.Labels = map[string]string{"job": "7", "user": "b"} },
		func(s *Shape) { s.PriorityClass = "" },
		func(s *Shape) { s.SchedulerName = "" },
	} {
		s := gpuShape
		change(&s)
		class, err := l.Shape(s)
		if err != nil {
			t.Fatal(err)
		}
		if first, taken := seen[class]; taken {
			t.Errorf("change %d has the class of change %d", i, first)
		}
		seen[class] = i
	}
}

func TestBadShapes(t *testing.T) {
	l := New(cluster.NewVocabulary())
	for _, tt := range []struct {
		shape Shape
		want  string
	}{
		{Shape{Requests: []ResourceAmount{{"cpu", -1}}}, "spec.containers[0].resources.requests.cpu: must not be negative"},
		{Shape{Requests: []ResourceAmount{{"gpu", 1}}}, "spec.containers[0].resources.requests.gpu: is of a resource whose name"},
		{Shape{PriorityClass: "none"}, "spec.priorityClassName: is not the name of a PriorityClass"},
		{Shape{NodeLabelKey: "a b"}, "matchExpressions[0].values: must hold a value"},
		{Shape{Namespace: "A"}, "metadata.namespace: is not valid"},
	} {
		if _, err := l.Shape(tt.shape); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.shape, err, tt.want)
		}
	}
	if _, err := l.NodeShape(NodeShape{Name: "A", Allocatable: []ResourceAmount{{"cpu", -1}}}); err == nil ||
		!strings.HasPrefix(err.Error(), `metadata.name: "A" is not valid`) || !strings.Contains(err.Error(), "status.allocatable.cpu") {
		t.Errorf("error %v, want two faults", err)
	}
	if n := l.vocabulary.NumClasses(); n != 0 {
		t.Errorf("bad shapes left %d classes", n)
	}
}

func TestNodeShapeIsTheNodeItWrites(t *testing.T) {
	for _, shape := range []NodeShape{
		{Name: "n1", Allocatable: []ResourceAmount{{"cpu", 64000}, {"memory", 1 << 40}, {"example.com/gpu", 8}, {"pods", 1001}}},
		{Name: "n2", Allocatable: []ResourceAmount{{"cpu", 1}}, Labels: map[string]string{"model": "V100", "kubernetes.io/hostname": "h"}},
	} {
		l := New(cluster.NewVocabulary())
		want, err := l.NodeShape(shape)
		if err != nil {
			t.Fatal(err)
		}
		written(t, l, shape.Node())
		if got := l.Nodes[0].Spec; !reflect.DeepEqual(got, want) {
			t.Errorf("the node is %+v, the shape %+v", got, want)
		}
	}
}

func TestTemplateVariants(t *testing.T) {
	l := load(t, `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelector: {disk: ssd}
      containers: [{name: a, image: a}]
      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
        {matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}
`)
	ds := &l.Controllers[0]
	v := l.vocabulary
	node := func(labels map[string]string, taints ...cluster.Taint) *cluster.NodeSpec {
		return &cluster.NodeSpec{Name: "n1", Labels: v.NewLabelSet(labels), Taints: taints}
	}
	fitting := map[string]string{"disk": "ssd", "zone": "a"}
	unschedulable := cluster.Taint{Key: v.Symbol(cluster.UnschedulableTaint), Effect: cluster.NoSchedule}
	for name, tt := range map[string]struct {
		node *cluster.NodeSpec
		want bool
	}{
		"fits":                 {node(fitting), true},
		"other label":          {node(map[string]string{"disk": "hdd", "zone": "a"}), false},
		"other zone":           {node(map[string]string{"disk": "ssd", "zone": "b"}), false},
		"taint tolerated":      {node(fitting, unschedulable), true},
		"taint":                {node(fitting, cluster.Taint{Key: v.Symbol("own"), Effect: cluster.NoExecute}), false},
		"taint that is a wish": {node(fitting, cluster.Taint{Key: v.Symbol("own"), Effect: cluster.PreferNoSchedule}), true},
	} {
		if got := ds.Template.RunsOn(tt.node); got != tt.want {
			t.Errorf("%s: a pod is wanted: %t", name, got)
		}
	}

	class := ds.Template.OnNode("n1")
	if ds.Template.OnNode("n1") != class || ds.Template.OnNode("n2") == class {
		t.Error("classes of daemon pods are not by node")
	}
	for name, want := range map[string]bool{"n1": true, "n2": false} {
		if got := class.Required.Matches(nil, v.Symbol(name), &v.Symbols); got != want {
			t.Errorf("the pod for n1 matches %s: %t", name, got)
		}
	}
	if !slices.Equal(class.NodeSelector, ds.Template.Class.NodeSelector) {
		t.Error("the node selector is lost")
	}

	numbered := ds.Template.WithLabels(map[string]string{"apps.kubernetes.io/pod-index": "3"})
	if got, want := (&printer{l: l}).labels(numbered.Labels), "app=agent"; len(got) != 2 || !slices.Contains(got, want) {
		t.Errorf("labels = %v", got)
	}
	if same := ds.Template.WithLabels(nil); same != ds.Template.Class {
		t.Error("no more labels give another class")
	}
}

// Ids must not depend on how many objects are read at a time.
func TestLoadIsDeterministic(t *testing.T) {
	docs, err := document.Parse("many.yaml", manyObjects(300, 50))
	if err != nil {
		t.Fatal(err)
	}
	classes := func(procs int) []*cluster.Class {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		l := New(cluster.NewVocabulary())
		if err := l.Load(docs...); err != nil {
			t.Fatal(err)
		}
		var out []*cluster.Class
		for i := range l.Pods {
			out = append(out, l.Pods[i].Class)
		}
		return out
	}
	one := classes(1)
	for range 3 {
		if got := classes(4); !reflect.DeepEqual(got, one) {
			t.Fatal("four at a time give other classes than one at a time")
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		lowClass,
		string(manyObjects(2, 2)),
		"{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: a, image: a, resources: {requests: {cpu: 1e3}}}]}}",
		"{apiVersion: v1, kind: Node, metadata: {name: p}, status: {capacity: {cpu: 1e20000000}}}",
		"{apiVersion: v1, kind: Node, metadata: {name: p}, status: {capacity: {cpu: 9e18, hugepages-0: 1}}}",
		"{apiVersion: v1, kind: Pod, spec: {resources: {limits: {hugepages-1Gi: 5}}, initContainers: [{restartPolicy: Always}], containers: [{}]}}",
		"{apiVersion: apps/v1, kind: DaemonSet, spec: {selector: {matchExpressions: [{operator: In}]}, template: {}}}",
		"{apiVersion: v1, kind: LimitRange, metadata: {name: l}, spec: {limits: [{type: Container, min: {cpu: 1e3}, maxLimitRequestRatio: {cpu: 1e9}}]}}",
		"{apiVersion: v1, kind: Namespace, metadata: {name: default, annotations: {scheduler.alpha.kubernetes.io/defaultTolerations: '[{}]'}}}",
		"{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {maxUnavailable: 9%, selector: {matchExpressions: [{key: a}]}}}",
		"{apiVersion: v1, kind: Node, metadata: &m {name: 1e99999, labels: *m}}",
		"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: List, items: [&a {apiVersion: v1, kind: Node}, *a]}]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, err := document.Parse("fuzz.yaml", data)
		if err != nil {
			return
		}
		l := New(cluster.NewVocabulary())
		if len(data)%2 == 0 { // every other time as the API server may have been set up
			if _, err := l.EnableAdmission(admit.AdmissionNames()[:len(admit.Admissions())]); err != nil {
				t.Fatal(err)
			}
		}
		if l.Load(docs...) != nil {
			return
		}
		for _, n := range l.Nodes {
			checkAmounts(t, n.Spec.Allocatable)
		}
		for _, p := range l.Pods {
			if !p.Finished {
				checkAmounts(t, p.Class.Requests)
				checkAmounts(t, p.Class.ScoreRequests)
			}
		}
	})
}

// checkAmounts wants positive amounts, none too large, sorted by resource.
func checkAmounts(t *testing.T, list []cluster.Quantity) {
	for i, q := range list {
		if q.Amount < 1 || q.Amount > resources.MaxAmount || i > 0 && list[i-1].Resource >= q.Resource {
			t.Errorf("amounts %v", list)
		}
	}
}

func TestAmountText(t *testing.T) {
	for want, a := range map[string]ResourceAmount{
		"1":    {Name: "cpu", Value: 1000},
		"500m": {Name: "cpu", Value: 500},
		"1Gi":  {Name: "memory", Value: 1 << 30},
		"1025": {Name: "memory", Value: 1025},
		"8":    {Name: "nvidia.com/gpu", Value: 8},
	} {
		if got := a.Text(); got != want {
			t.Errorf("%+v is %s, want %s", a, got, want)
		}
	}
}
