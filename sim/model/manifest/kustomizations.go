package manifest

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// withKustomizations adds an error for each kustomization that has errors in files of its directory, or below it and of no
// other kustomization: such files may be parts of objects, which only the kustomization makes whole.
func withKustomizations(faults document.Errors, objects []*decode.Object) document.Errors {
	kustomizations := map[string]*decode.Object{} // by directory, the first of each
	for _, o := range objects {
		if dir := filepath.Dir(o.At.File()); o.IsKustomization() && kustomizations[dir] == nil {
			kustomizations[dir] = o
		}
	}
	if len(kustomizations) == 0 {
		return faults
	}
	broken := map[*decode.Object]bool{}
	for _, fault := range faults {
		broken[nearest(kustomizations, fault.File)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(kustomizations)) {
		if o := kustomizations[dir]; broken[o] {
			faults.Add(o.At, "", "is a kustomization, and its files need not be whole objects: kubectl kustomize %s | berth place -f - reads what it makes", dir)
		}
	}
	return faults
}

// nearest returns the kustomization of the directory of a file, or of the nearest one above; nil if there is none.
func nearest(kustomizations map[string]*decode.Object, file string) *decode.Object {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if o := kustomizations[dir]; o != nil || dir == filepath.Dir(dir) {
			return o
		}
	}
}
