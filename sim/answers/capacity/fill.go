package capacity

import (
	"cmp"
	"context"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
)

// filler fills one cluster.
type filler struct {
	Cluster
	options Options
	set     []manifest.Replica
	ratio   []int
	out     Filling

	state  *cluster.Cluster
	first  int64           // serial of the first replica
	partOf []int           // by serial of replicas, from first on
	taken  map[string]bool // names of pods, with their namespace
	next   []int           // by part: the number to try for the name of the next replica
	daemon map[int64]bool  // pods of DaemonSets, by serial
	err    error           // of explaining
}

func newFiller(c Cluster, set []manifest.Replica, o Options) *filler {
	f := &filler{
		Cluster: c, options: o, set: set, ratio: o.Ratio, state: c.Placement.Cluster,
		first: int64(len(c.Pods)), taken: map[string]bool{}, next: make([]int, len(set)), daemon: map[int64]bool{},
	}
	if f.ratio == nil {
		f.ratio = []int{1}
	}
	for i := range c.Pods {
		a := &c.Pods[i]
		f.taken[f.state.Text(a.Class.Namespace)+"/"+a.Name] = true
	}
	for i := range set {
		f.out.Parts = append(f.out.Parts, Part{
			Template: set[i].Namespace + "/" + set[i].Name, Kind: set[i].Kind, Ratio: f.ratio[i],
			Requests: f.asked(set[i].Class(0)),
		})
	}
	return f
}

func (f *filler) amounts(list []cluster.Quantity) []Amount {
	out := []Amount{}
	for _, q := range list {
		out = append(out, Amount{f.state.ResourceName(q.Resource), q.Amount})
	}
	return out
}

// begin places the pods of the snapshot, and counts them.
func (f *filler) begin(r *Result) error {
	pods := f.Pods
	if !f.options.Pending {
		pods = nil
		for _, a := range f.Pods {
			if a.Node != "" {
				pods = append(pods, a)
			}
		}
	}
	for i := range pods {
		f.daemon[int64(i)] = pods[i].Daemon // a placement numbers its pods by their place
	}
	p := f.Placement
	result, err := p.Run(pods)
	if err != nil {
		return err
	}
	p.Attempted, p.DryRun = f.attempted, !f.options.Preempt
	r.Nodes, r.Running, r.Pending = result.Nodes, result.OnNodes, len(f.Pods)-result.OnNodes
	r.Placed, r.Victims = result.Placed, result.Preempted
	return nil
}

// attempted notes what an attempt decided about a replica. One that makes room is followed by
// another.
func (f *filler) attempted(a *scheduler.Attempt) {
	switch {
	case a.Outcome == scheduler.Scheduled:
	case len(a.Victims) > 0 && f.options.Preempt:
		f.out.Victims += len(a.Victims)
	default:
		f.out.Stop, f.err = explain.Attempt(f.Placement.Scheduler, f.state, a, explain.Options{
			Nodes: true, Daemons: f.Daemons,
			IsDaemon: func(pod cluster.PodID) bool { return f.daemon[f.state.Pod(pod).Serial] },
		})
	}
}

// fill places sets until one does not fit.
func (f *filler) fill(ctx context.Context) error {
	if !f.options.Preempt {
		f.out.Room = f.room()
	}
	f.out.Stopped = -1
	f.atOnce()
	for f.out.Stopped < 0 && f.out.Sets < f.options.Max {
		if err := f.placeSet(ctx); err != nil {
			return err
		}
	}
	f.nodes()
	f.bound()
	return cmp.Or(f.err, ctx.Err()) // an extender that was cut short tells nothing
}

// atOnce places all replicas of a template whose order does not matter, as many as fit: they
// take all the room that there is for them on each node, whichever comes first.
func (f *filler) atOnce() {
	if f.options.Ratio != nil || f.options.Preempt || !f.set[0].Uniform() {
		return
	}
	n, done := f.Placement.Fill(f.first, f.set[0].Class(0), f.options.Max, func() string { return f.name(0) })
	if !done {
		return
	}
	f.out.Sets, f.out.Parts[0].Replicas, f.partOf = n, n, make([]int, n)
}

// name is the first name for a replica that no pod has.
func (f *filler) name(part int) string {
	r := &f.set[part]
	for {
		name := r.PodName(f.next[part])
		f.next[part]++
		if full := r.Namespace + "/" + name; !f.taken[full] {
			f.taken[full] = true
			return name
		}
	}
}

// placeSet places the replicas of one set more, as far as they fit.
func (f *filler) placeSet(ctx context.Context) error {
	for part, count := range f.ratio {
		for range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			if fits, err := f.place(part); err != nil || !fits {
				return err
			}
			f.out.Parts[part].Replicas++
			if f.options.Progress != nil {
				f.options.Progress(len(f.partOf))
			}
		}
	}
	f.out.Sets++
	return nil
}

// place places one replica more, and notes if it does not fit.
func (f *filler) place(part int) (fits bool, err error) {
	name := f.name(part) // which decides on the number
	class := f.set[part].Class(f.next[part] - 1)
	serial := f.first + int64(len(f.partOf))
	f.partOf = append(f.partOf, part)
	a := workloads.Arrival{Name: name, Class: class}
	if fits, err = f.Placement.More(serial, a); err != nil || fits {
		return fits, err
	}
	f.out.Stopped = part
	if f.out.Stop == nil {
		f.Placement.Gated(func(pod cluster.PodID, why string) {
			if f.state.Pod(pod).Serial == serial {
				f.out.Gate = why
			}
		})
	}
	return false, f.err
}
