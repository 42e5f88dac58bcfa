package scheduler

import (
	"fmt"
	"math/bits"
)

// ExtensionPoint is an extension point of the framework.
type ExtensionPoint int

// The extension points, in the order in which a pod meets them.
const (
	PreEnqueue ExtensionPoint = iota
	QueueSort
	PreFilter
	Filter
	PostFilter
	PreScore
	Score
	Reserve
	Permit
	PreBind
	Bind
	PostBind
	NumExtensionPoints
)

var pointNames = [...]string{"preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score", "reserve", "permit", "preBind", "bind", "postBind"}

// String returns the name of the point in a KubeSchedulerConfiguration.
func (p ExtensionPoint) String() string { return pointNames[p] }

// PluginRef names a plugin at an extension point; Weight is for Score only.
type PluginRef struct {
	Name   string
	Weight int64
}

// ProfileConfig is one profile, all merging and defaulting done.
type ProfileConfig struct {
	SchedulerName string
	// Percentage is percentageOfNodesToScore: 0 is adaptive.
	Percentage int
	Points     [NumExtensionPoints][]PluginRef
	// Args are the arguments of the plugins that have some, by name.
	Args map[string]any
	// Family is the family of releases that the profile is of.
	Family Family
	// Registry are the plugins that the profile can name; nil: those of Config.
	Registry Registry
}

// profile is a ProfileConfig with its plugins made and sorted to their points.
type profile struct {
	name       string
	percentage int
	family     Family
	plugins    []Plugin
	retry      []QueueingHintPlugin // by plugin, nil where it has none
	depends    []Dependencies
	lastEvent  []uint64  // by plugin: number of the last change that its answer depends on
	concerned  pluginSet // by the event at hand
	extender   int       // where the extenders stand among the plugins; -1: there are none

	preEnqueue []indexed[PreEnqueuePlugin]
	queueSort  QueueSortPlugin
	preFilter  []indexed[PreFilterPlugin]
	filter     []filtering
	postFilter []indexed[PostFilterPlugin]
	preScore   []indexed[PreScorePlugin]
	score      []weighted
	devices    DeviceChooser // nil where no score plugin is one
	reserve    []indexed[ReservePlugin]
	permit     []indexed[PermitPlugin]
	preBind    []indexed[PreBindPlugin]
	bind       []indexed[BindPlugin]
	postBind   []indexed[PostBindPlugin]
}

// indexed is a plugin and its place in profile.plugins.
type indexed[P Plugin] struct {
	index  int
	plugin P
}

type filtering struct {
	indexed[FilterPlugin]
	prepare FilterPreparer // nil where the plugin has none
}

type weighted struct {
	indexed[ScorePlugin]
	prepare       ScorePreparer        // nil where the plugin has none
	many          ScoreManyPlugin      // nil where the plugin has none
	normalize     NormalizeScorePlugin // nil where the plugin has no function of its own
	normalization Normalization        // where it has none
	weight        int64
}

// pluginSet is a set of plugins of one profile, by index.
type pluginSet uint64

func (s pluginSet) has(i int) bool { return s&(1<<i) != 0 }
func (s *pluginSet) add(i int)     { *s |= 1 << i }

// each calls f for every member, in order.
func (s pluginSet) each(f func(i int)) {
	for ; s != 0; s &= s - 1 {
		f(bits.TrailingZeros64(uint64(s)))
	}
}

func newProfile(cfg ProfileConfig, registry Registry, h *Handle) (*profile, error) {
	p := &profile{name: cfg.SchedulerName, percentage: cfg.Percentage, family: cfg.Family}
	if cfg.Registry != nil {
		registry = cfg.Registry
	}
	index := map[string]int{}
	for point, refs := range cfg.Points {
		for _, ref := range refs {
			i, made := index[ref.Name]
			if !made {
				plugin, err := registry.New(ref.Name, h, cfg.Args[ref.Name])
				if err != nil {
					return nil, fmt.Errorf("profile %q: %w", cfg.SchedulerName, err)
				}
				i = p.adopt(plugin)
				index[ref.Name] = i
			}
			if !p.enable(ExtensionPoint(point), i, ref.Weight) {
				return nil, fmt.Errorf("profile %q: plugin %q does not extend %s", cfg.SchedulerName, ref.Name, ExtensionPoint(point))
			}
		}
	}
	p.extender = -1
	if h.s.HasExtenders() {
		p.extender = p.adopt(extenderPlugin{})
	}
	switch {
	case len(p.plugins) > maxPlugins:
		return nil, fmt.Errorf("profile %q has %d plugins, at most %d can be", cfg.SchedulerName, len(p.plugins), maxPlugins)
	case len(cfg.Points[QueueSort]) != 1:
		return nil, fmt.Errorf("profile %q needs exactly one queueSort plugin, has %d", cfg.SchedulerName, len(cfg.Points[QueueSort]))
	case len(p.bind) == 0:
		return nil, fmt.Errorf("profile %q needs a bind plugin", cfg.SchedulerName)
	}
	return p, nil
}

func (p *profile) adopt(plugin Plugin) int {
	retry, _ := plugin.(QueueingHintPlugin)
	p.plugins = append(p.plugins, plugin)
	p.retry = append(p.retry, retry)
	p.depends = append(p.depends, plugin.DependsOn())
	p.lastEvent = append(p.lastEvent, 0)
	return len(p.plugins) - 1
}

// note works out which plugins an event concerns, and remembers it as the latest change
// for them.
func (p *profile) note(e *ClusterEvent, change uint64) {
	p.concerned = 0
	for i, d := range p.depends {
		if d.concerns(e) {
			p.concerned.add(i)
			p.lastEvent[i] = change
		}
	}
}

// enable puts a plugin at a point; false where it does not implement it.
func (p *profile) enable(point ExtensionPoint, i int, weight int64) bool {
	plugin := p.plugins[i]
	switch point {
	case PreEnqueue:
		return at(&p.preEnqueue, i, plugin)
	case QueueSort:
		sort, ok := plugin.(QueueSortPlugin)
		p.queueSort = sort
		return ok
	case PreFilter:
		return at(&p.preFilter, i, plugin)
	case Filter:
		filter, ok := plugin.(FilterPlugin)
		prepare, _ := plugin.(FilterPreparer)
		p.filter = append(p.filter, filtering{indexed[FilterPlugin]{i, filter}, prepare})
		return ok
	case PostFilter:
		return at(&p.postFilter, i, plugin)
	case PreScore:
		return at(&p.preScore, i, plugin)
	case Score:
		score, ok := plugin.(ScorePlugin)
		prepare, _ := plugin.(ScorePreparer)
		many, _ := plugin.(ScoreManyPlugin)
		normalize, _ := plugin.(NormalizeScorePlugin)
		if chooser, is := plugin.(DeviceChooser); is && p.devices == nil {
			p.devices = chooser
		}
		w := weighted{indexed: indexed[ScorePlugin]{i, score}, prepare: prepare, many: many, normalize: normalize, weight: weight}
		if declared, has := plugin.(NormalizedScorePlugin); has {
			w.normalization = declared.Normalization()
		}
		p.score = append(p.score, w)
		return ok
	case Reserve:
		return at(&p.reserve, i, plugin)
	case Permit:
		return at(&p.permit, i, plugin)
	case PreBind:
		return at(&p.preBind, i, plugin)
	case Bind:
		return at(&p.bind, i, plugin)
	case PostBind:
		return at(&p.postBind, i, plugin)
	}
	return false
}

func at[P Plugin](list *[]indexed[P], i int, plugin Plugin) bool {
	p, ok := plugin.(P)
	*list = append(*list, indexed[P]{i, p})
	return ok
}
