package scenarios

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/sim/model/manifest/validate"
	"github.com/berth-sim/berth/workloads"
)

// pool creates the nodes of a pool. Names and zones of later nodes continue those of the first.
type pool struct {
	Fleet
	template manifest.NodeTemplate
	jitter   *rand.Rand
	made     int
}

// fleetBuilder adds the nodes of the scenario to the cluster. The objects are read.
type fleetBuilder struct {
	*buildState
	objects *objectLoader
	pools   map[string]*pool
	broken  bool // what the fleet is cannot be known for errors
}

// build adds the nodes of the scenario to the cluster, in the order of the file.
func (b *fleetBuilder) build() {
	before := len(b.faults)
	ofFleet := map[string]bool{} // files
	for i := range b.s.File.Fleet {
		f, at := &b.s.File.Fleet[i], b.s.root.Get("fleet").Index(i)
		switch {
		case f.Pool != "":
			b.addPool(f, at)
		case f.Trace != nil && f.Trace.Openb != nil && !b.reported(at):
			b.addOpenbNodes(f, at.Get("trace").Get("openb"))
		default:
			b.addManifestNodes(f, ofFleet)
		}
	}
	for _, n := range b.loader.Nodes { // that came with objects
		if !ofFleet[n.At.File()] {
			b.addNode(n.Spec, n.At)
		}
	}
	b.broken = b.objects.broken || len(b.faults) > before || b.reported(b.s.root.Get("fleet"))
	if !b.broken && b.cluster.NumNodes() == 0 {
		b.faults.Add(b.s.root, "fleet", "has no node")
	}
}

func (b *fleetBuilder) addNode(spec cluster.NodeSpec, at document.Value) {
	if _, err := b.cluster.AddNode(spec); err != nil {
		b.faults.Add(at, "", "%v", err)
	}
}

// addManifestNodes adds the nodes of the manifests of one entry of the fleet, and adds their files to ofFleet.
func (b *fleetBuilder) addManifestNodes(f *Fleet, ofFleet map[string]bool) {
	own := map[string]bool{}
	for _, path := range f.Manifests {
		files, err := manifestFiles(b.s.resolve(path), nil)
		if err != nil {
			return // reported when they were loaded
		}
		for _, file := range files {
			own[file], ofFleet[file] = true, true
		}
	}
	for _, n := range b.loader.Nodes {
		if own[n.At.File()] {
			n.Spec.PricePerHour = f.PricePerHour
			b.addNode(n.Spec, n.At)
		}
	}
}

func (b *fleetBuilder) addPool(f *Fleet, at document.Value) {
	if !f.Template.Exists() {
		return // reported already
	}
	template, err := b.loader.NodeTemplate(f.Template, f.Devices.options())
	if err != nil {
		b.faults.Append(err)
		return
	}
	p := &pool{Fleet: *f, template: template, jitter: b.streams.Rand("fleet/" + f.Pool)}
	p.PricePerHour = ofPool(b.o.Prices, f.Pool, f.PricePerHour)
	if p.NamePattern != "" && !strings.Contains(p.NamePattern, "{index}") {
		b.faults.Add(at, "namePattern", "must contain {index}, or all nodes would have one name")
		return
	}
	if err := validate.CheckName(p.NodeName(0)); err != nil {
		field := "namePattern"
		if f.NamePattern == "" {
			field = "pool"
		}
		b.faults.Add(at, field, "makes node names like %q: %v", p.NodeName(0), err)
		return
	}
	for name := range f.Jitter {
		switch _, has := p.amountOf(b.cluster, name); {
		case !has:
			b.faults.Add(at.Get("jitter").Get(name), "", "is not a resource that the template has")
		case devices.IsDevice(name):
			b.faults.Add(at.Get("jitter").Get(name), "", "would change the number of devices, which all nodes of a pool have alike")
		}
	}
	if b.reported(at) {
		return
	}
	b.pools[f.Pool] = p
	for _, spec := range p.make(b.cluster, ofPool(b.o.Counts, f.Pool, f.Count)) {
		if _, twice := b.cluster.NodeByName(spec.Name); twice {
			b.faults.Add(at, "", "makes a node called %q, and there is one already", spec.Name)
			return
		}
		b.addNode(spec, at)
	}
}

func (p *pool) amountOf(c *cluster.Cluster, name string) (int64, bool) {
	for _, q := range p.template.Spec().Allocatable {
		if c.ResourceName(q.Resource) == name {
			return q.Amount, true
		}
	}
	return 0, false
}

// NodeName returns the name of the i-th node of a pool.
func (f *Fleet) NodeName(i int) string {
	pattern := cmp.Or(f.NamePattern, "{pool}-{index}")
	return strings.NewReplacer("{pool}", f.Pool, "{index}", fmt.Sprintf("%04d", i)).Replace(pattern)
}

// make creates the next nodes of the pool. They get the zones in turn.
func (p *pool) make(c *cluster.Cluster, count int) []cluster.NodeSpec {
	out := make([]cluster.NodeSpec, count)
	for i := range out {
		zone := ""
		if len(p.Zones) > 0 {
			zone = p.Zones[p.made%len(p.Zones)]
		}
		spec := p.template.Instance(p.NodeName(p.made), zone)
		spec.Pool, spec.PricePerHour = p.Pool, p.PricePerHour
		if len(p.Jitter) > 0 {
			spec.Allocatable = p.jittered(c, spec.Allocatable)
		}
		out[i] = spec
		p.made++
	}
	return out
}

// jittered scales each resource with jitter j by a random factor in [1-j, 1+j].
func (p *pool) jittered(c *cluster.Cluster, amounts []cluster.Quantity) []cluster.Quantity {
	amounts = slices.Clone(amounts)
	for i, q := range amounts {
		if j := p.Jitter[c.ResourceName(q.Resource)]; j > 0 {
			factor := 1 + float64(j*(2*float64(p.jitter.Float64())-1))
			amounts[i].Amount = max(int64(float64(q.Amount)*factor), 1)
		}
	}
	return amounts
}

func (b *fleetBuilder) addOpenbNodes(f *Fleet, at document.Value) {
	path := b.s.resolve(f.Trace.Openb.Nodes)
	if err := b.inputs.add(path); err != nil {
		b.faults.Add(at, "nodes", "cannot be read: %v", err)
		return
	}
	nodes, skipped, err := workloads.OpenbFleet{
		File: path, GPUs: OpenbGPUs(f.Trace.Openb.GPU), SkipBad: b.o.SkipBadLines, Pool: "openb", PricePerHour: f.PricePerHour,
	}.Nodes(b.loader)
	if err != nil {
		b.faults.Append(err)
		return
	}
	for _, e := range skipped {
		b.warnings = append(b.warnings, "skipped: "+e.Error())
	}
	for _, spec := range nodes {
		b.addNode(spec, at)
	}
}

// OpenbGPUs returns the value for a name of the field gpu of an openb trace.
func OpenbGPUs(name string) workloads.GPUs {
	if name == "device" {
		return workloads.WholeGPUs
	}
	return workloads.SharedGPUs
}

// checkNode adds an error if a node does not exist.
func (b *fleetBuilder) checkNode(at document.Value, path, node string) {
	if _, exists := b.cluster.NodeByName(node); !exists && !b.broken {
		b.faults.Add(at, path, "is not a node of the fleet at its beginning")
	}
}

// devices returns the devices of the initial nodes and of the pools, without repeats.
func (b *fleetBuilder) devices() []cluster.DeviceSpec {
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
