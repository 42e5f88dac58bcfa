package conformance

// defaultPolicy is kube-scheduler's default configuration.
func defaultPolicy() object {
	return object{
		"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
		"profiles": []any{profileOf("default-scheduler")},
	}
}

func profileOf(name string) object {
	return object{"schedulerName": name, "plugins": object{"multiPoint": object{}}}
}

// policy is the default, or one with weights and arguments of its own.
func (g *generator) policy() object {
	p := defaultPolicy()
	if g.minNodes >= 100 && g.chance(0.7) {
		p["percentageOfNodesToScore"] = pick(g, 1, 30, 70, 99, 100)
	}
	profiles := p["profiles"].([]any)
	if g.chance(g.profiles) {
		profiles = append(profiles, profileOf(secondProfile))
		p["profiles"], g.second = profiles, true
	}
	for _, profile := range profiles {
		if g.chance(g.configured) {
			g.configure(profile.(object))
		}
	}
	return p
}

// secondProfile is the name of the profile that some pods ask for.
const secondProfile = "second"

// configure gives a profile weights and arguments.
func (g *generator) configure(profile object) {
	g.weights(profile["plugins"].(object))
	var args []any
	if g.chance(0.8) {
		args = append(args, object{"name": "NodeResourcesFit", "args": g.fitArgs()})
	}
	if g.chance(0.5) {
		args = append(args, object{"name": "NodeResourcesBalancedAllocation", "args": object{"resources": g.resources(true)}})
	}
	if g.chance(g.affinity * 0.5) {
		args = append(args, object{"name": "NodeAffinity", "args": object{"addedAffinity": g.addedAffinity()}})
	}
	if g.chance(g.priorities * 0.5) {
		args = append(args, object{"name": "DefaultPreemption", "args": object{
			"minCandidateNodesPercentage": pick(g, 0, 1, 50, 100), "minCandidateNodesAbsolute": pick(g, 1, 2, 10, 100),
		}})
	}
	if g.chance(g.podAffinity) {
		args = append(args, object{"name": "InterPodAffinity", "args": object{
			"hardPodAffinityWeight": pick(g, 0, 1, 5, 100), "ignorePreferredTermsOfExistingPods": g.chance(0.4),
		}})
	}
	if g.chance(max(g.owners, g.spread)) {
		args = append(args, object{"name": "PodTopologySpread", "args": g.spreadArgs()})
	}
	if g.chance(g.volumes) {
		args = append(args, object{"name": "VolumeBinding", "args": object{"bindTimeoutSeconds": pick(g, 0, 1, 600)}})
	}
	set(profile, "pluginConfig", args)
	if g.chance(0.2) {
		profile["percentageOfNodesToScore"] = pick(g, 5, 40, 100)
	}
}

// defaultPlugins are those of kube-scheduler's default profile, in its order.
var defaultPlugins = []string{
	"SchedulingGates", "PrioritySort", "NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts",
	"NodeResourcesFit", "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
	"InterPodAffinity", "DynamicResources", "DefaultPreemption", "NodeResourcesBalancedAllocation", "ImageLocality", "DefaultBinder",
	"NodeDeclaredFeatures",
}

// filters and scorers are those that filter and score.
var (
	filters = []string{
		"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "VolumeRestrictions",
		"NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread", "InterPodAffinity", "NodeDeclaredFeatures",
	}
	scorers = []string{
		"TaintToleration", "NodeAffinity", "NodeResourcesFit", "NodeResourcesBalancedAllocation", "ImageLocality", "PodTopologySpread",
		"InterPodAffinity",
	}
)

// weights changes which plugins there are, in which order, and what they weigh.
func (g *generator) weights(plugins object) {
	multiPoint := plugins["multiPoint"].(object)
	if g.chance(0.15) {
		g.reorder(multiPoint)
		return
	}
	var enabled, off []any
	for _, name := range scorers {
		switch {
		case g.chance(0.25):
			enabled = append(enabled, object{"name": name, "weight": pick(g, 0, 1, 2, 5, 100)})
		case g.chance(0.1):
			off = append(off, object{"name": name})
		}
	}
	set(multiPoint, "enabled", enabled)
	if g.chance(0.3) {
		filter := object{"name": pick(g, filters...)}
		plugins["filter"] = object{pick(g, "disabled", "enabled"): []any{filter}} // enabled: it goes first
	}
	if _, has := plugins["filter"]; !has && g.chance(0.1) { // what filters alone, without what it prepares, is refused
		multiPoint["disabled"] = []any{object{"name": pick(g, "NodePorts", "VolumeBinding", "PodTopologySpread", "InterPodAffinity", "ImageLocality")}}
	}
	if g.chance(0.1) {
		plugins["postFilter"] = object{"disabled": []any{object{"name": "DefaultPreemption"}}}
	}
	if len(off) > 0 {
		plugins["score"] = object{"disabled": off}
	}
}

// reorder enables all plugins afresh in another order, and leaves one out now and then.
func (g *generator) reorder(multiPoint object) {
	var enabled []any
	for _, i := range g.Perm(len(defaultPlugins)) {
		name := defaultPlugins[i]
		if g.chance(0.1) && name != "PrioritySort" && name != "DefaultBinder" {
			continue
		}
		entry := object{"name": name}
		if g.chance(0.5) {
			entry["weight"] = pick(g, 1, 2, 3)
		}
		enabled = append(enabled, entry)
	}
	multiPoint["disabled"], multiPoint["enabled"] = []any{object{"name": "*"}}, enabled
}

func (g *generator) fitArgs() object {
	args, strategy := object{}, object{"type": pick(g, "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")}
	strategy["resources"] = g.resources(false)
	if strategy["type"] == "RequestedToCapacityRatio" {
		strategy["requestedToCapacityRatio"] = object{"shape": g.shape()}
	}
	args["scoringStrategy"] = strategy
	if g.chance(0.2) {
		args["ignoredResources"] = []any{"example.com/gpu"}
	}
	if g.chance(0.1) {
		args["ignoredResourceGroups"] = []any{"example.com"}
	}
	return args
}

// resources are those that a strategy looks at.
func (g *generator) resources(equal bool) []any {
	var out []any
	for _, name := range []string{"cpu", "memory", "example.com/gpu", "ephemeral-storage", "hugepages-2Mi"} {
		if g.chance(0.5) {
			weight := pick(g, 1, 1, 2, 3, 100)
			if equal {
				weight = 1
			}
			out = append(out, object{"name": name, "weight": weight})
		}
	}
	if len(out) == 0 {
		out = append(out, object{"name": "cpu", "weight": 1})
	}
	return out
}

func (g *generator) shape() []any {
	var out []any
	at := g.between(0, 30)
	for range g.between(1, 4) {
		if at > 100 {
			break
		}
		out = append(out, object{"utilization": at, "score": g.between(0, 10)})
		at += g.between(1, 60)
	}
	return out
}

func (g *generator) addedAffinity() object {
	out := object{}
	if g.chance(0.5) {
		out["requiredDuringSchedulingIgnoredDuringExecution"] = object{
			"nodeSelectorTerms": []any{object{"matchExpressions": []any{object{"key": "disk", "operator": "Exists"}}}},
		}
	}
	if g.chance(0.5) || len(out) == 0 {
		out["preferredDuringSchedulingIgnoredDuringExecution"] = []any{
			object{"weight": 10, "preference": object{"matchExpressions": []any{object{"key": "disk", "operator": "In", "values": []any{"ssd"}}}}},
		}
	}
	return out
}
