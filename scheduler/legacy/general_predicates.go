package legacy

import "github.com/berth-sim/berth/scheduler"

// newGeneralPredicates returns the rules that the kubelet has too. The arguments are those of PodFitsResources.
//
// Upstream: GeneralPredicates, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
func newGeneralPredicates(h *scheduler.Handle, args FitArgs) (scheduler.Plugin, error) {
	resources, err := newPodFitsResources(h, args)
	if err != nil {
		return nil, err
	}
	members := []scheduler.FilterPlugin{resources.(scheduler.FilterPlugin)}
	for _, make := range []func(*scheduler.Handle) (scheduler.Plugin, error){newHostName, newPodFitsHostPorts, newMatchNodeSelector} {
		plugin, err := make(h)
		if err != nil {
			return nil, err
		}
		members = append(members, plugin.(scheduler.FilterPlugin))
	}
	return newCombinedFilters(h, GeneralPredicates, members), nil
}
