package scheduler

import "strings"

// Checks is a set of things that a filter looks at when it rejects a node.
type Checks uint16

// What a filter can look at. Questions beside a run (which requests to lower, which taints to tolerate, whether nodes
// may be overcommitted) are asked of the filters that declare it.
const (
	CheckResources    Checks = 1 << iota // free amounts of the resources that the pod requests, and room for one more pod
	CheckAllResources                    // with CheckResources: of every resource, so that no node is ever overcommitted
	CheckDevices                         // what is free of each device
	CheckTaints                          // taints of the node
	CheckCordon                          // spec.unschedulable
	CheckNodeSelector                    // node selector and node affinity
	CheckPorts                           // host ports
	CheckSpread                          // topology spread constraints
	CheckPodAffinity                     // pod affinity and anti-affinity
	CheckSharedVolume                    // whether other pods use a volume of the pod
	CheckVolumes                         // anything else about volumes
	CheckOther                           // what no question is about, such as the conditions of the node
)

// CheckingPlugin is a plugin that declares what it looks at when it rejects. Each filter is one; a plugin that rejects
// pods in PreFilter only may be one too.
type CheckingPlugin interface {
	Plugin
	// Checks depends on nothing but the arguments of the plugin.
	Checks() Checks
}

// VerdictCheckingPlugin is a filter that knows for each of its verdicts which of its checks rejected the node. A filter
// that combines others is one; of any other plugin each verdict stands for all of its checks.
type VerdictCheckingPlugin interface {
	CheckingPlugin
	// VerdictChecks returns a subset of Checks. It must be called in the cycle that the verdict is of.
	VerdictChecks(c *Cycle, v Verdict) Checks
}

// VerdictChecks returns which checks of a plugin led to a verdict of its Filter in a cycle.
func VerdictChecks(p Plugin, c *Cycle, v Verdict) Checks {
	if checking, is := p.(VerdictCheckingPlugin); is {
		return checking.VerdictChecks(c, v)
	}
	return checksOf(p)
}

// ChecksOf returns what a plugin with these arguments checks, 0 where it declares nothing. It fails where there is no such
// plugin or its factory refuses the arguments.
func (r Registry) ChecksOf(name string, args any) (Checks, error) {
	plugin, err := r.sample(name, args, nil)
	if err != nil {
		return 0, err
	}
	return checksOf(plugin), nil
}

func checksOf(p Plugin) Checks {
	if checking, is := p.(CheckingPlugin); is {
		return checking.Checks()
	}
	return 0
}

// VerdictChecks returns which checks led to a verdict of Verdicts.
func (i *Inspection) VerdictChecks(v Verdict) Checks {
	return VerdictChecks(i.c.profile.plugins[v.plugin()], i.c, v)
}

// Checks returns what plugins of the pod's profile check: one, or several as Rejected and LeftOut name them. It is 0 for
// names of others.
func (i *Inspection) Checks(plugins string) Checks {
	var all Checks
	if i.c.profile == nil {
		return all
	}
	for name := range strings.SplitSeq(plugins, ",") {
		for _, p := range i.c.profile.plugins {
			if p.Name() == name {
				all |= checksOf(p)
			}
		}
	}
	return all
}
