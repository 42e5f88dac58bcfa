package manifest

import "maps"

// Sibling returns a Loader without objects that knows the priority classes, runtime
// classes, pod groups, Services and controllers of l, so that objects that belong together can be kept apart
// from others. Names must still be unique among all of them.
func (l *Loader) Sibling() *Loader {
	s := New(l.vocabulary)
	s.seen, s.keep = l.seen, l.keep
	s.nameless = maps.Clone(l.nameless)
	s.claims, s.fallbackClass = l.claims, l.fallbackClass
	s.copyAdmission(l)
	s.priorities, s.fallback = maps.Clone(l.priorities), l.fallback
	s.runtimes, s.groups = maps.Clone(l.runtimes), maps.Clone(l.groups)
	s.selecting = l.selecting.clone()
	return s
}
