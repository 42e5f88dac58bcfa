package html

import (
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/record"
)

// columns divides a run into spans of equal length, the columns of charts and heat maps.
type columns struct {
	end   clock.Time
	count int
}

func newColumns(end clock.Time, count int) columns {
	return columns{end: end, count: max(1, min(count, int(min(int64(end), 1<<30))))}
}

// edge returns when a column begins.
func (c columns) edge(i int) clock.Time {
	if i >= c.count {
		return c.end
	}
	return clock.Time(float64(c.end) * (float64(i) / float64(c.count)))
}

// edges returns the beginnings of all columns and the end of the last, in seconds.
func (c columns) edges() []float64 {
	out := make([]float64, c.count+1)
	for i := range out {
		out[i] = c.edge(i).Seconds()
	}
	return out
}

// of returns the column that an instant is in.
func (c columns) of(t clock.Time) int {
	if c.end == 0 {
		return 0
	}
	i := min(int(float64(t)/float64(c.end)*float64(c.count)), c.count-1)
	for i+1 < c.count && c.edge(i+1) <= t {
		i++
	}
	for i > 0 && c.edge(i) > t {
		i--
	}
	return i
}

// Levels of a node in a column: how full it was on average. Between empty and full a level is a tenth.
const (
	levelAbsent = 0
	levelEmpty  = 1
	levelTenth  = 2  // above 0, up to 10 %
	levelOver   = 12 // more than all
	// levelClosed is empty, and unschedulable for most of the column.
	levelClosed = 13
)

// node is a node of the heat map.
type node struct {
	name         string
	group        int // of heat.groups
	alive, known bool
	closed       bool // unschedulable: cordoned or drained
	since        clock.Time
	closedFor    clock.Time // in the column so far
	column       int
	requested    []int64 // by resource of the heat map, like the next
	allocatable  []int64
	devices      int       // the most that it had
	used, whole  []float64 // integrals of requested and allocatable over the column so far
	total        rowSum    // of the columns that are closed, by resource
	levels       []byte    // of the columns so far; in each those of all resources
}

// nodeGroup are nodes that are equal in pool, zone, shape and labels.
type nodeGroup struct {
	info        record.NodeInfo // of the first of them
	nodes       int             // all that were ever in it
	used, whole [][]float64     // by resource and column
}

// heat is the heat map: how full each node was in each column.
type heat struct {
	columns
	resources []string
	groups    []nodeGroup
	ids       map[string]int // of groups, by their keys
}

func newHeat(end clock.Time, resources []string, count int) heat {
	return heat{columns: newColumns(end, count), resources: resources, ids: map[string]int{}}
}

// amounts returns the amounts of the resources of the heat map.
func (h *heat) amounts(list []record.Amount) []int64 {
	out := make([]int64, len(h.resources))
	for _, a := range list {
		if i := slices.Index(h.resources, a.Resource); i >= 0 {
			out[i] = a.Value
		}
	}
	return out
}

// group returns the group of a node.
func (h *heat) group(n *record.NodeInfo) int {
	key := groupKey(n)
	if i, known := h.ids[key]; known {
		return i
	}
	h.ids[key] = len(h.groups)
	g := nodeGroup{info: *n}
	for range h.resources {
		g.used = append(g.used, make([]float64, h.count))
		g.whole = append(g.whole, make([]float64, h.count))
	}
	h.groups = append(h.groups, g)
	return len(h.groups) - 1
}

func (c *collector) setNode(r *record.Record) {
	n := grow(&c.nodes, r.Node)
	if !n.known {
		size := len(c.heat.resources)
		*n = node{
			known: true, used: make([]float64, size), whole: make([]float64, size),
			requested: make([]int64, size), levels: make([]byte, 0, size*c.heat.count), total: rowSum{make([]float64, size), make([]float64, size)},
		}
		n.group = c.heat.group(r.NodeInfo)
		c.heat.groups[n.group].nodes++
	}
	c.heat.advance(n, r.Time)
	n.alive, n.name, n.closed = true, r.NodeInfo.Name, r.NodeInfo.Unschedulable
	n.allocatable = c.heat.amounts(r.NodeInfo.Allocatable)
	n.devices = max(n.devices, r.NodeInfo.Devices)
	if i := slices.Index(c.heat.resources, devicesRow); i >= 0 {
		n.allocatable[i] = int64(r.NodeInfo.Devices) * fragment.Whole
	}
	c.useDevices(n, r.Node)
}

// useDevices records what pods hold of the devices of a node from now on.
func (c *collector) useDevices(n *node, number int32) {
	if i := slices.Index(c.heat.resources, devicesRow); i >= 0 {
		n.requested[i] = c.devices.UsedOf(number)
	}
}

// occupy adds a pod's requests to a node, or subtracts them with sign -1.
func (h *heat) occupy(n *node, requests []int64, sign int64, now clock.Time) {
	h.advance(n, now)
	for i, v := range requests {
		n.requested[i] += sign * v
	}
}

// advance adds the time up to now to the integrals of a node.
func (h *heat) advance(n *node, now clock.Time) {
	for n.column < h.count {
		edge := h.edge(n.column + 1)
		until := min(now, edge)
		if span := float64(until - n.since); n.alive && span > 0 {
			for i := range n.used {
				n.used[i] += float64(float64(n.requested[i]) * span)
				n.whole[i] += float64(float64(n.allocatable[i]) * span)
			}
			if n.closed {
				n.closedFor += until - n.since
			}
		}
		n.since = until
		if now < edge {
			return
		}
		h.close(n)
	}
}

// close ends a node's current column.
func (h *heat) close(n *node) {
	g := &h.groups[n.group]
	closed := 2*n.closedFor > h.edge(n.column+1)-h.edge(n.column)
	for i := range n.used {
		g.used[i][n.column] += n.used[i]
		g.whole[i][n.column] += n.whole[i]
		n.total.used[i] += n.used[i]
		n.total.whole[i] += n.whole[i]
		at := level(n.used[i], n.whole[i])
		if at == levelEmpty && closed {
			at = levelClosed
		}
		n.levels = append(n.levels, at)
		n.used[i], n.whole[i] = 0, 0
	}
	n.closedFor = 0
	n.column++
}

// level returns how full something was, from integrals over a column.
func level(used, whole float64) byte {
	switch {
	case whole <= 0:
		return levelAbsent
	case used <= 0:
		return levelEmpty
	case used > whole*(1+1e-9):
		return levelOver
	}
	return byte(min(levelTenth+int(float64(used/whole*10)-1e-9), levelOver-1))
}
