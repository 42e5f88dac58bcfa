// Package schedulerplugins compares plugins of sigs.k8s.io/scheduler-plugins, which are built on Kubernetes 1.33, with
// berth's plugins of the same names: each score of each node, before and after normalization, and the order of the queue.
package schedulerplugins

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Case is a small cluster, the pods that are pending, and a configuration of a scheduler with one of the plugins.
type Case struct {
	Plugin string
	Config string // a KubeSchedulerConfiguration
	Nodes  []Node
	Queue  []Pod // pending pods. The first is the one that is scored
}

// Node is a node.
type Node struct {
	Name        string
	Allocatable map[string]string // quantities by resource
	Running     int               // pods that run on it
	Terminating int               // pods that are being deleted
	Nominated   []int             // pods of the queue that are nominated to it
}

// Pod is a pending pod.
type Pod struct {
	Priority  int32
	QoS       string // BestEffort, Burstable or Guaranteed
	Timestamp int64  // seconds
}

const header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"

// Generate returns the case of a seed. Cases of successive seeds are about different plugins.
func Generate(seed uint64) Case {
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	c := Case{Plugin: []string{"NodeResourcesAllocatable", "PodState", "QOSSort"}[seed%3]}
	sort, score := "PrioritySort", ""
	switch c.Plugin {
	case "QOSSort":
		sort = c.Plugin
	default:
		score = fmt.Sprintf("{name: %s, weight: %d}", c.Plugin, 1+g.IntN(3))
	}
	c.Config = header + fmt.Sprintf("profiles:\n- plugins:\n    multiPoint: {enabled: [{name: %s}, {name: DefaultBinder}], disabled: [{name: \"*\"}]}\n"+
		"    score: {enabled: [%s]}\n", sort, score)
	if c.Plugin == "NodeResourcesAllocatable" {
		c.Config += g.allocatableArgs()
	}
	for range 1 + g.IntN(12) {
		c.Queue = append(c.Queue, Pod{
			Priority: int32(g.IntN(3)) * 1000, QoS: g.of("BestEffort", "Burstable", "Guaranteed"), Timestamp: int64(g.IntN(4)),
		})
	}
	for i := range 2 + g.IntN(7) {
		c.Nodes = append(c.Nodes, Node{Name: fmt.Sprintf("n%d", i), Allocatable: g.allocatable(), Running: g.IntN(3), Terminating: g.few(5)})
	}
	for i := 1; i < len(c.Queue); i++ { // the pod that is scored would be tried on its nominated node alone
		if g.IntN(2) == 0 {
			n := &c.Nodes[g.IntN(len(c.Nodes))]
			n.Nominated = append(n.Nominated, i)
		}
	}
	return c
}

type generator struct{ *rand.Rand }

func (g generator) of(list ...string) string { return list[g.IntN(len(list))] }

// few is often 0.
func (g generator) few(most int) int { return max(0, g.IntN(2*most)-most) }

// resources are those of the scheduler's own, one that is extended, and two that no node's amounts are counted of.
var resources = []string{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu", "pods", "storage"}

// allocatable has small amounts, so that nodes are often equal, and absent and zero ones.
func (g generator) allocatable() map[string]string {
	out := map[string]string{"pods": fmt.Sprint(100 + g.IntN(3))}
	for resource, amounts := range map[string][]string{
		"cpu": {"0", "1", "1500m", "4", "4001m", "64"}, "memory": {"0", "1Ki", "8Gi", "8589934593", "2Ti"},
		"ephemeral-storage": {"0", "10Gi", "1Ti"}, "hugepages-2Mi": {"0", "64Mi"}, "example.com/gpu": {"0", "1", "8"}, "storage": {"5Gi"},
	} {
		if g.IntN(5) > 0 {
			out[resource] = amounts[g.IntN(len(amounts))]
		}
	}
	return out
}

// allocatableArgs are arguments of NodeResourcesAllocatable, of which some are refused, or none.
func (g generator) allocatableArgs() string {
	if g.IntN(8) == 0 {
		return ""
	}
	var args []string
	if g.IntN(4) == 0 {
		args = append(args, "apiVersion: kubescheduler.config.k8s.io/v1, kind: NodeResourcesAllocatableArgs")
	}
	if g.IntN(5) > 0 {
		args = append(args, "mode: "+g.of("Least", "Most", "Least", "Most", "Least", "Most", `""`, "least"))
	}
	if g.IntN(5) > 0 {
		var list []string
		for range g.IntN(4) {
			list = append(list, fmt.Sprintf("{name: %s, weight: %s}", g.of(resources...), g.of("1", "2", "3", "1000000", "1048576", "1099511627776", "7", "1", "5", "0", "-1")))
		}
		args = append(args, "resources: ["+strings.Join(list, ", ")+"]")
	}
	entry := "{name: NodeResourcesAllocatable"
	if g.IntN(8) > 0 {
		entry += ", args: {" + strings.Join(args, ", ") + "}"
	}
	return "  pluginConfig: [" + entry + "}]\n"
}
