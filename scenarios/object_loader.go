package scenarios

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// objectLoader reads the objects that the scenario names, and puts those into the cluster that are neither nodes
// nor pods.
type objectLoader struct {
	*buildState
	broken  bool                // what the objects are cannot be known for errors
	storage []*manifest.Storage // of the manifests of workloads
	budgets []document.Value    // of the cluster, by their ids
}

// admission switches the plugins on that the options name, or else the scenario.
func (b *objectLoader) admission() {
	if b.o.Admission != nil {
		if err := admitBy(b.loader, b.o.Admission); err != nil {
			b.faults.Append(err)
		}
		return
	}
	at := b.s.root.Get("admission")
	if i, err := b.loader.Admit(b.s.File.Admission); err != nil && !b.reported(at) {
		b.faults.Add(at.Index(i), "", "%v", err)
	}
}

// loadAll reads the objects that the scenario names, and the manifests of its
// workloads and fleet, in one go: what they refer to may come in any order.
func (b *objectLoader) loadAll() {
	before := len(b.faults)
	files := b.references(b.s.root.Get("objects"), b.s.File.Objects)
	for i, f := range b.s.File.Fleet {
		files = append(files, b.references(b.s.root.Get("fleet").Index(i).Get("manifests"), f.Manifests)...)
	}
	b.load(b.loader, files)
	b.broken = len(b.faults) > before || b.reported(b.s.root.Get("objects"))
}

// appendResolved adds faults. While the objects of the scenario cannot be read, it leaves
// out names that are not found among them, and what depends on classes that are not known.
func (b *objectLoader) appendResolved(err error) {
	var faults document.Errors
	faults.Append(err)
	classes := []string{"priorityClassName", "runtimeClassName", "priority", "preemptionPolicy"}
	for _, f := range faults {
		if !b.broken || !slices.Contains(classes, f.Path[strings.LastIndexByte(f.Path, '.')+1:]) {
			b.faults = append(b.faults, f)
		}
	}
}

// addBudgets adds them for a run, which works out by itself, from its beginning on, what
// they allow.
func (b *objectLoader) addBudgets(loader *manifest.Loader) {
	for _, added := range loader.Budgets {
		live := added.Budget
		live.Allowed, live.HasStatus, live.Disrupted = 0, false, nil
		b.cluster.Budgets.Add(live)
		b.budgets = append(b.budgets, added.At)
	}
}

// addStorage adds the persistent volumes, claims and what belongs to them of all manifests,
// once the nodes are there.
func (b *objectLoader) addStorage() {
	if len(b.faults) > 0 {
		return // the same object may be there twice
	}
	manifest.AddStorage(b.cluster, append([]*manifest.Storage{&b.loader.Storage}, b.storage...)...)
}
