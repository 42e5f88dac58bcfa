package scenarios

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/world"
)

// Options override settings of a scenario. Zero values leave the settings as they are.
type Options struct {
	recipe.Recipe
	// Registry has the plugins that a policy can name; nil: those of kube-scheduler.
	Registry scheduler.Registry
	// Strict makes it an error that a pod runs on a node which does not exist. It is left out otherwise.
	Strict bool

	checkTraces bool // read traces to their end, to find all errors
}

// DefaultPolicy is the policy path for kube-scheduler's default configuration.
const DefaultPolicy = "default"

// builder builds a run of a scenario. Each of its parts reads one part of the scenario.
type builder struct {
	*buildState
	policy     policyReader
	objects    *objectLoader
	fleet      *fleetBuilder
	classes    *classChecker
	workloads  *workloadBuilder
	events     eventReader
	latency    latencyReader
	collection collectionReader
	scheduler  *scheduler.Scheduler
}

// BuildContext is like Build, and returns the error of the context as soon as that is done.
func (s *Scenario) BuildContext(ctx context.Context, o Options) (*Run, error) {
	return UnlessDone(ctx, func() (*Run, error) { return s.Build(o) })
}

// Build builds a run. It reads the files that the scenario refers to, unless an earlier call has read them. Runs share no
// state that changes, so they may be built and made concurrently. The error lists all errors.
func (s *Scenario) Build(o Options) (*Run, error) {
	b := s.builder(o)
	if err := b.inputs.add(s.path); err != nil {
		return nil, err
	}
	cfg, policy := b.read()
	run := &Run{
		Config: cfg, Recipe: b.recipe(policy), Policy: policy, Ranks: b.ranks(), FGDPods: b.fgdPods(), replays: b.workloads.replays,
	}
	if err := withoutRepeats(b.faults).Err(); err != nil {
		run.Close()
		return nil, err
	}
	schedulerConfig := b.schedulerConfig(policy)
	var err error
	if schedulerConfig.Extenders, err = extenders(policy, b.cluster); err == nil {
		b.scheduler, err = scheduler.New(b.cluster, schedulerConfig)
	}
	if err != nil {
		run.Close()
		return nil, fmt.Errorf("%s: %w", policy.Name, err)
	}
	run.Config.Scheduler = b.scheduler
	run.Config.FragmentationMeter = b.collection.probe(b.schedulerConfig(policy))
	run.DevicesFit, run.budgets = b.everyProfile(policy, scheduler.CheckDevices), b.objects.budgets
	run.NeverFit = b.classes.warnNeverFits(b.scheduler)
	b.classes.warnNoDevices(run.NeverFit)
	b.events.warnLateEvents()
	loaders := append([]*manifest.Loader{b.loader}, b.workloads.loaders...)
	run.loaders = loaders
	run.Inputs, run.Warnings, run.Skipped = b.inputs.list, slices.Concat(b.warnings, b.loader.Warnings, leftOut(loaders...)), skipped(loaders...)
	if policy.Skipped != "" {
		run.Skipped = append(run.Skipped, policy.Skipped)
	}
	return run, nil
}

// read reads all parts of the scenario, each after the parts that it depends on: objects before the nodes and pods that
// name them, nodes before events.
func (b *builder) read() (world.Config, config.Policy) {
	b.follow()
	policy := b.policy.read()
	if len(policy.Extenders) > 0 {
		b.loader.KeepObjects()
	}
	b.objects.admission()
	b.objects.ignore()
	b.objects.skipPods()
	b.objects.loadAll()
	b.objects.addBudgets(b.loader)
	b.fleet.build()
	stream, names := b.workloads.build()
	b.objects.addStorage()
	b.classes.checkProfiles(policy)
	cfg := world.Config{
		Name: b.s.File.Metadata.Name, Cluster: b.cluster, Arrivals: stream, Workloads: names, Daemons: b.workloads.allDaemons(),
		Latency: b.latency.read(), Changes: b.events.read(), Horizon: b.horizon,
		TaintCordoned: b.loader.AdmissionEnabled(admit.TaintNodesByCondition),
	}
	cfg.SampleEvery, cfg.SampleShare = b.collection.sampling()
	cfg.Target = b.collection.target()
	return cfg, policy
}

// builder returns a builder that has read nothing yet.
func (s *Scenario) builder(o Options) *builder {
	vocabulary := cluster.NewVocabulary()
	state := &buildState{
		s: s, o: o, seed: s.File.Seed, registry: o.Registry, horizon: clock.Time(s.Horizon(o)),
		cluster: cluster.New(vocabulary), loader: manifest.New(vocabulary), inputs: inputs{files: &s.files},
	}
	if o.Seed != nil {
		state.seed = *o.Seed
	}
	state.streams = clock.NewStreams(state.seed)
	if state.registry == nil {
		state.registry = plugins.Registry()
	}
	distributions := distributionReader{state}
	objects := &objectLoader{buildState: state}
	fleet := &fleetBuilder{buildState: state, objects: objects, pools: map[string]*pool{}}
	classes := &classChecker{buildState: state, fleet: fleet}
	streams := &workloadBuilder{buildState: state, objects: objects, fleet: fleet, classes: classes, distributions: distributions}
	return &builder{
		buildState: state, policy: policyReader{state}, objects: objects, fleet: fleet, classes: classes, workloads: streams,
		events: eventReader{state, fleet}, latency: latencyReader{state, distributions},
		collection: collectionReader{state, fleet, classes, streams},
	}
}

// Horizon returns when runs with these options end at the latest.
func (s *Scenario) Horizon(o Options) recipe.Horizon {
	for _, h := range []*recipe.Horizon{o.Horizon, s.File.Horizon} {
		if h != nil {
			return *h
		}
	}
	return recipe.Horizon(clock.Forever)
}

// recipe returns the complete recipe of the run: the settings of the scenario, overridden by the options.
func (b *builder) recipe(policy config.Policy) recipe.Recipe {
	r := b.o.Recipe
	r.Policy, r.Seed, r.TieBreak, r.Horizon = policy.Name, new(b.seed), string(b.tie()), new(recipe.Horizon(b.horizon))
	r.Admission, r.Inflate = b.loader.Admission(), b.collection.inflates()
	if r.Ignore == nil {
		r.Ignore = b.s.File.Ignore
	}
	if r.SkipPods == nil {
		r.SkipPods = b.s.File.SkipPods
	}
	r.DropPlugins = b.policy.drop()
	r.Overcommit = r.Overcommit || b.classes.podsOnNodes || !b.everyProfile(policy, scheduler.CheckAllResources)
	return r
}

// allFaults returns the known errors of the file together with those that Build would find.
func (s *Scenario) allFaults(known document.Errors) error {
	b := s.builder(Options{})
	b.known = known
	b.read()
	(&Run{replays: b.workloads.replays}).Close()
	return withOthers(known, withoutRepeats(b.faults)).Err()
}

// withoutRepeats removes repeated errors: several workloads may refer to the same invalid file.
func withoutRepeats(faults document.Errors) document.Errors {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(faults), func(fault *document.Error) bool {
		text := fault.Error()
		before := seen[text]
		seen[text] = true
		return before
	})
}

// tie returns how ties between nodes are broken.
func (b *builder) tie() scheduler.TieBreak {
	return cmp.Or(scheduler.TieBreak(b.o.TieBreak), scheduler.TieBreak(b.s.File.TieBreak), scheduler.TieRandom)
}

func (b *builder) schedulerConfig(policy config.Policy) scheduler.Config {
	return scheduler.Config{
		Profiles: policy.Profiles, Registry: b.registry, Rules: b.rules, Tie: b.tie(), Ranks: b.ranks(),
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: b.streams,
	}
}

// everyProfile reports whether each profile of the policy has a filter that declares the check.
func (b *builder) everyProfile(policy config.Policy, check scheduler.Checks) bool {
	return !slices.ContainsFunc(policy.Profiles, func(p scheduler.ProfileConfig) bool {
		registry := p.Registry
		if registry == nil {
			registry = b.registry
		}
		return !slices.ContainsFunc(p.Points[scheduler.Filter], func(ref scheduler.PluginRef) bool {
			checks, err := registry.ChecksOf(ref.Name, p.Args[ref.Name])
			return err == nil && checks&check != 0 // the scheduler of the run reports the error
		})
	})
}

// ranks returns the ranks of nodes that come with a shuffled pod list; nil: they are drawn.
func (b *builder) ranks() map[string]int {
	if b.workloads.fgd == nil {
		return nil
	}
	return b.workloads.fgd.List.Ranks
}

// fgdPods returns how many pods the shuffled list has, or 0.
func (b *builder) fgdPods() int {
	if b.workloads.fgd == nil {
		return 0
	}
	return len(b.workloads.fgd.List.Pods)
}
