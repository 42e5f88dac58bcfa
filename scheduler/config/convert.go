package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/plugins"
	"github.com/berth-sim/berth/sim/files/document"
)

// The plugins of v1beta1 that became scoring strategies of NodeResourcesFit.
//
// Upstream: pkg/scheduler/framework/plugins/noderesources/least_allocated.go, most_allocated.go and
// requested_to_capacity_ratio.go, v1.22.17.
const (
	fit            = "NodeResourcesFit"
	leastAllocated = "NodeResourcesLeastAllocated"
	mostAllocated  = "NodeResourcesMostAllocated"
	toCapacity     = "RequestedToCapacityRatio"
)

// scorers are the strategies by plugin.
var scorers = map[string]plugins.StrategyType{
	leastAllocated: plugins.LeastAllocated, mostAllocated: plugins.MostAllocated, toCapacity: plugins.RequestedToCapacityRatio,
}

// isScorer reports whether a plugin of that release is a scoring strategy of NodeResourcesFit today.
func (v *version) isScorer(name string) bool {
	_, is := scorers[name]
	return is && v.scorers
}

// notCarried are plugins that beta versions can name and v1 does not have, with what is in their place.
var notCarried = map[string]string{
	"EBSLimits":           "NodeVolumeLimits counts these volumes",
	"GCEPDLimits":         "NodeVolumeLimits counts these volumes",
	"AzureDiskLimits":     "NodeVolumeLimits counts these volumes",
	"CinderLimits":        "NodeVolumeLimits counts these volumes",
	"SelectorSpread":      "PodTopologySpread spreads by its default constraints",
	"NodePreferAvoidPods": "v1 does not read the annotation that it honors",
}

// carriesOver reports whether v1 has the plugin. If not, and if it was enabled, the warning about
// the conversion says so.
func (f *reading) carriesOver(name string, enabled bool) bool {
	_, lost := notCarried[name]
	if f.version.isCurrent() || !lost {
		return true
	}
	if enabled && !slices.Contains(f.lost, name) {
		f.lost = append(f.lost, name)
	}
	return false
}

// converted warns that the file is of an older version, and what of it is lost.
func (f *reading) converted() {
	if f.version.isCurrent() {
		return
	}
	what := fmt.Sprintf("is converted to v1, with the default plugins and weights of Kubernetes %s", f.version.kubernetes)
	var lost []string
	for _, name := range f.lost {
		lost = append(lost, fmt.Sprintf("%s (%s)", name, notCarried[name]))
	}
	if len(lost) > 0 {
		what += "; not carried over: " + strings.Join(lost, ", ")
	}
	f.policy.Warnings.Add(f.root, "apiVersion", "%s", what)
}

// resourceScore makes the one resource score plugin of v1beta1 that a profile has the scoring strategy of
// NodeResourcesFit.
//
// Upstream: conflictScorePluginsByVersion in pkg/scheduler/apis/config/validation/validation.go, v1.22.17.
// Differs: v1beta1 could have several of them side by side, which v1 cannot express.
func (f *reading) resourceScore(p *profile) {
	scoring := ""
	for point := range p.sets.points {
		set := &p.sets.points[point]
		set.enabled = slices.DeleteFunc(set.enabled, func(e enabledPlugin) bool {
			switch isScorer := f.version.isScorer(e.name); {
			case isScorer && scheduler.ExtensionPoint(point) != scheduler.Score:
				f.errors.Add(e.at, "name", "does not extend %s, it extends score", scheduler.ExtensionPoint(point))
				return true
			case !isScorer && (e.name != fit || scheduler.ExtensionPoint(point) != scheduler.Score):
			case scoring != "" && f.version.scorers:
				f.errors.Add(e.at, "name", "scores beside %s, but v1 has one scoring strategy: disable %s in plugins.score", scoring, scoring)
				return true
			default:
				scoring = e.name
			}
			return false
		})
		for i := range set.enabled {
			if f.version.isScorer(set.enabled[i].name) {
				set.enabled[i].name = fit
			}
		}
	}
	if f.version.isScorer(scoring) {
		f.useScorer(p, scoring)
	}
	for name := range scorers {
		delete(p.config.Args, name)
	}
}

// useScorer gives NodeResourcesFit the strategy that is a plugin of v1beta1.
func (f *reading) useScorer(p *profile, scorer string) {
	args, _ := p.config.Args[fit].(plugins.FitArgs)
	strategy, given := p.config.Args[scorer].(plugins.Strategy)
	if !given {
		strategy = plugins.Strategy{Type: scorers[scorer], Resources: plugins.DefaultResources()}
	}
	args.Strategy = strategy
	p.config.Args[fit] = args
	if at, has := p.given[scorer]; has {
		p.given[fit] = at // where its faults are
	}
}

// scorerArgs reads the arguments of a plugin that is a scoring strategy today.
//
// Upstream: ValidateNodeResourcesLeastAllocatedArgs, ValidateNodeResourcesMostAllocatedArgs and
// ValidateRequestedToCapacityRatioArgs in pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.22.17.
func scorerArgs(name string) func(*reading, document.Value) any {
	return func(f *reading, v document.Value) any {
		var a struct {
			typeMeta
			Resources []resourceSpec `json:"resources"`
			Shape     []shapePoint   `json:"shape"`
		}
		f.decodeArgs(v, name+"Args", &a.typeMeta, &a)
		strategy := f.strategyOf(v, scorers[name], a.Resources)
		switch {
		case name == toCapacity:
			strategy.Shape = f.shape(v, a.Shape)
		case len(a.Shape) > 0:
			f.errors.Add(v, "shape", "is for %s only", toCapacity)
		}
		return strategy
	}
}
