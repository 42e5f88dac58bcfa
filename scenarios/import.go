package scenarios

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/berth-sim/berth/sim/document"
	"github.com/berth-sim/berth/workloads"
)

// Import says which trace to turn into a scenario. Exactly one of Openb, SWF and Philly
// is given.
type Import struct {
	Nodes     string // openb: the node list
	Openb     *OpenbPods
	SWF       *SWFJobs
	Philly    *PhillyJobs
	Dir       string // to write to
	Manifests bool   // write the same nodes and pods as Kubernetes objects too
}

// Imported is what Write wrote.
type Imported struct {
	Written  []string // paths
	Warnings []string
}

// Write reads the trace to its end, which finds its faults, and writes scenario.yaml,
// and manifests.yaml if asked for, into the directory. Nothing is written when there is
// an error.
func (i Import) Write() (Imported, error) {
	var done Imported
	playable, err := i.playable()
	if err != nil {
		return done, err
	}
	var manifests bytes.Buffer
	var into io.Writer // stays nil where no manifests are wanted
	if i.Manifests {
		into = &manifests
	}
	var fleet *workloads.OpenbFleet
	if i.Openb != nil {
		fleet = &workloads.OpenbFleet{File: i.Nodes, GPUs: openbGPUs(i.Openb.GPU), SkipBad: i.Openb.SkipBadLines}
	}
	contents, err := workloads.WriteManifests(into, fleet, playable)
	if err != nil {
		return done, err
	}
	if contents.Skipped > 0 {
		done.Warnings = append(done.Warnings, fmt.Sprintf("%d broken lines were skipped, the first: %v", contents.Skipped, contents.Faults[0]))
	}
	if contents.LeftOut > 0 {
		done.Warnings = append(done.Warnings, fmt.Sprintf("%d rows cannot be played and were left out (docs/traces.md says which)", contents.LeftOut))
	}
	scenario, err := i.scenario(contents)
	if err != nil {
		return done, err
	}
	files := []struct {
		name string
		text []byte
	}{{"scenario.yaml", scenario}}
	if i.Manifests {
		files = append(files, struct {
			name string
			text []byte
		}{"manifests.yaml", manifests.Bytes()})
	}
	if err := os.MkdirAll(i.Dir, 0o755); err != nil {
		return done, plainPathError(err)
	}
	for _, f := range files {
		path := filepath.Join(i.Dir, f.name)
		if err := writeWhole(path, f.text); err != nil {
			return done, err
		}
		done.Written = append(done.Written, path)
	}
	return done, nil
}

// writeWhole writes a file under a temporary name and renames it.
func writeWhole(path string, text []byte) error {
	temporary := path + ".unfinished"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		_ = os.Remove(temporary) // the first error says more
		return plainPathError(err)
	}
	return os.Rename(temporary, path)
}

// playable is the trace, paths taken from the working directory.
func (i Import) playable() (workloads.Playable, error) {
	b := &builder{s: &Scenario{}}
	w := &Workload{Trace: &PodTrace{Openb: i.Openb, SWF: i.SWF, Philly: i.Philly}}
	p, _ := b.playable(w, 0, nil)
	if p == nil {
		return nil, fmt.Errorf("an import needs a trace")
	}
	return p, nil
}

// relative is a path as the scenario in the directory must write it.
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

// imported is the part of a scenario that an import writes, in the order in which a
// person reads it.
type imported struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   Metadata       `json:"metadata"`
	Horizon    string         `json:"horizon"`
	Fleet      []any          `json:"fleet"`
	Workloads  []importedLoad `json:"workloads"`
}

type importedLoad struct {
	Name  string         `json:"name"`
	Trace map[string]any `json:"trace"`
}

func (i Import) scenario(contents workloads.Import) ([]byte, error) {
	out := imported{APIVersion: APIVersion, Kind: Kind, Horizon: UntilDone}
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
	out.Workloads = []importedLoad{{Name: out.Metadata.Name, Trace: trace}}
	return document.Marshal(out)
}

// options are what the three traces share, as far as they differ from the default.
func (o *TraceOptions) options(into map[string]any) map[string]any {
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
	nodes, err := i.relative(i.Nodes)
	if err != nil {
		return nil, err
	}
	pods, err := i.relative(i.Openb.Pods)
	if err != nil {
		return nil, err
	}
	gpu := cmp.Or(i.Openb.GPU, "share")
	out.Fleet = []any{map[string]any{"trace": map[string]any{"openb": map[string]any{"nodes": nodes, "gpu": gpu}}}}
	return map[string]any{"openb": i.Openb.options(map[string]any{
		"pods": pods, "gpu": gpu, "times": cmp.Or(i.Openb.Times, "real"),
	})}, nil
}

// poolOf is a fleet of equal nodes, for traces that have no node list.
func poolOf(count int, allocatable map[string]string) []any {
	return []any{map[string]any{
		"pool": "nodes", "count": count,
		"template": map[string]any{"status": map[string]any{"allocatable": allocatable}},
	}}
}

func (i Import) swf(out *imported) (map[string]any, error) {
	out.Metadata.Name = "swf"
	jobs, err := i.relative(i.SWF.Jobs)
	if err != nil {
		return nil, err
	}
	trace := i.SWF.options(map[string]any{"jobs": jobs, "cpuPerProcessor": fmt.Sprintf("%dm", i.SWF.CPUPerProcessor)})
	if i.SWF.MemoryPerProcessor > 0 {
		trace["memoryPerProcessor"] = fmt.Sprint(int64(i.SWF.MemoryPerProcessor))
	}
	out.Fleet = poolOf(128, map[string]string{
		"cpu": fmt.Sprintf("%dm", i.SWF.CPUPerProcessor), "memory": fmt.Sprint(max(int64(i.SWF.MemoryPerProcessor), 1<<30)), "pods": "110",
	})
	return map[string]any{"swf": trace}, nil
}

func (i Import) philly(out *imported) (map[string]any, error) {
	out.Metadata.Name = "philly"
	jobs, err := i.relative(i.Philly.Jobs)
	if err != nil {
		return nil, err
	}
	trace := i.Philly.options(map[string]any{"jobs": jobs})
	if i.Philly.CPUPerGPU > 0 {
		trace["cpuPerGPU"] = fmt.Sprintf("%dm", i.Philly.CPUPerGPU)
	}
	if i.Philly.MemoryPerGPU > 0 {
		trace["memoryPerGPU"] = fmt.Sprint(int64(i.Philly.MemoryPerGPU))
	}
	out.Fleet = poolOf(160, map[string]string{"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8", "pods": "110"})
	return map[string]any{"philly": trace}, nil
}
