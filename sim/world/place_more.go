package world

import (
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// More places one pod after Run, and reports whether it has a node then. Pods that Run left
// without a node are not tried again. The serial must not be that of another pod; the pod
// must be in no group.
func (p *Placement) More(serial int64, a *workloads.Arrival) (bool, error) {
	if err := p.add(serial, a, nil); err != nil {
		return false, err
	}
	pod := p.pods[len(p.pods)-1]
	p.try(pod)
	return p.Cluster.Pod(pod).Phase == cluster.Bound, nil
}

// Fill puts pods of the class on the nodes as long as they fit, but for more than most of
// them, and returns how many there are now; false where it has done nothing, as the class
// is one for which More must be asked: then the order in which pods take nodes matters, or
// there would be more than most. Each call of name names one pod more.
func (p *Placement) Fill(serial int64, class *cluster.Class, most int, name func() string) (int, bool) {
	in := p.Scheduler.Inspect(cluster.NoPod, class)
	if len(class.Volumes) > 0 || len(class.Gates) > 0 || !in.IsNodeLocal() {
		return 0, false
	}
	var pods []cluster.PodID
	var nodes []cluster.NodeID
	mark := p.Cluster.Mark()
	for _, node := range p.Cluster.Order() {
		for len(pods) <= most && in.Fits(node) {
			pod := p.Cluster.AddPod(cluster.Pod{
				Serial: serial + int64(len(pods)), Name: name(), Class: class, Group: cluster.NoGroup,
			})
			p.Cluster.TryPlace(pod, node)
			pods, nodes = append(pods, pod), append(nodes, node)
		}
	}
	p.Cluster.Rollback(mark)
	if len(pods) > most {
		for _, pod := range pods {
			p.Cluster.RemovePod(pod)
		}
		return 0, false
	}
	for i, pod := range pods {
		p.Cluster.Assume(pod, nodes[i])
		p.Cluster.Bind(pod, p.now)
	}
	return len(pods), true
}
