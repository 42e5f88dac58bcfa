//go:build before1.35

package main

import (
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

// releasesEarly says that a pod may be tried again before its last victim is evicted.
const releasesEarly = true

// prefer has a node chosen among those of the highest total, of which upstream draws one: it alone has a higher total now.
func prefer(node *nodePluginScores) { node.TotalScore++ }

func newInitializer(client kubernetes.Interface, factory informers.SharedInformerFactory) admission.PluginInitializer {
	return initializer.New(client, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, nil)
}
