package world

import (
	"context"
	"fmt"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
)

// core is what the parts of a world share: its time, its cluster and scheduler, and its records.
type core struct {
	timeline
	cfg         Config
	cluster     *cluster.Cluster
	scheduler   *scheduler.Scheduler
	ctx         context.Context // of Run
	controllers [numRanks]controller
	// oneShot: the world is driven by a Stepper and has no timers.
	oneShot  bool
	progress clock.Time // when something last arrived, completed or was changed by the scenario
	rec      record.Record
	err      error
}

// emit records something that happens now.
func (c *core) emit(r record.Record) {
	if !c.recording() {
		return
	}
	r.Time = c.now
	c.rec = r
	c.cfg.Record(&c.rec)
}

// recording reports whether anybody reads the records.
func (c *core) recording() bool { return c.cfg.Record != nil }

// nodeSerial is the number of a node in records, -1 for no node.
func (c *core) nodeSerial(id cluster.NodeID) int32 { return int32(c.cluster.SerialOf(id)) }

// emitPod records something that happens to a pod on its node.
func (c *core) emitPod(kind record.Kind, pod cluster.PodID) {
	p := c.cluster.Pod(pod)
	c.emit(record.Record{Kind: kind, Pod: p.Serial, Node: c.nodeSerial(p.Node), Group: -1})
}

// fault ends the run with an error. The first one counts.
func (c *core) fault(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// podEvent is an event of the scheduler about a pod on its node.
func (c *core) podEvent(kind scheduler.ClusterEventKind, pod cluster.PodID) scheduler.ClusterEvent {
	p := c.cluster.Pod(pod)
	return scheduler.ClusterEvent{Kind: kind, Node: p.Node, Pod: pod, Class: p.Class, Group: p.Group}
}

// amounts lists quantities by the names of their resources.
func (c *core) amounts(list []cluster.Quantity) []record.Amount {
	out := make([]record.Amount, len(list))
	for i, q := range list {
		out[i] = record.Amount{Resource: c.cluster.ResourceName(q.Resource), Value: q.Amount}
	}
	return out
}
