package manifest

import (
	"maps"

	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/admit"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
	"github.com/berth-sim/berth/sim/model/release"
)

// DeviceOptions are devices that stand outside of a template: those that a node has, or a pod
// asks for.
type DeviceOptions struct {
	Count, Milli int64 // thousandths of each of that many
	Models       []string
}

func (o *DeviceOptions) amounts(shared bool) v1.ResourceList {
	list := v1.ResourceList{devices.GPUMilli: *resource.NewQuantity(o.Count*o.Milli, resource.DecimalSI)}
	if !shared {
		list[devices.GPUCount] = *resource.NewQuantity(o.Count, resource.DecimalSI)
	}
	return list
}

// giveDevices gives a node devices, by the names under which they can be shared.
func giveDevices(faults *document.Errors, at document.Value, n *v1.Node, o *DeviceOptions) {
	if kinds := devices.Kinds(devices.AmountOf(resources.Allocatable(n))); len(kinds) > 0 {
		faults.Add(at, decode.Join("status.allocatable", kinds[0]), "has no place here: the pool has devices of its own")
		return
	}
	if model := n.Labels[devices.GPUModel]; model != "" && len(o.Models) > 0 && model != o.Models[0] {
		faults.Add(at, decode.Join("metadata.labels", devices.GPUModel), "contradicts the devices of the pool, which are %s", o.Models[0])
	}
	add := func(list v1.ResourceList) v1.ResourceList {
		list = maps.Clone(list)
		maps.Copy(list, o.amounts(false))
		return list
	}
	if n.Status.Allocatable == nil {
		n.Status.Capacity = add(n.Status.Capacity)
	} else {
		n.Status.Allocatable = add(n.Status.Allocatable)
	}
	if len(o.Models) > 0 {
		n.Labels = admit.MergeLabels(n.Labels, map[string]string{devices.GPUModel: o.Models[0]})
	}
}

// askForDevices has the first container of a pod ask for devices, and the pod for a node with
// one of the models.
func askForDevices(faults *document.Errors, at document.Value, t *v1.PodTemplateSpec, o *DeviceOptions) {
	requests := resources.RequestsOf(&t.Spec, release.PodLevelDefaultsNone)
	total := requests.Aggregate(nil)
	kinds := devices.Kinds(func(name string) int64 { milli, _ := total.Get(name); return milli / 1000 })
	if len(kinds) > 0 || t.Annotations[devices.GPUCount] != "" || t.Annotations[devices.GPUMilli] != "" {
		faults.Add(at, "spec.containers", "ask for devices, and so does the workload: one place must do")
		return
	}
	list := o.amounts(o.Milli < cluster.WholeDevice)
	r := &t.Spec.Containers[0].Resources
	r.Requests, r.Limits = with(r.Requests, list), with(r.Limits, list)
	if len(o.Models) == 0 {
		return
	}
	t.Spec.Affinity = withNodeLabel(t.Spec.Affinity, devices.GPUModel, o.Models)
}

// with is a list that has the amounts of others too.
func with(list, others v1.ResourceList) v1.ResourceList {
	out := maps.Clone(others)
	maps.Copy(out, list)
	return out
}

// withNodeLabel wants of nodes too that a label has one of the values.
func withNodeLabel(a *v1.Affinity, key string, values []string) *v1.Affinity {
	if a == nil {
		a = &v1.Affinity{}
	}
	if a.NodeAffinity == nil {
		a.NodeAffinity = &v1.NodeAffinity{}
	}
	required := &a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if *required == nil {
		*required = &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{}}}
	}
	for i := range (*required).NodeSelectorTerms {
		term := &(*required).NodeSelectorTerms[i]
		term.MatchExpressions = append(term.MatchExpressions, v1.NodeSelectorRequirement{Key: key, Operator: v1.NodeSelectorOpIn, Values: values})
	}
	return a
}
