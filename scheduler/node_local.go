package scheduler

// beyondNode is what an answer about a node can depend on besides the node and its pods.
// Pod groups are left out: they matter to their members only.
const beyondNode = DomainPods | DomainNodes | Volumes

// IsNodeLocal reports whether a cycle's answer about a node, for a pod in no group, depends on
// nothing but that node and the pods on it. Pods of the class then fill the nodes alike,
// whatever the order in which they take them. It goes by what the plugins declare.
func (i *Inspection) IsNodeLocal() bool {
	c := i.c
	if c.profile == nil || c.s.Extended() {
		return false
	}
	local := true
	ask := func(index int) {
		local = local && (c.skipFilter.has(index) || c.profile.depends[index]&beyondNode == 0)
	}
	for _, p := range c.profile.preFilter {
		ask(p.index)
	}
	for _, p := range c.filters {
		ask(p.index)
	}
	for _, p := range c.profile.reserve {
		ask(p.index)
	}
	for _, p := range c.profile.permit {
		ask(p.index)
	}
	for _, p := range c.profile.preBind {
		ask(p.index)
	}
	return local
}
