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
