package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/legacy"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/release"
)

// The two forms of configuration of the family scheduler.Legacy.
const (
	legacyAPIVersion = "kubescheduler.config.k8s.io/v1alpha1"
	policyKind       = "Policy"
	policyAPIVersion = "v1"
)

// Kinds returns the kinds of files that Reader reads.
func Kinds() []string { return []string{kind, policyKind} }

// legacyForm returns how to read a document that is a configuration of the family
// scheduler.Legacy, nil for any other.
func legacyForm(root document.Value) func(*legacyReading) {
	kindOf, version := root.Get("kind").Text(), root.Get("apiVersion").Text()
	switch {
	case kindOf == policyKind:
		return func(l *legacyReading) { l.algorithm(l.root) }
	case kindOf == kind && version == legacyAPIVersion:
		return (*legacyReading).configuration
	}
	return nil
}

// legacyReading is one configuration of that time being read: its only profile, and what
// is to be found out on the way.
type legacyReading struct {
	reading
	profile    scheduler.ProfileConfig
	hardWeight int64 // hardPodAffinitySymmetricWeight
	preempts   bool
	predicates []string
	priorities []scheduler.PluginRef
	checkAll   bool
}

// legacy reads a configuration of that time.
func (r Reader) legacy(root document.Value, read func(*legacyReading)) (Policy, error) {
	l := &legacyReading{reading: reading{reader: r, rules: new(release.OrNewest(r.Rules)), root: root, version: versions[0], met: map[string]bool{}}, hardWeight: defaultHardWeight, preempts: true}
	l.policy.Name = root.File()
	l.policy.InitialBackoff, l.policy.MaxBackoff = scheduler.DefaultInitialBackoff, scheduler.DefaultMaxBackoff
	l.profile = scheduler.ProfileConfig{
		SchedulerName: DefaultSchedulerName, Family: scheduler.Legacy, Registry: legacy.Registry(), Args: map[string]any{},
	}
	read(l)
	l.neverMet()
	if err := l.errors.Err(); err != nil {
		return Policy{}, err
	}
	l.assemble()
	l.policy.Warnings = inOrder(l.policy.Warnings)
	return l.policy, l.errors.Err()
}

// legacyConfiguration is a KubeSchedulerConfiguration v1alpha1.
//
// Upstream: staging/src/k8s.io/kube-scheduler/config/v1alpha1/types.go, v1.16.15, and the
// backoff of v1.18.20, and the failureDomains of v1.12.10, whose flag "doesn't have any effect".
type legacyConfiguration struct {
	typeMeta
	SchedulerName                  string          `json:"schedulerName"`
	AlgorithmSource                algorithmSource `json:"algorithmSource"`
	HardPodAffinitySymmetricWeight int64           `json:"hardPodAffinitySymmetricWeight"`
	DisablePreemption              bool            `json:"disablePreemption"`
	PercentageOfNodesToScore       *int32          `json:"percentageOfNodesToScore"`
	BindTimeoutSeconds             *int64          `json:"bindTimeoutSeconds"`
	PodInitialBackoffSeconds       *int64          `json:"podInitialBackoffSeconds"`
	PodMaxBackoffSeconds           *int64          `json:"podMaxBackoffSeconds"`
	Plugins                        document.Value  `json:"plugins"`
	PluginConfig                   document.Value  `json:"pluginConfig"`

	// What follows cannot matter to a simulation.
	LeaderElection            legacyLeaderElection `json:"leaderElection"`
	ClientConnection          clientConnection     `json:"clientConnection"`
	HealthzBindAddress        string               `json:"healthzBindAddress"`
	MetricsBindAddress        string               `json:"metricsBindAddress"`
	EnableProfiling           *bool                `json:"enableProfiling"`
	EnableContentionProfiling *bool                `json:"enableContentionProfiling"`
	FailureDomains            string               `json:"failureDomains"`
}

type legacyLeaderElection struct {
	leaderElection
	LockObjectNamespace string `json:"lockObjectNamespace"`
	LockObjectName      string `json:"lockObjectName"`
}

type algorithmSource struct {
	Provider *string       `json:"provider"`
	Policy   *policySource `json:"policy"`
}

type policySource struct {
	File *struct {
		Path string `json:"path"`
	} `json:"file"`
	ConfigMap *struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"configMap"`
}

// configuration reads a KubeSchedulerConfiguration v1alpha1.
//
// Upstream: pkg/scheduler/apis/config/v1alpha1/defaults.go and
// pkg/scheduler/apis/config/validation/validation.go, v1.16.15.
// Differs: a percentageOfNodesToScore above 100 counts as 100, as the documentation has it.
func (l *legacyReading) configuration() {
	var c legacyConfiguration
	l.errors.Append(document.Decode(l.root, &c))
	if c.SchedulerName != "" {
		l.profile.SchedulerName = c.SchedulerName
	}
	if given := c.PercentageOfNodesToScore; given != nil {
		switch {
		case *given < 0:
			l.errors.Add(l.root, "percentageOfNodesToScore", "must not be negative")
		case *given > 100:
			l.policy.Warnings.Add(l.root, "percentageOfNodesToScore", "counts as 100")
		}
		l.profile.Percentage = int(min(*given, 100))
	}
	if t := c.BindTimeoutSeconds; t != nil && *t < 0 {
		l.errors.Add(l.root, "bindTimeoutSeconds", "must not be negative")
	}
	l.backoff(&configuration{PodInitialBackoffSeconds: c.PodInitialBackoffSeconds, PodMaxBackoffSeconds: c.PodMaxBackoffSeconds})
	for _, v := range []document.Value{c.Plugins, c.PluginConfig} {
		if v.Exists() && v.Kind() != document.Null {
			l.errors.Add(v, "", "is not supported in %s: name predicates and priorities in a Policy", legacyAPIVersion)
		}
	}
	if t := c.BindTimeoutSeconds; t != nil && *t >= 0 {
		l.profile.Args[legacy.CheckVolumeBinding] = plugins.VolumeBindingArgs{
			Timeout: l.seconds("bindTimeoutSeconds", t, plugins.DefaultVolumeBindingArgs().Timeout),
		}
	}
	l.hardPodAffinity(l.root, c.HardPodAffinitySymmetricWeight)
	l.preempts = !c.DisablePreemption
	l.source(&c.AlgorithmSource)
}

// source reads which rules there are.
func (l *legacyReading) source(s *algorithmSource) {
	at := l.root.Get("algorithmSource")
	switch {
	case s.Policy != nil && s.Provider != nil:
		l.errors.Add(at, "", "names both a provider and a policy; one of them decides")
	case s.Policy != nil:
		l.policySource(at.Get("policy"), s.Policy)
	case s.Provider != nil && *s.Provider != "":
		l.provider(at, *s.Provider)
	default:
		l.provider(at, defaultProvider)
	}
}

func (l *legacyReading) policySource(at document.Value, s *policySource) {
	switch {
	case s.ConfigMap != nil && s.File != nil:
		l.errors.Add(at, "", "names both a file and a configMap; one of them decides")
	case s.ConfigMap != nil:
		l.errors.Add(at, "configMap", "cannot be read without a cluster: put what it holds into a file and name it in file.path")
	case s.File == nil || s.File.Path == "":
		l.errors.Add(at, "file.path", "is required")
	default:
		l.policyFile(at.Find("file.path"), s.File.Path)
	}
}

// policyFile reads the Policy in a file, whose path is relative to the configuration.
func (l *legacyReading) policyFile(at document.Value, path string) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(l.root.File()), path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		l.errors.Add(at, "", "cannot be read: %s", document.ReadError(path, err).What)
		return
	}
	docs, err := document.Parse(path, data)
	if err != nil {
		l.errors.Append(err)
		return
	}
	if len(docs) != 1 || docs[0].Root().Get("kind").Text() != policyKind {
		l.errors.Add(at, "", "is not the file of one %s", policyKind)
		return
	}
	l.policy.Files = append(l.policy.Files, path)
	l.algorithm(docs[0].Root())
}

// The providers: the second fills nodes up, so that an autoscaler can give others back.
const (
	defaultProvider    = "DefaultProvider"
	autoscalerProvider = "ClusterAutoscalerProvider"
)

func (l *legacyReading) provider(at document.Value, name string) {
	l.defaultPredicates()
	l.priorities = legacy.DefaultPriorities()
	switch name {
	case defaultProvider:
	case autoscalerProvider:
		for i := range l.priorities {
			if l.priorities[i].Name == legacy.LeastRequestedPriority {
				l.priorities[i].Name = legacy.MostRequestedPriority
			}
		}
	default:
		known := []string{defaultProvider, autoscalerProvider}
		l.errors.Add(at, "provider", "is not a provider; %s are%s", strings.Join(known, " and "), document.Meant(name, known))
	}
}

// defaultPredicates are those of the providers.
func (l *legacyReading) defaultPredicates() {
	l.predicates = legacy.DefaultPredicates()
	for _, name := range legacy.Conditions() {
		l.profile.Args[name] = legacy.ConditionArgs{AsTaints: true}
	}
}

// defaultHardWeight is the weight of a required pod affinity in the other direction.
const defaultHardWeight = 1

// hardPodAffinity reads a hardPodAffinitySymmetricWeight; 0 is none.
func (l *legacyReading) hardPodAffinity(v document.Value, given int64) {
	switch {
	case given < 0 || given > 100:
		l.errors.Add(v, "hardPodAffinitySymmetricWeight", "must be from 1 to 100")
	case given != 0:
		l.hardWeight = given
	}
}

// assemble makes the profile of what has been read.
func (l *legacyReading) assemble() {
	l.profile.Args[legacy.InterPodAffinityPriority] = legacy.InterPodAffinityPriorityArgs{HardWeight: l.hardWeight}
	l.volumeCounts()
	if len(l.priorities) == 0 {
		l.priorities = []scheduler.PluginRef{{Name: legacy.EqualPriority, Weight: 1}}
	}
	if l.checkAll {
		l.profile.Args[legacy.AlwaysCheckAllPredicates] = legacy.CheckAllArgs{
			Predicates: l.predicates, Registry: l.profile.Registry, Args: maps.Clone(l.profile.Args),
		}
		l.predicates = []string{legacy.AlwaysCheckAllPredicates}
	}
	refs := refsTo("SchedulingGates", "PrioritySort", legacy.PodPassesBasicChecks)
	refs = slices.Concat(refs, refsTo(l.predicates...))
	if l.preempts {
		refs = append(refs, refsTo("DefaultPreemption")...)
	}
	refs = slices.Concat(refs, l.priorities, refsTo("Coscheduling", "DefaultBinder"))
	for _, ref := range refs {
		points, err := l.profile.Registry.ExtensionPointsOf(ref.Name, l.profile.Args[ref.Name], l.rules)
		if err != nil {
			l.errors.Add(l.root, "", "rule %s: %v", ref.Name, err)
		}
		for _, point := range points {
			at := scheduler.PluginRef{Name: ref.Name}
			if point == scheduler.Score {
				at.Weight = ref.Weight
			}
			l.profile.Points[point] = append(l.profile.Points[point], at)
		}
	}
	maps.DeleteFunc(l.profile.Args, func(name string, _ any) bool {
		return !slices.ContainsFunc(refs, func(ref scheduler.PluginRef) bool { return ref.Name == name })
	})
	l.policy.Profiles = []scheduler.ProfileConfig{l.profile}
}

// maxVolumes is the variable of kube-scheduler's environment that sets how many disks of
// each kind a node can attach.
const maxVolumes = "KUBE_MAX_PD_VOLS"

// volumeCounts honors the environment as kube-scheduler does, and warns of it.
//
// Upstream: getMaxVolLimitFromEnv, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
// Differs: what is not a positive number is an error, not skipped.
func (l *legacyReading) volumeCounts() {
	text := os.Getenv(maxVolumes)
	counts := func(name string) bool { return slices.Contains(legacy.VolumeCounts(), name) }
	if text == "" || !slices.ContainsFunc(l.predicates, counts) {
		return
	}
	limit, err := strconv.ParseInt(text, 10, 64)
	if err != nil || limit <= 0 {
		l.errors.Add(l.root, "", "the environment has %s=%s, which is not a positive number", maxVolumes, text)
		return
	}
	l.policy.Environment = append(l.policy.Environment, maxVolumes+"="+text)
	l.policy.Warnings.Add(l.root, "", "%s=%s of the environment is how many disks of a kind a node can attach", maxVolumes, text)
	for _, name := range legacy.VolumeCounts() {
		l.profile.Args[name] = legacy.VolumeCountArgs{Max: limit}
	}
}

func refsTo(names ...string) []scheduler.PluginRef {
	refs := make([]scheduler.PluginRef, len(names))
	for i, name := range names {
		refs[i].Name = name
	}
	return refs
}
