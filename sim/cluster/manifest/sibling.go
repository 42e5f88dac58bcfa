package manifest

import "maps"

// Sibling returns a Loader without objects that knows the priority classes, runtime
// classes and pod groups of l, so that objects that belong together can be kept apart
// from others. Names must still be unique among all of them.
func (l *Loader) Sibling() *Loader {
	s := New(l.vocabulary)
	s.seen = l.seen
	s.priorities, s.fallback = maps.Clone(l.priorities), l.fallback
	s.runtimes, s.groups = maps.Clone(l.runtimes), maps.Clone(l.groups)
	return s
}
