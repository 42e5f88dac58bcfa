package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
)

// Scenario is a scenario file that has been read and checked. The files that it refers to are read when a run is built.
type Scenario struct {
	File File
	root document.Value
	dir  string // directory that references are relative to
	path string

	files fileCache
}

// Load reads a scenario file. The error lists all errors, one on each line.
func Load(path string) (*Scenario, error) {
	docs, err := readFile(path)
	if err != nil {
		return nil, err
	}
	s := &Scenario{root: docs[0].Root(), dir: filepath.Dir(path), path: path}
	if err := checkKind(s.root); err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, docs[1].Root().Errorf("", "is the second of %d documents: a file holds one scenario alone", len(docs))
	}
	var faults document.Errors
	faults.Append(document.Decode(s.root, &s.File))
	var c checker
	c.scenario(s.root, &s.File)
	if faults = withOthers(faults, c.Errors); len(faults) > 0 {
		return nil, s.allFaults(faults)
	}
	return s, nil
}

// readFile reads the documents, at least one, of a file that may hold a scenario.
func readFile(path string) ([]*document.Document, error) {
	if path == "-" {
		return nil, errors.New("-: only manifests can come from standard input, not scenarios and policies: their paths are relative to their file")
	}
	docs, err := document.ReadFile(path)
	if err == nil && len(docs) == 0 {
		err = &document.Error{File: path, What: "is empty: it must hold a scenario"}
	}
	return docs, err
}

// withOthers adds other errors to the known ones. It leaves out errors of places that have one already.
func withOthers(known, others document.Errors) document.Errors {
	for _, f := range others {
		if !slices.ContainsFunc(known, func(k *document.Error) bool { return f.File == k.File && f.Path != "" && f.Path == k.Path }) {
			known = append(known, f)
		}
	}
	return known
}

// ManifestError is the cause of an error about a file that holds Kubernetes objects where a scenario is expected.
type ManifestError struct{ File string }

// Error says what the file holds.
func (e *ManifestError) Error() string { return e.File + " holds manifests" }

// checkKind returns an error if a file is not a scenario, instead of one that lists its fields as unknown.
func checkKind(root document.Value) error {
	if root.Kind() != document.Map {
		return root.Errorf("", "is not a scenario: a scenario is a mapping with apiVersion: %s and kind: %s", APIVersion, Kind)
	}
	switch kind := root.Get("kind"); {
	case !kind.Exists():
		return root.Errorf("kind", "is missing: a scenario has kind: %s", Kind)
	case kind.Text() == Kind:
		return nil
	case slices.Contains(config.Kinds(), kind.Text()):
		return kind.Errorf("", "is not %s: this file is a policy, which a scenario names in its field policy, and the flag --policy takes", Kind)
	case root.Get("apiVersion").Exists() && root.Get("apiVersion").Text() != APIVersion:
		var faults document.Errors
		faults.Add(kind, "", "is not %s: this file holds manifests", Kind)
		faults[0].Err = &ManifestError{root.File()}
		return faults[0]
	default:
		return kind.Errorf("", "is not %s: this file is not a scenario%s", Kind, document.Meant(kind.Text(), []string{Kind}))
	}
}

// resolve returns the path of a reference.
func (s *Scenario) resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.dir, path)
}

// Input is a file or an environment variable that a run depends on.
type Input struct {
	Path   string
	SHA256 string
}

// inputs collects the inputs of a run without repeats.
type inputs struct {
	files *fileCache
	list  []Input
}

func (in *inputs) add(path string) error {
	if slices.ContainsFunc(in.list, func(have Input) bool { return have.Path == path }) {
		return nil
	}
	sum, err := in.files.sum(path)
	if err == nil {
		in.list = append(in.list, Input{path, sum})
	}
	return err
}

// EnvironmentInput is the prefix of the path of an input that is an environment variable.
const EnvironmentInput = "environment:"

// addSetting adds an environment variable, given as NAME=VALUE.
func (in *inputs) addSetting(setting string) {
	name, value, _ := strings.Cut(setting, "=")
	sum := sha256.Sum256([]byte(value))
	in.list = append(in.list, Input{EnvironmentInput + name, hex.EncodeToString(sum[:])})
}
