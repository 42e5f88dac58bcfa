package workloads

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/workloads/trace"
)

// OpenbFleet is the nodes of an openb node list, with the resources and labels that its
// authors gave them as Kubernetes nodes.
type OpenbFleet struct {
	File         string
	GPUs         GPUs   // empty: SharedGPUs
	Limit        int    // nodes to take at most; 0: all
	SkipBad      bool   // skip lines that cannot be read
	Pool         string // of all the nodes
	PricePerHour float64
}

// openbPods is how many pods an openb node takes, as its authors have it.
const openbPods = 1001

// Nodes reads the list. It also returns what was wrong with the lines that were passed
// over.
func (f OpenbFleet) Nodes(loader *manifest.Loader) ([]cluster.NodeSpec, []error, error) {
	shapes, skipped, err := f.shapes()
	if err != nil {
		return nil, nil, err
	}
	nodes := make([]cluster.NodeSpec, len(shapes))
	for i, s := range shapes {
		if nodes[i], err = loader.NodeShape(s); err != nil {
			return nil, nil, fmt.Errorf("%s: node %s: %w", f.File, s.Name, err)
		}
		nodes[i].Pool, nodes[i].PricePerHour = f.Pool, f.PricePerHour
	}
	return nodes, skipped, nil
}

func (f OpenbFleet) shapes() (shapes []manifest.NodeShape, skipped []error, err error) {
	f.GPUs = cmp.Or(f.GPUs, SharedGPUs)
	if f.File == "" {
		return nil, nil, fmt.Errorf("file: %q must not be empty", f.File)
	}
	if f.Limit < 0 {
		return nil, nil, fmt.Errorf("limit: %d must not be negative", f.Limit)
	}
	if err := f.GPUs.check(); err != nil {
		return nil, nil, err
	}
	file, err := open(f.File)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = cmp.Or(err, file.Close()) }()
	r, err := trace.OpenbNodes(f.File, file, trace.Options{SkipBad: true})
	if err != nil {
		return nil, nil, err
	}
	for row, err := range r.Rows() {
		if err != nil {
			return nil, nil, err
		}
		if f.Limit == 0 || len(shapes) < f.Limit {
			shapes = append(shapes, f.shape(row))
		}
	}
	if r.Skipped() > 0 && !f.SkipBad {
		return nil, nil, moreFaults(r.Skipped(), r.SkippedErrors())
	}
	return shapes, r.SkippedErrors(), nil
}

// moreFaults is the faults that were kept of all there were.
func moreFaults(all int, kept []error) error {
	err := errors.Join(kept...)
	if n := all - len(kept); n > 0 {
		err = fmt.Errorf("%w\nand %d more lines that cannot be read", err, n)
	}
	return err
}

func (f *OpenbFleet) shape(row trace.OpenbNode) manifest.NodeShape {
	s := manifest.NodeShape{
		Name: row.Name,
		Labels: map[string]string{
			"kubernetes.io/hostname": row.Name,
			"kubernetes.io/os":       "linux",
			"beta.kubernetes.io/os":  "linux",
		},
		Allocatable: append([]manifest.ResourceAmount{
			{Name: "cpu", Value: row.MilliCPU},
			{Name: "memory", Value: row.MemoryMiB << 20},
			{Name: "pods", Value: openbPods},
		}, f.GPUs.amounts(row.GPUs, 1000)...),
	}
	if row.Model != "" {
		s.Labels[devices.GPUModel] = row.Model
	}
	return s
}
