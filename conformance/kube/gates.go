package main

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

// init turns off a gate that changes when something is decided and not what: equal pods in a row may be
// decided together. The default profile never does that, but one without default spread
// constraints would.
func init() {
	const batching = "OpportunisticBatching"
	if _, known := utilfeature.DefaultMutableFeatureGate.GetAll()[batching]; !known {
		return // before 1.35
	}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{batching: false}); err != nil {
		panic(err)
	}
}
