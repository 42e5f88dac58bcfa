package scenarios

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/world"
	"github.com/berth-sim/berth/workloads/fgd"
)

// collectionReader reads what is measured, and the target workload. All else must have been read.
type collectionReader struct {
	*buildState
	fleet     *fleetBuilder
	classes   *classChecker
	workloads *workloadBuilder
}

// inflateEvery: one of so many samples measures stranding by inflation.
const inflateEvery = 20

// samples is the number of samples of a run without collect.every.
const samples = 240

// sampling returns the interval of samples: that of the scenario, or a part of the horizon. In a run of unknown length the
// interval is a minute at first and then grows with the time that has passed.
func (b collectionReader) sampling() (every clock.Time, share int) {
	switch every := b.s.File.Collect.Every; {
	case every != nil:
		return every.Time(), 0
	case b.horizon != clock.Forever:
		return max(b.horizon/samples, clock.Second), 0
	}
	return clock.Minute, samples
}

// probe returns the measurement of fragmentation. Stranding by inflation uses a scheduler of its own, without preemption
// and Permit.
func (b collectionReader) probe(cfg scheduler.Config) *world.FragmentationMeter {
	p := world.DefaultFragmentationMeter()
	f := b.s.File.Collect.Fragmentation
	if f == nil {
		f = &Fragmentation{}
	}
	if f.Off {
		return nil
	}
	if f.Share != nil {
		p.Share = *f.Share
	}
	if f.MaxClasses != nil {
		p.MaxClasses = *f.MaxClasses
	}
	if b.inflates() {
		cfg.Profiles = slices.Clone(cfg.Profiles)
		for i := range cfg.Profiles {
			for _, point := range []scheduler.ExtensionPoint{scheduler.PreEnqueue, scheduler.PostFilter, scheduler.Reserve, scheduler.Permit} {
				cfg.Profiles[i].Points[point] = nil
			}
		}
		p.Inflate = func() (*scheduler.Scheduler, error) { return scheduler.New(b.cluster, cfg) }
		p.InflateEvery = inflateEvery
		p.Draws = rand.New(b.streams.Source("inflation"))
	}
	return p
}

// inflates reports whether stranding by inflation is measured.
func (b collectionReader) inflates() bool {
	f := b.s.File.Collect.Fragmentation
	if f == nil {
		return b.o.Inflate
	}
	return !f.Off && (f.Inflate || b.o.Inflate)
}

// target returns the target workload of the scenario; nil: it is taken from the arriving pods.
func (b collectionReader) target() *fragment.Target {
	classes := b.s.File.Target
	if len(classes) == 0 {
		return b.fgdTarget()
	}
	at, nodes := b.s.root.Get("target"), b.fleet.devices()
	b.checkTargetSums(at, classes)
	counts := map[fragment.Shape]int64{}
	specs := map[string][]string{}
	for i := range classes {
		shape := fragment.Shape{MilliCPU: int64(classes[i].CPU)}
		if d := classes[i].Devices; d != nil {
			b.classes.checkDevices(at.Index(i).Get("devices"), d, nodes)
			count, milli := d.amounts()
			shape.Count, shape.Milli, shape.Spec = count, int32(milli), fmt.Sprint(d.Models)
			specs[shape.Spec] = d.Models
		}
		counts[shape] += classes[i].Pods
	}
	return fragment.NewTarget(counts, 100, func(spec string) []int32 { return b.modelSymbols(specs[spec]) })
}

// checkTargetSums adds an error if the target workload has so many pods that sums over them and all devices would overflow.
func (b collectionReader) checkTargetSums(at document.Value, classes []TargetPods) {
	var pods, devices int64
	for i := range classes {
		pods += min(max(classes[i].Pods, 0), maxTargetPods)
	}
	for _, id := range b.cluster.ByCreation() {
		devices += int64(b.cluster.Node(id).Devices.Count)
	}
	for _, p := range b.fleet.pools {
		devices += int64(p.template.Spec().Devices.Count) * int64(p.made-ofPool(b.o.Counts, p.Pool, p.Count))
	}
	if most := math.MaxInt64 / (cluster.WholeDevice * max(devices, 1)); pods > most {
		b.faults.Add(at, "", "has %d pods; with the %d devices of the fleet it can have %d: only shares matter", pods, devices, most)
	}
}

// modelSymbols returns the symbols of models, sorted, each once.
func (b collectionReader) modelSymbols(models []string) []int32 {
	var out []int32
	for _, model := range models {
		out = append(out, int32(b.cluster.Symbol(model)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fgdTarget returns the target workload of the shuffled pod list, or nil if there is none.
func (b collectionReader) fgdTarget() *fragment.Target {
	if b.workloads.fgd == nil {
		return nil
	}
	return b.workloads.fgd.List.Target(func(spec string) []int32 { return b.modelSymbols(fgd.Models(spec)) })
}
