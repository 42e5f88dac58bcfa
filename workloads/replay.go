package workloads

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// Replay is the stream of the pods of a trace. Its file is open until the stream ends or Close is called.
type Replay struct {
	selection
	loader *manifest.Loader
	file   *os.File

	job    job // whose pods are returned now
	member int // number of its pods that have been returned
	class  *cluster.Class
	group  *Group
}

// OpenTrace opens the file of a trace and reads its header. The error says which field of p is wrong, or what is wrong
// with the file.
func OpenTrace(p TraceSource, loader *manifest.Loader) (*Replay, error) {
	t := p.trace()
	if err := p.check(); err != nil {
		return nil, err
	}
	file, err := open(t.File)
	if err != nil {
		return nil, err
	}
	all, err := p.read(file)
	if err != nil {
		_ = file.Close() // the first error says more
		return nil, err
	}
	return &Replay{selection: selection{Trace: *t, jobs: all}, loader: loader, file: file}, nil
}

// open opens the file of a trace. The error is a *document.Error.
func open(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, document.ReadError(path, err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close() // nothing was read
		return nil, &document.Error{File: path, What: "is a directory, not a file"}
	}
	return file, nil
}

// Next returns the next pod. An error names the line of the file, and ends the stream.
func (r *Replay) Next() (Arrival, bool, error) {
	if r.file != nil && r.member == r.job.pods {
		if more, err := r.advance(); !more {
			r.job, r.member = job{}, 0
			return Arrival{}, false, cmp.Or(err, r.Close())
		}
	}
	if r.member == r.job.pods {
		return Arrival{}, false, nil
	}
	a := Arrival{
		At: r.job.at, Name: r.job.member(r.member), Class: r.class, Workload: r.Workload,
		Lifetime: r.job.lifetime, Group: r.group,
	}
	r.member++
	return a, true, nil
}

// advance goes on to the next job.
func (r *Replay) advance() (bool, error) {
	next, more, err := r.next()
	if !more || err != nil {
		return false, err
	}
	class, err := r.loader.Shape(next.shape)
	if err != nil {
		return false, fmt.Errorf("%s:%d:1: %w", r.File, next.line, withValues(err, &next.shape))
	}
	r.job, r.member, r.class, r.group = next, 0, class, r.gangOf(&next, class)
	return true, nil
}

// withValues adds the values of the shape's fields to the errors that the loader found in it. The loader does not know
// them, since a shape has no document.
func withValues(err error, shape *manifest.Shape) error {
	var faults document.Errors
	if !errors.As(err, &faults) {
		return err
	}
	for _, f := range faults {
		switch f.Path {
		case "metadata.namespace":
			f.Value = strconv.Quote(shape.Namespace)
		case "spec.priorityClassName":
			f.Value = strconv.Quote(shape.PriorityClass)
		case "spec.schedulerName":
			f.Value = strconv.Quote(shape.SchedulerName)
		}
	}
	return faults
}

// Close ends the stream and closes the file. It may be called more than once.
func (r *Replay) Close() error {
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file, r.job, r.member = nil, job{}, 0
	return file.Close()
}

// Skipped returns how many invalid lines have been skipped so far, and the errors of the first ten.
func (r *Replay) Skipped() (int, []error) { return r.skipped() }

// LeftOut returns how many valid rows have been left out so far: jobs of other statuses than SWF.Statuses, and jobs of
// unknown size or run time.
func (r *Replay) LeftOut() int { return r.leftOut }
