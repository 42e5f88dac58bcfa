package scenarios

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/cluster"
	"github.com/berth-sim/berth/sim/model/manifest"
	"github.com/berth-sim/berth/sim/model/release"
)

// buildState is what all parts of a builder share: the scenario, what is built of it, and the errors, which are collected
// so that all are reported at once.
type buildState struct {
	s        *Scenario
	o        Options
	registry scheduler.Registry
	seed     uint64
	horizon  clock.Time
	streams  clock.Streams
	inputs   inputs
	known    document.Errors // errors of the file that Load found
	faults   document.Errors // all others
	warnings []string
	cluster  *cluster.Cluster
	loader   *manifest.Loader
	release  release.Release
	rules    *release.Rules
}

// reported reports whether an error of v, or of something in it, is known already.
func (b *buildState) reported(v document.Value) bool {
	return slices.ContainsFunc(b.known, func(f *document.Error) bool {
		rest, within := strings.CutPrefix(f.Path, v.Path())
		return within && f.File == b.s.path && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}

// references returns the files of a list that exist. The others are errors.
func (b *buildState) references(list document.Value, files []string) []string {
	var out []string
	for i, f := range files {
		if b.reported(list.Index(i)) {
			continue
		}
		path := b.s.resolve(f)
		if _, err := manifestFiles(path, nil); err != nil {
			b.faults.Add(list.Index(i), "", "cannot be read: %v", err)
			continue
		}
		out = append(out, path)
	}
	return out
}

func (b *buildState) load(loader *manifest.Loader, files []string) {
	docs, err := b.s.files.readObjects(files...)
	if err := LoadRead(loader, docs, err); err != nil {
		b.faults.Append(err)
		return
	}
	for _, doc := range docs {
		b.faults.Append(b.inputs.add(doc.Root().File()))
	}
}
