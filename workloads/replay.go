package workloads

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// Replay is the stream of the pods of a trace. The file stays open until the stream is
// at its end or Close is called.
type Replay struct {
	selection
	loader *manifest.Loader
	file   *os.File

	job    job // the one whose pods come now
	member int // how many of them have come
	class  *cluster.Class
	group  *Group
}

// Play opens the file of a trace. The error says which field is wrong, or what is wrong
// with the header of the file.
func Play(p Playable, loader *manifest.Loader) (*Replay, error) {
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
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return nil, &document.Error{File: path, What: cause.Err.Error(), Err: err}
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close() // nothing was read
		return nil, &document.Error{File: path, What: "is a directory, not a file"}
	}
	return file, nil
}

// Next is the next pod. Errors name the line of the file; a stream that gave one is at
// its end.
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
		return false, fmt.Errorf("%s:%d: %w", r.File, next.line, named(err, &next.shape))
	}
	r.job, r.member, r.class, r.group = next, 0, class, r.gangOf(&next, class)
	return true, nil
}

// named puts the texts of a shape into the faults that the loader found with it: unlike
// those of a document, it does not see them.
func named(err error, shape *manifest.Shape) error {
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

// Close ends the stream. It may be called at any time, and more than once.
func (r *Replay) Close() error {
	if r.file == nil {
		return nil
	}
	file := r.file
	r.file, r.job, r.member = nil, job{}, 0
	return file.Close()
}

// Skipped is how many lines were passed over so far since they could not be read, and
// what was wrong with the first ten.
func (r *Replay) Skipped() (int, []error) { return r.skipped() }

// LeftOut is how many rows within the window were left out so far since they cannot be
// played: jobs of a status that is not wanted, or of unknown size or run time.
func (r *Replay) LeftOut() int { return r.leftOut }
