package scheduler

// beyondNode is what an answer about a node can depend on besides the node and its pods.
// Pod groups are left out: they matter to their members only.
const beyondNode = DomainPods | DomainNodes | Volumes

// IsNodeLocal reports whether a cycle's answer about a node, for a pod in no group, depends on
// nothing but that node and the pods on it. Pods of the class then fill the nodes alike,
// whatever the order in which they take them. It goes by what the plugins declare.
func (i *Inspection) IsNodeLocal() bool {
	c := i.c
	if c.profile == nil || c.s.HasExtenders() || !c.filtersAreLocal() {
		return false
	}
	local := true
	for _, p := range c.profile.reserve {
		local = local && c.isLocal(p.index)
	}
	for _, p := range c.profile.permit {
		local = local && c.isLocal(p.index)
	}
	for _, p := range c.profile.preBind {
		local = local && c.isLocal(p.index)
	}
	return local
}

// filtersAreLocal reports whether what the filters say of a node depends on nothing but that node and the pods on it. It
// must be asked after PreFilter and prepareFilters.
func (c *Cycle) filtersAreLocal() bool {
	for _, p := range c.profile.preFilter {
		if !c.isLocal(p.index) {
			return false
		}
	}
	for _, p := range c.filters {
		if !c.isLocal(p.index) {
			return false
		}
	}
	return true
}

// isLocal reports whether a plugin, unless it has nothing to say to the pod, declares to depend on nothing beyond a node.
func (c *Cycle) isLocal(plugin int) bool {
	return c.skipFilter.has(plugin) || c.profile.depends[plugin]&beyondNode == 0
}
