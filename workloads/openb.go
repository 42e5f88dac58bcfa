package workloads

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/manifest/devices"
	"github.com/berth-sim/berth/workloads/arrival"
	"github.com/berth-sim/berth/workloads/fgd"
	"github.com/berth-sim/berth/workloads/trace"
)

// GPUs says which resources stand for the GPUs of openb.
type GPUs string

// The values of GPUs.
const (
	// SharedGPUs are alibabacloud.com/gpu-milli, thousandths of a GPU, which any pod
	// with GPUs asks for, and alibabacloud.com/gpu-count, GPUs, which only pods that do
	// not share theirs ask for.
	SharedGPUs GPUs = "shared"
	// WholeGPUs are nvidia.com/gpu: a pod that would share a GPU has one to itself.
	WholeGPUs GPUs = "whole"
)

func (g GPUs) check() error {
	if g != SharedGPUs && g != WholeGPUs {
		return fmt.Errorf("gpus: %q must be %q or %q", string(g), SharedGPUs, WholeGPUs)
	}
	return nil
}

// amounts are the resources of so many GPUs, of each of which milli thousandths are meant.
func (g GPUs) amounts(count, milli int64) []manifest.ResourceAmount {
	switch {
	case count == 0:
		return nil
	case g == WholeGPUs:
		return []manifest.ResourceAmount{{Name: devices.WholeGPU, Value: count}}
	case milli < 1000:
		return []manifest.ResourceAmount{{Name: devices.GPUMilli, Value: count * milli}}
	}
	return []manifest.ResourceAmount{
		{Name: devices.GPUMilli, Value: count * milli},
		{Name: devices.GPUCount, Value: count},
	}
}

// Openb is an openb pod list.
type Openb struct {
	Trace
	GPUs GPUs // empty: SharedGPUs

	// AtOnce makes all pods arrive at 0, in the order of the list. Otherwise a pod arrives at its creation time and
	// runs from its scheduled to its deletion time, or from its creation if it was never scheduled. The list is not in
	// order of time; it is sorted in memory.
	AtOnce   bool
	Lifetime arrival.Lifetime // of pods that arrive at once; nil: forever
	// Spacing is the time from one pod that arrives at once to the next.
	Spacing clock.Time
	// FGD shuffles the list and changes the number of its pods; nil: as in the list. It needs AtOnce.
	FGD *FGDOrder

	// PriorityByQoS is the priority class by the column qos; what is not in it has that
	// of the trace.
	PriorityByQoS map[string]string
}

// FGDOrder is how the paper on fragmentation gradient descent makes arrivals of a pod list: it shuffles the list, and
// adds or removes pods until they request a given share of the fleet's GPUs.
type FGDOrder struct {
	Seed     int64
	Demand   float64  // times Capacity
	Capacity int64    // of the fleet, in thousandths of GPUs
	Nodes    []string // of the fleet
	// List is the result. It is set by OpenTrace.
	List fgd.PodList
}

func (o *Openb) trace() *Trace { return &o.Trace }

func (o *Openb) check() error {
	if err := o.Trace.check(); err != nil {
		return err
	}
	switch {
	case o.AtOnce && o.Start != 0:
		return fmt.Errorf("start: %v has no meaning for pods that arrive at once", o.Start)
	case o.AtOnce && o.Until != 0:
		return fmt.Errorf("until: %v has no meaning for pods that arrive at once", o.Until)
	case o.AtOnce && o.TimeScale != 0:
		return fmt.Errorf("timeScale: %v has no meaning for pods that arrive at once", o.TimeScale)
	case !o.AtOnce && (o.Spacing != 0 || o.FGD != nil):
		return errors.New("spacing, fgd: have no meaning for pods that arrive at the times of the trace")
	case o.FGD != nil && o.Limit != 0:
		return fmt.Errorf("limit: %d has no meaning for a list that is brought to a demand", o.Limit)
	case o.FGD != nil && o.gpus() == WholeGPUs:
		return fmt.Errorf("gpus: %q are not what the pods of the paper ask for", string(o.GPUs))
	case !o.AtOnce && o.Lifetime != nil:
		return errors.New("lifetime: has no meaning for pods that run as long as the trace says")
	}
	return o.gpus().check()
}

func (o *Openb) gpus() GPUs { return cmp.Or(o.GPUs, SharedGPUs) }

func (o *Openb) read(in io.Reader) (jobs, error) {
	if o.FGD != nil {
		return o.shuffle(in)
	}
	r, err := trace.OpenbPods(o.File, in, o.options())
	if err != nil {
		return nil, err
	}
	if o.AtOnce {
		return &spaced{jobs: rows[trace.OpenbPod]{r, o.job}, spacing: o.Spacing}, nil
	}
	return &byTime{rows: rows[trace.OpenbPod]{r, o.job}, file: o.File}, nil
}

// shuffle reads the list to its end and shuffles it.
func (o *Openb) shuffle(in io.Reader) (jobs, error) {
	d, err := fgd.Read(o.File, in, o.SkipBad)
	if err != nil {
		return nil, err
	}
	if err := d.Shuffle(o.FGD.Seed, o.FGD.Demand, o.FGD.Capacity, o.FGD.Nodes); err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	o.FGD.List = d
	return &spaced{jobs: &shuffled{PodList: d, job: o.job}, spacing: o.Spacing}, nil
}

// shuffled is a shuffled list as a sequence of jobs.
type shuffled struct {
	fgd.PodList
	job   func(trace.OpenbPod) job
	taken int
}

func (d *shuffled) next() (job, bool, error) {
	if d.taken == len(d.Pods) {
		return job{}, false, nil
	}
	d.taken++
	return d.job(d.Pods[d.taken-1]), true, nil
}

func (d *shuffled) skipped() (int, []error) { return d.Skipped, d.Faults }

// spaced has the jobs of a list come one after the other.
type spaced struct {
	jobs
	spacing clock.Time
	taken   int64
}

func (s *spaced) next() (job, bool, error) {
	j, more, err := s.jobs.next()
	j.at = clock.Time(s.taken) * s.spacing
	s.taken++
	return j, more, err
}

func (o *Openb) job(row trace.OpenbPod) job {
	shape := o.shape(append([]manifest.ResourceAmount{
		{Name: "cpu", Value: row.MilliCPU},
		{Name: "memory", Value: row.MemoryMiB << 20},
	}, o.gpus().amounts(row.GPUs, row.MilliGPU)...)...)
	if len(row.Models) > 0 {
		shape.NodeLabelKey, shape.NodeLabelValues = devices.GPUModel, row.Models
	}
	if class, ok := o.PriorityByQoS[row.QoS]; ok {
		shape.PriorityClass = class
	}
	j := job{line: row.Line, name: row.Name, pods: 1, shape: shape, lifetime: clock.Forever}
	switch {
	case !o.AtOnce && row.Timed:
		j.at = seconds(row.Created)
		j.lifetime = seconds(row.Deleted - max(row.Created, row.Scheduled))
	case !o.AtOnce:
		j.at = untimed
	case o.Lifetime != nil:
		j.lifetime = o.Lifetime.Draw()
	}
	return j
}

// untimed marks a job of a list without times.
const untimed clock.Time = -1

// byTime is a list of pods sorted by creation, those of one instant in order of the list.
type byTime struct {
	rows[trace.OpenbPod]
	file   string
	sorted []job
	read   bool
}

func (b *byTime) next() (job, bool, error) {
	if !b.read {
		b.read = true
		for {
			j, more, err := b.rows.next()
			if err != nil {
				return job{}, false, err
			}
			if !more {
				break
			}
			if j.at == untimed {
				return job{}, false, fmt.Errorf("%s: has no times: its pods can only arrive at once", b.file)
			}
			b.sorted = append(b.sorted, j)
		}
		slices.SortStableFunc(b.sorted, func(x, y job) int { return cmp.Compare(x.at, y.at) })
	}
	if len(b.sorted) == 0 {
		return job{}, false, nil
	}
	j := b.sorted[0]
	b.sorted = b.sorted[1:]
	return j, true, nil
}
