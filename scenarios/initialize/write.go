// Package initialize writes scenarios for people to begin with: from a template, or from what
// kubectl prints of a cluster.
package initialize

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
)

// Options say what to write.
type Options struct {
	Template string   // name of a template, for a scenario without a cluster
	Files    []string // manifests of a cluster, or directories of them; they take precedence over Template
	Exclude  []string // patterns of files and directories to leave out
	Ignore   []string // kinds of objects to leave out, as KIND, KIND.GROUP or *.GROUP
	SkipPods []string // pods to leave out, as NAME, NAMESPACE/NAME or a label selector
	Strict   bool     // a pod on a node that is not among the objects is an error
	Scrub    bool     // give all objects neutral names, and drop what does not matter
	Out      string   // path of the scenario; other files stand beside it
	Names    string   // path to write to what was scrubbed; empty: nowhere
	Force    bool     // write over files that exist
}

// Done is what Write wrote.
type Done struct {
	Written  []string // paths, the scenario first
	Found    []string // what the cluster holds
	LeftOut  []string // what of it a scenario has no use for, in lines
	Warnings []string
	// Names are the neutral names of what was scrubbed, by what the originals name: "node", or
	// "app" for pods and their controllers.
	Names map[string]map[string]string
	// Kept are the keys, resources and drivers that stay when names are scrubbed, for their domains
	// are well known, except for those of Kubernetes itself: what stands behind the domain may tell something.
	Kept []string
}

// content writes what is in a file. It ends with the error of ctx when that is done.
type content func(ctx context.Context, w io.Writer) error

// text is the content of a file that is known beforehand.
func text(s string) content {
	return func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// file is a file to write.
type file struct {
	path  string
	write content
	apart bool // it is not a part of the scenario, and for one pair of eyes alone
	// origins are where its objects were found, when it has been written; nil: it holds none.
	origins *[]origin
}

// draft is what the file is called until the scenario is found to be valid.
func (f file) draft(dir string) string { return filepath.Join(dir, filepath.Base(f.path)) }

// copyOf is the content of another file.
func copyOf(path string) content {
	return func(_ context.Context, w io.Writer) error {
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return errors.Join(err, in.Close())
	}
}

// Write writes a scenario that validates and runs. When there is an error, nothing is
// written; that ctx is done is one.
func Write(ctx context.Context, o Options) (Done, error) {
	if len(o.Files) == 0 {
		known, err := template(o.Template)
		if err != nil {
			return Done{}, err
		}
		return o.write(ctx, Done{}, []file{{path: o.Out, write: text(string(known))}})
	}
	d, err := scenarios.UnlessDone(ctx, func() (*dump, error) { return readDump(o) })
	if err != nil {
		return Done{}, err
	}
	done := Done{Found: d.found, LeftOut: d.unused(), Warnings: d.warnings}
	if d.scrubber != nil {
		done.Names, done.Kept = d.scrubber.neutral, d.scrubber.keptWords()
	}
	files, err := d.draft(o.Out)
	if err != nil {
		return Done{}, err
	}
	if o.Names != "" {
		for _, f := range files {
			if samePath(f.path, o.Names) {
				return Done{}, &document.Error{File: o.Names, What: "is a file of the scenario: the list of names needs a path of its own"}
			}
		}
		files = append(files, file{path: o.Names, write: namesList(done.Names), apart: true})
	}
	return o.write(ctx, done, files)
}

// samePath reports whether two paths lead to the same file, as far as their directories are there.
func samePath(a, b string) bool {
	whole := func(path string) string {
		dir, err := filepath.Abs(filepath.Dir(path))
		if real, linked := filepath.EvalSymlinks(dir); err == nil && linked == nil {
			dir = real
		}
		return filepath.Join(dir, filepath.Base(path))
	}
	return whole(a) == whole(b)
}

// namesList lists what was scrubbed, as CSV.
func namesList(names map[string]map[string]string) content {
	return func(_ context.Context, out io.Writer) error {
		rows := [][]string{{"sort", "original", "neutral"}}
		for _, sort := range slices.Sorted(maps.Keys(names)) {
			for _, original := range slices.Sorted(maps.Keys(names[sort])) {
				rows = append(rows, []string{sort, original, names[sort][original]})
			}
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
}

// write writes the files when they are found to be valid together: into a directory of their
// own first, so that they are all there or none is.
func (o Options) write(ctx context.Context, done Done, files []file) (Done, error) {
	var faults document.Errors
	for _, f := range files {
		if _, err := os.Lstat(f.path); err == nil && !o.Force {
			faults.Append(&document.Error{File: f.path, What: "exists already: use --force to write over it"})
		}
	}
	if err := faults.Err(); err != nil {
		return Done{}, err
	}
	for i := range files {
		unmake, err := makeDir(filepath.Dir(files[i].path))
		defer unmake()
		if err != nil {
			return Done{}, err
		}
	}
	draft, err := os.MkdirTemp(filepath.Dir(o.Out), ".berth-init-")
	if err != nil {
		return Done{}, err
	}
	defer func() { _ = os.RemoveAll(draft) }() // what is left of it, when there is an error
	for i, f := range files {
		if f.apart {
			continue
		}
		if err := f.create(ctx, draft); err != nil {
			return Done{}, err
		}
		files[i].write = copyOf(f.draft(draft)) // what it held would be in the way of what comes now
	}
	if err := o.validate(ctx, files[0].draft(draft), files); err != nil {
		return Done{}, err
	}
	if err := place(ctx, files); err != nil {
		return Done{}, err
	}
	for _, f := range files {
		done.Written = append(done.Written, f.path)
	}
	return done, nil
}

// place puts the files where they belong, when all are written: the scenario last, when all that
// it names is there.
func place(ctx context.Context, files []file) error {
	ready := make([]*atomicfile.File, len(files))
	for i, f := range files {
		var err error
		if ready[i], err = atomicfile.Create(f.path); err != nil {
			return err
		}
		defer ready[i].Abort()
		if f.apart {
			if err := ready[i].Chmod(0o600); err != nil {
				return err
			}
		}
		if err := f.write(ctx, ready[i]); err != nil {
			return err
		}
	}
	for _, f := range slices.Backward(ready) {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// makeDir makes a directory and those above it that are not there. What it returns removes them
// again, as far as nothing is in them.
func makeDir(dir string) (unmake func(), err error) {
	var made []string
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		made = append(made, at)
	}
	unmake = func() {
		for _, at := range made {
			_ = os.Remove(at) // it stays when there is something in it
		}
	}
	return unmake, os.MkdirAll(dir, 0o755)
}

// create writes the draft of the file.
func (f file) create(ctx context.Context, dir string) error {
	out, err := os.OpenFile(f.draft(dir), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriter(out)
	if err := f.write(ctx, buffer); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(buffer.Flush(), out.Close())
}

// validate has the draft of the scenario checked, with all that it names.
func (o Options) validate(ctx context.Context, draft string, files []file) error {
	_, err := scenarios.UnlessDone(ctx, func() (scenarios.Report, error) { return scenarios.Validate(draft, recipe.Recipe{}) })
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	faults, others := traced(err, files)
	if len(others) == 0 {
		return faults.Err()
	}
	return fmt.Errorf("no valid scenario can be made of %s:\n%w", strings.Join(o.Files, ", "), append(faults, others...).Err())
}
