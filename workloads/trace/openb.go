package trace

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// OpenbNode is a node of an openb node list.
type OpenbNode struct {
	Line      int    // of the file
	Name      string // column sn, unique in the list
	MilliCPU  int64
	MemoryMiB int64
	GPUs      int64  // whole GPUs
	Model     string // of its GPUs; empty exactly when there are none
}

// Columns of an openb node list.
const (
	nodeName = iota
	nodeMilliCPU
	nodeMemory
	nodeGPUs
	nodeModel
)

var openbNodeColumns = []string{"sn", "cpu_milli", "memory_mib", "gpu", "model"}

// OpenbNodes reads an openb node list: CSV with the columns sn, cpu_milli,
// memory_mib, gpu, model, as in openb_node_list_gpu_node.csv of Alibaba's
// cluster-trace-gpu-v2023 (github.com/alibaba/clusterdata). The error is about
// the header or about reading; file is its name in errors.
func OpenbNodes(file string, in io.Reader, o Options) (*Reader[OpenbNode], error) {
	l, t, err := openCSV(file, in, openbNodeColumns, len(openbNodeColumns))
	if err != nil {
		return nil, err
	}
	seen := map[string]int{}
	parse := func(text string, f *faults) (OpenbNode, bool) {
		c, ok := t.parse(text, f)
		if !ok {
			return OpenbNode{}, false
		}
		n := OpenbNode{
			Line:      f.line,
			Name:      c.name(nodeName),
			MilliCPU:  c.number(nodeMilliCPU, 0, MaxAmount),
			MemoryMiB: c.number(nodeMemory, 0, MaxAmount),
			GPUs:      c.number(nodeGPUs, 0, MaxCount),
			Model:     c.text(nodeModel),
		}
		if len(f.list) == 0 && (n.GPUs > 0) != (n.Model != "") {
			c.bad(nodeModel, fmt.Sprintf("does not go with gpu %d: a node has a model exactly when it has GPUs", n.GPUs))
		}
		c.unique(nodeName, seen)
		return n, true
	}
	return &Reader[OpenbNode]{lines: l, skip: o.SkipBad, parse: parse}, nil
}

// OpenbPod is a pod of an openb pod list.
type OpenbPod struct {
	Line      int    // of the file
	Name      string // unique in the list
	MilliCPU  int64
	MemoryMiB int64
	GPUs      int64
	// MilliGPU is what it asks of each of its GPUs, 1 to 1000; below 1000 only
	// with one GPU, and 0 exactly when GPUs is.
	MilliGPU int64
	// Models are the GPU models that will do (column gpu_spec), in the order of
	// the file and without repetitions; none means any.
	Models []string
	Spec   string // the same as the file has it
	QoS    string // LS, BE, Burstable, Guaranteed
	Phase  string // Running, Pending, Succeeded, Failed

	// Timed reports whether the list has times: some have the first five columns
	// only. The times are seconds, Created <= Scheduled <= Deleted.
	Timed     bool
	Created   int64
	Deleted   int64
	Scheduled int64 // -1: never scheduled
}

// Columns of an openb pod list.
const (
	podName = iota
	podMilliCPU
	podMemory
	podGPUs
	podMilliGPU
	podModels
	podQoS
	podPhase
	podCreated
	podDeleted
	podScheduled
)

var openbPodColumns = []string{
	"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli", "gpu_spec", "qos", "pod_phase",
	"creation_time", "deletion_time", "scheduled_time",
}

// OpenbPods reads an openb pod list: CSV with the columns name, cpu_milli,
// memory_mib, num_gpu, gpu_milli, and either all or none of gpu_spec (models
// joined by "|"), qos, pod_phase, creation_time, deletion_time, scheduled_time,
// as in openb_pod_list_default.csv of Alibaba's cluster-trace-gpu-v2023. Pods
// come in the order of the list, which is not always that of their times. The
// error is about the header or about reading.
func OpenbPods(file string, in io.Reader, o Options) (*Reader[OpenbPod], error) {
	const required = podModels
	l, t, err := openCSV(file, in, openbPodColumns, required)
	if err != nil {
		return nil, err
	}
	timed, seen := t.hasRest(required), map[string]int{}
	parse := func(text string, f *faults) (OpenbPod, bool) {
		c, ok := t.parse(text, f)
		if !ok {
			return OpenbPod{}, false
		}
		p := OpenbPod{
			Line:      f.line,
			Name:      c.name(podName),
			MilliCPU:  c.number(podMilliCPU, 0, MaxAmount),
			MemoryMiB: c.number(podMemory, 0, MaxAmount),
			GPUs:      c.number(podGPUs, 0, MaxCount),
			MilliGPU:  c.number(podMilliGPU, 0, 1000),
			Models:    c.models(),
			Spec:      c.text(podModels),
			QoS:       c.text(podQoS),
			Phase:     c.text(podPhase),
			Timed:     timed,
			Scheduled: -1,
		}
		c.checkGPUs(p)
		if timed {
			c.readTimes(&p)
		}
		c.unique(podName, seen)
		return p, true
	}
	return &Reader[OpenbPod]{lines: l, skip: o.SkipBad, parse: parse}, nil
}

func (c cells) models() []string {
	spec := c.text(podModels)
	if spec == "" {
		return nil
	}
	var models []string
	for model := range strings.SplitSeq(spec, "|") {
		model = strings.TrimSpace(model)
		if model == "" {
			c.bad(podModels, "names an empty model")
			return nil
		}
		// The published lists repeat models ("V100M16|V100M32|V100M32").
		if !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	return models
}

func (c cells) checkGPUs(p OpenbPod) {
	switch {
	case len(c.faults.list) > 0:
	case p.GPUs == 0 && p.MilliGPU > 0:
		c.bad(podMilliGPU, "must be 0 when num_gpu is 0")
	case p.GPUs > 0 && p.MilliGPU == 0:
		c.bad(podMilliGPU, fmt.Sprintf("must be positive when num_gpu is %d", p.GPUs))
	case p.GPUs > 1 && p.MilliGPU < 1000:
		c.bad(podMilliGPU, fmt.Sprintf("must be 1000 when num_gpu is %d: only one GPU can be shared", p.GPUs))
	}
}

func (c cells) readTimes(p *OpenbPod) {
	before := len(c.faults.list)
	p.Created = c.number(podCreated, 0, MaxSeconds)
	p.Deleted = c.number(podDeleted, 0, MaxSeconds)
	if c.text(podScheduled) != "" {
		p.Scheduled = c.number(podScheduled, 0, MaxSeconds)
	}
	if len(c.faults.list) > before {
		return
	}
	if p.Deleted < p.Created {
		c.bad(podDeleted, fmt.Sprintf("is before creation_time %d", p.Created))
	} else if p.Scheduled >= 0 && (p.Scheduled < p.Created || p.Scheduled > p.Deleted) {
		c.bad(podScheduled, fmt.Sprintf("is not between creation_time %d and deletion_time %d", p.Created, p.Deleted))
	}
}

// unique adds a fault when an earlier good line has the same name, and otherwise
// remembers the line's if it is good.
func (c cells) unique(column int, seen map[string]int) {
	name := c.text(column)
	if first, ok := seen[name]; ok {
		c.bad(column, fmt.Sprintf("is also the name in line %d", first))
	}
	if len(c.faults.list) == 0 {
		// Fields of a record share the line's memory; a map should not keep it.
		seen[strings.Clone(name)] = c.faults.line
	}
}

func openCSV(file string, in io.Reader, columns []string, required int) (*lines, *table, error) {
	l, err := openLines(file, in)
	if err != nil {
		return nil, nil, err
	}
	t, err := openTable(l, columns, required)
	return l, t, err
}
