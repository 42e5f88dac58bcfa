package plugins_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/release"
)

// world is a small cluster and its scheduler. Nodes and pods are lines of text:
//
//	n1 cpu=4 memory=8Gi pods=10 example.com/gpu=2 label=disk:ssd zone=a taint=key:value:NoSchedule image=web:1@500Mi unschedulable
//	p1 cpu=500m memory=1Gi priority=5 port=udp/10.0.0.1/53 tolerate=key:value:NoSchedule selector=disk:ssd image=web:1 image-volume=data:1
//	   containers=2 gate=wait gang=g:2:30s nodename=n1 nominated=n1 never want=n1
//	   ns=team with=app:web near=zone/app:db apart=host/app:web likes=5*zone/app:db dislikes=5*host/app:web
//	   spread=zone/1/app:web softly=host/1/app:web/bare among=app:web
//	p2 node=n1 start=10s cpu=1 (runs already; start=never: without a start time)
//
// A key can come several times. A toleration of the value * has the operator Exists. Each
// want is a term of the required node affinity, for metadata.name. See podTerm for the terms
// of pod affinity, constraint for those of spreading. A node with nohost lacks the label of
// its host name. See deviceSpec and deviceRequest for gpus.
type world struct {
	t      testing.TB
	cl     *cluster.Cluster
	s      *scheduler.Scheduler
	now    clock.Time
	pods   map[string]cluster.PodID
	groups map[string]cluster.GroupID
	serial int64
	// affinity is added to the pods that come, by name.
	affinity func(pod string, class *cluster.Class)
}

// worldConfig is what a world is made of; the zero value is the default profile, ties
// broken by name.
type worldConfig struct {
	plugins    []string // instead of those of the default profile; weights are 1
	args       map[string]any
	registry   scheduler.Registry // nil: the plugins of this package
	percentage int
	tie        scheduler.TieBreak
	vocabulary *cluster.Vocabulary // nil: a new one
	extenders  []scheduler.Extender
	rules      *release.Rules // nil: those of the newest release
}

// rulesOf returns the rules of a release, or of the newest, some of which have other values: "taintNamed=true".
func rulesOf(t testing.TB, kubernetes string, changed ...string) *release.Rules {
	t.Helper()
	settings := release.Settings{Kubernetes: kubernetes, Rules: map[string]string{}}
	for _, rule := range changed {
		name, value, _ := strings.Cut(rule, "=")
		settings.Rules[name] = value
	}
	_, rules, err := settings.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func newWorld(t testing.TB, cfg worldConfig) *world {
	t.Helper()
	registry := cfg.registry
	if registry == nil {
		registry = plugins.Registry()
	}
	profile := defaultProfile()
	if cfg.plugins != nil {
		profile = onlyThese(t, registry, append([]string{"PrioritySort", "DefaultBinder"}, cfg.plugins...), cfg.args, cfg.rules)
	}
	profile.Args, profile.Percentage = cfg.args, cfg.percentage
	if cfg.tie == "" {
		cfg.tie = scheduler.TieFirst
	}
	if cfg.vocabulary == nil {
		cfg.vocabulary = cluster.NewVocabulary()
	}
	w := &world{t: t, cl: cluster.New(cfg.vocabulary), pods: map[string]cluster.PodID{}, groups: map[string]cluster.GroupID{}}
	s, err := scheduler.New(w.cl, scheduler.Config{
		Profiles: []scheduler.ProfileConfig{profile}, Registry: registry, Tie: cfg.tie, Extenders: cfg.extenders, Rules: cfg.rules,
		InitialBackoff: scheduler.DefaultInitialBackoff, MaxBackoff: scheduler.DefaultMaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.s = s
	return w
}

// onlyThese is a profile of some plugins, each at all its points.
func onlyThese(t testing.TB, registry scheduler.Registry, names []string, args map[string]any, rules *release.Rules) scheduler.ProfileConfig {
	t.Helper()
	p := scheduler.ProfileConfig{SchedulerName: "default-scheduler"}
	for _, name := range names {
		points, err := registry.ExtensionPointsOf(name, args[name], rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, point := range points {
			p.Points[point] = append(p.Points[point], scheduler.PluginRef{Name: name, Weight: 1})
		}
	}
	return p
}

// addNodes adds the nodes of the lines.
func (w *world) addNodes(lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		if _, err := w.cl.AddNode(w.nodeSpec(line)); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) node(name string) cluster.NodeID {
	w.t.Helper()
	id, ok := w.cl.NodeByName(name)
	if !ok {
		w.t.Fatalf("there is no node %q", name)
	}
	return id
}

func (w *world) nodeSpec(line string) cluster.NodeSpec {
	w.t.Helper()
	name, fields := split(line)
	spec := cluster.NodeSpec{Name: name}
	labels := map[string]string{"kubernetes.io/hostname": name}
	for _, f := range fields {
		parts := strings.Split(f.value, ":")
		switch f.key {
		case "label":
			labels[parts[0]] = parts[1]
		case "zone":
			labels["topology.kubernetes.io/zone"] = f.value
		case "taint":
			spec.Taints = append(spec.Taints, cluster.Taint{Key: w.cl.Symbol(parts[0]), Value: w.cl.Symbol(parts[1]), Effect: w.effect(parts[2])})
		case "nohost":
			delete(labels, "kubernetes.io/hostname")
		case "unschedulable":
			spec.Unschedulable = true
		case "gpus":
			spec.Devices = w.deviceSpec(f.value)
		case "image":
			image, size, _ := strings.Cut(f.value, "@")
			spec.Images = append(spec.Images, cluster.NodeImage{Name: w.cl.Symbol(image), Size: w.amount("image", size)})
		default:
			spec.Allocatable = append(spec.Allocatable, cluster.Quantity{Resource: w.cl.Resource(f.key), Amount: w.amount(f.key, f.value)})
		}
	}
	spec.Labels = w.cl.NewLabelSet(labels)
	return spec
}

// addPods adds the pods of the lines: to their nodes, or to the queue.
func (w *world) addPods(lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		name, fields := split(line)
		p := cluster.Pod{Serial: w.serial, Name: name}
		w.serial++
		class := w.class(fields)
		if w.affinity != nil {
			w.affinity(name, &class)
		}
		p.Class = w.cl.AddClass(fmt.Sprint(w.serial), class)
		var node, nominated string
		var start clock.Time
		for _, f := range fields {
			switch f.key {
			case "node":
				node = f.value
			case "nominated":
				nominated = f.value
			case "start":
				if start = clock.Forever; f.value != "never" {
					start = w.span(f.value)
				}
			case "gang":
				p.Group = w.group(f.value)
			}
		}
		pod := w.cl.AddPod(p)
		w.pods[name] = pod
		if node != "" {
			w.cl.Assume(pod, w.node(node))
			w.cl.Bind(pod, start)
			continue
		}
		w.s.Add(pod, w.now)
		if nominated != "" {
			w.s.Nominate(pod, w.node(nominated))
		}
	}
}

func (w *world) class(fields []field) cluster.Class {
	w.t.Helper()
	c := cluster.Class{SchedulerName: "default-scheduler", Containers: 1, NonZero: [2]int64{100, 200 << 20}}
	for _, f := range fields {
		parts := strings.Split(f.value, ":")
		switch f.key {
		case "node", "nominated", "start", "gang", "with", "ns", "near", "apart", "likes", "dislikes", "spread", "softly", "among":
		case "priority":
			c.Priority = int32(w.amount("priority", f.value))
		case "never":
			c.NeverPreempt = true
		case "port":
			c.Ports = append(c.Ports, w.hostPort(f.value))
		case "tolerate":
			c.Tolerations = append(c.Tolerations, w.toleration(parts))
		case "selector":
			c.NodeSelector = append(c.NodeSelector, cluster.Label{Key: w.cl.Symbol(parts[0]), Value: w.cl.Symbol(parts[1])})
		case "image":
			c.Images = append(c.Images, w.cl.Symbol(f.value))
		case "image-volume":
			c.Images, c.ImageVolumes = append(c.Images, w.cl.Symbol(f.value)), c.ImageVolumes+1
		case "containers":
			c.Containers = int(w.amount("containers", f.value))
		case "gate":
			c.Gates = append(c.Gates, f.value)
		case "want":
			name := cluster.Requirement{Op: cluster.In, Values: []cluster.Symbol{w.cl.Symbol(f.value)}}
			c.HasRequired, c.Required = true, append(c.Required, cluster.NodeTerm{Names: []cluster.Requirement{name}})
		case "nodename":
			c.NodeName = f.value
		case "gpus":
			c.Devices = w.deviceRequest(f.value)
		default:
			r, amount := w.cl.Resource(f.key), w.amount(f.key, f.value)
			if r == cluster.CPU || r == cluster.Memory {
				c.NonZero[r] = amount
			}
			if amount != 0 {
				c.Requests = append(c.Requests, cluster.Quantity{Resource: r, Amount: amount})
			}
		}
	}
	c.ScoreNonZero, c.ScoreRequests = c.NonZero, c.Requests
	w.readMeta(fields, &c)
	w.readTerms(fields, &c)
	w.readSpread(fields, &c)
	return c
}

func (w *world) toleration(parts []string) cluster.Toleration {
	t := cluster.Toleration{Key: w.cl.Symbol(parts[0])}
	if t.Exists = parts[1] == "*"; !t.Exists {
		t.Value = w.cl.Symbol(parts[1])
	}
	if len(parts) > 2 {
		t.Effect = w.effect(parts[2])
	}
	return t
}

func (w *world) effect(s string) cluster.Effect {
	w.t.Helper()
	i := slices.Index([]string{"", "NoSchedule", "PreferNoSchedule", "NoExecute"}, s)
	if i < 0 {
		w.t.Fatalf("there is no effect %q", s)
	}
	return cluster.Effect(i)
}

// hostPort reads "80", "udp/80" or "udp/10.0.0.1/80".
func (w *world) hostPort(s string) cluster.HostPort {
	parts := strings.Split(s, "/")
	p := cluster.HostPort{IP: w.cl.Symbol("0.0.0.0"), Protocol: w.cl.Symbol("TCP"), Port: int32(w.amount("port", parts[len(parts)-1]))}
	if len(parts) > 1 {
		p.Protocol = w.cl.Symbol(strings.ToUpper(parts[0]))
	}
	if len(parts) > 2 {
		p.IP = w.cl.Symbol(parts[1])
	}
	return p
}

// group is the pod group of "name:minMember:timeout".
func (w *world) group(s string) cluster.GroupID {
	parts := strings.Split(s, ":")
	if _, known := w.groups[parts[0]]; !known {
		w.groups[parts[0]] = w.cl.Groups.Add(cluster.Group{
			Name: parts[0], MinMember: int(w.amount("gang", parts[1])), ScheduleTimeout: w.span(parts[2]),
		})
	}
	return w.groups[parts[0]]
}

// amount is a quantity in its base unit: cpu in milli, all else in units.
func (w *world) amount(key, s string) int64 {
	w.t.Helper()
	unit := int64(1)
	if key == "cpu" {
		unit = 1000
	}
	for i, suffix := range []string{"Ki", "Mi", "Gi"} {
		if strings.HasSuffix(s, suffix) {
			s, unit = strings.TrimSuffix(s, suffix), unit<<(10*(i+1))
		}
	}
	if strings.HasSuffix(s, "m") {
		s, unit = strings.TrimSuffix(s, "m"), unit/1000
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		w.t.Fatalf("%s: %v", key, err)
	}
	return n * unit
}

func (w *world) span(s string) clock.Time {
	w.t.Helper()
	return duration(w.t, s)
}

// try takes the pod out of the queue and runs one cycle for it.
func (w *world) try(pod string) *scheduler.Attempt {
	w.t.Helper()
	if !w.s.PopPod(w.pods[pod], w.now) {
		w.t.Fatalf("pod %q is not in the queue", pod)
	}
	return w.s.Schedule(w.pods[pod], w.now)
}

// scores are what one plugin gave each node in an attempt.
func scores(w *world, a *scheduler.Attempt, plugin string) string {
	var out []string
	a.EachScore(func(node cluster.NodeID, p string, score int64) {
		if p == plugin {
			out = append(out, fmt.Sprintf("%s=%d", w.cl.Node(node).Name, score))
		}
	})
	return strings.Join(out, " ")
}

type field struct{ key, value string }

func split(line string) (string, []field) {
	words := strings.Fields(line)
	var fields []field
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		fields = append(fields, field{key, value})
	}
	return words[0], fields
}
