package compile

import (
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
)

// Compiler turns admitted objects into the parts of a cluster's state, with texts as dense ids.
type Compiler struct {
	vocabulary *cluster.Vocabulary
	check      *validate.Checker
	warnings   *decode.Warnings
	chain      *admit.Chain

	Selectors   Selectors
	scheduled   map[string]bool // by name of resource
	avoided     map[string]bool // controllers whose pods a node asks to be spared
	KeepObjects bool            // classes and nodes keep their objects
	key         []byte          // scratch for keys of classes
}

// NewCompiler returns a compiler that interns into v.
func NewCompiler(v *cluster.Vocabulary, check *validate.Checker, w *decode.Warnings, chain *admit.Chain) *Compiler {
	return &Compiler{
		vocabulary: v, check: check, warnings: w, chain: chain,
		Selectors: newSelecting(), scheduled: map[string]bool{}, avoided: map[string]bool{},
	}
}
