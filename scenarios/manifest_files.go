package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// ReadObjects reads the documents of Kubernetes manifests. A path is that of a file, or of a directory; of a directory it
// reads all .yaml, .yml and .json files below, in order of name. It follows symbolic links, and reads a file that several
// links lead to once. Of a Helm chart it reads only the file that says so.
func ReadObjects(paths ...string) ([]*document.Document, error) {
	return readObjects(readObjectFile, paths)
}

// readObjects is ReadObjects with a function that reads one file.
func readObjects(read func(file string) ([]*document.Document, error), paths []string) ([]*document.Document, error) {
	var faults document.Errors
	var docs []*document.Document
	for _, path := range paths {
		files, err := manifestFiles(path)
		if err != nil {
			faults.Append(err)
			continue
		}
		for _, file := range files {
			more, err := read(file)
			faults.Append(err)
			docs = append(docs, more...)
		}
	}
	return docs, faults.Err()
}

// LoadRead has a loader load documents that ReadObjects has returned, also if it has returned an error: the error then
// lists the faults of all files at once, except for those that may follow from what could not be read.
func LoadRead(loader *manifest.Loader, docs []*document.Document, unread error) error {
	var faults, more document.Errors
	faults.Append(unread)
	more.Append(loader.Load(docs...))
	if unread != nil {
		more = withoutClassNames(more)
	}
	return append(faults, more...).Err()
}

// withoutClassNames leaves out errors about classes of pods by name: the classes may be in what could not be read.
func withoutClassNames(faults document.Errors) document.Errors {
	classes := []string{"priorityClassName", "runtimeClassName", "priority", "preemptionPolicy"}
	return slices.DeleteFunc(faults, func(f *document.Error) bool {
		return slices.Contains(classes, f.Path[strings.LastIndexByte(f.Path, '.')+1:])
	})
}

// readObjectFile reads the documents of one file.
func readObjectFile(file string) ([]*document.Document, error) {
	docs, err := document.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var faults document.Errors
	for _, doc := range docs {
		faults.Append(noObject(doc.Root()))
	}
	return docs, faults.Err()
}

// noObject returns an error if the document is a scenario or a policy.
func noObject(root document.Value) error {
	kind, version := root.Get("kind").Text(), root.Get("apiVersion").Text()
	switch {
	case kind == Kind && version == APIVersion:
		return root.Errorf("kind", "is not a Kubernetes object: berth run SCENARIO and berth explain POD SCENARIO take it as it is, without -f")
	case slices.Contains(config.Kinds(), kind) && (version == "v1" || strings.HasPrefix(version, "kubescheduler.config.k8s.io/")):
		return root.Errorf("kind", "is not a Kubernetes object: the flag --policy takes it, or the field policy of a scenario")
	}
	return nil
}

func manifestFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, document.FileError(err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	w := walk{entered: map[string]bool{}}
	if err := w.enter(path); err != nil {
		return nil, document.FileError(err)
	}
	files := w.files()
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: holds no .yaml, .yml or .json file", path)
	}
	return files, nil
}

// walk visits a directory and all directories below it or linked to. It enters each of them once, so that cyclic links do
// not matter.
type walk struct {
	entered map[string]bool // real paths of directories
	found   []foundFile
}

// foundFile is a manifest under one of its names.
type foundFile struct{ path, real string }

func (w *walk) enter(dir string) error {
	realDir, err := filepath.EvalSymlinks(dir)
	if err != nil || w.entered[realDir] {
		return err
	}
	w.entered[realDir] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(entries, func(e os.DirEntry) bool { return e.Name() == manifest.ChartFile }); i >= 0 {
		entries = entries[i : i+1] // the rest are templates of manifests
	}
	for _, entry := range entries {
		path, target := filepath.Join(dir, entry.Name()), filepath.Join(realDir, entry.Name())
		isDir := entry.IsDir()
		if entry.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			isDir = info.IsDir()
			if target, err = filepath.EvalSymlinks(path); err != nil {
				return err
			}
		}
		switch {
		case isDir:
			if err := w.enter(path); err != nil {
				return err
			}
		case slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path))):
			w.found = append(w.found, foundFile{path, target})
		}
	}
	return nil
}

// files returns the paths of the manifests, of several paths to one file the shortest: a mounted ConfigMap has links to
// files in a hidden directory.
func (w *walk) files() []string {
	depth := func(f foundFile) int { return strings.Count(f.path, string(filepath.Separator)) }
	nearest := map[string]foundFile{}
	for _, f := range w.found {
		if best, seen := nearest[f.real]; !seen || depth(f) < depth(best) {
			nearest[f.real] = f
		}
	}
	var out []string
	for _, f := range w.found {
		if nearest[f.real] == f {
			out = append(out, f.path)
		}
	}
	return out
}
