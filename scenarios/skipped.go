package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// maxKinds is how many kinds of skipped objects are named.
const maxKinds = 6

// skipped returns the line that counts the objects which do not affect scheduling; none if there are no such objects.
func skipped(loaders ...*manifest.Loader) []string {
	kinds := countedKinds(loaders, func(o *manifest.Objects) []manifest.KindCount { return o.Skipped })
	if len(kinds) == 0 {
		return nil
	}
	objects := 0
	var names []string
	for i, k := range kinds {
		objects += k.Count
		if i < maxKinds {
			names = append(names, fmt.Sprintf("%d %s", k.Count, k.Kind))
		}
	}
	if more := len(kinds) - len(names); more > 0 {
		names = append(names, "and "+human.Counted(more, "kind")+" more")
	}
	verb := "do"
	if objects == 1 {
		verb = "does"
	}
	return []string{fmt.Sprintf("skipped %s of %s that %s not affect scheduling: %s",
		human.Counted(objects, "object"), human.Counted(len(kinds), "kind"), verb, strings.Join(names, ", "))}
}

// leftOut returns a warning for each kind of objects that has been left out on request.
func leftOut(loaders ...*manifest.Loader) []string {
	var out []string
	for _, k := range countedKinds(loaders, func(o *manifest.Objects) []manifest.KindCount { return o.LeftOut }) {
		out = append(out, fmt.Sprintf("left out, as asked: %d %s", k.Count, k.Kind))
	}
	return slices.Concat(out, UnusedIgnores(loaders...))
}

// UnusedIgnores returns a warning for each kind that is to be left out and of which no file has an object: it may be mistyped.
func UnusedIgnores(loaders ...*manifest.Loader) []string {
	var out []string
	for _, name := range manifest.UnusedIgnores(loaders...) {
		out = append(out, fmt.Sprintf("ignore: no file has an object of kind %q%s", name, document.Meant(name, manifest.KindNames(loaders...))))
	}
	return out
}

// countedKinds joins what loaders count, the most frequent kind first.
func countedKinds(loaders []*manifest.Loader, of func(*manifest.Objects) []manifest.KindCount) []manifest.KindCount {
	objects := map[string]int{}
	for _, l := range loaders {
		for _, k := range of(&l.Objects) {
			objects[k.Kind] += k.Count
		}
	}
	var out []manifest.KindCount
	for kind, n := range objects {
		out = append(out, manifest.KindCount{Kind: kind, Count: n})
	}
	slices.SortFunc(out, func(a, b manifest.KindCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
