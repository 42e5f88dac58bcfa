package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// manifestFiles returns the manifests of a path: that of a file, or of a directory with .yaml, .yml and .json files, in order
// of name. It follows symbolic links, and returns a file that several links lead to once. Of a Helm chart it returns only the
// file that says so.
func manifestFiles(path string, without *exclusion) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, document.FileError(err)
	}
	if without.matches(path) {
		return nil, nil
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	w := walk{entered: map[string]bool{}, without: without}
	if err := w.enter(path); err != nil {
		return nil, document.FileError(err)
	}
	files := w.files()
	if len(files) == 0 && w.without.unused() {
		return nil, fmt.Errorf("%s: holds no .yaml, .yml or .json file", path)
	}
	return files, nil
}

// walk visits a directory and all directories below it or linked to. It enters each of them once, so that cyclic links do
// not matter.
type walk struct {
	without *exclusion
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
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return w.without.matches(filepath.Join(dir, e.Name())) })
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
