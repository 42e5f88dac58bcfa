package admit

import (
	"maps"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// Chain is the admission chain of an API server: the plugins, and the objects that they go by.
type Chain struct {
	check    *validate.Checker
	warnings *decode.Warnings
	unnamed  map[string]bool // kinds with objects whose names are not known

	plugins      map[Admission]bool      // true: enabled; false: its objects are ignored
	namespaces   map[string]namespace    // by name
	limits       map[string][]limitRange // by namespace
	Priorities   map[string]PriorityClass
	fallback     *PriorityClass // the one with globalDefault
	runtimes     map[string]*runtimeClass
	Groups       map[string]bool // by namespace/name
	DefaultClass defaultClass    // of claims
}

// NewChain returns a chain in which only those plugins are on that always run. The kinds in unnamed have objects
// that it cannot know; they may change.
func NewChain(check *validate.Checker, w *decode.Warnings, unnamed map[string]bool) *Chain {
	return &Chain{
		check: check, warnings: w, unnamed: unnamed,
		plugins: map[Admission]bool{}, namespaces: map[string]namespace{}, limits: map[string][]limitRange{},
		Priorities: builtInClasses(), runtimes: map[string]*runtimeClass{}, Groups: map[string]bool{},
	}
}

// Clone returns a copy; objects registered later with one are not seen by the other.
func (chain *Chain) Clone(check *validate.Checker, w *decode.Warnings, unnamed map[string]bool) *Chain {
	return &Chain{
		check: check, warnings: w, unnamed: unnamed,
		plugins: maps.Clone(chain.plugins), namespaces: maps.Clone(chain.namespaces), limits: maps.Clone(chain.limits),
		Priorities: maps.Clone(chain.Priorities), fallback: chain.fallback, runtimes: maps.Clone(chain.runtimes),
		Groups: maps.Clone(chain.Groups), DefaultClass: chain.DefaultClass,
	}
}
