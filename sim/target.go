package sim

import (
	"strings"

	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/fragment"
)

// targetGrowth: a target workload that is taken from the arrivals is taken anew whenever
// there are a tenth more of them.
const targetGrowth = 10

// arrivals counts what has arrived, for the target workload.
type arrivals struct {
	counts map[fragment.Shape]int64
	models map[string][]int32 // by Shape.Spec
	pods   int64
	due    int64 // how many pods there are when the target is taken anew
}

// beginTarget sets the target workload that fragmentation of devices is measured by, if it is
// known from the beginning. Else the arrivals are counted, where a node has devices.
func (w *World) beginTarget() {
	if w.cfg.Target != nil {
		w.setTarget(w.cfg.Target)
		return
	}
	w.arrived = &arrivals{counts: map[fragment.Shape]int64{}, models: map[string][]int32{}, due: 1}
}

func (w *World) setTarget(t *fragment.Target) {
	w.cluster.SetTarget(t)
	classes := make([]TargetClass, len(t.Classes))
	for i := range t.Classes {
		c := &t.Classes[i]
		classes[i] = TargetClass{Pods: c.Pods, MilliCPU: c.MilliCPU, Count: c.Count, Milli: c.Milli, Models: w.models(c.Models)}
	}
	w.emit(Record{Kind: DeclareTarget, Target: classes})
}

// models are the names of models.
func (w *World) models(list []int32) []string {
	var out []string
	for _, model := range list {
		out = append(out, w.cluster.Text(cluster.Sym(model)))
	}
	return out
}

// countForTarget takes in a pod that has arrived.
func (w *World) countForTarget(class *cluster.Class) {
	a := w.arrived
	if a == nil || !w.cluster.AnyDevices() {
		return
	}
	pod := class.Fragment()
	shape := fragment.Shape{
		MilliCPU: pod.MilliCPU, Count: pod.Count, Milli: pod.Milli, Spec: strings.Join(w.models(pod.Models), "|"),
	}
	a.counts[shape]++
	a.models[shape.Spec] = pod.Models
	if a.pods++; a.pods < a.due {
		return
	}
	a.due = a.pods + max(a.pods/targetGrowth, 1)
	w.setTarget(fragment.NewTarget(a.counts, fragment.PaperShare, func(spec string) []int32 { return a.models[spec] }))
}

// deviceRequest is what a record says of the devices that a class asks for.
func (w *World) deviceRequest(r *cluster.DeviceRequest) *DeviceRequest {
	if r.Count == 0 {
		return nil
	}
	out := &DeviceRequest{Kind: w.cluster.ResourceName(r.Kind), Count: r.Count, Milli: r.Milli}
	for _, model := range r.Models {
		out.Models = append(out.Models, w.cluster.Text(model))
	}
	return out
}
