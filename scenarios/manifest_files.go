package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
)

// ReadObjects reads the documents of Kubernetes manifests. A path is that of a file, or of a directory; of a directory it
// reads all .yaml, .yml and .json files below, in order of name. It follows symbolic links, and reads a file that several
// links lead to once.
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
	if w.chart != "" {
		return nil, fmt.Errorf("%s: is a Helm chart, whose templates are not manifests yet: helm template %s | berth place -f - reads what it makes", w.chart, w.chart)
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
	chart   string // the first directory that is a Helm chart; empty: none is
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
		case entry.Name() == "Chart.yaml" && w.chart == "":
			w.chart = dir
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
