package world

import (
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/workloads"
)

// podGroup is a pod group that has members, or expects more.
type podGroup struct {
	id     cluster.GroupID
	serial int64
}

// joinGroup returns the group of a pod that is added, and its serial. The first member makes it.
func (p *podLifecycle) joinGroup(a *workloads.Arrival) (cluster.GroupID, int64) {
	if a.Group == nil {
		return cluster.NoGroup, -1
	}
	g := p.groups[a.Group]
	if g == nil {
		g = &podGroup{serial: p.groupCount, id: p.cluster.Groups.Add(cluster.Group{
			Serial: p.groupCount, Name: a.Group.Name, Namespace: a.Group.Namespace,
			MinMember: a.Group.MinMember, ScheduleTimeout: a.Group.ScheduleTimeout,
		})}
		p.groups[a.Group] = g
		p.groupCount++
		p.emit(record.Record{
			Kind: record.DeclareGroup, Group: g.serial, Pod: -1, Node: -1, Workload: int32(a.Workload), Count: a.Group.MinMember,
			Text: p.cluster.Text(a.Group.Namespace) + "/" + a.Group.Name,
		})
	}
	return g.id, g.serial
}

// removeEmptyGroup removes the group of a removed pod if that was the last member. Nil:
// the pod was in no group.
func (p *podLifecycle) removeEmptyGroup(group *workloads.Group) {
	if group == nil {
		return
	}
	g := p.groups[group]
	if members := p.cluster.Groups.Group(g.id); len(members.Members) == 0 && members.Arrived >= group.Size {
		p.cluster.Groups.Remove(g.id)
		delete(p.groups, group)
	}
}

// declareClass records a class before its first pod, and those that were added before it.
func (p *podLifecycle) declareClass(class *cluster.Class) {
	if !p.recording() {
		return
	}
	for ; p.declared <= int(class.ID); p.declared++ {
		c := p.cluster.Class(cluster.ClassID(p.declared))
		if c.Serial < 0 {
			continue // no pod is of it
		}
		p.emit(record.Record{
			Kind: record.DeclareClass, Class: c.Serial, Priority: c.Priority,
			Text: p.cluster.Text(c.Namespace), Amounts: p.amounts(c.Requests),
			Devices: p.deviceRequest(&c.Devices),
		})
	}
}

// deviceRequest is what a record says of the devices that a class asks for.
func (p *podLifecycle) deviceRequest(r *cluster.DeviceRequest) *record.DeviceRequest {
	if r.Count == 0 {
		return nil
	}
	out := &record.DeviceRequest{Kind: p.cluster.ResourceName(r.Kind), Count: r.Count, Milli: r.Milli}
	for _, model := range r.Models {
		out.Models = append(out.Models, p.cluster.Text(model))
	}
	return out
}
