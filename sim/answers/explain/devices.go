package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// Devices is what a pod asks for of the devices of a node, what it got of them, and what it found.
type Devices struct {
	Kind  string  `json:"kind"`  // the resource that counts them
	Count int     `json:"count"` // how many it asks for
	Milli int32   `json:"milli"` // how many thousandths of each
	Held  []int32 `json:"held"`  // numbers of those that it has on its node
	// Free is what is free of the devices of the nodes that were rejected on their account,
	// those that lack least first.
	Free []DevicesFree `json:"free"`
}

// DevicesFree is nodes of one model with as much free of each device.
type DevicesFree struct {
	Nodes int     `json:"nodes"`
	Node  string  `json:"node"`  // the one that was looked at first
	Model string  `json:"model"` // empty: it does not say
	Milli []int32 `json:"milli"` // by device, in thousandths
}

// devicesOf is nil for a pod that asks for none.
func devicesOf(c *cluster.Cluster, pod cluster.PodID) *Devices {
	r := &c.Pod(pod).Class.Devices
	if r.Count == 0 {
		return nil
	}
	return &Devices{
		Kind: c.ResourceName(r.Kind), Count: r.Count, Milli: r.Milli,
		Held: append([]int32{}, c.Devices.Of(pod)...), Free: []DevicesFree{},
	}
}

// runsOn is what a pod that came with its node has of devices there; nil: it asks for none, or is
// gone.
func (t *Tracker) runsOn(f *followed) *Devices {
	if f.state != Running {
		return nil
	}
	node, exists := t.Cluster.NodeByName(f.node)
	if !exists {
		return nil
	}
	for _, pod := range t.Cluster.PodsOn(node) {
		if podName(t.Cluster, pod) == f.name {
			return devicesOf(t.Cluster, pod)
		}
	}
	return nil
}

// devices says what is free of the devices of the nodes that lack some.
func (x *analysis) devices() {
	if x.out.Devices == nil {
		return
	}
	r, at := &x.class.Devices, map[string]int{}
	out := x.out.Devices.Free
	for i := range x.nodes {
		j := &x.nodes[i]
		spec := &x.cluster.Node(j.id).Devices
		if !j.by(scheduler.CheckDevices) || spec.Kind != r.Kind || spec.Count == 0 {
			continue
		}
		free, model := x.cluster.Devices.Free(j.id), x.cluster.Text(spec.Model)
		key := fmt.Sprint(model, free)
		k, seen := at[key]
		if !seen {
			k = len(out)
			at[key] = k
			out = append(out, DevicesFree{Node: x.cluster.Node(j.id).Name, Model: model, Milli: slices.Clone(free)})
		}
		out[k].Nodes++
	}
	slices.SortStableFunc(out, func(a, b DevicesFree) int { return cmp.Compare(a.lack(r), b.lack(r)) })
	x.out.Devices.Free = out
}

// lack is how much would have to become free for a pod that asks for that, in thousandths.
func (f *DevicesFree) lack(r *cluster.DeviceRequest) int64 {
	free := slices.Clone(f.Milli)
	slices.SortFunc(free, func(a, b int32) int { return cmp.Compare(b, a) })
	lack := r.Total()
	for _, milli := range free[:min(r.Count, len(free))] {
		lack -= int64(min(milli, r.Milli))
	}
	return lack
}
