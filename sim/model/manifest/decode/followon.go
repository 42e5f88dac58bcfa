package decode

import (
	"errors"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// FollowOn suppresses follow-on errors: errors at a place that already has one, or that result from it. The whole
// object can then be checked, and each error is reported once.
type FollowOn struct {
	places []string // that have errors, as paths from the root of the document
	faults int      // how many errors they come from
}

// Begin notes the errors that the object at v has so far, in the place of those noted before. A misspelled field
// stands for the right one too, and an error after which the object was not read on for all of it.
func (f *FollowOn) Begin(v document.Value, faults document.Errors) {
	*f = FollowOn{faults: len(faults)}
	for _, fault := range faults {
		f.places = append(f.places, fault.Path)
		var unknown *document.UnknownField
		switch {
		case errors.Is(fault, document.ErrIncomplete):
			f.places = append(f.places, v.Path())
		case errors.As(fault, &unknown) && unknown.Meant != "":
			meant := unknown.Meant
			if end := strings.LastIndexAny(fault.Path, ".["); end >= 0 {
				meant = fault.Path[:end] + "." + meant
			}
			if !v.Find(strings.TrimPrefix(meant[len(v.Path()):], ".")).Exists() {
				f.places = append(f.places, meant)
			}
		}
	}
}

// End removes from the errors those that came after Begin and are about a place that had one. It forgets all.
func (f *FollowOn) End(faults *document.Errors) {
	if len(f.places) > 0 {
		later := slices.DeleteFunc((*faults)[f.faults:], func(fault *document.Error) bool { return f.covered(fault.Path) })
		*faults = (*faults)[:f.faults+len(later)]
	}
	*f = FollowOn{}
}

// NoErrorAt reports whether Begin noted no error at the paths, seen from at, nor above or below them. Call it before
// adding an error that depends on other fields.
func (f *FollowOn) NoErrorAt(at document.Value, paths ...string) bool {
	return len(f.places) == 0 || !slices.ContainsFunc(paths, func(path string) bool {
		path = at.Find(path).Path()
		return f.covered(path) || slices.ContainsFunc(f.places, func(place string) bool { return LeadsThrough(place, path) })
	})
}

// covered reports whether a path leads to a place with an error, or below one.
func (f *FollowOn) covered(path string) bool {
	return slices.ContainsFunc(f.places, func(place string) bool { return LeadsThrough(path, place) })
}

// LeadsThrough reports whether a path begins with the steps of another.
func LeadsThrough(path, place string) bool {
	rest, begins := strings.CutPrefix(path, place)
	return begins && (place == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
