package manifest

import (
	"errors"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
)

// doubts are the places of an object that have been found at fault: what could be said besides of a
// value that stands there, or of others because of it, may only follow from that fault. They let
// an object be checked to its end, each of its faults being told once.
type doubts struct {
	places []string // paths from the root of the document
	faults int      // how many faults they come from
}

// doubt puts the places of faults in doubt, and no others, those of the object at v. A field that is misspelt is in
// doubt under its right name too, and all is where the object was not read to its end.
func (d *doubts) doubt(v document.Value, faults document.Errors) {
	*d = doubts{faults: len(faults)}
	for _, fault := range faults {
		d.places = append(d.places, fault.Path)
		var unknown *document.UnknownField
		switch {
		case errors.Is(fault, document.ErrIncomplete):
			d.places = append(d.places, v.Path())
		case errors.As(fault, &unknown) && unknown.Meant != "":
			meant := unknown.Meant
			if end := strings.LastIndexAny(fault.Path, ".["); end >= 0 {
				meant = fault.Path[:end] + "." + meant
			}
			if !v.Find(strings.TrimPrefix(meant[len(v.Path()):], ".")).Exists() {
				d.places = append(d.places, meant)
			}
		}
	}
}

// settle leaves out those of the faults which came after the doubts and are about a place in doubt. It ends the doubts.
func (d *doubts) settle(faults *document.Errors) {
	if len(d.places) > 0 {
		later := slices.DeleteFunc((*faults)[d.faults:], func(fault *document.Error) bool { return d.cover(fault.Path) })
		*faults = (*faults)[:d.faults+len(later)]
	}
	*d = doubts{}
}

// knows reports whether nothing is in doubt of what stands at the paths, seen from at. It is to be asked
// before a fault is noted that is not about the value at its own place alone.
func (d *doubts) knows(at document.Value, paths ...string) bool {
	return len(d.places) == 0 || !slices.ContainsFunc(paths, func(path string) bool {
		path = at.Find(path).Path()
		return d.cover(path) || slices.ContainsFunc(d.places, func(place string) bool { return leadsThrough(place, path) })
	})
}

// cover reports whether a path leads to a place in doubt, or to what stands below one.
func (d *doubts) cover(path string) bool {
	return slices.ContainsFunc(d.places, func(place string) bool { return leadsThrough(path, place) })
}

// leadsThrough reports whether a path begins with the steps of another.
func leadsThrough(path, place string) bool {
	rest, begins := strings.CutPrefix(path, place)
	return begins && (place == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
