package overview

import (
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/workloads"
)

// recorder follows a placement.
type recorder struct {
	*place.Placement
	pods     []Pod
	at       map[cluster.PodID]int // index in pods
	attempts int
	victims  int
	examples *examples
}

// Run runs the placement and returns how it ended. It explains one pod of each reason, which leaves the placement as it
// is; o says how. What the placement calls for attempts and for pods that are rolled back is replaced.
func Run(p *place.Placement, pods []workloads.Arrival, o explain.Options) (*Outcome, error) {
	o.IsDaemon = func(id cluster.PodID) bool {
		serial := p.Cluster.Pod(id).Serial // its index
		return serial >= 0 && pods[serial].Daemon
	}
	r := &recorder{Placement: p, at: map[cluster.PodID]int{}, examples: newExamples(p, o)}
	out, err := r.run(pods)
	if err != nil {
		return nil, err
	}
	out.Pools = poolsOf(p.Cluster, pods, r.pods)
	out.Reasons = r.examples.reasons(r.pods)
	return out, nil
}

// Ends is Run without the parts of the cluster and without reasons, whose explanations take most of the time.
func Ends(p *place.Placement, pods []workloads.Arrival) (*Outcome, error) {
	r := &recorder{Placement: p, at: map[cluster.PodID]int{}}
	return r.run(pods)
}

func (r *recorder) run(pods []workloads.Arrival) (*Outcome, error) {
	r.Attempted, r.RolledBack = r.attempted, r.rolledBack
	result, err := r.Run(pods)
	if err != nil {
		return nil, err
	}
	r.finish()
	return &Outcome{Result: result, Attempts: r.attempts, Victims: r.victims, Pods: r.pods}, nil
}

// pod returns what is known of a pod.
func (r *recorder) pod(id cluster.PodID) *Pod {
	i, known := r.at[id]
	if !known {
		i = len(r.pods)
		r.at[id] = i
		r.pods = append(r.pods, Pod{Name: r.name(id)})
	}
	return &r.pods[i]
}

// name returns namespace/name.
func (r *recorder) name(id cluster.PodID) string {
	p := r.Cluster.Pod(id)
	return r.Cluster.Text(p.Class.Namespace) + "/" + p.Name
}

func (r *recorder) attempted(a *scheduler.Attempt) {
	r.attempts++
	r.victims += len(a.Victims)
	p := r.pod(a.Pod)
	p.Attempts, p.Feasible, p.Evaluated = a.Number, a.Feasible, a.Evaluated
	p.Reasons, p.Message = a.Reasons(), a.Message()
	p.Node, p.Held, p.Misplaced, p.VictimOf = "", nil, false, ""
	if p.Scored = a.Feasible > 1 && len(a.Ties) > 0; p.Scored {
		p.Score = a.MaxScore
	}
	if a.Node != cluster.None {
		p.Node = r.Cluster.Node(a.Node).Name
		p.Held, p.Misplaced = r.Cluster.Devices.Of(a.Pod), r.Cluster.Devices.Lacking(a.Pod)
	}
	if a.Nominated != cluster.None {
		p.Nominated = r.Cluster.Node(a.Nominated).Name
	}
	for _, victim := range a.Victims {
		p.Victims = append(p.Victims, r.name(victim))
		if i, known := r.at[victim]; known {
			r.pods[i].lost("preempted by " + p.Name)
			r.pods[i].VictimOf = p.Name
		}
	}
	if r.examples != nil {
		r.examples.attempted(a, p)
	}
}

// lost notes that the pod lost its node, and why.
func (p *Pod) lost(why string) {
	p.Node, p.Held, p.Misplaced, p.Reasons, p.Message = "", nil, false, nil, why
}

func (r *recorder) rolledBack(back scheduler.RolledBack) {
	r.pod(back.Pod).lost("lost its node: " + back.Message)
}

// finish adds the pods that were not tried, and notes how every pod ended. Pods that are being deleted have no end.
func (r *recorder) finish() {
	r.EachPod(func(id cluster.PodID, end place.End) { r.pod(id).End = end })
	r.Gated(func(id cluster.PodID, why string) { r.pod(id).lost(why) })
	r.pods = slices.DeleteFunc(r.pods, func(p Pod) bool { return p.End == "" })
	for i := range r.pods {
		if p := &r.pods[i]; p.End == place.Waiting {
			p.Message = "waits in Permit for the rest of its pod group"
		}
	}
}
