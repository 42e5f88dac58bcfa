package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// scriptedPlugin is a plugin at every point whose answers a test sets, by point and pod, or point, pod
// and node: "unschedulable:why", "unresolvable:why", "error:why", "skip", "wait:5s",
// "only:n1+n2", a score, "no" for a retry, or, of a filter, "needs:pod" and "fears:pod" on the
// node. It writes down what it is told.
type scriptedPlugin struct {
	name    string
	h       *Handle
	answers map[string]string
	log     *[]string
}

func (m *scriptedPlugin) Name() string            { return m.name }
func (m *scriptedPlugin) DependsOn() Dependencies { return NodeAllocatable | NodePods | Nominations }

func (m *scriptedPlugin) answer(point string, pod cluster.PodID, node cluster.NodeID) string {
	name := m.h.Cluster().Pod(pod).Name
	if node != cluster.None {
		if a, ok := m.answers[point+" "+name+"/"+m.h.Cluster().Node(node).Name]; ok {
			return a
		}
	}
	return m.answers[point+" "+name]
}

func (m *scriptedPlugin) status(point string, pod cluster.PodID, node cluster.NodeID) Status {
	code, message, _ := strings.Cut(m.answer(point, pod, node), ":")
	codes := []string{"", "unschedulable", "unresolvable", "error", "skip", "wait"}
	if i := slices.Index(codes, code); i >= 0 {
		return Status{Code(i), message}
	}
	return Status{}
}

func (m *scriptedPlugin) called(what string, pod cluster.PodID, node cluster.NodeID) {
	*m.log = append(*m.log, fmt.Sprintf("%s: %s %s on %s", m.name, what, m.h.Cluster().Pod(pod).Name, m.h.Cluster().Node(node).Name))
}

func (m *scriptedPlugin) PreEnqueue(pod cluster.PodID) string {
	return m.answer("preEnqueue", pod, cluster.None)
}

func (m *scriptedPlugin) PreFilter(c *Cycle) PreFilterResult {
	st := m.status("preFilter", c.Pod, cluster.None)
	r := PreFilterResult{Skip: st.Code == Skip, Status: st}
	if names, limited := strings.CutPrefix(m.answer("preFilter", c.Pod, cluster.None), "only:"); limited {
		r.Restrict = true
		for _, n := range strings.FieldsFunc(names, func(r rune) bool { return r == '+' }) {
			r.Names = append(r.Names, c.Cluster.Symbol(n))
		}
	}
	return r
}

func (m *scriptedPlugin) Filter(c *Cycle, node cluster.NodeID) Verdict {
	kind, other, _ := strings.Cut(m.answer("filter", c.Pod, node), ":")
	there := slices.ContainsFunc(c.Cluster.PodsOn(node), func(p cluster.PodID) bool { return c.Cluster.Pod(p).Name == other })
	if kind == "needs" && !there || kind == "fears" && there {
		return NewRejection(Unschedulable, uint32(c.Cluster.Symbol(kind+" "+other)))
	}
	if st := m.status("filter", c.Pod, node); st.Code != Success {
		return NewRejection(st.Code, uint32(c.Cluster.Symbol(st.Message)))
	}
	return Fits
}

func (m *scriptedPlugin) Checks() Checks { return CheckOther }

func (m *scriptedPlugin) Reasons(c *Cycle, v Verdict) []string {
	return []string{c.Cluster.Text(cluster.Symbol(v.Detail()))}
}

func (m *scriptedPlugin) PostFilter(c *Cycle) PostFilterResult {
	if name, ok := strings.CutPrefix(m.answer("postFilter", c.Pod, cluster.None), "nominate:"); ok {
		node, _ := c.Cluster.NodeByName(name)
		return PostFilterResult{SetNomination: true, Nominated: node}
	}
	st := m.status("postFilter", c.Pod, cluster.None)
	if st.Code == Success {
		st = Status{Unschedulable, m.name + " cannot help"}
	}
	return PostFilterResult{Status: st}
}

func (m *scriptedPlugin) PreScore(c *Cycle) Status { return m.status("preScore", c.Pod, cluster.None) }

func (m *scriptedPlugin) Score(c *Cycle, node cluster.NodeID) int64 {
	n, _ := strconv.ParseInt(m.answer("score", c.Pod, node), 10, 64)
	return n
}

func (m *scriptedPlugin) Reserve(_ *CycleState, pod cluster.PodID, node cluster.NodeID) Status {
	m.called("reserve", pod, node)
	return m.status("reserve", pod, node)
}

func (m *scriptedPlugin) Unreserve(_ *CycleState, pod cluster.PodID, node cluster.NodeID) {
	m.called("unreserve", pod, node)
}

func (m *scriptedPlugin) Permit(pod cluster.PodID, node cluster.NodeID) (Status, clock.Time) {
	st := m.status("permit", pod, node)
	d, _ := time.ParseDuration(st.Message)
	return st, clock.FromDuration(d)
}

func (m *scriptedPlugin) PreBind(pod cluster.PodID, node cluster.NodeID) Status {
	return m.status("preBind", pod, node)
}

func (m *scriptedPlugin) Bind(pod cluster.PodID, node cluster.NodeID) Status {
	st := m.status("bind", pod, node)
	if st.Code == Success {
		m.called("bind", pod, node)
	}
	return st
}

func (m *scriptedPlugin) PostBind(pod cluster.PodID, node cluster.NodeID) {
	m.called("postBind", pod, node)
}

func (m *scriptedPlugin) QueueingHint(pod cluster.PodID, _ ClusterEvent) bool {
	return m.answer("retry", pod, cluster.None) != "no"
}

// byPriority is the queue sort of upstream.
type byPriority struct{}

func (byPriority) Name() string            { return "Sort" }
func (byPriority) DependsOn() Dependencies { return 0 }
func (byPriority) Less(a, b *QueuedPod) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.Timestamp < b.Timestamp
}

// moody is a scheduler with the plugins A and B at every point, in this order.
type moody struct {
	t        testing.TB
	cl       *cluster.Cluster
	s        *Scheduler
	now      clock.Time
	pods     map[string]cluster.PodID
	behavior map[string]*scriptedPlugin
	log      []string
}

func newMoody(t testing.TB, tie TieBreak, extenders ...Extender) *moody {
	t.Helper()
	m := &moody{t: t, cl: cluster.New(cluster.NewVocabulary()), pods: map[string]cluster.PodID{}, behavior: map[string]*scriptedPlugin{}}
	registry := Registry{"Sort": func(*Handle, any) (Plugin, error) { return byPriority{}, nil }}
	cfg := ProfileConfig{SchedulerName: "default-scheduler"}
	for _, name := range []string{"A", "B"} {
		registry[name] = func(h *Handle, _ any) (Plugin, error) {
			m.behavior[name] = &scriptedPlugin{name, h, map[string]string{}, &m.log}
			return m.behavior[name], nil
		}
		for point := range NumExtensionPoints {
			if point != QueueSort {
				cfg.Points[point] = append(cfg.Points[point], PluginRef{Name: name, Weight: 1})
			}
		}
	}
	cfg.Points[QueueSort] = []PluginRef{{Name: "Sort"}}
	s, err := New(m.cl, Config{
		Profiles: []ProfileConfig{cfg}, Registry: registry, Tie: tie, Extenders: extenders,
		InitialBackoff: DefaultInitialBackoff, MaxBackoff: DefaultMaxBackoff, Streams: clock.NewStreams(1),
	})
	if err != nil {
		t.Fatal(err)
	}
	m.s = s
	return m
}

func (m *moody) addNode(name string) cluster.NodeID {
	m.t.Helper()
	id, err := m.cl.AddNode(cluster.NodeSpec{Name: name})
	if err != nil {
		m.t.Fatal(err)
	}
	return id
}

func (m *moody) addPod(name string, priority int32) cluster.PodID {
	class := m.cl.AddClass(fmt.Sprint(priority), cluster.Class{SchedulerName: "default-scheduler", Priority: priority})
	id := m.cl.AddPod(cluster.Pod{Name: name, Class: class})
	m.pods[name] = id
	m.s.Add(id, m.now)
	return id
}
