package config

import (
	"github.com/berth-sim/berth/scheduler/plugins/gpu"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
)

// maxMilliCPU is the most that a largest node can have: more than any machine has.
const maxMilliCPU = 1_000_000_000

// largestNodeArgs reads the arguments of the plugins that scale by the largest node.
func (f *reading) largestNodeArgs(v document.Value) any {
	var a struct {
		LargestNode struct {
			MilliCPU *int64 `json:"milliCPU"`
			Devices  *int64 `json:"devices"`
		} `json:"largestNode"`
	}
	f.errors.Append(document.Decode(v, &a))
	args := gpu.PaperLargestNode()
	read := func(given *int64, name string, highest int64, into *int64) {
		switch {
		case given == nil:
		case *given < 1 || *given > highest:
			f.errors.Add(v, document.Path("largestNode", name), "must be from 1 to %d", highest)
		default:
			*into = *given
		}
	}
	read(a.LargestNode.MilliCPU, "milliCPU", maxMilliCPU, &args.MilliCPU)
	read(a.LargestNode.Devices, "devices", cluster.MaxDevices, &args.Devices)
	return args
}

// noArgs refuses all arguments of a plugin that takes none.
func (f *reading) noArgs(v document.Value) any {
	f.errors.Append(document.Decode(v, &struct{}{}))
	return nil
}
