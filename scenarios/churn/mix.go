package churn

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/berth-sim/berth/workloads/trace"
)

// The lists of the data directory.
const (
	nodeList   = "openb/openb_node_list_gpu_node.csv"
	podList    = "openb/openb_pod_list_default.csv"
	phillyList = "philly/philly_jobs.csv.gz"
)

// What a pod of Philly asks for beside each GPU, as the list does not say, and how many GPUs a
// pod has at most.
const (
	phillyMilliCPU  = 6000
	phillyMemoryMiB = 24 << 10
	gpusPerMachine  = 8
)

// shape is what a pod asks for: milli thousandths of each of some GPUs.
type shape struct{ milliCPU, memoryMiB, gpus, milli int64 }

func (s shape) compare(o shape) int {
	return cmp.Or(
		cmp.Compare(s.gpus, o.gpus), cmp.Compare(s.milli, o.milli),
		cmp.Compare(s.milliCPU, o.milliCPU), cmp.Compare(s.memoryMiB, o.memoryMiB),
	)
}

// stream are jobs of one kind: they come at random, and how long they run does not depend on
// anything but the kind.
type stream struct {
	name      string
	jobs      int // of the list
	pods      int // of each job; more than one are a gang
	shapes    map[shape]int
	lifetimes []float64 // in seconds
}

// demand is the time for which the jobs of the list hold GPUs, in GPU-seconds, if each runs as
// long as they do in the mean.
func (s *stream) demand() float64 {
	milli, jobs := 0.0, 0
	for shape, n := range s.shapes {
		milli += float64(float64(n) * float64(shape.gpus*shape.milli))
		jobs += n
	}
	return float64(float64(s.jobs) * float64(s.pods) * milli / 1000 / float64(jobs) * s.meanLifetime())
}

func (s *stream) meanLifetime() float64 {
	sum := 0.0
	for _, x := range s.lifetimes {
		sum += x
	}
	return sum / float64(len(s.lifetimes))
}

// streams collects jobs by kind.
type streams struct {
	cap    float64 // of lifetimes, in seconds
	byName map[string]*stream
}

func newStreams(cap float64) *streams { return &streams{cap: cap, byName: map[string]*stream{}} }

// add adds a job; a negative lifetime is not known.
func (s *streams) add(name string, pods int, sh shape, lifetime float64) {
	at := s.byName[name]
	if at == nil {
		at = &stream{name: name, pods: pods, shapes: map[shape]int{}}
		s.byName[name] = at
	}
	at.jobs++
	at.shapes[sh]++
	if lifetime >= 0 {
		at.lifetimes = append(at.lifetimes, min(lifetime, s.cap))
	}
}

// sorted are the streams by name.
func (s *streams) sorted() ([]*stream, error) {
	var all []*stream
	for _, at := range s.byName {
		if len(at.lifetimes) == 0 {
			return nil, fmt.Errorf("no job of the kind %s has ever run: how long they run is not known", at.name)
		}
		all = append(all, at)
	}
	slices.SortFunc(all, func(a, b *stream) int { return cmp.Compare(a.name, b.name) })
	return all, nil
}

// readOpenb reads the pods of openb.
func readOpenb(dir string, cap float64) (*streams, error) {
	out := newStreams(cap)
	return out, read(filepath.Join(dir, podList), trace.OpenbPods, func(p trace.OpenbPod) {
		name, lifetime := "several-gpus", -1.0
		switch {
		case p.GPUs == 0:
			name = "no-gpu"
		case p.MilliGPU < 1000:
			name = "shared-gpu"
		case p.GPUs == 1:
			name = "one-gpu"
		}
		if p.Scheduled >= 0 {
			lifetime = float64(p.Deleted - p.Scheduled)
		}
		out.add(name, 1, shape{p.MilliCPU, p.MemoryMiB, p.GPUs, p.MilliGPU}, lifetime)
	})
}

// readPhilly reads the jobs of Philly. One of more than 8 GPUs is a gang of pods of 8.
func readPhilly(dir string, cap float64) (*streams, error) {
	out := newStreams(cap)
	return out, read(filepath.Join(dir, phillyList), trace.PhillyJobs, func(j trace.PhillyJob) {
		gpus, pods := j.GPUs, 1
		name := fmt.Sprintf("training-%d", gpus)
		if gpus > gpusPerMachine {
			pods, gpus = int((gpus+gpusPerMachine-1)/gpusPerMachine), gpusPerMachine
			name = fmt.Sprintf("training-gang-%d", pods)
		}
		out.add(name, pods, shape{gpus * phillyMilliCPU, gpus * phillyMemoryMiB, gpus, 1000}, float64(j.DurationSeconds))
	})
}

// readFleet reads the nodes, sorted by what they are, and takes one of so many, so that each
// sort is there in its share.
func readFleet(dir string, oneOf int) ([]trace.OpenbNode, error) {
	var all, taken []trace.OpenbNode
	err := read(filepath.Join(dir, nodeList), trace.OpenbNodes, func(n trace.OpenbNode) { all = append(all, n) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b trace.OpenbNode) int {
		return cmp.Or(
			cmp.Compare(a.GPUs, b.GPUs), cmp.Compare(a.Model, b.Model), cmp.Compare(a.MilliCPU, b.MilliCPU),
			cmp.Compare(a.MemoryMiB, b.MemoryMiB), cmp.Compare(a.Name, b.Name),
		)
	})
	for i := oneOf / 2; i < len(all); i += oneOf {
		taken = append(taken, all[i])
	}
	return taken, nil
}

// read hands over all rows of a list. The error lists all faults.
func read[Row any](path string, open func(string, io.Reader, trace.Options) (*trace.Reader[Row], error), row func(Row)) error {
	file, err := os.Open(path)
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", path, at.Err)
	} else if err != nil {
		return err
	}
	defer file.Close()
	rows, err := open(path, file, trace.Options{})
	if err != nil {
		return err
	}
	var faults []error
	for r, err := range rows.Rows() {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		row(r)
	}
	return errors.Join(faults...)
}
