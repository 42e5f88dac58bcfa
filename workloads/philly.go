package workloads

import (
	"fmt"
	"io"
	"strconv"

	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/workloads/trace"
)

// gpusPerMachine is what no pod of Philly exceeds.
const gpusPerMachine = 8

// Tenancy says how the virtual cluster of a Philly job, its tenant, appears in its pods.
type Tenancy string

// The values of Tenancy.
const (
	NoTenants        Tenancy = ""          // it does not appear
	TenantsNamespace Tenancy = "namespace" // it is the namespace of the pods
	TenantsLabel     Tenancy = "label"     // it is the label vc of the pods
)

// Philly is the Philly job list. A job of n GPUs is a pod, and from 9 GPUs on a gang
// of ⌈n/8⌉ pods of 8 GPUs. The duration is how long the pods run.
type Philly struct {
	Trace
	Tenants     Tenancy
	MilliCPU    int64 // requested for each GPU; the trace has none
	MemoryBytes int64 // requested for each GPU; the trace has none
}

func (p *Philly) trace() *Trace { return &p.Trace }

func (p *Philly) check() error {
	if err := p.Trace.check(); err != nil {
		return err
	}
	switch p.Tenants {
	case NoTenants, TenantsNamespace, TenantsLabel:
	default:
		return fmt.Errorf("tenants: %q must be %q, %q or left out", p.Tenants, TenantsNamespace, TenantsLabel)
	}
	return checkShare("milliCPU", p.MilliCPU, "memoryBytes", p.MemoryBytes)
}

func (p *Philly) read(in io.Reader) (jobs, error) {
	r, err := trace.PhillyJobs(p.File, in, p.options())
	if err != nil {
		return nil, err
	}
	return rows[trace.PhillyJob]{r, p.job}, nil
}

func (p *Philly) job(row trace.PhillyJob) job {
	gpus := min(row.GPUs, gpusPerMachine)
	shape := p.shape(
		manifest.ResourceAmount{Name: "cpu", Value: p.MilliCPU * gpus},
		manifest.ResourceAmount{Name: "memory", Value: p.MemoryBytes * gpus},
		manifest.ResourceAmount{Name: devices.WholeGPU, Value: gpus},
	)
	switch p.Tenants {
	case TenantsNamespace:
		shape.Namespace = row.VC
	case TenantsLabel:
		shape.Labels = map[string]string{"vc": row.VC}
	}
	return job{
		line: row.Line, name: "philly-" + strconv.FormatInt(row.ID, 10),
		at: seconds(row.SubmitSeconds), lifetime: seconds(row.DurationSeconds),
		pods: int((row.GPUs + gpusPerMachine - 1) / gpusPerMachine), shape: shape,
	}
}
