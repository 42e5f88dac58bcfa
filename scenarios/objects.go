package scenarios

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/document"
)

// ReadObjects reads the documents of Kubernetes manifests: files, or directories with
// all .yaml, .yml and .json files below them, in order of name.
func ReadObjects(paths ...string) ([]*document.Document, error) {
	var faults document.Errors
	var docs []*document.Document
	for _, path := range paths {
		files, err := manifestFiles(path)
		if err != nil {
			faults.Append(err)
			continue
		}
		for _, file := range files {
			more, err := document.ReadFile(file)
			faults.Append(err)
			docs = append(docs, more...)
		}
	}
	return docs, faults.Err()
}

func manifestFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, plainPathError(err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return plainPathError(err)
		}
		if ext := strings.ToLower(filepath.Ext(p)); !d.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, ext) {
			files = append(files, p)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: holds no .yaml, .yml or .json file", path)
	}
	return files, err
}
