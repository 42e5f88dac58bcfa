package traceimport

import (
	"cmp"
	"fmt"
	"math"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/workloads"
)

// importedFleet is the nodes that an import gives to the pods of a trace.
type importedFleet struct {
	entries []any           // as a scenario has them
	nodes   workloads.Fleet // the same nodes
	what    string          // where they come from, if not from a list of the trace
	warning string          // empty: none
}

func (i Import) fleet(pods workloads.TraceSource) (importedFleet, error) {
	switch p := pods.(type) {
	case *workloads.SWF:
		return i.swfFleet(p)
	case *workloads.Philly:
		return phillyFleet(), nil
	}
	nodes, err := i.relative(i.Nodes)
	if err != nil {
		return importedFleet{}, err
	}
	gpu := cmp.Or(i.Openb.GPU, "share")
	return importedFleet{
		entries: []any{map[string]any{"trace": map[string]any{"openb": map[string]any{"nodes": nodes, "gpu": gpu}}}},
		nodes:   workloads.OpenbFleet{File: i.Nodes, GPUs: scenarios.OpenbGPUs(i.Openb.GPU), SkipBad: i.Openb.SkipBadLines},
	}, nil
}

func milliCPU(n int64) manifest.ResourceAmount { return manifest.ResourceAmount{Name: "cpu", Value: n} }
func memory(n int64) manifest.ResourceAmount {
	return manifest.ResourceAmount{Name: "memory", Value: n}
}

// equalNodes is a fleet of one pool.
func equalNodes(count int64, allocatable ...manifest.ResourceAmount) importedFleet {
	p := scenarios.Fleet{Pool: "nodes"}
	nodes := make(workloads.PlainFleet, count)
	for n := range nodes {
		nodes[n] = manifest.NodeShape{Name: p.NodeName(n), Allocatable: allocatable}
	}
	texts := map[string]string{}
	for _, a := range allocatable {
		texts[a.Name] = a.Text()
	}
	return importedFleet{nodes: nodes, entries: []any{map[string]any{
		"pool": p.Pool, "count": count,
		"template": map[string]any{"status": map[string]any{"allocatable": texts}},
	}}}
}

// phillyNodes is the size of the fleet that an import of Philly assumes: the job list
// does not name machines.
const phillyNodes = 160

func phillyFleet() importedFleet {
	f := equalNodes(phillyNodes, milliCPU(64_000), memory(512<<30),
		manifest.ResourceAmount{Name: "nvidia.com/gpu", Value: 8}, manifest.ResourceAmount{Name: "pods", Value: manifest.DefaultPods})
	f.what = fmt.Sprintf("a fleet of %d nodes of 8 GPUs is assumed", phillyNodes)
	f.warning = f.what + ": the job list does not say what it ran on"
	return f
}

// What an import assumes where the header of a log says too little.
const (
	unknownNodes      = 128 // of one processor
	processorsPerNode = 64  // where only the number of processors is known
	leastNodeMemory   = 1 << 30
)

// swfFleet is the computer that the header of the log tells of. Where its processors
// cannot be dealt out evenly, nodes are rounded up.
func (i Import) swfFleet(log *workloads.SWF) (importedFleet, error) {
	m, err := log.Machine()
	if err != nil {
		return importedFleet{}, err
	}
	said := fmt.Sprintf("MaxNodes %d and MaxProcs %d", m.Nodes, m.Processors)
	each := (max(m.Processors, 1)-1)/max(m.Nodes, 1) + 1
	warning := ""
	switch {
	case m.Nodes == 0 && m.Processors == 0:
		m.Nodes = unknownNodes
		warning = fmt.Sprintf("the header of the log has neither MaxNodes nor MaxProcs: %d nodes of 1 processor are assumed", m.Nodes)
	case m.Nodes == 0:
		said = fmt.Sprintf("MaxProcs %d", m.Processors)
		each = processorsPerNode
		m.Nodes = (m.Processors-1)/each + 1
	case m.Processors == 0:
		said = fmt.Sprintf("MaxNodes %d", m.Nodes)
	}
	cpu, perProcessor := cmp.Or(int64(i.SWF.CPUPerProcessor), 1000), int64(i.SWF.MemoryPerProcessor)
	if m.Nodes > scenarios.MaxPool || each > math.MaxInt64/max(cpu, perProcessor) {
		return importedFleet{}, fmt.Errorf("%s: the header says %s, which makes more or larger nodes than a scenario can have", log.File, said)
	}
	f := equalNodes(m.Nodes, milliCPU(cpu*each), memory(max(perProcessor*each, leastNodeMemory)),
		manifest.ResourceAmount{Name: "pods", Value: max(each, manifest.DefaultPods)})
	f.warning, f.what = warning, fmt.Sprintf("%s of %s, for %s of the header", human.Counted(int(m.Nodes), "node"), human.Counted(int(each), "processor"), said)
	if warning != "" {
		f.what = fmt.Sprintf("a fleet of %d nodes of 1 processor is assumed", m.Nodes)
	}
	return f, nil
}
