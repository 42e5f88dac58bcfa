package manifest

import (
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
)

// withKustomizations adds an error for each kustomization that has errors in files of its directory: such files may be
// parts of objects, which only the kustomization makes whole.
func withKustomizations(faults document.Errors, objects []*decode.Object) document.Errors {
	n := len(faults)
	for _, o := range objects {
		if !o.IsKustomization() {
			continue
		}
		dir := filepath.Dir(o.At.File())
		if slices.ContainsFunc(faults[:n], func(f *document.Error) bool { return filepath.Dir(f.File) == dir }) {
			faults.Add(o.At, "", "is a kustomization, and its files need not be whole objects: kubectl kustomize %s | berth place -f - reads what it makes", dir)
		}
	}
	return faults
}
