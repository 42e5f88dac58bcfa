package compile

import (
	"strings"

	"k8s.io/api/core/v1"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest/decode"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/sim/model/manifest/resources"
)

// devicesOf are the devices of a node that has been checked.
func (compiler *Compiler) devicesOf(n *v1.Node) cluster.DeviceSpec {
	amount := devices.AmountOf(resources.Allocatable(n))
	kinds := devices.Kinds(amount)
	if len(kinds) == 0 {
		return cluster.DeviceSpec{}
	}
	spec := cluster.DeviceSpec{Kind: compiler.vocabulary.Resource(kinds[0]), Count: int(amount(kinds[0]))}
	if spec.Count == 0 {
		spec.Count = int(amount(devices.GPUMilli) / cluster.WholeDevice)
	}
	for _, label := range devices.ModelLabels {
		if model := n.Labels[label]; model != "" {
			spec.Model = compiler.vocabulary.Symbol(model)
			break
		}
	}
	return spec
}

// WarnOfDevices warns if a node has devices of several kinds, since only those of the first kind are distinguished.
func (compiler *Compiler) WarnOfDevices(o *decode.Object, n *v1.Node) {
	if kinds := devices.Kinds(devices.AmountOf(resources.Allocatable(n))); len(kinds) > 1 {
		compiler.warnings.Once("devices of several kinds", o.At, "the node %s has devices of several kinds, %s: single devices are distinguished for the first kind only",
			o.Name, strings.Join(kinds, " and "))
	}
}
