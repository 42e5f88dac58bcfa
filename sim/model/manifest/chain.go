package manifest

import "maps"

// chain is the admission chain of an API server: the plugins, and the objects that they go by.
type chain struct {
	check    *checker
	warnings *warnings
	unnamed  map[string]bool // kinds with objects whose names are not known

	plugins      map[Admission]bool      // true: switched on; false: its objects are left out of account
	namespaces   map[string]namespace    // by name
	limits       map[string][]limitRange // by namespace
	priorities   map[string]PriorityClass
	fallback     *PriorityClass // the one with globalDefault
	runtimes     map[string]*runtimeClass
	groups       map[string]bool // by namespace/name
	defaultClass defaultClass    // of claims
}

// newChain returns a chain in which only those plugins are on that always run. The kinds in unnamed have objects
// that it cannot know; they may change.
func newChain(check *checker, w *warnings, unnamed map[string]bool) *chain {
	return &chain{
		check: check, warnings: w, unnamed: unnamed,
		plugins: map[Admission]bool{}, namespaces: map[string]namespace{}, limits: map[string][]limitRange{},
		priorities: builtInClasses(), runtimes: map[string]*runtimeClass{}, groups: map[string]bool{},
	}
}

// clone returns a chain that knows the same and learns by itself.
func (ch *chain) clone(check *checker, w *warnings, unnamed map[string]bool) *chain {
	return &chain{
		check: check, warnings: w, unnamed: unnamed,
		plugins: maps.Clone(ch.plugins), namespaces: maps.Clone(ch.namespaces), limits: maps.Clone(ch.limits),
		priorities: maps.Clone(ch.priorities), fallback: ch.fallback, runtimes: maps.Clone(ch.runtimes),
		groups: maps.Clone(ch.groups), defaultClass: ch.defaultClass,
	}
}
