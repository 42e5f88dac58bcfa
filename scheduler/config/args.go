package config

import (
	"slices"
	"strings"
	"time"

	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/scheduler/preemption"
	"github.com/berth-sim/berth/sim/files/document"
)

// pluginArgs read and check the arguments of the plugins that have some.
var pluginArgs = map[string]func(*reading, document.Value) any{
	"BestFit":                         (*reading).largestNodeArgs,
	"Coscheduling":                    (*reading).coschedulingArgs,
	"DefaultPreemption":               (*reading).preemptionArgs,
	"DotProd":                         (*reading).largestNodeArgs,
	"DynamicResources":                (*reading).dynamicArgs,
	"FGD":                             (*reading).noArgs,
	"FGDExact":                        (*reading).noArgs,
	"GpuClustering":                   (*reading).largestNodeArgs,
	"GpuPacking":                      (*reading).noArgs,
	"InterPodAffinity":                (*reading).podAffinityArgs,
	"NodeAffinity":                    (*reading).affinityArgs,
	"NodeDevicesFit":                  (*reading).noArgs,
	"NodeResourcesAllocatable":        (*reading).allocatableArgs,
	"NodeResourcesBalancedAllocation": (*reading).balancedArgs,
	"NodeResourcesFit":                (*reading).fitArgs,
	"PodState":                        (*reading).unusedArgs,
	"PodTopologySpread":               (*reading).spreadArgs,
	"QOSSort":                         (*reading).unusedArgs,
	"Random":                          (*reading).noArgs,
	"VolumeBinding":                   (*reading).volumeArgs,
	leastAllocated:                    scorerArgs(leastAllocated),
	mostAllocated:                     scorerArgs(mostAllocated),
	toCapacity:                        scorerArgs(toCapacity),
}

// pluginConfig reads the arguments of the plugins of a profile. Those of plugins that
// are not ours or upstream's are handed on as they are, as a document.Value.
//
// Upstream: validatePluginConfig in pkg/scheduler/apis/config/validation/validation.go, v1.36.3.
func (f *reading) pluginConfig(p *profile, entries []document.Value) {
	p.config.Args = map[string]any{}
	seen := map[string]document.Value{}
	for _, v := range entries {
		var e pluginConfigEntry
		f.errors.Append(document.Decode(v, &e))
		if e.Name == "" {
			continue
		}
		if before, twice := seen[e.Name]; twice {
			f.errors.Add(v, "name", "has arguments in %s already", before.Path())
			continue
		}
		seen[e.Name] = v
		if !f.takesArgs(v, e.Name) || !e.Args.Exists() || e.Args.Kind() == document.Null {
			continue
		}
		p.given[e.Name] = e.Args
		read, ours := pluginArgs[e.Name]
		switch {
		case ours:
			faults := len(f.errors)
			// Without faulty arguments the plugin can still be asked for its points.
			if args := read(f, e.Args); args != nil && len(f.errors) == faults {
				p.config.Args[e.Name] = args
			}
		case isUpstream(e.Name):
			f.policy.Warnings.Add(v, "name", "takes no arguments")
		default:
			p.config.Args[e.Name] = e.Args
		}
	}
}

// takesArgs reports whether the plugin that entry v names is there. One that is not is a fault
// only where upstream refuses it, or would do something with the arguments.
func (f *reading) takesArgs(v document.Value, name string) bool {
	switch {
	case f.drops(name, f.exists(name)):
		return false
	case f.exists(name):
		return true
	case !f.carriesOver(name, false):
	case slices.Contains(removed, name):
		f.found(v, name)
	case !isUpstream(name):
		f.policy.Warnings.Add(v, "name", "is not a plugin, so its arguments do nothing%s", f.suggestion(name))
	}
	return false
}

// decodeArgs decodes v into a struct of arguments, checking the type that it may
// name.
func (f *reading) decodeArgs(v document.Value, argsKind string, meta *typeMeta, into any) {
	f.errors.Append(document.Decode(v, into))
	if meta.Kind != "" && meta.Kind != argsKind {
		f.errors.Add(v, "kind", "must be %s", argsKind)
	}
	if meta.APIVersion != "" && meta.APIVersion != f.version.apiVersion {
		f.errors.Add(v, "apiVersion", "must be %s", f.version.apiVersion)
	}
}

// Upstream: ValidateDefaultPreemptionArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) preemptionArgs(v document.Value) any {
	var a struct {
		typeMeta
		Percentage *int32 `json:"minCandidateNodesPercentage"`
		Absolute   *int32 `json:"minCandidateNodesAbsolute"`
	}
	f.decodeArgs(v, "DefaultPreemptionArgs", &a.typeMeta, &a)
	args := preemption.DefaultArgs()
	if a.Percentage != nil {
		args.MinCandidateNodesPercentage = int(*a.Percentage)
	}
	if a.Absolute != nil {
		args.MinCandidateNodesAbsolute = int(*a.Absolute)
	}
	if p := args.MinCandidateNodesPercentage; p < 0 || p > 100 {
		f.errors.Add(v, "minCandidateNodesPercentage", "must be from 0 to 100")
	}
	if args.MinCandidateNodesAbsolute < 0 {
		f.errors.Add(v, "minCandidateNodesAbsolute", "must not be negative")
	}
	if args == (preemption.Args{}) {
		f.errors.Add(v, "minCandidateNodesPercentage", "must not be 0 when minCandidateNodesAbsolute is")
	}
	return args
}

// Upstream: ValidateNodeAffinityArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) affinityArgs(v document.Value) any {
	var a struct {
		typeMeta
		AddedAffinity document.Value `json:"addedAffinity"`
	}
	f.decodeArgs(v, "NodeAffinityArgs", &a.typeMeta, &a)
	var args plugins.NodeAffinityArgs
	if !a.AddedAffinity.Exists() || a.AddedAffinity.Kind() == document.Null {
		return args
	}
	if f.reader.Affinity == nil {
		f.errors.Add(a.AddedAffinity, "", "is not supported here")
		return args
	}
	required, preferred, err := f.reader.Affinity(a.AddedAffinity)
	f.errors.Append(err)
	args.Added, args.Preferred = required, preferred
	return args
}

type resourceSpec struct {
	Name   string `json:"name" doc:"required"`
	Weight int64  `json:"weight"`
}

func resourceWeights(specs []resourceSpec) []plugins.ResourceWeight {
	if len(specs) == 0 {
		return plugins.DefaultResources()
	}
	var resources []plugins.ResourceWeight
	for _, s := range specs {
		weight := s.Weight
		if weight == 0 {
			weight = 1
		}
		resources = append(resources, plugins.ResourceWeight{Name: s.Name, Weight: weight})
	}
	return resources
}

// dynamicArgs accepts what is about resource claims, which no pod has.
//
// Upstream: ValidateDynamicResourcesArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) dynamicArgs(v document.Value) any {
	var a struct {
		typeMeta
		FilterTimeout  *span `json:"filterTimeout"`
		BindingTimeout *span `json:"bindingTimeout"`
	}
	f.decodeArgs(v, "DynamicResourcesArgs", &a.typeMeta, &a)
	if a.FilterTimeout != nil && *a.FilterTimeout < 0 {
		f.errors.Add(v, "filterTimeout", "must not be negative")
	}
	if a.BindingTimeout != nil && *a.BindingTimeout < span(time.Second) {
		f.errors.Add(v, "bindingTimeout", "must be at least 1s")
	}
	return nil
}

// Upstream: ValidateNodeResourcesBalancedAllocationArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) balancedArgs(v document.Value) any {
	var a struct {
		typeMeta
		Resources []resourceSpec `json:"resources"`
	}
	f.decodeArgs(v, "NodeResourcesBalancedAllocationArgs", &a.typeMeta, &a)
	resources := resourceWeights(a.Resources)
	seen := map[string]bool{}
	for i, r := range resources {
		if seen[r.Name] && r.Name != "" {
			f.errors.Add(v, document.Path("resources", i, "name"), "is listed twice")
		}
		seen[r.Name] = true
		if r.Weight != 1 {
			f.errors.Add(v, document.Path("resources", i, "weight"), "must be 1")
		}
	}
	return plugins.BalancedArgs{Resources: resources}
}

type scoringStrategy struct {
	Type                     plugins.StrategyType `json:"type"`
	Resources                []resourceSpec       `json:"resources"`
	RequestedToCapacityRatio *struct {
		Shape []shapePoint `json:"shape"`
	} `json:"requestedToCapacityRatio"`
}

type shapePoint struct {
	Utilization int32 `json:"utilization"`
	Score       int32 `json:"score"`
}

// Upstream: ValidateNodeResourcesFitArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.36.3.
func (f *reading) fitArgs(v document.Value) any {
	var a struct {
		typeMeta
		IgnoredResources      []string         `json:"ignoredResources"`
		IgnoredResourceGroups []string         `json:"ignoredResourceGroups"`
		ScoringStrategy       *scoringStrategy `json:"scoringStrategy"`
	}
	f.decodeArgs(v, "NodeResourcesFitArgs", &a.typeMeta, &a)
	for i, name := range a.IgnoredResources {
		if !isQualifiedName(name) {
			f.errors.Add(v, document.Path("ignoredResources", i), "is not the name of a resource")
		}
	}
	for i, group := range a.IgnoredResourceGroups {
		switch path := document.Path("ignoredResourceGroups", i); {
		case strings.Contains(group, "/"):
			f.errors.Add(v, path, "must not contain a /")
		case !isQualifiedName(group):
			f.errors.Add(v, path, "is not the name of a group of resources")
		}
	}
	args := plugins.FitArgs{IgnoredResources: a.IgnoredResources, IgnoredGroups: a.IgnoredResourceGroups, Strategy: plugins.DefaultStrategy()}
	if a.ScoringStrategy != nil {
		args.Strategy = f.strategy(v.Get("scoringStrategy"), a.ScoringStrategy)
	}
	return args
}

func (f *reading) strategy(v document.Value, s *scoringStrategy) plugins.Strategy {
	strategy := f.strategyOf(v, s.Type, s.Resources)
	known := []plugins.StrategyType{plugins.LeastAllocated, plugins.MostAllocated, plugins.RequestedToCapacityRatio}
	if !slices.Contains(known, s.Type) {
		f.errors.Add(v, "type", "must be LeastAllocated, MostAllocated or RequestedToCapacityRatio")
	}
	switch ratio := s.RequestedToCapacityRatio; {
	case ratio == nil && s.Type == plugins.RequestedToCapacityRatio:
		f.errors.Add(v, "requestedToCapacityRatio", "is needed when type is RequestedToCapacityRatio")
	case ratio == nil:
	case s.Type != plugins.RequestedToCapacityRatio:
		f.errors.Add(v, "requestedToCapacityRatio", "is for the type RequestedToCapacityRatio only")
	default:
		strategy.Shape = f.shape(v.Get("requestedToCapacityRatio"), ratio.Shape)
	}
	return strategy
}

// strategyOf is a strategy without a shape, of the resources in v.
func (f *reading) strategyOf(v document.Value, kind plugins.StrategyType, specs []resourceSpec) plugins.Strategy {
	strategy := plugins.Strategy{Type: kind, Resources: resourceWeights(specs)}
	for i, r := range strategy.Resources {
		if r.Weight < 1 || r.Weight > 100 {
			f.errors.Add(v, document.Path("resources", i, "weight"), "must be from 1 to 100")
		}
	}
	return strategy
}

const maxShapeScore = 10

func (f *reading) shape(v document.Value, points []shapePoint) []plugins.ShapePoint {
	if len(points) == 0 {
		f.errors.Add(v, "shape", "needs at least one point")
	}
	var shape []plugins.ShapePoint
	for i, p := range points {
		switch path := document.Path("shape", i, "utilization"); {
		case p.Utilization < 0 || p.Utilization > 100:
			f.errors.Add(v, path, "must be from 0 to 100")
		case i > 0 && p.Utilization <= points[i-1].Utilization:
			f.errors.Add(v, path, "must be higher than that of the point before")
		}
		if p.Score < 0 || p.Score > maxShapeScore {
			f.errors.Add(v, document.Path("shape", i, "score"), "must be from 0 to %d", maxShapeScore)
		}
		shape = append(shape, plugins.ShapePoint{Utilization: int64(p.Utilization), Score: int64(p.Score)})
	}
	return shape
}
