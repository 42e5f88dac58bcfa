package manifest

import (
	"maps"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// UnusedIgnores returns the kinds that Ignore was given of which none of the loaders has left an object out.
func UnusedIgnores(loaders ...*Loader) []string {
	unused := map[string]string{} // the names as they were given, by those in lower case
	for _, l := range loaders {
		for _, name := range l.ignoredAs {
			unused[strings.ToLower(name)] = name
		}
	}
	for _, l := range loaders {
		for _, k := range l.LeftOut {
			name := strings.ToLower(k.Kind)
			delete(unused, name)
			kind, group, _ := strings.Cut(name, ".")
			delete(unused, kind)
			delete(unused, "*."+group)
		}
	}
	return slices.Sorted(maps.Values(unused))
}

// KindNames returns the kinds that Ignore may be given, as far as berth or the loaders know them.
func KindNames(loaders ...*Loader) []string {
	names := decode.KindNames()
	for _, l := range loaders {
		for _, k := range l.Skipped {
			kind, _, _ := strings.Cut(k.Kind, ".")
			names = append(names, k.Kind, kind)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
