package schedulerplugins

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Ours asks berth's plugins, which registry has.
func (c *Case) Ours(registry scheduler.Registry) (Answer, error) {
	docs, err := document.Parse("config.yaml", []byte(c.Config))
	if err != nil {
		return Answer{}, err
	}
	policy, err := config.Reader{Registry: registry}.Parse(docs[0])
	if err != nil {
		return Answer{Refused: true}, nil
	}
	spied, plugin := spyOn(registry, c.Plugin)
	cl := cluster.New(cluster.NewVocabulary())
	s, err := scheduler.New(cl, scheduler.Config{
		Profiles: policy.Profiles, Registry: spied, Tie: scheduler.TieFirst,
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		return Answer{}, err
	}
	queue, err := c.fill(cl, s)
	if err != nil {
		return Answer{}, err
	}
	return c.answers(cl, s, *plugin, queue)
}

// spyOn returns a registry that keeps the plugin of that name once it is made.
func spyOn(registry scheduler.Registry, name string) (scheduler.Registry, *scheduler.Plugin) {
	kept := new(scheduler.Plugin)
	spied := maps.Clone(registry)
	spied[name] = func(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
		p, err := registry[name](h, args)
		*kept = p
		return p, err
	}
	return spied, kept
}

// fill puts the nodes and pods of the case into a cluster and the queue.
func (c *Case) fill(cl *cluster.Cluster, s *scheduler.Scheduler) ([]*scheduler.QueuedPod, error) {
	serial := int64(0)
	add := func(p *Pod) cluster.PodID {
		serial++
		class := cl.AddClass(fmt.Sprint(*p), cluster.Class{SchedulerName: "default-scheduler", Priority: p.Priority, QoS: qualities[p.QoS], Containers: 1})
		return cl.AddPod(cluster.Pod{Serial: serial, Name: fmt.Sprintf("p%d", serial), Class: class})
	}
	var queue []*scheduler.QueuedPod
	for i := range c.Queue {
		p := &c.Queue[i]
		at := clock.Time(p.Timestamp) * clock.Second
		pod := add(p)
		s.Add(pod, at)
		queue = append(queue, &scheduler.QueuedPod{Pod: pod, Priority: p.Priority, Timestamp: at})
	}
	for _, n := range c.Nodes {
		id, err := cl.AddNode(cluster.NodeSpec{Name: n.Name, Allocatable: amounts(cl, n.Allocatable), Labels: cl.NewLabelSet(nil)})
		if err != nil {
			return nil, err
		}
		for i := range n.Running + n.Terminating {
			pod := add(&Pod{})
			cl.Assume(pod, id)
			cl.Bind(pod, 0)
			if i >= n.Running {
				cl.Terminate(pod, false)
			}
		}
		for _, i := range n.Nominated {
			s.Nominate(queue[i].Pod, id)
		}
	}
	return queue, nil
}

var qualities = map[string]cluster.QoS{"BestEffort": cluster.BestEffort, "Burstable": cluster.Burstable, "Guaranteed": cluster.Guaranteed}

// amounts are the quantities that a node's manifest would give it: those that a scheduler counts.
func amounts(cl *cluster.Cluster, allocatable map[string]string) []cluster.Quantity {
	var out []cluster.Quantity
	for name, text := range allocatable {
		q := resource.MustParse(text)
		amount := q.Value()
		if name == "cpu" {
			amount = q.MilliValue()
		}
		if name != "storage" && amount != 0 {
			out = append(out, cluster.Quantity{Resource: cl.Resource(name), Amount: amount})
		}
	}
	slices.SortFunc(out, func(a, b cluster.Quantity) int { return int(a.Resource - b.Resource) })
	return out
}

func (c *Case) answers(cl *cluster.Cluster, s *scheduler.Scheduler, plugin scheduler.Plugin, queue []*scheduler.QueuedPod) (Answer, error) {
	var a Answer
	score, scores := plugin.(scheduler.ScorePlugin)
	if sort, sorts := plugin.(scheduler.QueueSortPlugin); sorts {
		a.Less = lessOf(len(queue), func(i, j int) bool { return sort.Less(queue[i], queue[j]) })
	}
	if !scores {
		return a, nil
	}
	a.Raw, a.Scores = map[string]int64{}, map[string]int64{}
	for _, n := range c.Nodes {
		id, _ := cl.NodeByName(n.Name)
		a.Raw[n.Name] = score.Score(nil, id) // neither of them asks what the pod is
	}
	const now = 10 * clock.Second
	if !s.PopPod(queue[0].Pod, now) {
		return a, fmt.Errorf("the first pod is not in the queue")
	}
	attempt := s.Schedule(queue[0].Pod, now)
	if message := attempt.Message(); strings.Contains(message, "invalid score") {
		return a, fmt.Errorf("%s", message)
	}
	attempt.EachScore(func(node cluster.NodeID, plugin string, weighted int64) {
		if plugin == c.Plugin {
			a.Scores[cl.Node(node).Name] = weighted
		}
	})
	return a, nil
}
