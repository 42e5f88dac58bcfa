//go:build before1.35 && !before1.34

package main

import (
	storagev1 "k8s.io/api/storage/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// What moves between packages from release to release.
type (
	volumeAttributesClass = storagev1.VolumeAttributesClass
	cycleState            = fwk.CycleState
	nodeInfo              = fwk.NodeInfo
	status                = fwk.Status
	statusCode            = fwk.Code
	statusReader          = framework.NodeToStatusReader
	nodeInfoLister        = framework.NodeInfoLister
	nodePluginScores      = framework.NodePluginScores
	nominatingInfo        = framework.NominatingInfo
	postFilterResult      = framework.PostFilterResult
	postFilterPlugin      = framework.PostFilterPlugin
	preBindPlugin         = framework.PreBindPlugin
)

const (
	codeError        = fwk.Error
	codeUnresolvable = fwk.UnschedulableAndUnresolvable
)
