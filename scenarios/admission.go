package scenarios

import (
	"fmt"

	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
)

// AdmissionNames are the admission plugins that can be switched on, in the order in which
// they run, and what can be left out, with a minus.
func AdmissionNames() []string { return admit.AdmissionNames() }

// admitBy switches admission plugins on that a command line names.
func admitBy(loader *manifest.Loader, names []string) error {
	if i, err := loader.Admit(names); err != nil {
		return fmt.Errorf("--admission: %q %w", names[i], err)
	}
	return nil
}

// admission switches the plugins on that the options name, or else the scenario.
func (b *builder) admission() {
	if b.o.Admission != nil {
		if err := admitBy(b.loader, b.o.Admission); err != nil {
			b.faults.Append(err)
		}
		return
	}
	at := b.s.root.Get("admission")
	if i, err := b.loader.Admit(b.s.File.Admission); err != nil && !b.said(at) {
		b.faults.Add(at.Index(i), "", "%v", err)
	}
}
