package scenarios

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
	"github.com/berth-sim/berth/workloads/arrival"
	"github.com/berth-sim/berth/workloads/fgd"
)

// objectsName is the name of the workload of the pods among the fleet's manifests and the objects.
const objectsName = "objects"

// workloadBuilder builds the streams of pods. The objects and the fleet must have been read.
type workloadBuilder struct {
	*buildState
	objects       *objectLoader
	fleet         *fleetBuilder
	classes       *classChecker
	distributions distributionReader

	loaders []*manifest.Loader // of the manifests of workloads
	replays []*workloads.Replay
	fgd     *workloads.FGDOrder // nil: no pod list is shuffled as in the paper
	daemons []func(cluster.NodeID) []workloads.Arrival
}

// build returns the merged streams of the scenario, and the names of the workloads.
func (b *workloadBuilder) build() (workloads.Stream, []string) {
	var streams []workloads.Stream
	var names []string
	add := func(s workloads.Stream, name string) {
		if s != nil {
			streams = append(streams, s)
		}
		names = append(names, name)
	}
	if len(b.loader.Pods)+len(b.loader.Controllers) > 0 && !b.objects.broken {
		for i, w := range b.s.File.Workloads {
			if w.Name == objectsName {
				b.faults.Add(b.s.root.Get("workloads").Index(i), "name", "is the name of another workload too: that of the pods among the objects")
			}
		}
		add(b.expand(b.loader, workloads.Manifests{}, b.s.root), objectsName)
	}
	for i := range b.s.File.Workloads {
		w, at := &b.s.File.Workloads[i], b.s.root.Get("workloads").Index(i)
		var s workloads.Stream
		switch index := len(names); {
		case w.Manifests != nil:
			s = b.manifests(w, at, index)
		case w.Trace != nil:
			s = b.trace(w, at, index)
		default:
			s = b.synthetic(w, at, index)
		}
		add(s, w.Name)
	}
	return workloads.Merge(streams...), names
}

func (b *workloadBuilder) source(purpose, workload string) func() rand.Source {
	return func() rand.Source { return b.streams.Source(purpose + "/" + workload) }
}

func (b *workloadBuilder) synthetic(w *Workload, at document.Value, index int) workloads.Stream {
	before := len(b.faults)
	spec := workloads.Synthetic{
		Name: w.Name, Workload: index, Replicas: 1, Mix: b.streams.Source("mix/" + w.Name),
		Recreate: w.OnEviction != "drop", SameLifetime: w.Gang != nil,
	}
	if w.Arrivals != nil && !b.reported(at.Get("arrivals")) {
		b.checkEnds(w.Arrivals, at.Get("arrivals"))
		spec.Arrivals = b.distributions.process(at.Get("arrivals"), w.Arrivals, b.source("arrivals", w.Name))
	}
	spec.Lifetime = b.distributions.duration(at.Get("lifetime"), b.source("lifetime", w.Name))
	if w.Replicas != nil {
		spec.Replicas = *w.Replicas
	}
	if w.Gang != nil {
		spec.Gang = &workloads.Gang{MinMember: w.Gang.MinMember}
		if t := w.Gang.ScheduleTimeout; t != nil {
			spec.Gang.ScheduleTimeout = t.Time()
		}
	}
	b.checkPriorities(w, at)
	if sound := *w; b.reported(at.Get("devices")) {
		sound.Devices = nil
		w = &sound
	}
	b.classes.checkPodDevices(at.Get("devices"), w.Devices)
	if w.Template.Exists() {
		b.template(&spec, w, w.Template, 1, "the template of workload "+w.Name)
	}
	for i, t := range w.Templates {
		b.template(&spec, w, t.Template, t.Weight, fmt.Sprintf("template %d of workload %s", i+1, w.Name))
	}
	given := len(w.Templates)
	if w.Template.Exists() {
		given++
	}
	if len(b.faults) > before || b.reported(at) || len(spec.Templates) < given { // of objects that cannot be read, perhaps
		return nil
	}
	s, err := spec.Stream()
	if err != nil {
		b.faults.Add(at, "", "%v", err)
		return nil
	}
	return s
}

// checkEnds adds an error if arrivals have no end and the run has no horizon.
func (b *workloadBuilder) checkEnds(a *Arrivals, at document.Value) {
	forever := a.Every != nil || a.Poisson != nil || a.Bursts != nil || a.Diurnal != nil
	if forever && a.Until == nil && a.Limit == nil && b.horizon == clock.Forever && !b.reported(b.s.root.Get("horizon")) {
		b.faults.Add(at, "", "never ends: give the scenario a horizon, or the arrivals a limit or until")
	}
}

func (b *workloadBuilder) template(spec *workloads.Synthetic, w *Workload, v document.Value, weight float64, what string) {
	if !v.Exists() {
		return // reported already
	}
	o := manifest.TemplateOptions{Devices: w.Devices.options(), Labels: map[string]string{"berth.dev/workload": w.Name}, SchedulerName: w.SchedulerName}
	if _, exists := b.loader.PriorityClass(w.PriorityClassName); exists {
		o.PriorityClassName = w.PriorityClassName
	}
	t, err := b.loader.Template(v, o)
	if err != nil {
		b.objects.appendResolved(err)
		return
	}
	spec.Templates = append(spec.Templates, workloads.Template{Class: t.Class, Weight: weight})
	n := classSource{what: what, class: t.Class, at: v, path: "spec"}
	if w.SchedulerName != "" {
		n.path = ""
	}
	b.classes.classes = append(b.classes.classes, n)
	if t.Class.NodeName != "" {
		b.fleet.checkNode(v, "spec.nodeName", t.Class.NodeName)
	}
}

func (b *workloadBuilder) manifests(w *Workload, at document.Value, index int) workloads.Stream {
	loader := b.loader.NewSharing()
	before := len(b.faults)
	b.load(loader, b.references(at.Get("manifests"), w.Manifests))
	for _, n := range loader.Nodes {
		b.faults.Add(n.At, "", "is a Node: nodes belong to the fleet")
	}
	if len(b.faults) > before || b.objects.broken {
		return nil
	}
	b.objects.addBudgets(loader)
	b.objects.storage = append(b.objects.storage, &loader.Storage)
	law := b.distributions.duration(at.Get("lifetime"), b.source("lifetime", w.Name))
	return b.expand(loader, workloads.Manifests{Workload: index, JobLifetime: law, Lifetime: law}, at)
}

// expand returns the stream of the pods of objects. CronJobs need a horizon.
func (b *workloadBuilder) expand(loader *manifest.Loader, m workloads.Manifests, at document.Value) workloads.Stream {
	if b.horizon != clock.Forever {
		m.Until = b.horizon
	}
	m.GatedNominations = b.rules.GatedNominationCounts
	b.leaveOutAbsent(loader)
	e, err := m.Stream(&loader.Objects)
	if err != nil {
		b.faults.Append(err)
		return nil
	}
	b.classes.addObjects(loader)
	b.warnings = append(b.warnings, e.Warnings...)
	if loader != b.loader {
		b.warnings = append(b.warnings, loader.Warnings...)
		b.loaders = append(b.loaders, loader)
	}
	if d := e.Daemons(b.cluster); d != nil {
		b.daemons = append(b.daemons, d)
	}
	return e
}

// leaveOutAbsent leaves out the pods on nodes that the fleet does not have at its beginning.
func (b *workloadBuilder) leaveOutAbsent(loader *manifest.Loader) {
	exists := func(node string) bool {
		_, found := b.cluster.NodeByName(node)
		return found || b.fleet.broken
	}
	warnings, err := ExcludePodsOnMissingNodes(loader.Pods, exists, b.o.Strict)
	b.warnings = append(b.warnings, warnings...)
	b.faults.Append(err)
}

func (b *workloadBuilder) allDaemons() func(cluster.NodeID) []workloads.Arrival {
	if len(b.daemons) == 0 {
		return nil
	}
	return func(id cluster.NodeID) []workloads.Arrival {
		var out []workloads.Arrival
		for _, d := range b.daemons {
			out = append(out, d(id)...)
		}
		return out
	}
}

func (b *workloadBuilder) trace(w *Workload, at document.Value, index int) workloads.Stream {
	law := b.distributions.duration(at.Get("lifetime"), b.source("lifetime", w.Name))
	b.checkPriorities(w, at)
	if b.reported(at.Get("trace")) || b.reported(at.Get("lifetime")) {
		return nil
	}
	p, file := b.traceSource(w, index, law)
	if err := b.inputs.add(file); err != nil {
		b.faults.Add(at, "trace", "cannot be read: %v", err)
		return nil
	}
	if b.o.checkTraces && len(b.faults) == 0 {
		if err := workloads.CheckTrace(p, b.loader); err != nil {
			b.faults.Append(err)
			return nil
		}
	}
	r, err := workloads.OpenTrace(p, b.loader)
	if err != nil {
		b.faults.Append(err)
		return nil
	}
	b.replays = append(b.replays, r)
	b.keepFGDOrder(p, at)
	return r
}

// checkPriorities adds an error for each priority class of a trace workload that does not exist.
func (b *workloadBuilder) checkPriorities(w *Workload, at document.Value) {
	check := func(path, name string) {
		if b.objects.broken {
			return
		}
		if _, exists := b.loader.PriorityClass(name); !exists {
			b.faults.Add(at, path, "is not a PriorityClass among the objects of the scenario")
		}
	}
	if w.PriorityClassName != "" {
		check("priorityClassName", w.PriorityClassName)
	}
	if w.Trace == nil || w.Trace.Openb == nil {
		return
	}
	openb := w.Trace.Openb
	for _, qos := range slices.Sorted(maps.Keys(openb.PriorityByQoS)) {
		check("trace.openb."+document.Path("priorityByQoS", qos), openb.PriorityByQoS[qos])
	}
}

// Source returns the trace outside of a scenario: its paths are relative to the working directory. It is nil if no trace is
// given.
func (t *PodTrace) Source() workloads.TraceSource {
	b := &workloadBuilder{buildState: &buildState{s: &Scenario{}}}
	source, _ := b.traceSource(&Workload{Trace: t}, 0, nil)
	return source
}

func (b *workloadBuilder) traceSource(w *Workload, index int, law arrival.Lifetime) (workloads.TraceSource, string) {
	options := func(o *TraceOptions, file string) workloads.Trace {
		return workloads.Trace{
			File: b.s.resolve(file), Workload: index, Start: o.Start.Time(), Until: o.Until.Time(),
			TimeScale: o.TimeScale, LifetimeScale: o.LifetimeScale, Limit: o.Limit, SkipBad: o.SkipBadLines || b.o.SkipBadLines,
			Namespace: o.Namespace, PriorityClass: w.PriorityClassName, SchedulerName: w.SchedulerName,
			ScheduleTimeout: o.GangScheduleTimeout.Time(),
		}
	}
	switch t := w.Trace; {
	case t.Openb != nil:
		return &workloads.Openb{
			Trace: options(&t.Openb.TraceOptions, t.Openb.Pods), GPUs: OpenbGPUs(t.Openb.GPU),
			AtOnce: t.Openb.Times == "atOnce", Lifetime: law, PriorityByQoS: t.Openb.PriorityByQoS,
			Spacing: t.Openb.Spacing.Time(), FGD: b.fgdOrder(t.Openb),
		}, b.s.resolve(t.Openb.Pods)
	case t.SWF != nil:
		return &workloads.SWF{
			Trace: options(&t.SWF.TraceOptions, t.SWF.Jobs), Statuses: t.SWF.Statuses,
			MilliCPU: int64(t.SWF.CPUPerProcessor), MemoryBytes: int64(t.SWF.MemoryPerProcessor), OwnMemory: t.SWF.OwnMemory,
		}, b.s.resolve(t.SWF.Jobs)
	case t.Philly != nil:
		return &workloads.Philly{
			Trace: options(&t.Philly.TraceOptions, t.Philly.Jobs), Tenants: workloads.Tenancy(t.Philly.Tenants),
			MilliCPU: int64(t.Philly.CPUPerGPU), MemoryBytes: int64(t.Philly.MemoryPerGPU),
		}, b.s.resolve(t.Philly.Jobs)
	}
	return nil, ""
}

// keepFGDOrder keeps the shuffled pod list of a workload, since the ranks of nodes and the target workload of the
// scenario come from it.
func (b *workloadBuilder) keepFGDOrder(p workloads.TraceSource, at document.Value) {
	openb, is := p.(*workloads.Openb)
	switch {
	case !is || openb.FGD == nil:
	case b.fgd != nil:
		b.faults.Add(at, "trace.openb.fgd", "is given for another workload too: only one can say what the ranks of nodes are")
	default:
		b.fgd = openb.FGD
		b.warnLateFGDPods(openb, at)
	}
}

// warnLateFGDPods warns of pods of a shuffled list that arrive after the end of the run.
func (b *workloadBuilder) warnLateFGDPods(o *workloads.Openb, at document.Value) {
	pods := len(o.FGD.List.Pods)
	if b.horizon == clock.Forever || o.Spacing == 0 {
		return
	}
	if late := pods - int(b.horizon/o.Spacing) - 1; late > 0 {
		b.warnings = append(b.warnings, fmt.Sprintf("%s: %d of %d pods come after the horizon of %v: they come every %v", at.Path(), late, pods, b.horizon, o.Spacing))
	}
}

// fgdOrder returns the settings for shuffling a pod list for this fleet and seed, or nil if it is not shuffled.
func (b *workloadBuilder) fgdOrder(o *OpenbPods) *workloads.FGDOrder {
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
