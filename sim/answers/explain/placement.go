package explain

import (
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// Place follows a one-shot placement of the pods and runs it. Every attempt of the pod is
// explained as it comes: there are few, and reading manifests again takes longer.
func (t *Tracker) Place(p *place.Placement, pods []workloads.Arrival) error {
	t.oneShot, t.Scheduler, t.Cluster = true, p.Scheduler, p.Cluster
	for i := range pods {
		a := &pods[i]
		if a.Daemon {
			t.placedDaemons[int64(i)] = true // what a placement numbers its pods by
		}
		name := t.Cluster.Text(a.Class.Namespace) + "/" + a.Name
		if t.names.add(name); !t.names.may(name) {
			continue
		}
		f := &followed{name: name, state: Queued, node: a.Node}
		if a.Node != "" {
			f.state = Running
		}
		t.pods[name] = f
	}
	p.Attempted = t.attemptedOnce
	p.RolledBack = func(r scheduler.RolledBack) {
		if f := t.followed(r.Pod); f != nil {
			f.later = append(f.later, Event{What: "lost its node: " + r.Message})
		}
	}
	if _, err := p.Run(pods); err != nil {
		return err
	}
	t.look()
	p.Gated(func(pod cluster.PodID, why string) {
		if f := t.followed(pod); f != nil {
			f.state, f.text = Gated, why
		}
	})
	return nil
}

func (t *Tracker) attemptedOnce(a *scheduler.Attempt) {
	for _, victim := range a.Victims {
		if f := t.followed(victim); f != nil {
			f.later = append(f.later, Event{What: "preempted by " + podName(t.Cluster, a.Pod)})
		}
	}
	if f := t.followed(a.Pod); f != nil {
		f.attempted(t.Cluster, a)
		t.explain(f, a)
	}
}
