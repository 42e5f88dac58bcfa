// Package starter writes scenarios for people to begin with: from a template, or from what
// kubectl prints of a cluster.
package starter

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/document"
)

// Options say what to write.
type Options struct {
	Template string   // name of a template, for a scenario without a cluster
	Files    []string // manifests of a cluster, or directories of them; they go before Template
	Scrub    bool     // give all objects neutral names, and drop what does not matter
	Out      string   // path of the scenario; other files stand beside it
	Names    string   // path to write to what was scrubbed; empty: nowhere
	Force    bool     // write over files that exist
}

// Done is what Write wrote.
type Done struct {
	Written  []string // paths, the scenario first
	Found    []string // what the cluster holds
	LeftOut  string   // what of it a scenario has no use for; empty: nothing
	Warnings []string
	// Names are the neutral names of what was scrubbed, by what the originals name: "node", or
	// "app" for pods and their controllers.
	Names map[string]map[string]string
}

// file is a file to write.
type file struct {
	path string
	text []byte
	far  bool // it need not stand beside the scenario
}

// draft is what the file is called until all are written.
func (f file) draft(dir string) string {
	if f.far {
		return f.path + ".unfinished" // a rename does not reach over file systems
	}
	return filepath.Join(dir, filepath.Base(f.path))
}

// Write writes a scenario that validates and runs. When there is an error, nothing is
// written.
func Write(o Options) (Done, error) {
	if len(o.Files) == 0 {
		text, err := template(o.Template)
		if err != nil {
			return Done{}, err
		}
		return o.write(Done{}, []file{{path: o.Out, text: text}})
	}
	d, err := readDump(o.Files, o.Scrub)
	if err != nil {
		return Done{}, err
	}
	done := Done{Found: d.found, LeftOut: d.unused(), Warnings: d.warnings}
	if d.names != nil {
		done.Names = d.names.neutral
	}
	files, err := d.write(o.Out)
	if err != nil {
		return Done{}, err
	}
	if o.Names != "" {
		files = append(files, file{path: o.Names, text: namesText(done.Names), far: true})
	}
	return o.write(done, files)
}

// namesText lists what was scrubbed, as CSV.
func namesText(names map[string]map[string]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"sort", "original", "neutral"}}
	for _, sort := range slices.Sorted(maps.Keys(names)) {
		for _, original := range slices.Sorted(maps.Keys(names[sort])) {
			rows = append(rows, []string{sort, original, names[sort][original]})
		}
	}
	if err := w.WriteAll(rows); err != nil {
		panic(err) // a buffer takes it all
	}
	return b.Bytes()
}

// write writes the files when they are found to be valid together: into a directory of their
// own first, so that they are all there or none is.
func (o Options) write(done Done, files []file) (Done, error) {
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
		if err := os.MkdirAll(filepath.Dir(files[i].path), 0o755); err != nil {
			return Done{}, err
		}
	}
	draft, err := os.MkdirTemp(filepath.Dir(o.Out), ".berth-init-")
	if err != nil {
		return Done{}, err
	}
	defer func() { _ = os.RemoveAll(draft) }() // what is left of it, when there is an error
	for _, f := range files {
		if f.far {
			defer func() { _ = os.Remove(f.draft(draft)) }()
		}
		if err := os.WriteFile(f.draft(draft), f.text, 0o644); err != nil {
			return Done{}, err
		}
	}
	if _, err := scenarios.Validate(files[0].draft(draft)); err != nil {
		text := strings.ReplaceAll(err.Error(), draft+string(filepath.Separator), "")
		return Done{}, fmt.Errorf("no valid scenario can be made of %s:\n%s", strings.Join(o.Files, ", "), text)
	}
	for i := len(files) - 1; i >= 0; i-- { // the scenario last, when all that it names is there
		if err := os.Rename(files[i].draft(draft), files[i].path); err != nil {
			return Done{}, err
		}
	}
	for _, f := range files {
		done.Written = append(done.Written, f.path)
	}
	return done, nil
}

// objectsText is the text of a file of objects. Each is encoded by itself: an encoder of a
// stream keeps what it has written until its end.
func objectsText(objects []object) ([]byte, error) {
	var b bytes.Buffer
	for i, o := range objects {
		text, err := document.Marshal(o.tree)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}
