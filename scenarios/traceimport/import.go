// Package traceimport makes a scenario, and Kubernetes objects, of a trace.
package traceimport

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/sim/files/document"
	"github.com/berth-sim/berth/sim/model/recipe"
	"github.com/berth-sim/berth/workloads"
)

// Import says which trace to import as a scenario. Exactly one of Openb, SWF and Philly must be set.
type Import struct {
	Nodes     string // openb: the node list
	Openb     *scenarios.OpenbPods
	SWF       *scenarios.SWFJobs
	Philly    *scenarios.PhillyJobs
	Dir       string // to write to
	Manifests bool   // write the same nodes and pods as Kubernetes objects too
	Force     bool   // write over files that exist
	// FGD: the pods of openb are shuffled as in the paper on fragmentation gradient descent.
	FGD bool
}

// Imported is what Write wrote.
type Imported struct {
	Written  []string // paths
	Warnings []string
}

// Write reads the trace to its end and writes scenario.yaml, and manifests.yaml with Manifests, to the directory. After an
// error it has written nothing. It is an error if a file exists already, unless Force is set, and if ctx is done.
func (i Import) Write(ctx context.Context) (done Imported, err error) {
	paths := []string{filepath.Join(i.Dir, "scenario.yaml")}
	if i.Manifests {
		paths = append(paths, filepath.Join(i.Dir, "manifests.yaml"))
	}
	if err := i.refuseExisting(paths); err != nil {
		return done, err
	}
	playable, err := i.traceSource()
	if err != nil {
		return done, err
	}
	fleet, err := i.fleet(playable)
	if err != nil {
		return done, err
	}
	_, absent := os.Stat(i.Dir)
	defer func() {
		if err != nil && absent != nil {
			_ = os.Remove(i.Dir) // made for nothing
		}
	}()
	contents, files, err := i.read(ctx, fleet.nodes, playable)
	defer func() {
		for _, f := range files {
			f.Abort()
		}
	}()
	if err != nil {
		return done, err
	}
	if fleet.warning != "" {
		done.Warnings = append(done.Warnings, fleet.warning)
	}
	if contents.Skipped > 0 {
		done.Warnings = append(done.Warnings, fmt.Sprintf("%d broken lines were skipped, the first: %v", contents.Skipped, contents.Faults[0]))
	}
	if contents.LeftOut > 0 {
		done.Warnings = append(done.Warnings, fmt.Sprintf("%d rows cannot be replayed and were left out (docs/traces.md says which)", contents.LeftOut))
	}
	scenario, err := i.scenario(contents, fleet)
	if err != nil {
		return done, err
	}
	file, err := i.create(paths[0])
	if err != nil {
		return done, err
	}
	files = append(files, file) // last, when what it names is there
	if _, err := file.Write(scenario); err != nil {
		return done, document.FileError(err)
	}
	for _, f := range files {
		if err := f.Commit(); err != nil {
			return done, document.FileError(err)
		}
	}
	done.Written = paths
	return done, nil
}

// read reads the trace to its end. With Manifests it writes them to files that the caller must commit or abort.
func (i Import) read(ctx context.Context, nodes workloads.Fleet, pods workloads.TraceSource) (workloads.Import, []*atomicfile.File, error) {
	if !i.Manifests {
		contents, err := workloads.WriteManifests(ctx, nil, nodes, pods)
		return contents, nil, err
	}
	file, err := i.create(filepath.Join(i.Dir, "manifests.yaml"))
	if err != nil {
		return workloads.Import{}, nil, err
	}
	buffer := bufio.NewWriter(file)
	contents, err := workloads.WriteManifests(ctx, buffer, nodes, pods)
	if err == nil {
		err = buffer.Flush()
	}
	return contents, []*atomicfile.File{file}, document.FileError(err)
}

// create begins to write a file, and creates its directory if need be.
func (i Import) create(path string) (*atomicfile.File, error) {
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		return nil, document.FileError(err)
	}
	file, err := atomicfile.Create(path)
	return file, document.FileError(err)
}

// refuseExisting returns an error that lists the files which exist, unless Force is set.
func (i Import) refuseExisting(paths []string) error {
	var faults document.Errors
	for _, path := range paths {
		if _, err := os.Lstat(path); err == nil && !i.Force {
			faults.Append(&document.Error{File: path, What: "exists already: use --force to write over it"})
		}
	}
	return faults.Err()
}

// traceSource returns the trace. Its paths are relative to the working directory.
func (i Import) traceSource() (workloads.TraceSource, error) {
	openb := i.Openb
	if i.FGD {
		atOnce := *openb
		atOnce.Times = "atOnce"
		openb = &atOnce
	}
	trace := scenarios.PodTrace{Openb: openb, SWF: i.SWF, Philly: i.Philly}
	if source := trace.Source(); source != nil {
		return source, nil
	}
	return nil, fmt.Errorf("an import needs a trace")
}

// relative returns the path relative to the directory of the scenario.
func (i Import) relative(path string) (string, error) {
	from, err := filepath.Abs(i.Dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

// imported has the fields of a scenario that an import writes, in the order of the file.
type imported struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   scenarios.Metadata `json:"metadata"`
	Seed       int                `json:"seed,omitempty"`
	Horizon    string             `json:"horizon"`
	TieBreak   string             `json:"tieBreak,omitempty"`
	Latency    map[string]any     `json:"latency,omitempty"`
	Collect    map[string]any     `json:"collect,omitempty"`
	Fleet      []any              `json:"fleet"`
	Workloads  []importedLoad     `json:"workloads"`
}

type importedLoad struct {
	Name  string         `json:"name"`
	Trace map[string]any `json:"trace"`
}

func (i Import) scenario(contents workloads.Import, fleet importedFleet) ([]byte, error) {
	out := imported{APIVersion: scenarios.APIVersion, Kind: scenarios.Kind, Horizon: recipe.UntilDone, Fleet: fleet.entries}
	var trace map[string]any
	var err error
	switch {
	case i.Openb != nil:
		trace, err = i.openb(&out)
	case i.SWF != nil:
		trace, err = i.swf(&out)
	default:
		trace, err = i.philly(&out)
	}
	if err != nil {
		return nil, err
	}
	out.Metadata.Description = fmt.Sprintf("%d pods, the last arrives at %s", contents.Pods, contents.Last)
	if i.FGD {
		out.Metadata.Description = fmt.Sprintf("%d pods, in an order and brought to a demand that the seed deals", contents.Pods)
	}
	if fleet.what != "" {
		out.Metadata.Description += "; " + fleet.what
	}
	out.Workloads = []importedLoad{{Name: out.Metadata.Name, Trace: trace}}
	return document.Marshal(out)
}

// withOptions adds the options that all traces have to a trace, if they differ from their defaults.
func withOptions(into map[string]any, o *scenarios.TraceOptions) map[string]any {
	if o.Limit > 0 {
		into["limit"] = o.Limit
	}
	if o.SkipBadLines {
		into["skipBadLines"] = true
	}
	return into
}

func (i Import) openb(out *imported) (map[string]any, error) {
	out.Metadata.Name = "openb"
	pods, err := i.relative(i.Openb.Pods)
	if err != nil {
		return nil, err
	}
	trace := withOptions(map[string]any{
		"pods": pods, "gpu": cmp.Or(i.Openb.GPU, "share"), "times": cmp.Or(i.Openb.Times, "real"),
	}, &i.Openb.TraceOptions)
	if i.FGD {
		if err := i.protocol(out, trace); err != nil {
			return nil, err
		}
	}
	return map[string]any{"openb": trace}, nil
}

func (i Import) swf(out *imported) (map[string]any, error) {
	out.Metadata.Name = "swf"
	jobs, err := i.relative(i.SWF.Jobs)
	if err != nil {
		return nil, err
	}
	trace := withOptions(map[string]any{"jobs": jobs, "cpuPerProcessor": milliCPU(int64(i.SWF.CPUPerProcessor)).Text()}, &i.SWF.TraceOptions)
	if i.SWF.MemoryPerProcessor > 0 {
		trace["memoryPerProcessor"] = memory(int64(i.SWF.MemoryPerProcessor)).Text()
	}
	return map[string]any{"swf": trace}, nil
}

func (i Import) philly(out *imported) (map[string]any, error) {
	out.Metadata.Name = "philly"
	jobs, err := i.relative(i.Philly.Jobs)
	if err != nil {
		return nil, err
	}
	trace := withOptions(map[string]any{"jobs": jobs}, &i.Philly.TraceOptions)
	if i.Philly.CPUPerGPU > 0 {
		trace["cpuPerGPU"] = milliCPU(int64(i.Philly.CPUPerGPU)).Text()
	}
	if i.Philly.MemoryPerGPU > 0 {
		trace["memoryPerGPU"] = memory(int64(i.Philly.MemoryPerGPU)).Text()
	}
	return map[string]any{"philly": trace}, nil
}
