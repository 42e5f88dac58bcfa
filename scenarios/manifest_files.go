package scenarios

import (
	"slices"
	"strings"

	"github.com/berth-sim/berth/scheduler/config"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/manifest"
)

// ReadObjects reads the documents of Kubernetes manifests, each of which is a file or a directory.
func ReadObjects(paths ...string) ([]*document.Document, error) {
	return readObjects(readObjectFile, paths)
}

// readObjects is ReadObjects with a function that reads one file.
func readObjects(read func(file string) ([]*document.Document, error), paths []string) ([]*document.Document, error) {
	var faults document.Errors
	var docs []*document.Document
	for _, path := range paths {
		files, err := manifestFiles(path, nil)
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
		return nil, otherThanYAML(file, err)
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
