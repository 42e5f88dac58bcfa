package legacy

import (
	"github.com/berth-sim/berth/scheduler"
)

// newGeneralPredicates are the rules that the kubelet has too.
//
// Upstream: GeneralPredicates, pkg/scheduler/algorithm/predicates/predicates.go, v1.16.15.
func newGeneralPredicates(h *scheduler.Handle, args any) (scheduler.Plugin, error) {
	var members []scheduler.FilterPlugin
	for i, factory := range []scheduler.Factory{newPodFitsResources, newHostName, newPodFitsHostPorts, newMatchNodeSelector} {
		own := args
		if i > 0 {
			own = nil // they are those of PodFitsResources
		}
		plugin, err := factory(h, own)
		if err != nil {
			return nil, err
		}
		members = append(members, plugin.(scheduler.FilterPlugin))
	}
	return newCombinedFilters(h, GeneralPredicates, members), nil
}
