package schedulerplugins

import (
	"context"
	"fmt"
	"time"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	kubeconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"sigs.k8s.io/scheduler-plugins/apis/config/scheme"
	"sigs.k8s.io/scheduler-plugins/pkg/noderesources"
	"sigs.k8s.io/scheduler-plugins/pkg/podstate"
	"sigs.k8s.io/scheduler-plugins/pkg/qos"
)

// Answer is what one side says of a case.
type Answer struct {
	Refused bool // the configuration, its arguments included
	Raw     map[string]int64
	Scores  map[string]int64 // by node: normalized and weighted
	Less    [][]bool         // by pods of the queue
}

// Real asks the real plugins, in the framework of kube-scheduler 1.33.
func (c *Case) Real() (Answer, error) {
	ctx := context.Background()
	nominations := nominator{map[string][]*framework.PodInfo{}}
	var plugin framework.Plugin
	spy := func(make frameworkruntime.PluginFactory) frameworkruntime.PluginFactory {
		return func(ctx context.Context, args runtime.Object, h framework.Handle) (framework.Plugin, error) {
			p, err := make(ctx, args, h)
			plugin = p
			return p, err
		}
	}
	profile, err := profileOf(c.Config)
	if err != nil {
		return Answer{Refused: true}, nil
	}
	metrics.Register()
	f, err := frameworkruntime.NewFramework(ctx, frameworkruntime.Registry{
		queuesort.Name: queuesort.New, defaultbinder.Name: defaultbinder.New, noderesources.AllocatableName: spy(noderesources.NewAllocatable),
		podstate.Name: spy(podstate.New), qos.Name: spy(qos.New),
	}, profile, frameworkruntime.WithPodNominator(nominations))
	if err != nil {
		return Answer{Refused: true}, nil
	}
	queue := c.queuedPods()
	nodes := c.nodeInfos(queue, nominations)
	a := Answer{Less: lessOf(len(queue), func(i, j int) bool { return f.QueueSortFunc()(queue[i], queue[j]) })}
	score, scores := plugin.(framework.ScorePlugin)
	if !scores {
		return a, nil
	}
	a.Raw, a.Scores = map[string]int64{}, map[string]int64{}
	for _, n := range nodes {
		raw, status := score.Score(ctx, framework.NewCycleState(), queue[0].Pod, n)
		if !status.IsSuccess() {
			return a, status.AsError()
		}
		a.Raw[n.Node().Name] = raw
	}
	all, status := f.RunScorePlugins(ctx, framework.NewCycleState(), queue[0].Pod, nodes)
	if !status.IsSuccess() {
		return a, status.AsError()
	}
	for _, n := range all {
		a.Scores[n.Name] = n.TotalScore
	}
	return a, nil
}

// profileOf is the only profile of a configuration, decoded and defaulted.
func profileOf(text string) (*kubeconfig.KubeSchedulerProfile, error) {
	decoded, _, err := scheme.Codecs.UniversalDecoder().Decode([]byte(text), nil, nil)
	if err != nil {
		return nil, err
	}
	cfg, is := decoded.(*kubeconfig.KubeSchedulerConfiguration)
	if !is {
		return nil, fmt.Errorf("the configuration is a %T", decoded)
	}
	return &cfg.Profiles[0], nil
}

func lessOf(pods int, less func(i, j int) bool) [][]bool {
	out := make([][]bool, pods)
	for i := range out {
		for j := range pods {
			out[i] = append(out[i], less(i, j))
		}
	}
	return out
}

func (c *Case) queuedPods() []*framework.QueuedPodInfo {
	var out []*framework.QueuedPodInfo
	for i, p := range c.Queue {
		info, err := framework.NewPodInfo(newPod(fmt.Sprintf("p%d", i), &p))
		if err != nil {
			panic(err) // it has no affinity, which alone can be wrong
		}
		out = append(out, &framework.QueuedPodInfo{PodInfo: info, Timestamp: time.Unix(p.Timestamp, 0)})
	}
	return out
}

// newPod is a pod that has the quality of service for its requests and limits.
func newPod(name string, p *Pod) *v1.Pod {
	amounts := v1.ResourceList{v1.ResourceCPU: resource.MustParse("1"), v1.ResourceMemory: resource.MustParse("1Gi")}
	var wants v1.ResourceRequirements
	switch p.QoS {
	case "Guaranteed":
		wants.Limits, wants.Requests = amounts, amounts
	case "Burstable":
		wants.Requests = amounts
	}
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name)},
		Spec:       v1.PodSpec{Priority: &p.Priority, Containers: []v1.Container{{Name: "c", Resources: wants}}},
	}
}

func (c *Case) nodeInfos(queue []*framework.QueuedPodInfo, nominations nominator) []*framework.NodeInfo {
	var out []*framework.NodeInfo
	for _, n := range c.Nodes {
		var pods []*v1.Pod
		for i := range n.Running + n.Terminating {
			pod := newPod(fmt.Sprintf("%s-%d", n.Name, i), &Pod{QoS: "BestEffort"})
			pod.Spec.NodeName = n.Name
			if i >= n.Running {
				pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
			}
			pods = append(pods, pod)
		}
		info := framework.NewNodeInfo(pods...)
		node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name}, Status: v1.NodeStatus{Allocatable: v1.ResourceList{}}}
		for name, amount := range n.Allocatable {
			node.Status.Allocatable[v1.ResourceName(name)] = resource.MustParse(amount)
		}
		info.SetNode(node)
		out = append(out, info)
		for _, i := range n.Nominated {
			nominations.to[n.Name] = append(nominations.to[n.Name], queue[i].PodInfo)
		}
	}
	return out
}

// nominator knows what the case says.
type nominator struct {
	to map[string][]*framework.PodInfo // by node
}

// AddNominatedPod implements framework.PodNominator.
func (nominator) AddNominatedPod(klog.Logger, *framework.PodInfo, *framework.NominatingInfo) {}

// DeleteNominatedPodIfExists implements framework.PodNominator.
func (nominator) DeleteNominatedPodIfExists(*v1.Pod) {}

// UpdateNominatedPod implements framework.PodNominator.
func (nominator) UpdateNominatedPod(klog.Logger, *v1.Pod, *framework.PodInfo) {}

// NominatedPodsForNode implements framework.PodNominator.
func (n nominator) NominatedPodsForNode(node string) []*framework.PodInfo { return n.to[node] }
