//go:build !before1.35

package main

import (
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	fwk "k8s.io/kube-scheduler/framework"
)

// What moves between packages from release to release.
type (
	volumeAttributesClass = storagev1.VolumeAttributesClass
	cycleState            = fwk.CycleState
	nodeInfo              = fwk.NodeInfo
	status                = fwk.Status
	statusCode            = fwk.Code
	statusReader          = fwk.NodeToStatusReader
	nodeInfoLister        = fwk.NodeInfoLister
	nodePluginScores      = fwk.NodePluginScores
	nominatingInfo        = fwk.NominatingInfo
	postFilterResult      = fwk.PostFilterResult
	postFilterPlugin      = fwk.PostFilterPlugin
	preBindPlugin         = fwk.PreBindPlugin
)

const (
	codeError        = fwk.Error
	codeUnresolvable = fwk.UnschedulableAndUnresolvable
)

// releasesEarly says that a pod may be tried again before its last victim is evicted.
const releasesEarly = false

// prefer has a node chosen among those of the highest total.
func prefer(node *nodePluginScores) { node.Randomizer = 1 }

func newInitializer(client kubernetes.Interface, factory informers.SharedInformerFactory) admission.PluginInitializer {
	return initializer.New(client, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, nil, nil)
}
