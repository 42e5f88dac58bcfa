package conformance

import (
	"fmt"
	"maps"
	"time"

	v1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"sigs.k8s.io/yaml"
)

// world is what the API server would hold after it admitted the objects.
type world struct {
	nodes            []*v1.Node
	running, pending []*v1.Pod
	latestStart      time.Time

	priorities map[string]*schedulingv1.PriorityClass
	fallback   *schedulingv1.PriorityClass
	runtimes   map[string]*nodev1.RuntimeClass
}

// creation is when the first object was created; the others follow by the second.
var creation = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// admit decodes objects, with upstream's own defaults and what the admission plugins
// Priority and RuntimeClass do.
func admit(objects []object) (*world, error) {
	w := &world{
		priorities: map[string]*schedulingv1.PriorityClass{}, runtimes: map[string]*nodev1.RuntimeClass{},
		latestStart: creation,
	}
	for _, system := range []schedulingv1.PriorityClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "system-cluster-critical"}, Value: 2_000_000_000},
		{ObjectMeta: metav1.ObjectMeta{Name: "system-node-critical"}, Value: 2_000_001_000},
	} {
		w.priorities[system.Name] = &system
	}
	var pods []*v1.Pod
	for i, o := range objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		switch kind := o["kind"]; kind {
		case "Node":
			err = addNode(w, text, i)
		case "Pod":
			pod := &v1.Pod{}
			err = yaml.UnmarshalStrict(text, pod)
			identify(&pod.ObjectMeta, i, metav1.NamespaceDefault)
			pods = append(pods, pod)
		case "PriorityClass":
			c := &schedulingv1.PriorityClass{}
			err = yaml.UnmarshalStrict(text, c)
			w.priorities[c.Name] = c
			if c.GlobalDefault {
				w.fallback = c
			}
		case "RuntimeClass":
			c := &nodev1.RuntimeClass{}
			err = yaml.UnmarshalStrict(text, c)
			w.runtimes[c.Name] = c
		default:
			err = fmt.Errorf("kind %v is not known here", kind)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, w.addPods(pods)
}

func addNode(w *world, text []byte, i int) error {
	node := &v1.Node{}
	if err := yaml.UnmarshalStrict(text, node); err != nil {
		return err
	}
	identify(&node.ObjectMeta, i, "")
	corev1.SetObjectDefaults_Node(node)
	w.nodes = append(w.nodes, node)
	return nil
}

// identify fills in what the API server gives an object on creation.
func identify(meta *metav1.ObjectMeta, i int, namespace string) {
	if meta.Namespace == "" {
		meta.Namespace = namespace
	}
	meta.UID = types.UID(fmt.Sprintf("uid-%d", i))
	meta.CreationTimestamp = metav1.Time{Time: creation.Add(time.Duration(i) * time.Second)}
}

func (w *world) addPods(pods []*v1.Pod) error {
	for _, pod := range pods {
		corev1.SetObjectDefaults_Pod(pod)
		if err := w.admitPriority(pod); err != nil {
			return err
		}
		if err := w.admitRuntime(pod); err != nil {
			return err
		}
		if pod.Spec.NodeName == "" {
			w.pending = append(w.pending, pod)
			continue
		}
		if pod.Status.StartTime == nil {
			return fmt.Errorf("pod %s runs without a start time", pod.Name)
		}
		if pod.Status.StartTime.After(w.latestStart) {
			w.latestStart = pod.Status.StartTime.Time
		}
		w.running = append(w.running, pod)
	}
	return nil
}

// admitPriority follows plugin/pkg/admission/priority.
func (w *world) admitPriority(pod *v1.Pod) error {
	class := w.fallback
	if name := pod.Spec.PriorityClassName; name != "" {
		if class = w.priorities[name]; class == nil {
			return fmt.Errorf("pod %s: no PriorityClass %s", pod.Name, name)
		}
	}
	priority, policy := int32(0), v1.PreemptLowerPriority
	if class != nil {
		pod.Spec.PriorityClassName, priority = class.Name, class.Value
		if class.PreemptionPolicy != nil {
			policy = *class.PreemptionPolicy
		}
	}
	pod.Spec.Priority, pod.Spec.PreemptionPolicy = &priority, &policy
	return nil
}

// admitRuntime follows plugin/pkg/admission/runtimeclass.
func (w *world) admitRuntime(pod *v1.Pod) error {
	if pod.Spec.RuntimeClassName == nil {
		return nil
	}
	class := w.runtimes[*pod.Spec.RuntimeClassName]
	if class == nil {
		return fmt.Errorf("pod %s: no RuntimeClass %s", pod.Name, *pod.Spec.RuntimeClassName)
	}
	if class.Overhead != nil {
		pod.Spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling != nil {
		selector := maps.Clone(class.Scheduling.NodeSelector)
		if selector == nil {
			selector = map[string]string{}
		}
		maps.Copy(selector, pod.Spec.NodeSelector)
		pod.Spec.NodeSelector = selector
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, class.Scheduling.Tolerations...)
	}
	return nil
}
