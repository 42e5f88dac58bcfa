package scenarios

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads"
)

// Options say how to run a scenario. Zero values leave the scenario's settings as they are.
type Options struct {
	recipe.Recipe
	// Registry is what a policy can name; nil: the plugins of kube-scheduler.
	Registry scheduler.Registry

	wholeTraces bool // read traces to their end, to find all faults
}

// DefaultPolicy stands for kube-scheduler's default configuration where a path is due.
const DefaultPolicy = "default"

// builder makes a run of a scenario. Faults are collected, so that all are said at once.
type builder struct {
	s         *Scenario
	o         Options
	registry  scheduler.Registry
	inputs    inputs
	known     document.Errors // faults of the file that Load found
	faults    document.Errors // all others
	warnings  []string
	streams   clock.Streams
	cluster   *cluster.Cluster
	loader    *manifest.Loader
	scheduler *scheduler.Scheduler
	pools     map[string]*pool
	horizon   clock.Time
	classes   []named // to be tried on the empty fleet
	// broken: what the fleet is cannot be known for faults, nor can the objects.
	brokenFleet, brokenObjects bool
	// podsOnNodes: manifests say of some pods where they run.
	podsOnNodes bool
	holdings    holdings
	storage     []*manifest.Storage // of the manifests of workloads
	budgets     []document.Value    // of the cluster, by their ids
	replays     []*workloads.Replay
	dealt       *workloads.FGDOrder // nil: no list has the order of the paper
	seed        uint64
	daemons     []func(cluster.NodeID) []workloads.Arrival
}

// BuildContext is Build that gives up when the context is done, with the error of that.
func (s *Scenario) BuildContext(ctx context.Context, o Options) (*Run, error) {
	return UnlessDone(ctx, func() (*Run, error) { return s.Build(o) })
}

// Build reads everything that the scenario refers to, which it has not read before, and makes
// a run of it. Runs share nothing that changes, so several may be built and go on side by
// side. The error lists every fault.
func (s *Scenario) Build(o Options) (*Run, error) {
	b := s.builder(o)
	if err := b.inputs.add(s.path); err != nil {
		return nil, err
	}
	cfg, policy := b.read()
	run := &Run{
		Config: cfg, Recipe: b.recipe(policy), Policy: policy, Ranks: b.ranks(), Dealt: b.dealtPods(), replays: b.replays,
	}
	if err := once(b.faults).Err(); err != nil {
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
	run.Config.Probe = b.probe(policy)
	run.DevicesFit, run.budgets = looksAtDevices(policy), b.budgets
	run.NeverFit = b.warnNeverFits()
	b.warnNoDevices(run.NeverFit)
	b.warnLateEvents()
	run.Inputs, run.Warnings = b.inputs.list, append(b.warnings, b.loader.Warnings...)
	return run, nil
}

// read reads what the scenario refers to, in the one order in which its parts need each
// other: objects before the nodes and pods that name them, nodes before events.
func (b *builder) read() (world.Config, config.Policy) {
	policy := b.policy()
	if len(policy.Extenders) > 0 {
		b.loader.KeepObjects()
	}
	b.admission()
	b.loadObjects()
	b.addBudgets(b.loader)
	b.fleet()
	stream, names := b.workloads()
	b.addStorage()
	b.checkClasses(policy)
	cfg := world.Config{
		Name: b.s.File.Metadata.Name, Cluster: b.cluster, Arrivals: stream, Workloads: names, Daemons: b.allDaemons(),
		Latency: b.latency(), Changes: b.changes(), Horizon: b.horizon,
		TaintCordoned: b.loader.Admits(admit.TaintNodesByCondition),
	}
	cfg.SampleEvery, cfg.SampleShare = b.sampling()
	cfg.Target = b.targetWorkload()
	return cfg, policy
}

// builder is ready to read what the scenario refers to.
func (s *Scenario) builder(o Options) *builder {
	vocabulary := cluster.NewVocabulary()
	b := &builder{
		s: s, o: o, seed: s.File.Seed, registry: o.Registry, pools: map[string]*pool{}, horizon: clock.Time(s.Horizon(o)),
		cluster: cluster.New(vocabulary), loader: manifest.New(vocabulary), inputs: inputs{library: &s.library},
	}
	if o.Seed != nil {
		b.seed = *o.Seed
	}
	b.streams = clock.NewStreams(b.seed)
	if b.registry == nil {
		b.registry = plugins.Registry()
	}
	return b
}

// Horizon is when runs with these options end at the latest.
func (s *Scenario) Horizon(o Options) recipe.Horizon {
	for _, h := range []*recipe.Horizon{o.Horizon, s.File.Horizon} {
		if h != nil {
			return *h
		}
	}
	return recipe.Horizon(clock.Forever)
}

// recipe is the complete recipe of the run: the scenario's settings, overridden by the options.
func (b *builder) recipe(policy config.Policy) recipe.Recipe {
	r := b.o.Recipe
	r.Policy, r.Seed, r.TieBreak, r.Horizon = policy.Name, new(b.seed), string(b.tie()), new(recipe.Horizon(b.horizon))
	r.Admission, r.Inflate = b.loader.Admission(), b.inflates()
	r.Overcommit = r.Overcommit || b.mayOvercommit(policy)
	return r
}

// allFaults joins to the faults that the file is known to have those that Build would
// find in the rest of it, and in the files that it refers to.
func (s *Scenario) allFaults(known document.Errors) error {
	b := s.builder(Options{})
	b.known = known
	b.read()
	(&Run{replays: b.replays}).Close()
	return withOthers(known, once(b.faults)).Err()
}

// once leaves out what has been said before: several workloads can meet the same fault of
// what they refer to.
func once(faults document.Errors) document.Errors {
	said := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(faults), func(fault *document.Error) bool {
		text := fault.Error()
		before := said[text]
		said[text] = true
		return before
	})
}

// said tells whether a fault of v, or of something in it, is known already.
func (b *builder) said(v document.Value) bool {
	return slices.ContainsFunc(b.known, func(f *document.Error) bool {
		rest, within := strings.CutPrefix(f.Path, v.Path())
		return within && f.File == b.s.path && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

func (b *builder) policy() config.Policy {
	path := b.o.Policy
	if v := b.s.root.Get("policy"); path == "" && v.Exists() && v.Kind() == document.String && v.Text() == "" {
		b.faults.Add(v, "", "must be the path of a policy; without the field it is kube-scheduler's defaults")
		return config.Policy{}
	}
	if path == "" && b.s.File.Policy != "" {
		if path = b.s.resolve(b.s.File.Policy); path == DefaultPolicy {
			path = "." + string(filepath.Separator) + path // a file, whatever its name
		}
	}
	if path == "" || b.o.Policy == DefaultPolicy {
		return config.Default(b.registry)
	}
	if _, err := os.Stat(path); err != nil && b.o.Policy == "" {
		b.faults.Add(b.s.root, "policy", "cannot be read: %v", plainPathError(err))
		return config.Policy{}
	}
	policy, err := config.Reader{Registry: b.registry, Affinity: b.loader.NodeAffinity, Vocabulary: b.cluster.Vocabulary}.Read(path)
	if err != nil {
		b.faults.Append(err)
		return policy
	}
	for _, file := range slices.Concat([]string{path}, policy.Files) {
		b.faults.Append(b.inputs.add(file))
	}
	for _, setting := range policy.Environment {
		b.inputs.addSetting(setting)
	}
	for _, w := range policy.Warnings {
		b.warnings = append(b.warnings, w.Error())
	}
	return policy
}

// tie is how to choose among the best nodes.
func (b *builder) tie() scheduler.TieBreak {
	return cmp.Or(scheduler.TieBreak(b.o.TieBreak), scheduler.TieBreak(b.s.File.TieBreak), scheduler.TieRandom)
}

// inflates reports whether stranding by inflation is measured.
func (b *builder) inflates() bool {
	f := b.s.File.Collect.Fragmentation
	if f == nil {
		return b.o.Inflate
	}
	return !f.Off && (f.Inflate || b.o.Inflate)
}

func (b *builder) schedulerConfig(policy config.Policy) scheduler.Config {
	return scheduler.Config{
		Profiles: policy.Profiles, Registry: b.registry, Tie: b.tie(), Ranks: b.ranks(),
		InitialBackoff: policy.InitialBackoff, MaxBackoff: policy.MaxBackoff, Streams: b.streams,
	}
}

// loadObjects reads the objects that the scenario names, and the manifests of its
// workloads and fleet, in one go: what they refer to may come in any order.
func (b *builder) loadObjects() {
	before := len(b.faults)
	files := b.references(b.s.root.Get("objects"), b.s.File.Objects)
	for i, f := range b.s.File.Fleet {
		files = append(files, b.references(b.s.root.Get("fleet").Index(i).Get("manifests"), f.Manifests)...)
	}
	b.load(b.loader, files)
	b.brokenObjects = len(b.faults) > before || b.said(b.s.root.Get("objects"))
}

// references are the files of a list, those that exist; the others are faults.
func (b *builder) references(list document.Value, files []string) []string {
	var out []string
	for i, f := range files {
		if b.said(list.Index(i)) {
			continue
		}
		path := b.s.resolve(f)
		if _, err := manifestFiles(path); err != nil {
			b.faults.Add(list.Index(i), "", "cannot be read: %v", err)
			continue
		}
		out = append(out, path)
	}
	return out
}

func (b *builder) load(loader *manifest.Loader, files []string) {
	docs, err := b.s.library.readObjects(files...)
	if err != nil {
		b.faults.Append(err)
		return
	}
	b.faults.Append(loader.Load(docs...))
	for _, doc := range docs {
		b.faults.Append(b.inputs.add(doc.Root().File()))
	}
}

// inflateEvery is how many samples there are to one that measures stranding by inflation.
const inflateEvery = 20

// samples is how many samples a run takes where the scenario does not say.
const samples = 240

// sampling is the interval of samples: what the scenario says, or a part of the horizon.
// A run of unknown length is sampled every minute at first, and then more seldom, by the
// time that has passed.
func (b *builder) sampling() (every clock.Time, share int) {
	switch every := b.s.File.Collect.Every; {
	case every != nil:
		return every.Time(), 0
	case b.horizon != clock.Forever:
		return max(b.horizon/samples, clock.Second), 0
	}
	return clock.Minute, samples
}

// probe makes what measures fragmentation; stranding by inflation has a scheduler of
// its own, without preemption and Permit.
func (b *builder) probe(policy config.Policy) *world.Probe {
	p := world.DefaultProbe()
	f := b.s.File.Collect.Fragmentation
	if f == nil {
		f = &Fragmentation{}
	}
	if f.Off {
		return nil
	}
	if f.Share != nil {
		p.Share = *f.Share
	}
	if f.MaxClasses != nil {
		p.MaxClasses = *f.MaxClasses
	}
	if b.inflates() {
		cfg := b.schedulerConfig(policy)
		cfg.Profiles = slices.Clone(cfg.Profiles)
		for i := range cfg.Profiles {
			for _, point := range []scheduler.Point{scheduler.PreEnqueue, scheduler.PostFilter, scheduler.Reserve, scheduler.Permit} {
				cfg.Profiles[i].Points[point] = nil
			}
		}
		p.Inflate = func() (*scheduler.Scheduler, error) { return scheduler.New(b.cluster, cfg) }
		p.InflateEvery = inflateEvery
		p.Draws = rand.New(b.streams.Source("inflation"))
	}
	return p
}

func (b *builder) mayOvercommit(policy config.Policy) bool {
	for _, p := range policy.Profiles {
		fits := func(ref scheduler.PluginRef) bool {
			return ref.Name == "NodeResourcesFit" || ref.Name == legacy.GeneralPredicates || ref.Name == legacy.PodFitsResources
		}
		if p.Generation == scheduler.Legacy && len(policy.Extenders) > 0 {
			return true // they may have resources ignored
		}
		args, _ := p.Args["NodeResourcesFit"].(plugins.FitArgs)
		if !slices.ContainsFunc(p.Points[scheduler.Filter], fits) || len(args.IgnoredResources)+len(args.IgnoredGroups) > 0 {
			return true
		}
	}
	return b.podsOnNodes
}
