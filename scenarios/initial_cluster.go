package scenarios

import (
	"context"
	"errors"
	"strings"

	"github.com/berth-sim/berth/sim/answers/drain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/answers/scaleup"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// InitialCluster is a cluster at one instant, which questions about its nodes are asked of: a snapshot, or a scenario at its
// beginning.
type InitialCluster struct {
	Name     string // of the scenario, or the files
	Policy   string
	Warnings []string
	Skipped  []string // a line on the objects that do not affect scheduling; none if there are none
	// NewCluster makes the cluster. Each call makes the same one.
	NewCluster func() (drain.Cluster, error)
	// Traits are those of the pods that have some, by namespace/name.
	Traits map[string]drain.Trait
}

// InitialCluster returns the snapshot. ctx ends what is asked of it.
func (s *Snapshot) InitialCluster(ctx context.Context) (*InitialCluster, error) {
	first, err := s.Placement()
	if err != nil {
		return nil, err
	}
	return &InitialCluster{
		Name: strings.Join(s.options.Files, ", "), Policy: s.policy.Name, Warnings: first.Warnings, Skipped: first.Skipped, Traits: traits(s.loader),
		NewCluster: func() (drain.Cluster, error) {
			p, err := s.Placement()
			if err != nil {
				return drain.Cluster{}, err
			}
			p.Context = ctx
			p.Scheduler.SetContext(ctx)
			return drain.Cluster{Placement: &p.Placement, Pods: p.Pods}, nil
		},
	}, nil
}

// ScaleUp returns the snapshot as a question about new nodes. ctx ends it.
func (s *Snapshot) ScaleUp(ctx context.Context) (scaleup.Cluster, *Placement, error) {
	p, err := s.Placement()
	if err != nil {
		return scaleup.Cluster{}, nil, err
	}
	p.Context = ctx
	p.Scheduler.SetContext(ctx)
	with := func(nodes []cluster.NodeSpec) (*place.Placement, []workloads.Arrival, error) {
		more, err := s.placementWith(nodes)
		if err != nil {
			return nil, nil, err
		}
		more.Context = ctx
		more.Scheduler.SetContext(ctx)
		return &more.Placement, more.Pods, nil
	}
	return scaleup.Cluster{Placement: &p.Placement, Pods: p.Pods, Daemons: p.Daemons, With: with}, p, nil
}

// errNothingRuns is the error of a scenario that has no pods at its beginning.
var errNothingRuns = errors.New("no pod is there at the beginning of the scenario: nodes are drained of pods from manifests, those of kubectl get nodes,pods -A -o yaml for example. Compaction by random removal, --compact=random, also takes workloads that arrive over time, with horizon: untilDone")

// InitialCluster returns the scenario at its beginning: its nodes, and the pods that arrive at once.
func (s *Scenario) InitialCluster(ctx context.Context, o Options) (*InitialCluster, error) {
	first, err := s.BuildContext(ctx, o)
	if err != nil {
		return nil, err
	}
	pods, later, err := first.standing()
	switch {
	case err != nil:
		return nil, err
	case len(pods) == 0:
		return nil, errNothingRuns
	}
	out := &InitialCluster{
		Name: s.File.Metadata.Name, Policy: first.Policy.Name, Warnings: first.Warnings, Skipped: first.Skipped, Traits: traits(first.loaders...),
	}
	if later {
		out.Warnings = append(out.Warnings, "the answer is about the beginning of the scenario: pods that arrive later are left out")
	}
	if len(first.Config.Changes) > 0 {
		out.Warnings = append(out.Warnings, "the answer is about the beginning of the scenario: its events are left out")
	}
	out.NewCluster = func() (drain.Cluster, error) {
		run, err := s.BuildContext(ctx, o)
		if err != nil {
			return drain.Cluster{}, err
		}
		pods, _, err := run.standing()
		if err != nil {
			return drain.Cluster{}, err
		}
		run.Config.Scheduler.SetContext(ctx)
		world.ExpectPods(run.Config.Cluster, pods)
		p := &place.Placement{Cluster: run.Config.Cluster, Scheduler: run.Config.Scheduler, Order: place.QueueOrder, Context: ctx}
		return drain.Cluster{Placement: p, Pods: pods}, nil
	}
	return out, nil
}

// standing returns the pods that arrive at the beginning, and whether others arrive later. It closes the run.
func (r *Run) standing() (pods []workloads.Arrival, later bool, err error) {
	defer r.Close()
	if r.Config.Daemons != nil {
		for _, id := range r.Config.Cluster.ByCreation() {
			pods = append(pods, r.Config.Daemons(id)...)
		}
	}
	for {
		a, more, err := r.Config.Arrivals.Next()
		if err != nil || !more || a.At > 0 {
			return pods, more, err
		}
		pods = append(pods, a)
	}
}

// traits returns the traits of the pods of manifests.
func traits(loaders ...*manifest.Loader) map[string]drain.Trait {
	out := map[string]drain.Trait{}
	for _, loader := range loaders {
		for i := range loader.Pods {
			p := &loader.Pods[i]
			t := drain.Trait{Static: strings.HasPrefix(p.Owner, "Node/")}
			for _, volume := range p.At.Find("spec.volumes").Items() {
				t.LocalData = t.LocalData || volume.Get("emptyDir").Exists()
			}
			if t != (drain.Trait{}) {
				out[p.Namespace+"/"+p.Name] = t
			}
		}
	}
	return out
}
