package html

import (
	"cmp"
	"slices"

	"github.com/berth-sim/berth/reports/podtable"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/lifecycle"
	"github.com/berth-sim/berth/sim/model/record"
)

// collector reads the records of one run for what a page shows beyond metrics: what was
// on each node, why pods were pending, gangs, preemptions, and the stories of pods. Its
// memory grows with the pods and nodes that are present and with what is shown. Of a pod that
// has gone a few bytes remain for each node that it was on.
type collector struct {
	end     clock.Time // of the run
	limits  limits
	now     clock.Time
	classes []class
	loads   []string // names of workloads
	nodes   []node
	life    *lifecycle.Lifecycle[*pod]
	rows    *podtable.Follower

	heat        heat
	occupancies []occupancy
	evicted     map[string]int // how often a pod of that name was
	pending     pendingLog
	losses      lossLog
	gangs       gangLog
	worst       worstPods
	devices     deviceLog
}

// class is a pod class as the page shows it.
type class struct {
	priority int32
	amounts  []record.Amount
	requests []int64 // of the resources of the heat map
	milli    int32   // thousandths of each device that a pod asks for
}

// pod is a pod that is present, or has gone and is one of the worst. It keeps what the page shows after the Lifecycle has
// forgotten the pod.
type pod struct {
	number     int64
	name       string
	recreated  int // how many pods of its name were evicted before
	class      int32
	workload   int32
	group      int64
	node       int32   // -1 without one
	held       []int32 // devices, on its node
	attempts   int
	arrived    clock.Time
	onNode     clock.Time // since when it is on its node
	bound      clock.Time // -1 before
	started    clock.Time // -1 before
	lost       clock.Time // how long it had run when it was evicted
	reason     int        // why it is pending, see pendingLog
	waiting    bool       // it has no node
	since      clock.Time // when it began to wait for that reason
	waits      []reasonWait
	row        podtable.Row // what became of it, once that is known
	evicted    bool
	story      story
	preemption *preemption // the last one that made room for it
}

// newCollector returns a collector for a run of that length.
func newCollector(end clock.Time, resources []string, l limits) *collector {
	c := &collector{end: end, limits: l, life: lifecycle.New[*pod](), worst: newWorstPods(l.pods), evicted: map[string]int{}}
	c.rows = podtable.New(func(row *podtable.Row) { c.pod(row.Number).row = *row })
	c.heat = newHeat(end, resources, l.heatColumns)
	c.pending = newPendingLog(newColumns(end, l.columns), l.reasonPods)
	c.losses = newLossLog(end, l)
	c.devices = newDeviceLog(newColumns(end, l.columns))
	return c
}

// observe takes in the next record. An invalid one is ignored: the ledger that reads the same log reports it.
func (c *collector) observe(r *record.Record) {
	c.rows.Observe(r) // while a pod that leaves is still known
	change, ok := c.life.Observe(r)
	if !ok {
		return
	}
	c.now = r.Time
	c.devices.observe(r, change.Move(r))
	switch r.Kind {
	case record.DeclareClass:
		k := grow(&c.classes, r.Class)
		*k = class{priority: r.Priority, amounts: r.Amounts, requests: c.heat.amounts(r.Amounts)}
		if r.Devices != nil {
			k.milli = r.Devices.Milli
		}
	case record.DeclareWorkload:
		*grow(&c.loads, r.Workload) = r.Text
	case record.DeclareGroup:
		c.gangs.declare(r)
	case record.NodeAdded, record.NodeChanged:
		c.setNode(r)
	case record.NodeRemoved:
		if n := c.node(r.Node); n != nil {
			c.heat.advance(n, r.Time)
			n.alive = false
		}
	case record.PodArrived:
		c.arrive(r, change.Pod)
	default:
		if change != nil {
			c.observePod(r, change)
		}
	}
}

func (c *collector) arrive(r *record.Record, present *lifecycle.Pod[*pod]) {
	p := &pod{
		number: r.Pod, name: r.Text, class: r.Class, workload: r.Workload, group: r.Group,
		node: -1, arrived: r.Time, bound: -1, started: -1, recreated: c.evicted[r.Text],
	}
	present.Data = p
	p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, recreated: p.recreated > 0})
	c.gangs.arrive(r)
	c.updateWait(r, p)
}

// observePod takes in a record of a pod that is present.
func (c *collector) observePod(r *record.Record, change *lifecycle.Change[*pod]) {
	p := change.Pod.Data
	switch m := change.Move(r); {
	case m.To >= 0:
		c.enterNode(p, m.To, m.Held)
	case m.From >= 0 && change.Pod.State == lifecycle.Pending:
		c.removeFromNode(p)
	}
	c.updateWait(r, p)
	switch r.Kind {
	case record.PodGated:
		p.story.add(event{kind: r.Kind, at: r.Time, text: r.Text})
	case record.PodUngated:
		p.story.add(event{kind: r.Kind, at: r.Time})
	case record.PodAttempted:
		c.attempt(r, p)
	case record.PodAllowed, record.PodEvictionBlocked:
		p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, text: r.Text})
	case record.PodRolledBack:
		c.rollBack(r, p)
	case record.PodBound:
		p.bound = r.Time
		p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node})
		c.gangs.bind(r.Time, p)
	case record.PodStarted:
		p.started = r.Time
		p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node})
	case record.PodEvicted:
		c.evict(r, p)
	case record.PodCompleted:
		p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node})
		c.endStory(p)
	case record.PodGone:
		p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node})
		c.endStory(p)
	}
}

func (c *collector) attempt(r *record.Record, p *pod) {
	a := r.Attempt
	p.attempts = r.Count
	p.story.attempt(r)
	if a.Victims > 0 {
		p.preemption = c.losses.preempt(r, p, c.classes[p.class].priority)
	}
}

// rollBack records that a pod lost its node before it was bound.
func (c *collector) rollBack(r *record.Record, p *pod) {
	by := ""
	if preemption := c.losses.rollBack(r, p); preemption != nil {
		by = preemption.pod
		if preemptor := c.pod(preemption.number); preemptor != nil {
			preemptor.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, ofVictim: true, text: p.name})
		}
	}
	p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, cause: r.Cause, text: r.Text, by: by})
	c.gangs.rollBack(r, p)
}

func (c *collector) evict(r *record.Record, p *pod) {
	c.evicted[p.name]++
	p.evicted = true
	if p.started >= 0 {
		p.lost = r.Time - p.started
	}
	c.losses.evict(r)
	c.gangs.unbind(p)
	by := ""
	if preemptor := c.pod(r.By); r.Cause == record.ByPreemption && preemptor != nil {
		by = preemptor.name
		preemptor.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, ofVictim: true, text: p.name})
		if preemptor.preemption != nil {
			preemptor.preemption.take(p)
		}
	}
	p.story.add(event{kind: r.Kind, at: r.Time, node: r.Node, cause: r.Cause, by: by})
}

// updateWait records that a pod has no node, and why, if the record says so.
func (c *collector) updateWait(r *record.Record, p *pod) {
	reasons, says := lifecycle.PendingReasons(r)
	if !says {
		return
	}
	c.endWait(p)
	p.waiting, p.reason, p.since = true, c.pending.id(lifecycle.MainReason(reasons)), c.now
	c.pending.add(p.reason, 1, c.now)
}

// endWait records that a pod has stopped waiting for a node.
func (c *collector) endWait(p *pod) {
	if p.waiting {
		c.pending.add(p.reason, -1, c.now)
		p.waiting = false
		p.addWait(p.reason, c.now-p.since)
	}
}

func (c *collector) enterNode(p *pod, number int32, held []int32) {
	c.endWait(p)
	p.node, p.onNode, p.held = number, c.now, held
	if n := c.node(number); n != nil {
		c.heat.occupy(n, c.classes[p.class].requests, 1, c.now)
		c.useDevices(n, number)
	}
}

func (c *collector) removeFromNode(p *pod) {
	if n := c.node(p.node); n != nil {
		c.heat.occupy(n, c.classes[p.class].requests, -1, c.now)
		c.useDevices(n, p.node)
	}
	p.node = -1
}

// endStory keeps what is shown of a pod that has gone, and the pod itself if it is one of the worst.
func (c *collector) endStory(p *pod) {
	c.endWait(p)
	if !p.evicted {
		c.gangs.unbind(p)
	}
	if p.node >= 0 {
		end := completed
		if p.evicted {
			end = evicted
		}
		c.occupancy(p, end)
		last := p.node
		c.removeFromNode(p)
		p.node = last // where it was
	}
	c.worst.offer(p, c.now)
	c.pending.offer(p)
}

// occupancy records that a pod was on its node until now.
func (c *collector) occupancy(p *pod, end ending) {
	if p.bound < 0 {
		return
	}
	c.occupancies = append(c.occupancies, occupancy{node: p.node, class: p.class, ending: end, number: p.number, name: p.name, from: p.onNode, to: c.now, devices: p.held})
}

// finish brings everything up to the end of the run.
func (c *collector) finish() {
	c.now = c.end
	c.rows.Finish()
	byNumber := func(a, b *lifecycle.Pod[*pod]) int { return cmp.Compare(a.Number, b.Number) }
	for _, present := range slices.SortedFunc(c.life.Pods(), byNumber) {
		p := present.Data
		switch {
		case p.node < 0:
		case p.evicted:
			c.occupancy(p, evicted)
		default:
			c.occupancy(p, continues)
		}
		if p.waiting {
			p.addWait(p.reason, c.end-p.since)
		}
		c.pending.offer(p)
		c.worst.offer(p, c.now)
		if p.bound < 0 {
			c.worst.offerUnbound(p, c.now)
		}
	}
	for i := range c.nodes {
		c.heat.advance(&c.nodes[i], c.end)
	}
	c.pending.finish(c.end)
	c.devices.advance(c.end)
}

// pod returns the pod of that number, or nil if it is not present.
func (c *collector) pod(number int64) *pod {
	if present := c.life.Pod(number); present != nil {
		return present.Data
	}
	return nil
}

// node returns the node of that number, or nil.
func (c *collector) node(number int32) *node {
	if number < 0 || int(number) >= len(c.nodes) {
		return nil
	}
	return &c.nodes[number]
}

// nodeName returns the name of a node; "no node" for -1.
func (c *collector) nodeName(number int32) string {
	if n := c.node(number); n != nil {
		return n.name
	}
	return "no node"
}

// grow returns the element of a list that grows as numbers become known.
func grow[T any, N ~int32 | ~int64](list *[]T, i N) *T {
	for int(i) >= len(*list) {
		var zero T
		*list = append(*list, zero)
	}
	return &(*list)[i]
}
