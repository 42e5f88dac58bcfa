package devices

import (
	"k8s.io/api/core/v1"
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

// ModelLabels say what model the devices of a node are: the first one that it has names it,
// and pods may ask for any of them.
var ModelLabels = []string{
	GPUModel, "nvidia.com/gpu.product", "amd.com/gpu.product-name", "gpu.intel.com/product",
	"cloud.google.com/gke-accelerator", "cloud.google.com/gke-tpu-accelerator", "karpenter.k8s.aws/instance-gpu-name",
}

// WholeGPU is a resource of which one is a whole device.
const WholeGPU = "nvidia.com/gpu"

// Kinds are the kinds of devices of which some amount is there.
func Kinds(amount func(name string) int64) []string {
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

// IsDevice reports whether a resource stands for devices that are distinguished.
func IsDevice(name string) bool {
	return len(Kinds(func(other string) int64 {
		if other == name {
			return 1
		}
		return 0
	})) > 0
}

// AmountOf looks up an amount in a list that has been checked, or would have been.
func AmountOf(list v1.ResourceList) func(name string) int64 {
	return func(name string) int64 { q := list[v1.ResourceName(name)]; return q.Value() }
}

// AnnotationsPath is where the annotations of an object stand.
const AnnotationsPath = "metadata.annotations"
