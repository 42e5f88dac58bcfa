package scenarios

import "github.com/berth-sim/berth/sim/model/manifest"

// addStorage adds the persistent volumes, claims and what belongs to them of all manifests,
// once the nodes are there.
func (b *builder) addStorage() {
	if len(b.faults) > 0 {
		return // the same object may be there twice
	}
	manifest.AddStorage(b.cluster, append([]*manifest.Storage{&b.loader.Storage}, b.storage...)...)
}
