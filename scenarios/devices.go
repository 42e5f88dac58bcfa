package scenarios

import (
	"fmt"
	"slices"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/clock"
	"github.com/berth-sim/berth/sim/cluster"
	"github.com/berth-sim/berth/sim/cluster/manifest"
	"github.com/berth-sim/berth/sim/document"
	"github.com/berth-sim/berth/sim/fragment"
	"github.com/berth-sim/berth/workloads"
	"github.com/berth-sim/berth/workloads/fgd"
)

// maxDemand bounds the demand that a list of pods is brought to, in fleets.
const maxDemand = 100

func (c *checker) nodeDevices(at document.Value, d *NodeDevices) {
	if d.Count < 1 || d.Count > cluster.MaxDevices {
		c.Add(at, "count", "must be between 1 and %d", cluster.MaxDevices)
	}
	if wrong := manifest.CheckLabelValue(d.Model); wrong != nil {
		c.Add(at, "model", "%v", wrong)
	}
}

func (c *checker) podDevices(at document.Value, d *PodDevices) {
	count, milli := d.amounts()
	switch {
	case count < 1 || count > cluster.MaxDevices:
		c.Add(at, "count", "must be between 1 and %d", cluster.MaxDevices)
	case milli < 1 || milli > cluster.WholeDevice:
		c.Add(at, "milli", "must be between 1 and %d, which is a whole device", cluster.WholeDevice)
	case milli < cluster.WholeDevice && count > 1:
		c.Add(at, "milli", "must be %d where count is %d: a pod shares one device, or has all of several", cluster.WholeDevice, count)
	}
	c.notEmpty(at, "models")
	for i, model := range d.Models {
		if wrong := manifest.CheckLabelValue(model); wrong != nil || model == "" {
			c.Add(at.Get("models").Index(i), "", "is no model: it must be the value of a label")
		} else if slices.Contains(d.Models[:i], model) {
			c.Add(at.Get("models").Index(i), "", "is named twice")
		}
	}
}

func (c *checker) target(at document.Value, classes []TargetPods) {
	for i := range classes {
		class, v := &classes[i], at.Index(i)
		if class.Pods < 1 {
			c.Add(v, "pods", "must be positive")
		}
		if class.Devices != nil {
			c.podDevices(v.Get("devices"), class.Devices)
		}
	}
}

func (c *checker) openbOrder(at document.Value, o *OpenbPods) {
	if o.Times != "atOnce" {
		c.without(at, "has a meaning only where times is atOnce", "spacing", "fgd")
		return
	}
	if o.Spacing < 0 {
		c.Add(at, "spacing", "must be zero or positive")
	}
	if o.FGD != nil && o.FGD.Demand != nil && !(*o.FGD.Demand > 0 && *o.FGD.Demand <= maxDemand) {
		c.Add(at, "fgd.demand", "must be above 0 and at most %d", maxDemand)
	}
}

// amounts are how many devices are asked for, and how many thousandths of each.
func (d *PodDevices) amounts() (count, milli int) {
	count, milli = 1, cluster.WholeDevice
	if d.Count != nil {
		count = *d.Count
	}
	if d.Milli != nil {
		milli = *d.Milli
	}
	return count, milli
}

// options is the same for templates of pods.
func (d *PodDevices) options() *manifest.DeviceOptions {
	if d == nil {
		return nil
	}
	count, milli := d.amounts()
	return &manifest.DeviceOptions{Count: int64(count), Milli: int64(milli), Models: d.Models}
}

// options is the same for templates of nodes.
func (d *NodeDevices) options() *manifest.DeviceOptions {
	if d == nil {
		return nil
	}
	o := &manifest.DeviceOptions{Count: int64(d.Count), Milli: cluster.WholeDevice}
	if d.Model != "" {
		o.Models = []string{d.Model}
	}
	return o
}

// keepDeal notes what was dealt with a list of pods: the scenario's ranks of nodes and its
// target workload come with it.
func (b *builder) keepDeal(p workloads.Playable, at document.Value) {
	openb, is := p.(*workloads.Openb)
	switch {
	case !is || openb.FGD == nil:
	case b.dealt != nil:
		b.faults.Add(at, "trace.openb.fgd", "is given for another workload too: only one can say what the ranks of nodes are")
	default:
		b.dealt = openb.FGD
		b.warnLateDeal(openb, at)
	}
}

// warnLateDeal warns of pods of a deal that come after the end of the run.
func (b *builder) warnLateDeal(o *workloads.Openb, at document.Value) {
	pods := len(o.FGD.Deal.Pods)
	if b.horizon == clock.Forever || o.Spacing == 0 {
		return
	}
	if late := pods - int(b.horizon/o.Spacing) - 1; late > 0 {
		b.warnings = append(b.warnings, fmt.Sprintf("%s: %d of %d pods come after the horizon of %v: they come every %v", at.Path(), late, pods, b.horizon, o.Spacing))
	}
}

// checkModels refuses models that no node of the fleet has, at its beginning or by its pools.
func (b *builder) checkModels(at document.Value, d *PodDevices) {
	if d == nil || b.brokenFleet {
		return
	}
	models, most := b.models()
	for i, model := range d.Models {
		if !slices.Contains(models, model) {
			b.faults.Add(at.Get("models").Index(i), "", "is the model of no node%s", document.Meant(model, models))
		}
	}
	if count, _ := d.amounts(); count > most {
		b.faults.Add(at, "count", "is more than the %d devices of the largest node", most)
	}
}

// models are those of the nodes at the beginning, in order of first sight, and how many
// devices a node has at most. A pool has a node at the beginning.
func (b *builder) models() (models []string, most int) {
	for id := range cluster.NodeID(b.cluster.NodeIDs()) {
		d := b.cluster.Node(id).Devices
		most = max(most, d.Count)
		if model := b.cluster.Text(d.Model); d.Model != 0 && !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	return models, most
}

// targetWorkload is the target workload that the scenario gives; nil: it is taken from what
// arrives.
func (b *builder) targetWorkload() *fragment.Target {
	classes := b.s.File.Target
	if len(classes) == 0 {
		return b.fgdTarget()
	}
	counts := map[fragment.Shape]int64{}
	specs := map[string][]string{}
	for i := range classes {
		shape := fragment.Shape{MilliCPU: int64(classes[i].CPU)}
		if d := classes[i].Devices; d != nil {
			b.checkModels(b.s.root.Get("target").Index(i).Get("devices"), d)
			count, milli := d.amounts()
			shape.Count, shape.Milli, shape.Spec = count, int32(milli), fmt.Sprint(d.Models)
			specs[shape.Spec] = d.Models
		}
		counts[shape] += classes[i].Pods
	}
	return fragment.NewTarget(counts, 100, func(spec string) []int32 { return b.modelSyms(specs[spec]) })
}

func (b *builder) modelSyms(models []string) []int32 {
	var out []int32
	for _, model := range models {
		out = append(out, int32(b.cluster.Sym(model)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fgdTarget is the target workload of the list whose order was dealt, if there is one.
func (b *builder) fgdTarget() *fragment.Target {
	if b.dealt == nil {
		return nil
	}
	return b.dealt.Deal.Target(func(spec string) []int32 { return b.modelSyms(fgd.Models(spec)) })
}

// ranks are those of the nodes that were dealt with a list of pods; nil: they are drawn.
func (b *builder) ranks() map[string]int {
	if b.dealt == nil {
		return nil
	}
	return b.dealt.Deal.Ranks
}

// dealtPods is how many pods were dealt.
func (b *builder) dealtPods() int {
	if b.dealt == nil {
		return 0
	}
	return len(b.dealt.Deal.Pods)
}

// fgdOrder is the order of the paper for this fleet and seed; nil where the list keeps its own.
func (b *builder) fgdOrder(o *OpenbPods) *workloads.FGDOrder {
	if o.FGD == nil {
		return nil
	}
	order := &workloads.FGDOrder{Seed: int64(b.seed), Demand: fgd.PaperDemand}
	if o.FGD.Demand != nil {
		order.Demand = *o.FGD.Demand
	}
	for id := range cluster.NodeID(b.cluster.NodeIDs()) {
		n := b.cluster.Node(id)
		order.Nodes = append(order.Nodes, n.Name)
		order.Capacity += int64(n.Devices.Count) * cluster.WholeDevice
	}
	return order
}

// looksAtDevices says whether every profile of the policy keeps pods from nodes without the
// devices that they ask for.
func looksAtDevices(policy config.Policy) bool {
	blind := func(p scheduler.ProfileConfig) bool {
		return !slices.ContainsFunc(p.Points[scheduler.Filter], func(ref scheduler.PluginRef) bool { return ref.Name == "NodeDevicesFit" })
	}
	return !slices.ContainsFunc(policy.Profiles, blind)
}
