package scenarios

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// Manifests are the documents of files that a command line names.
type Manifests struct {
	Docs     []*document.Document
	Warnings []string // what was left out

	files  int   // that were read
	unread error // of files that could not be read
}

// ReadManifests reads files and directories, except for files and directories that match one of the patterns. Files that
// cannot be read are errors of Load.
func ReadManifests(paths, exclude []string) (*Manifests, error) {
	without, err := newExclusion(exclude)
	if err != nil {
		return nil, err
	}
	m := &Manifests{}
	var faults document.Errors
	for _, path := range paths {
		files, err := manifestFiles(path, without)
		faults.Append(err)
		for _, file := range files {
			docs, err := readObjectFile(file)
			faults.Append(err)
			m.Docs, m.files = append(m.Docs, docs...), m.files+1
		}
	}
	m.Warnings, m.unread = without.warnings(), faults.Err()
	return m, nil
}

// Load has a loader load the documents. The error lists the faults of all files at once. If some files have no faults, it
// says how to leave the others out.
func (m *Manifests) Load(loader *manifest.Loader) error {
	err := LoadRead(loader, m.Docs, m.unread)
	var faults document.Errors
	if faults.Append(err); len(faults) == 0 {
		return nil
	}
	var broken []string
	for _, fault := range faults {
		if fault.File != "" && !saysWhatToRun(fault) && !slices.Contains(broken, fault.File) {
			broken = append(broken, fault.File)
		}
	}
	if len(broken) == 0 || len(broken) >= m.files {
		return err
	}
	return &AdvisedError{err, withoutFiles(broken, m.files)}
}

// saysWhatToRun reports whether an error names another flag or another command to use.
func saysWhatToRun(fault *document.Error) bool {
	return strings.Contains(fault.What, "; --") || strings.Contains(fault.What, "kubectl kustomize ")
}

// withoutFiles says how to leave files out.
func withoutFiles(broken []string, all int) string {
	if len(broken) > maxNamed {
		return fmt.Sprintf("%s of %s have errors: --exclude PATTERN leaves out files and directories by name or path, such as --exclude %s",
			human.Whole(len(broken)), human.Counted(all, "file"), shellWord(filepath.Base(broken[0])))
	}
	words := make([]string, len(broken))
	for i, file := range broken {
		words[i] = "--exclude " + shellWord(file)
	}
	return "to continue without the files that have errors: " + strings.Join(words, " ")
}

// shellWord quotes a path for a shell if it has to be.
func shellWord(path string) string {
	if strings.ContainsAny(path, " '\"\\$&;|<>()[]{}*?!~#`") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// AdvisedError is an error with a line on what to do about it.
type AdvisedError struct {
	Err    error
	Advice string
}

// Error returns the error and, on its last line, the advice.
func (e *AdvisedError) Error() string { return e.Err.Error() + "\n" + e.Advice }

// Unwrap returns the error without the advice.
func (e *AdvisedError) Unwrap() error { return e.Err }

// NoNodes is the error of files without a Node. kubectl get all lists no nodes, and repositories have none.
func NoNodes(files []string) error {
	return fmt.Errorf("%s: no Node among the manifests: pods need nodes to be placed on; kubectl get nodes -o yaml > nodes.yaml writes those of a cluster, and -f nodes.yaml adds them",
		strings.Join(files, ", "))
}
