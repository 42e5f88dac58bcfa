package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/overview"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/model/release"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// PlaceOptions say which manifests to read and how to place their pods.
type PlaceOptions struct {
	Files   []string // manifests, or directories of them
	Exclude []string // patterns of files and directories to leave out
	// Manifests are what Files hold, if they have been read already; nil: they are read.
	Manifests *Manifests
	// Recipe has the policy, the seed, the tie-break, and what is admitted and left out. Without them the policy is
	// kube-scheduler's, the seed 0 and ties are broken at random. Its other fields are about runs, and must be zero.
	recipe.Recipe
	Order      place.Order
	Percentage int                // percentageOfNodesToScore of all profiles; 0: as configured
	Strict     bool               // as in Options
	Registry   scheduler.Registry // nil: the plugins of kube-scheduler
}

// Placement is a one-shot placement that is ready to run.
type Placement struct {
	place.Placement
	Pods     []workloads.Arrival
	Warnings []string
	Skipped  []string // a line on the objects that do not affect scheduling; none if there are none
	// Daemons returns the daemon pods of a new node; nil: there are none.
	Daemons func(cluster.NodeID) []workloads.Arrival
	// ExcludedPods are pods of the manifests that are left out.
	ExcludedPods []explain.ExcludedPod
}

// NewPlacement reads manifests and prepares the placement of their pods. The error lists all errors.
func NewPlacement(o PlaceOptions) (*Placement, error) {
	s, err := ReadSnapshot(o)
	if err != nil {
		return nil, err
	}
	return s.Placement()
}

// Placement prepares a placement of the snapshot's pods.
func (s *Snapshot) Placement() (*Placement, error) { return s.placementWith(nil) }

// placementWith prepares a placement on the snapshot's nodes and further ones.
func (s *Snapshot) placementWith(further []cluster.NodeSpec) (*Placement, error) {
	c := cluster.New(s.vocabulary)
	for _, n := range s.loader.Nodes {
		if _, err := c.AddNode(n.Spec); err != nil {
			return nil, n.At.Errorf("", "%v", err)
		}
	}
	for _, n := range further {
		if _, err := c.AddNode(n); err != nil {
			return nil, err
		}
	}
	addBudgets(c, s.loader)
	manifest.AddStorage(c, &s.loader.Storage)
	if err := checkPods(c, s.loader); err != nil {
		return nil, err
	}
	p := &Placement{Warnings: slices.Concat(s.loader.Warnings, leftOut(s.loader), s.warnings), Skipped: skipped(s.loader), ExcludedPods: s.excluded}
	if s.policy.Skipped != "" {
		p.Skipped = append(p.Skipped, s.policy.Skipped)
	}
	for _, w := range s.policy.Warnings {
		p.Warnings = append(p.Warnings, w.Error())
	}
	if err := p.expand(c, s.loader, s.rules); err != nil {
		return nil, err
	}
	world.ExpectPods(c, p.Pods)
	webhooks, err := extenders(s.policy, c)
	if err != nil {
		return nil, err
	}
	o, seed := &s.options, uint64(0)
	if o.Seed != nil {
		seed = *o.Seed
	}
	scheduling, err := scheduler.New(c, scheduler.Config{
		Extenders: webhooks, Profiles: withPercentage(s.policy.Profiles, o.Percentage), Registry: o.Registry, Rules: s.rules, Tie: cmp.Or(scheduler.TieBreak(o.TieBreak), scheduler.TieRandom),
		InitialBackoff: s.policy.InitialBackoff, MaxBackoff: s.policy.MaxBackoff, Streams: clock.NewStreams(seed),
	})
	if err != nil {
		return nil, err
	}
	p.Placement = place.Placement{Cluster: c, Scheduler: scheduling, Order: o.Order}
	return p, nil
}

// Outcome places the pods and returns where they ended.
func (p *Placement) Outcome() (*overview.Outcome, error) {
	return overview.Run(&p.Placement, p.Pods, explain.Options{Daemons: p.Daemons})
}

// Ends places the pods and returns where they ended, without reasons.
func (p *Placement) Ends() (*overview.Outcome, error) { return overview.Ends(&p.Placement, p.Pods) }

// Explain places the pods and explains the last attempt to place the pod. It is an error if there is no such pod.
func (p *Placement) Explain(pod explain.PodName, o explain.Options) (*explain.Explanation, error) {
	o.Daemons, o.ExcludedPods = p.Daemons, p.ExcludedPods
	t := explain.NewTracker(pod, clock.Forever, o)
	if err := t.Place(&p.Placement, p.Pods); err != nil {
		return nil, err
	}
	return t.Result()
}

// FinalWarnings returns the warnings that are known only at the end of the placement.
func (p *Placement) FinalWarnings() []string { return failedCalls(p.Scheduler) }

// readPolicy reads the policy. If it has extenders, the loader keeps objects for them.
func (s *Snapshot) readPolicy() (err error) {
	o := &s.options
	reader := config.Reader{Registry: o.Registry, Affinity: s.loader.NodeAffinity, Vocabulary: s.vocabulary, Drop: o.DropPlugins, Rules: s.rules}
	if o.Policy == "" || o.Policy == DefaultPolicy {
		s.policy, err = reader.Default()
		return err
	}
	s.policy, err = reader.Read(o.Policy)
	if len(s.policy.Extenders) > 0 {
		s.loader.KeepObjects()
	}
	return err
}

// checkPods returns an error if pods hold devices that their nodes do not have.
func checkPods(c *cluster.Cluster, loader *manifest.Loader) error {
	var faults document.Errors
	var held heldDevices
	for i := range loader.Pods {
		p := &loader.Pods[i]
		if !p.Finished && !p.Absent && p.NodeName != "" {
			held.check(&faults, c, p)
		}
	}
	return faults.Err()
}

// expand lists the pods of the manifests and those that controllers would create.
func (p *Placement) expand(c *cluster.Cluster, loader *manifest.Loader, rules *release.Rules) error {
	e, err := workloads.Manifests{Until: clock.Nanosecond, JobLifetime: fixed(0), GatedNominations: rules.GatedNominationCounts}.Stream(&loader.Objects)
	if err != nil {
		return err
	}
	p.Warnings = append(append(p.Warnings, e.Warnings...), idleCronJobs(loader.Controllers)...)
	if p.Daemons = e.Daemons(c); p.Daemons != nil {
		for _, id := range c.ByCreation() {
			p.Pods = append(p.Pods, p.Daemons(id)...)
		}
	}
	for {
		a, more, err := e.Next()
		if err != nil || !more {
			return err
		}
		p.Pods = append(p.Pods, a)
	}
}

// idleCronJobs warns of CronJobs: a placement is of one moment, and their Jobs come later.
func idleCronJobs(controllers []manifest.Controller) []string {
	var first *manifest.Controller
	more := -1
	for i := range controllers {
		if c := &controllers[i]; c.Kind == "CronJob" && !c.Suspended {
			first = cmp.Or(first, c)
			more++
		}
	}
	if first == nil {
		return nil
	}
	name := "CronJob " + first.Namespace + "/" + first.Name
	if more > 0 {
		name += ", and " + human.Counted(more, "other")
	}
	at := first.At
	return []string{fmt.Sprintf("%s:%d:%d: %s: no pods are created, since no time passes here; berth run creates them at the times of the schedule",
		at.File(), at.Line(), at.Col(), name)}
}

func withPercentage(profiles []scheduler.ProfileConfig, percentage int) []scheduler.ProfileConfig {
	out := make([]scheduler.ProfileConfig, len(profiles))
	for i, p := range profiles {
		if percentage > 0 {
			p.Percentage = percentage
		}
		out[i] = p
	}
	return out
}
