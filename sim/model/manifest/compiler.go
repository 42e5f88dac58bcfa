package manifest

import "github.com/berth-sim/berth/sim/model/cluster"

// compiler turns admitted objects into the parts of a cluster's state, with texts as dense ids.
type compiler struct {
	vocabulary *cluster.Vocabulary
	check      *checker
	warnings   *warnings
	chain      *chain

	selecting selecting
	scheduled map[string]bool // by name of resource
	avoided   map[string]bool // controllers whose pods a node asks to be spared
	keep      bool            // classes and nodes keep their objects
	key       []byte          // scratch for keys of classes
}

// newCompiler returns a compiler that interns into v.
func newCompiler(v *cluster.Vocabulary, check *checker, w *warnings, ch *chain) *compiler {
	return &compiler{
		vocabulary: v, check: check, warnings: w, chain: ch,
		selecting: newSelecting(), scheduled: map[string]bool{}, avoided: map[string]bool{},
	}
}
