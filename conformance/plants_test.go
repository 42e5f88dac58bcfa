package conformance

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// heavier gives a score plugin one more than its weight in the default profile.
func heavier(plugin string) func(*Case) {
	weights := map[string]int{"TaintToleration": 3, "NodeAffinity": 2, "PodTopologySpread": 2, "InterPodAffinity": 2}
	return eachProfile(func(profile object) {
		plugins := profile["plugins"].(object)
		plugins["score"] = object{"enabled": []any{object{"name": plugin, "weight": max(1, weights[plugin]) + 1}}}
	})
}

// changedArguments are mistakes in constants that are arguments, too.
func changedArguments() []plant {
	return []plant{
		{"NodeResourcesFit", "cpu counts twice", "resources", nil, arguments("NodeResourcesFit", object{"scoringStrategy": object{
			"type": "LeastAllocated", "resources": []any{object{"name": "cpu", "weight": 2}, object{"name": "memory", "weight": 1}},
		}})},
		{"NodeResourcesFit", "an extended resource is not looked at", "resources", nil,
			arguments("NodeResourcesFit", object{"ignoredResources": []any{"example.com/gpu"}})},
		{"NodeResourcesBalancedAllocation", "only cpu is balanced", "resources", nil,
			arguments("NodeResourcesBalancedAllocation", object{"resources": []any{object{"name": "cpu", "weight": 1}}})},
		{"InterPodAffinity", "a required term of a pod that runs weighs 2", "pod affinity", nil,
			arguments("InterPodAffinity", object{"hardPodAffinityWeight": 2})},
		{"InterPodAffinity", "preferred terms of pods that run do not count", "pod affinity", nil,
			arguments("InterPodAffinity", object{"ignorePreferredTermsOfExistingPods": true})},
		{"PodTopologySpread", "the default constraints are gone", "default spread", nil,
			arguments("PodTopologySpread", object{"defaultingType": "List"})},
		{"DefaultPreemption", "the first candidate is taken", "preemption", nil,
			arguments("DefaultPreemption", object{"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 1})},
		{"DefaultPreemption", "it is not asked", "preemption", nil, eachProfile(func(profile object) {
			profile["plugins"].(object)["postFilter"] = object{"disabled": []any{object{"name": "*"}}}
		})},
		{"DynamicResources", "it is not asked what claims could be taken back", "resources", nil, eachProfile(func(profile object) {
			profile["plugins"].(object)["postFilter"] = object{"disabled": []any{object{"name": "DynamicResources"}}}
		})},
		{"DefaultPreemption", "victims leave in another order", "preemption", &flaw{result: func(r scheduler.PostFilterResult) scheduler.PostFilterResult {
			r.Victims = slices.Clone(r.Victims)
			slices.Reverse(r.Victims)
			return r
		}}, nil},
		{"DefaultPreemption", "one victim is spared", "preemption", &flaw{result: func(r scheduler.PostFilterResult) scheduler.PostFilterResult {
			r.Victims = r.Victims[:max(0, len(r.Victims)-1)]
			return r
		}}, nil},
		{"DefaultPreemption", "a nomination stays when nothing helps", "preemption", &flaw{result: func(r scheduler.PostFilterResult) scheduler.PostFilterResult {
			r.SetNomination = r.SetNomination && r.Nominated != cluster.None
			return r
		}}, nil},
		{"DefaultPreemption", "why it does not help has another text", "preemption", &flaw{result: func(r scheduler.PostFilterResult) scheduler.PostFilterResult {
			if r.Status.Message != "" {
				r.Status.Message += "."
			}
			return r
		}}, nil},
		{"VolumeBinding", "why no node will do has another text", "volumes", &flaw{status: func(s scheduler.Status) scheduler.Status {
			s.Message += "."
			return s
		}}, nil},
		{"NodeAffinity", "why no node will do has another text", "node affinity", &flaw{status: func(s scheduler.Status) scheduler.Status {
			s.Message += "."
			return s
		}}, nil},
		{"(the queue)", "pods are tried as they came", "queue", nil, func(c *Case) { c.Queue = false }},
		{"InterPodAffinity", "every event is held to help", "queue", &flaw{}, nil}, // what is wrapped has no hints
		{"PodTopologySpread", "every event is held to help", "queue", &flaw{}, nil},
		{"NodePorts", "every event is held to help", "queue", &flaw{}, nil},
		{"(the cycle)", "all nodes are looked at", "sampling", nil, func(c *Case) {
			c.Policy["percentageOfNodesToScore"] = 100
		}},
		{"(the cycle)", "of equal nodes the first is taken", "heap", nil, func(c *Case) { c.Heap = false }},
	}
}

// changedObjects are mistakes in constants that the objects have, too: what is read one
// off has the effect of an answer that is one off.
func changedObjects() []plant {
	return []plant{
		{"TaintToleration", "soft taints are hard", "taints", nil, changed("Node", "effect", replaced("PreferNoSchedule", "NoSchedule"))},
		{"NodeAffinity", "a preferred term weighs 1 more", "node affinity", nil, changed("Pod", "weight", plus(1, 100))},
		{"NodePorts", "all addresses are one", "ports", nil, changed("Pod", "hostIP", gone)},
		{"NodeResourcesFit", "one pod more fits on a node", "resources", nil, changed("Node", "pods", plusQuantity("1"))},
		{"NodeResourcesFit", "a sidecar is an init container", "resources", nil, changed("Pod", "restartPolicy", gone)},
		{"NodeResourcesFit", "the overhead is left out", "resources", nil, changed("RuntimeClass", "overhead", gone)},
		{"NodeResourcesFit", "what is allocated is not asked", "resize", nil, changed("Pod", "allocatedResources", gone)},
		{"NodeResourcesFit", "a resize that is infeasible is not", "resize", nil, changed("Pod", "reason", replaced("Infeasible", "Deferred"))},
		{"ImageLocality", "images are 1 MiB larger", "images", nil, changed("Node", "sizeBytes", plus(1<<20, 0))},
		{"PodTopologySpread", "maxSkew is 1 more", "spread", nil, changed("Pod", "maxSkew", plus(1, 0))},
		{"PodTopologySpread", "minDomains is not asked", "spread", nil, changed("Pod", "minDomains", gone)},
		{"PodTopologySpread", "matchLabelKeys are not merged", "spread", nil, changed("Pod", "matchLabelKeys", gone)},
		{"PodTopologySpread", "nodeTaintsPolicy is not asked", "spread", nil, changed("Pod", "nodeTaintsPolicy", gone)},
		{"PodTopologySpread", "nodeAffinityPolicy is not asked", "spread", nil, changed("Pod", "nodeAffinityPolicy", gone)},
		{"PodTopologySpread", "Services are not asked", "default spread", nil, without("Service")},
		{"PodTopologySpread", "owners are not asked", "default spread", nil, changed("Pod", "ownerReferences", gone)},
		{"InterPodAffinity", "a preferred term weighs 1 more", "pod affinity", nil, changed("Pod", "weight", plus(1, 100))},
		{"InterPodAffinity", "namespaces have no labels", "pod affinity", nil, changed("Namespace", "labels", gone)},
		{"InterPodAffinity", "mismatchLabelKeys are not merged", "pod affinity", nil, changed("Pod", "mismatchLabelKeys", gone)},
		{"VolumeRestrictions", "a claim for one pod is a claim for one node", "volumes", nil,
			changed("PersistentVolumeClaim", "accessModes", func(any) any { return []any{"ReadWriteOnce"} })},
		{"VolumeRestrictions", "all disks are read only", "volumes", nil, changed("Pod", "readOnly", func(any) any { return true })},
		{"NodeVolumeLimits", "one volume more fits", "volumes", nil, changed("CSINode", "count", plus(1, 0))},
		{"NodeVolumeLimits", "what is attached is not counted", "volumes", nil, without("VolumeAttachment")},
		{"VolumeBinding", "volumes are larger than they are", "volumes", nil, changed("PersistentVolume", "storage", plusQuantity("5Gi"))},
		{"VolumeBinding", "the topologies of a class are not asked", "volumes", nil, changed("StorageClass", "allowedTopologies", gone)},
		{"VolumeBinding", "what is left of storage is not asked", "volumes", nil, changed("CSIDriver", "storageCapacity", func(any) any { return false })},
		{"VolumeBinding", "a volume may be used from everywhere", "volumes", nil, changed("PersistentVolume", "nodeAffinity", func(any) any {
			return object{"required": object{"nodeSelectorTerms": []any{object{"matchExpressions": []any{
				object{"key": "kubernetes.io/hostname", "operator": "Exists"},
			}}}}}
		})},
		{"VolumeZone", "a volume has no zone", "volumes", nil, changed("PersistentVolume", "labels", gone)},
		{"SchedulingGates", "gates are open", "mixed", nil, changed("Pod", "schedulingGates", gone)},
		{"NodeDeclaredFeatures", "a node declares nothing", "declared", nil, changed("Node", "declaredFeatures", gone)},
		{"DefaultPreemption", "one disruption more is allowed", "budgets", nil, changed("PodDisruptionBudget", "disruptionsAllowed", plus(1, 0))},
		{"DefaultPreemption", "pods that are disrupted count again", "budgets", nil, changed("PodDisruptionBudget", "disruptedPods", gone)},
		{"DefaultPreemption", "budgets are not asked", "budgets", nil, without("PodDisruptionBudget")},
		{"DefaultPreemption", "who started later is not asked", "preemption", nil, sameStart},
		{"DefaultPreemption", "Never is not asked", "preemption", nil, changed("PriorityClass", "preemptionPolicy", gone)},
		{"DefaultPreemption", "priorities of 10 are distinguished", "preemption", nil, distinguishClasses},
	}
}

func eachProfile(f func(profile object)) func(*Case) {
	return func(c *Case) {
		for _, profile := range c.Policy["profiles"].([]any) {
			f(profile.(object))
		}
	}
}

// arguments takes the place of those of a plugin.
func arguments(plugin string, args object) func(*Case) {
	return eachProfile(func(profile object) {
		var config []any
		if old, has := profile["pluginConfig"].([]any); has {
			config = slices.DeleteFunc(slices.Clone(old), func(v any) bool { return v.(object)["name"] == plugin })
		}
		profile["pluginConfig"] = append(config, object{"name": plugin, "args": args})
	})
}

// changed has every field of the name changed, wherever it stands in objects of the kind.
func changed(kind, field string, f func(any) any) func(*Case) {
	return func(c *Case) {
		for _, o := range c.Objects {
			if o["kind"] == kind {
				changeAll(o, field, f)
			}
		}
	}
}

func changeAll(v any, field string, f func(any) any) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if key != field {
				changeAll(x, field, f)
			} else if x = f(x); x != nil {
				v[key] = x
			} else {
				delete(v, key)
			}
		}
	case []any:
		for _, x := range v {
			changeAll(x, field, f)
		}
	}
}

func gone(any) any { return nil }

func replaced(old, fresh string) func(any) any {
	return func(v any) any {
		if v == old {
			return fresh
		}
		return v
	}
}

// plus adds to a number, up to a limit if there is one.
func plus(n, limit int64) func(any) any {
	return func(v any) any {
		if sum := v.(int64) + n; limit == 0 || sum <= limit {
			return sum
		}
		return v
	}
}

func plusQuantity(amount string) func(any) any {
	return func(v any) any {
		q := resource.MustParse(fmt.Sprint(v))
		q.Add(resource.MustParse(amount))
		return q.String()
	}
}

func without(kind string) func(*Case) {
	return func(c *Case) {
		c.Objects = slices.DeleteFunc(c.Objects, func(o object) bool { return o["kind"] == kind })
	}
}

// sameStart has all pods start at once.
func sameStart(c *Case) {
	changed("Pod", "startTime", func(any) any { return "2025-12-31T00:00:00Z" })(c)
}

// distinguishClasses gives one of two classes of equal priority more.
func distinguishClasses(c *Case) {
	for _, o := range c.Objects {
		if o["kind"] == "PriorityClass" && o["metadata"].(object)["name"] == priorityName(3) {
			o["value"] = priorities[3] + 1
		}
	}
}
