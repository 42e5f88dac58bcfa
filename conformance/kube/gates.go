package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// init turns off a gate that changes when something is decided and not what: equal pods in a row may be
// decided together. The default profile never does that, but one without default spread
// constraints would.
func init() {
	const batching = "OpportunisticBatching"
	if !enabled(batching) {
		return
	}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{batching: false}); err != nil {
		panic(err)
	}
}

// enabled reports whether the release has a gate and it is on.
func enabled(gate featuregate.Feature) bool {
	_, known := utilfeature.DefaultMutableFeatureGate.GetAll()[gate]
	return known && utilfeature.DefaultFeatureGate.Enabled(gate)
}
