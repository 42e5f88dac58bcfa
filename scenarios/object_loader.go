package scenarios

import (
	"fmt"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
)

// objectLoader reads the objects that the scenario names. It adds those to the cluster that are neither nodes nor pods.
type objectLoader struct {
	*buildState
	broken  bool                // objects could not be read
	storage []*manifest.Storage // of the manifests of workloads
	budgets []document.Value    // of the cluster, by their ids
}

// admission enables the admission plugins of the options, or else those of the scenario.
func (b *objectLoader) admission() {
	if b.o.Admission != nil {
		if err := admitBy(b.loader, b.o.Admission); err != nil {
			b.faults.Append(err)
		}
		return
	}
	at := b.s.root.Get("admission")
	if i, err := b.loader.EnableAdmission(b.s.File.Admission); err != nil && !b.reported(at) {
		b.faults.Add(at.Index(i), "", "%v", err)
	}
}

// ignore leaves the kinds of objects out that the options name, or else the scenario.
func (b *objectLoader) ignore() {
	if b.o.Ignore != nil {
		if err := ignoreBy(b.loader, b.o.Ignore); err != nil {
			b.faults.Append(err)
		}
		return
	}
	at := b.s.root.Get("ignore")
	if i, err := b.loader.Ignore(b.s.File.Ignore); err != nil && !b.reported(at) {
		b.faults.Add(at.Index(i), "", "%v", err)
	}
}

// skipPods leaves the pods out that the options name, or else the scenario.
func (b *objectLoader) skipPods() {
	if b.o.SkipPods != nil {
		if err := skipPodsBy(b.loader, b.o.SkipPods); err != nil {
			b.faults.Append(err)
		}
		return
	}
	at := b.s.root.Get("skipPods")
	if i, err := b.loader.SkipPods(b.s.File.SkipPods); err != nil && !b.reported(at) {
		b.faults.Add(at.Index(i), "", "%v", err)
	}
}

// loadAll reads the objects that the scenario names, and the manifests of its workloads and fleet, in one call of the
// loader, so that objects may refer to each other in any order.
func (b *objectLoader) loadAll() {
	before := len(b.faults)
	files := b.references(b.s.root.Get("objects"), b.s.File.Objects)
	for i, f := range b.s.File.Fleet {
		files = append(files, b.references(b.s.root.Get("fleet").Index(i).Get("manifests"), f.Manifests)...)
	}
	b.load(b.loader, files)
	b.broken = len(b.faults) > before || b.reported(b.s.root.Get("objects"))
}

// appendResolved adds errors. If objects of the scenario could not be read, it leaves out errors about names that are not
// found among them, and about classes that are not known.
func (b *objectLoader) appendResolved(err error) {
	var faults document.Errors
	faults.Append(err)
	if b.broken {
		faults = withoutClassNames(faults)
	}
	b.faults = append(b.faults, faults...)
}

// addBudgets adds the PodDisruptionBudgets to the cluster. The run computes their status itself.
func (b *objectLoader) addBudgets(loader *manifest.Loader) {
	for _, added := range loader.Budgets {
		live := added.Budget
		live.DisruptionsAllowed, live.HasStatus, live.DisruptedPods = 0, false, nil
		b.cluster.Budgets.Add(live)
		b.budgets = append(b.budgets, added.At)
	}
}

// addStorage adds the persistent volumes, claims and related objects of all manifests. The nodes must have been added.
func (b *objectLoader) addStorage() {
	if len(b.faults) > 0 {
		return // the same object may be there twice
	}
	manifest.AddStorage(b.cluster, append([]*manifest.Storage{&b.loader.Storage}, b.storage...)...)
}

// AdmissionNames returns the values of the flag --admission: the admission plugins that can be enabled, in the order in
// which they run, and those whose objects can be left out, with a minus.
func AdmissionNames() []string { return admit.AdmissionNames() }

// admitBy enables the admission plugins that a command line names.
func admitBy(loader *manifest.Loader, names []string) error {
	if i, err := loader.EnableAdmission(names); err != nil {
		return fmt.Errorf("--admission: %q %w", names[i], err)
	}
	return nil
}

// ignoreBy leaves out the kinds of objects that a command line names.
func ignoreBy(loader *manifest.Loader, names []string) error {
	if i, err := loader.Ignore(names); err != nil {
		return fmt.Errorf("--ignore: %q %w", names[i], err)
	}
	return nil
}

// skipPodsBy leaves out the pods that a command line names.
func skipPodsBy(loader *manifest.Loader, texts []string) error {
	if i, err := loader.SkipPods(texts); err != nil {
		return fmt.Errorf("--skip-pods: %q %w", texts[i], err)
	}
	return nil
}
