package manifest

import (
	"maps"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// The names by which GPUs are shared in openb. Of a node the first two are resources; of a
// pod they are resources, then GPUMilli is that of all its GPUs, or annotations, then it is
// that of each.
//
// Source: pod_csv_to_yaml.py of cluster-trace-gpu-v2023 (github.com/alibaba/clusterdata).
const (
	GPUMilli = "alibabacloud.com/gpu-milli"      // thousandths of a GPU
	GPUCount = "alibabacloud.com/gpu-count"      // GPUs
	GPUModel = "alibabacloud.com/gpu-card-model" // label of a node; annotation: models, joined by |
	GPUIndex = "alibabacloud.com/gpu-index"      // annotation: GPUs that the pod holds, joined by -
)

// wholeDevices are the resources of which one is a whole device, as the device plugins of
// vendors name them.
var wholeDevices = []string{
	"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi", "google.com/tpu",
	"aws.amazon.com/neuron", "huawei.com/Ascend910", "cambricon.com/mlu", "metax-tech.com/gpu", "enflame.com/gcu",
	"iluvatar.com/gpu", "hygon.com/dcu", "mthreads.com/gpu", "qualcomm.com/qaic",
}

// modelLabels say what model the devices of a node are: the first one that it has names it,
// and pods may ask for any of them.
var modelLabels = []string{
	GPUModel, "nvidia.com/gpu.product", "amd.com/gpu.product-name", "gpu.intel.com/product",
	"cloud.google.com/gke-accelerator", "cloud.google.com/gke-tpu-accelerator", "karpenter.k8s.aws/instance-gpu-name",
}

// WholeGPU is a resource of which one is a whole device.
const WholeGPU = "nvidia.com/gpu"

// deviceKinds are the kinds of devices of which some amount is there.
func deviceKinds(amount func(name string) int64) []string {
	var kinds []string
	if amount(GPUCount) > 0 || amount(GPUMilli) > 0 {
		kinds = append(kinds, GPUCount)
	}
	for _, name := range wholeDevices {
		if amount(name) > 0 {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// CountsDevices reports whether a resource stands for devices that are told apart.
func CountsDevices(name string) bool {
	return len(deviceKinds(func(other string) int64 {
		if other == name {
			return 1
		}
		return 0
	})) > 0
}

// amountOf looks up an amount in a list that has been checked, or would have been.
func amountOf(list v1.ResourceList) func(name string) int64 {
	return func(name string) int64 { q := list[v1.ResourceName(name)]; return q.Value() }
}

// nodeDevices checks the devices of a node.
func (c *checker) nodeDevices(faults *document.Errors, at document.Value, n *v1.Node) {
	path := "status.allocatable"
	if n.Status.Allocatable == nil {
		path = "status.capacity"
	}
	if !c.knows(at, path) {
		return
	}
	amount := amountOf(allocatable(n))
	milli, count := amount(GPUMilli), amount(GPUCount)
	switch {
	case count > 0 && milli > 0 && milli/count != cluster.WholeDevice, count > 0 && milli%count != 0:
		faults.Add(at, join(path, GPUMilli), "must be %d for each of the %d GPUs of %s", cluster.WholeDevice, count, GPUCount)
	case count == 0 && milli%cluster.WholeDevice != 0:
		faults.Add(at, join(path, GPUMilli), "is not a whole number of GPUs: each has %d", cluster.WholeDevice)
	}
	for _, kind := range deviceKinds(amount) {
		if amount(kind) > cluster.MaxDevices {
			faults.Add(at, join(path, kind), "is more than the %d devices that a node can have", cluster.MaxDevices)
		}
	}
}

// DeviceOptions are devices that stand outside of a template: those that a node has, or a pod
// asks for.
type DeviceOptions struct {
	Count, Milli int64 // thousandths of each of that many
	Models       []string
}

func (o *DeviceOptions) amounts(shared bool) v1.ResourceList {
	list := v1.ResourceList{GPUMilli: *resource.NewQuantity(o.Count*o.Milli, resource.DecimalSI)}
	if !shared {
		list[GPUCount] = *resource.NewQuantity(o.Count, resource.DecimalSI)
	}
	return list
}

// giveDevices gives a node devices, by the names under which they can be shared.
func giveDevices(faults *document.Errors, at document.Value, n *v1.Node, o *DeviceOptions) {
	if kinds := deviceKinds(amountOf(allocatable(n))); len(kinds) > 0 {
		faults.Add(at, join("status.allocatable", kinds[0]), "has no place here: the pool has devices of its own")
		return
	}
	if model := n.Labels[GPUModel]; model != "" && len(o.Models) > 0 && model != o.Models[0] {
		faults.Add(at, join("metadata.labels", GPUModel), "contradicts the devices of the pool, which are %s", o.Models[0])
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
		n.Labels = merged(n.Labels, map[string]string{GPUModel: o.Models[0]})
	}
}

// askForDevices has the first container of a pod ask for devices, and the pod for a node with
// one of the models.
func askForDevices(faults *document.Errors, at document.Value, t *v1.PodTemplateSpec, o *DeviceOptions) {
	requests := demandOf(&t.Spec)
	total := requests.aggregate(nil)
	kinds := deviceKinds(func(name string) int64 { milli, _ := total.get(name); return milli / 1000 })
	if len(kinds) > 0 || t.Annotations[GPUCount] != "" || t.Annotations[GPUMilli] != "" {
		faults.Add(at, "spec.containers", "ask for devices, and so does the workload: one place must do")
		return
	}
	list := o.amounts(o.Milli < cluster.WholeDevice)
	r := &t.Spec.Containers[0].Resources
	r.Requests, r.Limits = with(r.Requests, list), with(r.Limits, list)
	if len(o.Models) == 0 {
		return
	}
	t.Spec.Affinity = withNodeLabel(t.Spec.Affinity, GPUModel, o.Models)
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

// devicesOf are the devices of a node that has been checked.
func (cp *compiler) devicesOf(n *v1.Node) cluster.DeviceSpec {
	amount := amountOf(allocatable(n))
	kinds := deviceKinds(amount)
	if len(kinds) == 0 {
		return cluster.DeviceSpec{}
	}
	spec := cluster.DeviceSpec{Kind: cp.vocabulary.Resource(kinds[0]), Count: int(amount(kinds[0]))}
	if spec.Count == 0 {
		spec.Count = int(amount(GPUMilli) / cluster.WholeDevice)
	}
	for _, label := range modelLabels {
		if model := n.Labels[label]; model != "" {
			spec.Model = cp.vocabulary.Sym(model)
			break
		}
	}
	return spec
}

// warnOfDevices says that a node has more kinds of devices than are told apart.
func (cp *compiler) warnOfDevices(o *object, n *v1.Node) {
	if kinds := deviceKinds(amountOf(allocatable(n))); len(kinds) > 1 {
		cp.warnings.once("devices of several kinds", o.at, "the node %s has devices of several kinds, %s: single devices are told apart of the first kind only",
			o.name, strings.Join(kinds, " and "))
	}
}
