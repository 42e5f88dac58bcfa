package conformance

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/berth-sim/berth/conformance/protocol"
	berth "github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

const (
	speedRounds = 3                      // of which the median counts
	speedTime   = 700 * time.Millisecond // at most, for the pods of a round
	speedPods   = 2000                   // at most, in a round
)

// speedCase is what is measured: pods of one kind on so many nodes.
type speedCase struct {
	name  string
	nodes int
	// sampled is kube-scheduler's default: 16 workers, and of many nodes only some are
	// scored. Else all nodes are, by one worker.
	sampled bool
	pod     func(spec object, i int)
	full    bool // each pod must preempt another one
}

// Speed measures how many pods a second both sides decide and writes the table: the core
// of kube-scheduler, which is the snapshot, the decision (with preemption), assuming and
// reserving, against the same of berth on the same objects. The rounds of both sides take
// turns.
func Speed(k *Kube, out, progress io.Writer) error {
	fmt.Fprintf(out, "%-26s %-8s %6s %16s %12s %8s\n", "PODS", "SCORED", "NODES", "KUBE-SCHEDULER", "BERTH", "RATIO")
	for _, s := range speedCases() {
		var theirs, ours []float64
		for range speedRounds {
			kube, err := s.kube(k)
			if err != nil {
				return fmt.Errorf("%s, %d nodes: kube-scheduler: %w", s.name, s.nodes, err)
			}
			berth, err := s.berth(k)
			if err != nil {
				return fmt.Errorf("%s, %d nodes: berth: %w", s.name, s.nodes, err)
			}
			theirs, ours = append(theirs, kube), append(ours, berth)
			fmt.Fprintf(progress, "%s, %d nodes: %.0f and %.0f pods/s\n", s.name, s.nodes, kube, berth)
		}
		scored := "all"
		if s.sampled {
			scored = "default"
		}
		kube, berth := median(theirs), median(ours)
		fmt.Fprintf(out, "%-26s %-8s %6d %9.0f pods/s %5.0f pods/s %7.1f\n", s.name, scored, s.nodes, kube, berth, berth/kube)
	}
	return nil
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

func speedCases() []speedCase {
	var out []speedCase
	for _, kind := range []speedCase{
		{name: "plain, four sizes", pod: func(object, int) {}},
		{name: "zone hard, hostname soft", pod: func(spec object, _ int) {
			selector := object{"matchLabels": object{"app": "web"}}
			spec["topologySpreadConstraints"] = []any{
				object{"topologyKey": "topology.kubernetes.io/zone", "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector},
				object{"topologyKey": "kubernetes.io/hostname", "maxSkew": 1, "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": selector},
			}
		}},
		{name: "preferred anti-affinity", pod: func(spec object, _ int) {
			term := object{"topologyKey": "kubernetes.io/hostname", "labelSelector": object{"matchLabels": object{"app": "web"}}}
			spec["affinity"] = object{"podAntiAffinity": object{"preferredDuringSchedulingIgnoredDuringExecution": []any{
				object{"weight": 100, "podAffinityTerm": term},
			}}}
		}},
		{name: "each must preempt", full: true, pod: func(spec object, _ int) { spec["priorityClassName"] = "high" }},
	} {
		for _, kind.sampled = range []bool{false, true} {
			for _, kind.nodes = range []int{100, 1000, 5000} {
				out = append(out, kind)
			}
		}
	}
	return out
}

// Case is the objects and the configuration.
func (s *speedCase) Case() *Case {
	c := &Case{Family: s.name, Policy: defaultPolicy()}
	if !s.sampled {
		c.Policy["percentageOfNodesToScore"] = 100
	}
	c.Objects = append(c.Objects, object{
		"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": object{"name": "high"}, "value": 1000,
	})
	node := func(i int) string { return fmt.Sprintf("node-%05d", i) }
	for i := range s.nodes {
		c.Objects = append(c.Objects, object{
			"apiVersion": "v1", "kind": "Node",
			"metadata": object{"name": node(i), "labels": object{
				"kubernetes.io/hostname": node(i), "topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", i%3),
			}},
			"status": object{"allocatable": object{"cpu": "32", "memory": "128Gi", "pods": "110"}},
		})
	}
	pod := func(name, cpu, memory string) object {
		return object{
			"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name, "labels": object{"app": "web"}},
			"spec": object{"containers": []any{object{
				"name": "main", "image": "web:1", "resources": object{"requests": object{"cpu": cpu, "memory": memory}},
			}}},
		}
	}
	sizes := [][2]string{{"250m", "512Mi"}, {"500m", "1Gi"}, {"1", "4Gi"}, {"2", "4Gi"}}
	if s.full {
		sizes = [][2]string{{"8", "8Gi"}}
		for i := range 4 * s.nodes {
			p := pod(fmt.Sprintf("low-%05d", i), "8", "8Gi")
			p["spec"].(object)["nodeName"] = node(i % s.nodes)
			p["status"] = object{"phase": "Running", "startTime": creation.Add(time.Duration(i) * time.Second).Format(time.RFC3339)}
			c.Objects = append(c.Objects, p)
		}
	}
	for i := range speedPods {
		size := sizes[i%len(sizes)]
		p := pod(fmt.Sprintf("pod-%05d", i), size[0], size[1])
		s.pod(p["spec"].(object), i)
		c.Objects = append(c.Objects, p)
	}
	return c
}

// kube is the pods that kube-scheduler decides in a second.
func (s *speedCase) kube(k *Kube) (float64, error) {
	wire, err := s.Case().wire()
	if err != nil {
		return 0, err
	}
	m := protocol.Measurement{Case: wire, Workers: 1, Pods: s.maxPods(), Time: speedTime}
	if s.sampled {
		m.Workers = 16
	}
	return call[float64](k, protocol.Measure, m)
}

// berth is the pods that berth decides in a second.
func (s *speedCase) berth(k *Kube) (float64, error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a left-over does no harm
	p, err := s.Case().placement(dir, k.Release)
	if err != nil {
		return 0, err
	}
	var pending []cluster.PodID
	for i := range p.Pods {
		arrival := &p.Pods[i]
		pod := p.Cluster.AddPod(cluster.Pod{Serial: int64(i), Name: arrival.Name, Class: arrival.Class})
		if arrival.Node == "" {
			p.Scheduler.Add(pod, 0)
			pending = append(pending, pod)
			continue
		}
		node, _ := p.Cluster.NodeByName(arrival.Node)
		p.Cluster.Assume(pod, node)
		p.Cluster.Bind(pod, arrival.Started)
	}
	return s.rate(len(pending), func(i int) error {
		for again := true; again; {
			if !p.Scheduler.PopPod(pending[i], 0) {
				return fmt.Errorf("pod %d is gated", i)
			}
			a := p.Scheduler.Schedule(pending[i], 0)
			p.Scheduler.EndAttempt(a, 0)
			for _, victim := range a.Victims {
				p.Scheduler.Remove(victim)
				p.Cluster.RemovePod(victim)
			}
			again = len(a.Victims) > 0
			if a.Outcome != berth.Scheduled && !again {
				return fmt.Errorf("pod %d has no node: %s", i, a.Message())
			}
		}
		return nil
	})
}

// maxPods is how many pods are decided at most: where each preempts one, not so many that those that can be preempted
// become fewer.
func (s *speedCase) maxPods() int {
	if s.full {
		return min(s.nodes, speedPods)
	}
	return speedPods
}

// rate decides pods until there are no more or the time is over.
func (s *speedCase) rate(pending int, decide func(i int) error) (float64, error) {
	began, done := time.Now(), 0
	for ; done < min(pending, s.maxPods()) && time.Since(began) < speedTime; done++ {
		if err := decide(done); err != nil {
			return 0, err
		}
	}
	return float64(done) / time.Since(began).Seconds(), nil
}
