package cluster

import "slices"

// FeatureSet is a set of the features that kubelets declare and pods can need.
type FeatureSet uint8

// featureNames are the features that a pod can need to be scheduled; others that a node
// declares do not matter.
//
// Upstream: k8s.io/component-helpers/nodedeclaredfeatures/features, v0.36.3.
var featureNames = []string{
	"RestartAllContainersOnContainerExits",
	"UserNamespacesHostNetworkSupport",
}

// The features that a pod can need.
const (
	// RestartAllContainers is the action of that name in the restart rules of a container.
	RestartAllContainers FeatureSet = 1 << iota
	// UserNamespacesHostNetwork is a user namespace of its own in the network of the host.
	UserNamespacesHostNetwork
)

// FeaturesOf returns the set of those among the names that a pod can need.
func FeaturesOf(names []string) FeatureSet {
	var set FeatureSet
	for _, name := range names {
		if i := slices.Index(featureNames, name); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// Names returns the names of the features.
func (s FeatureSet) Names() []string {
	var names []string
	for i, name := range featureNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}
