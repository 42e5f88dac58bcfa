package scenarios

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/fragment"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/workloads"
	"github.com/berth-sim/berth/workloads/fgd"
)

// maxDemand bounds the demand that a list of pods is brought to, in fleets.
const maxDemand = 100

// maxTargetPods bounds the pods of a class of the target workload: only their shares matter.
const maxTargetPods = 1_000_000_000

func (c *checker) nodeDevices(at document.Value, d *NodeDevices) {
	if d.Count < 1 || d.Count > cluster.MaxDevices {
		c.Add(at, "count", "must be between 1 and %d", cluster.MaxDevices)
	}
	if wrong := validate.CheckLabelValue(d.Model); wrong != nil {
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
		if wrong := validate.CheckLabelValue(model); wrong != nil || model == "" {
			c.Add(at.Get("models").Index(i), "", "is not a model: it must be the value of a label")
		} else if slices.Contains(d.Models[:i], model) {
			c.Add(at.Get("models").Index(i), "", "is named twice")
		}
	}
}

func (c *checker) target(at document.Value, classes []TargetPods) {
	for i := range classes {
		class, v := &classes[i], at.Index(i)
		switch {
		case class.Pods < 1:
			c.Add(v, "pods", "must be positive")
		case class.Pods > maxTargetPods:
			c.Add(v, "pods", "must be at most %d: only shares matter", maxTargetPods)
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
	if o.FGD == nil {
		return
	}
	if o.FGD.Demand != nil && !(*o.FGD.Demand > 0 && *o.FGD.Demand <= maxDemand) {
		c.Add(at, "fgd.demand", "must be above 0 and at most %d", maxDemand)
	}
	if o.GPU == "device" {
		c.Add(at, "gpu", "must be share beside fgd: pods that have GPUs to themselves are not those of the paper")
	}
	c.without(at, "has no meaning beside fgd: the demand says how many pods there are", "limit")
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

// checkPodDevices refuses what no node of the fleet can give to a pod of a workload.
func (b *builder) checkPodDevices(at document.Value, d *PodDevices) {
	if d == nil || b.brokenFleet {
		return
	}
	all, shared := b.devices(), cluster.Resource(-1)
	if r, known := b.cluster.LookupResource(devices.GPUCount); known {
		shared = r
	}
	ours := slices.DeleteFunc(slices.Clone(all), func(d cluster.DeviceSpec) bool { return d.Kind != shared })
	if len(ours) == 0 && len(all) > 0 {
		b.faults.Add(at, "", "are counted as %s, those of the nodes as %s: have the template ask for that, or give pools their devices in the same way",
			devices.GPUCount, b.cluster.ResourceName(all[0].Kind))
		return
	}
	b.checkDevices(at, d, ours)
}

// checkDevices refuses models, and numbers of devices, that none of the nodes has.
func (b *builder) checkDevices(at document.Value, d *PodDevices, nodes []cluster.DeviceSpec) {
	if b.brokenFleet {
		return
	}
	var models []string
	most := 0
	for _, n := range nodes {
		most = max(most, n.Count)
		if n.Model != 0 {
			models = append(models, b.cluster.Text(n.Model))
		}
	}
	for i, model := range d.Models {
		if !slices.Contains(models, model) {
			b.faults.Add(at.Get("models").Index(i), "", "is the model of no node%s", document.Meant(model, models))
		}
	}
	if count, _ := d.amounts(); count > most {
		b.faults.Add(at, "count", "is more than the %d devices of the largest node", most)
	}
}

// devices are what nodes have of devices, at the beginning or by the pools: each combination
// once, in order of first sight.
func (b *builder) devices() []cluster.DeviceSpec {
	var all []cluster.DeviceSpec
	add := func(d cluster.DeviceSpec) {
		if d.Count > 0 && !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	for _, id := range b.cluster.ByCreation() {
		add(b.cluster.Node(id).Devices)
	}
	for i := range b.s.File.Fleet {
		if p := b.pools[b.s.File.Fleet[i].Pool]; p != nil {
			add(p.template.Spec().Devices)
		}
	}
	return all
}

// warnNoDevices warns of classes of pods whose devices no node of the fleet has, though a node
// can take the pods: a policy that does not look at devices puts them there without any.
func (b *builder) warnNoDevices(neverFit map[*cluster.Class]bool) {
	all := b.devices()
	for _, n := range b.classes {
		r := &n.class.Devices
		if r.Count == 0 || n.fixed || n.class.NodeName != "" || neverFit[n.class] {
			continue
		}
		models := b.cluster.Devices.Models(n.class)
		has := func(d cluster.DeviceSpec) bool {
			return d.Kind == r.Kind && d.Count >= r.Count && (len(models) == 0 || slices.Contains(models, d.Model))
		}
		if !slices.ContainsFunc(all, has) {
			b.warnings = append(b.warnings, fmt.Sprintf("%s will hold no devices: it asks for %d of %s%s, which no node has",
				n.all(), r.Count, b.cluster.ResourceName(r.Kind), b.ofModels(models)))
		}
	}
}

// ofModels says of which models devices are to be.
func (b *builder) ofModels(models []cluster.Sym) string {
	if len(models) == 0 {
		return ""
	}
	var names []string
	for _, model := range models {
		names = append(names, b.cluster.Text(model))
	}
	return ", of model " + strings.Join(names, " or ")
}

// targetWorkload is the target workload that the scenario gives; nil: it is taken from what
// arrives.
func (b *builder) targetWorkload() *fragment.Target {
	classes := b.s.File.Target
	if len(classes) == 0 {
		return b.fgdTarget()
	}
	at, nodes := b.s.root.Get("target"), b.devices()
	b.checkTargetSums(at, classes)
	counts := map[fragment.Shape]int64{}
	specs := map[string][]string{}
	for i := range classes {
		shape := fragment.Shape{MilliCPU: int64(classes[i].CPU)}
		if d := classes[i].Devices; d != nil {
			b.checkDevices(at.Index(i).Get("devices"), d, nodes)
			count, milli := d.amounts()
			shape.Count, shape.Milli, shape.Spec = count, int32(milli), fmt.Sprint(d.Models)
			specs[shape.Spec] = d.Models
		}
		counts[shape] += classes[i].Pods
	}
	return fragment.NewTarget(counts, 100, func(spec string) []int32 { return b.modelSyms(specs[spec]) })
}

// checkTargetSums refuses so many pods that sums over them and all that is free of devices,
// of nodes that come later too, would leave int64.
func (b *builder) checkTargetSums(at document.Value, classes []TargetPods) {
	var pods, devices int64
	for i := range classes {
		pods += min(max(classes[i].Pods, 0), maxTargetPods)
	}
	for _, id := range b.cluster.ByCreation() {
		devices += int64(b.cluster.Node(id).Devices.Count)
	}
	for _, p := range b.pools {
		devices += int64(p.template.Spec().Devices.Count) * int64(p.made-ofPool(b.o.Counts, p.Pool, p.Count))
	}
	if most := math.MaxInt64 / (cluster.WholeDevice * max(devices, 1)); pods > most {
		b.faults.Add(at, "", "has %d pods; with the %d devices of the fleet it can have %d: only shares matter", pods, devices, most)
	}
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
	for _, id := range b.cluster.ByCreation() {
		n := b.cluster.Node(id)
		order.Nodes = append(order.Nodes, n.Name)
		order.Capacity += int64(n.Devices.Count) * cluster.WholeDevice
	}
	return order
}

// looksAtDevices reports whether every profile of the policy keeps pods from nodes without the
// devices that they ask for.
func looksAtDevices(policy config.Policy) bool {
	blind := func(p scheduler.ProfileConfig) bool {
		return !slices.ContainsFunc(p.Points[scheduler.Filter], func(ref scheduler.PluginRef) bool { return ref.Name == "NodeDevicesFit" })
	}
	return !slices.ContainsFunc(policy.Profiles, blind)
}
