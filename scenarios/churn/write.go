package churn

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/sim/files/atomicfile"
	"github.com/berth-sim/berth/workloads/trace"
)

const scenarioFile = "scenario.yaml"

// part are streams that share a part of the load; among themselves they keep the proportions
// of their list.
type part struct {
	share   float64
	streams []*stream
}

// mixture is a scenario without fleet and load.
type mixture struct {
	name, about string
	parts       []part
}

// frame is what does not depend on the mixture.
type frame struct {
	load         float64 // GPUs that are asked for in the mean, as a share of those that there are
	horizon, tie string
	// byDemand: the target workload counts the GPUs that pods hold, for as long as they do, not
	// the pods.
	byDemand bool
}

// rate is how many jobs of a stream come in a day, if jobs hold a share of so many GPUs in the
// mean.
func (p *part) rate(s *stream, gpus int64, load float64) float64 {
	const day = 24 * 60 * 60
	demand := 0.0
	for _, of := range p.streams {
		demand += of.demand()
	}
	return load * p.share * float64(gpus) / demand * float64(s.jobs) * day
}

// mixtures reads the lists.
func mixtures(dir string, cap float64) ([]mixture, error) {
	openb, err := readOpenb(dir, cap)
	if err != nil {
		return nil, err
	}
	philly, err := readPhilly(dir, cap)
	if err != nil {
		return nil, err
	}
	pods, err := openb.sorted()
	if err != nil {
		return nil, err
	}
	jobs, err := philly.sorted()
	if err != nil {
		return nil, err
	}
	small := slices.DeleteFunc(slices.Clone(pods), func(s *stream) bool { return s.name != "no-gpu" && s.name != "shared-gpu" })
	return []mixture{
		{"openb", "pods of openb, with its lifetimes by kind", []part{{1, pods}}},
		{"philly", "training jobs of Philly, those of more than 8 GPUs as gangs", []part{{1, jobs}}},
		{"mixed", "half of the load shares GPUs as in openb, half are training jobs of Philly", []part{{0.5, small}, {0.5, jobs}}},
	}, nil
}

// write writes the scenario with all that it refers to into a directory.
func (m *mixture) write(dir string, nodes []trace.OpenbNode, f frame) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files := map[string]string{"nodes.csv": nodesCSV(nodes)}
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by cmd/fgd: %s.\n# %g %% of the GPUs are asked for in the mean.\n", m.about, 100*f.load)
	fmt.Fprintf(&b, "apiVersion: berth/v1alpha1\nkind: Scenario\nmetadata: {name: %s-%g}\nhorizon: %s\ntieBreak: %s\n", m.name, 100*f.load, f.horizon, f.tie)
	b.WriteString("fleet:\n  - trace: {openb: {nodes: nodes.csv}}\ncollect: {fragmentation: {off: true}}\nworkloads:\n")
	for _, p := range m.parts {
		for _, s := range p.streams {
			if err := s.mustFit(nodes); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			s.write(&b, p.rate(s, gpusOf(nodes), f.load))
			files[s.file()] = lines(s.lifetimes)
		}
	}
	if f.byDemand {
		m.writeTarget(&b)
	}
	files[scenarioFile] = b.String()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, files[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func gpusOf(nodes []trace.OpenbNode) (gpus int64) {
	for _, n := range nodes {
		gpus += n.GPUs
	}
	return gpus
}

// mustFit refuses gangs that the empty fleet could not hold, whose pods would wait forever.
func (s *stream) mustFit(nodes []trace.OpenbNode) error {
	for sh := range s.shapes {
		room := int64(0)
		for _, n := range nodes {
			if n.MilliCPU >= sh.milliCPU && n.MemoryMiB >= sh.memoryMiB && sh.gpus > 0 {
				room += min(n.GPUs/sh.gpus, n.MilliCPU/max(sh.milliCPU, 1))
			}
		}
		if sh.gpus > 0 && room < int64(s.pods) {
			return fmt.Errorf("a job of %s has %d pods of %d GPUs, %d cpu: the empty fleet holds %d", s.name, s.pods, sh.gpus, sh.milliCPU/1000, room)
		}
	}
	return nil
}

func (s *stream) file() string { return "lifetimes-" + s.name + ".txt" }

// write writes the stream as a workload.
func (s *stream) write(b *strings.Builder, perDay float64) {
	fmt.Fprintf(b, "  - name: %s\n    arrivals: {poisson: {rate: %.6f/d}}\n    lifetime: {empirical: {file: %s}}\n", s.name, perDay, s.file())
	if s.pods > 1 {
		fmt.Fprintf(b, "    replicas: %d\n    gang: {minMember: %d}\n", s.pods, s.pods)
	}
	b.WriteString("    templates:\n")
	for _, sh := range slices.SortedFunc(maps.Keys(s.shapes), shape.compare) {
		fmt.Fprintf(b, "      - {weight: %d, template: {spec: {containers: [{name: c, image: \"i:1\", resources: {requests: {cpu: %dm, memory: %dMi}%s}}]}}}\n",
			s.shapes[sh], sh.milliCPU, sh.memoryMiB, sh.limits())
	}
}

// limits are what the shape asks for of GPUs, in the names by which they can be shared.
func (s shape) limits() string {
	switch {
	case s.gpus == 0:
		return ""
	case s.milli < 1000:
		return fmt.Sprintf(`, limits: {alibabacloud.com/gpu-milli: "%d"}`, s.milli)
	}
	return fmt.Sprintf(`, limits: {alibabacloud.com/gpu-milli: "%d", alibabacloud.com/gpu-count: "%d"}`, s.gpus*s.milli, s.gpus)
}

// lines are numbers of seconds, in rising order.
func lines(seconds []float64) string {
	var b strings.Builder
	for _, x := range slices.SortedFunc(slices.Values(seconds), cmp.Compare[float64]) {
		fmt.Fprintf(&b, "%g\n", x)
	}
	return b.String()
}

func nodesCSV(nodes []trace.OpenbNode) string {
	var b strings.Builder
	b.WriteString("sn,cpu_milli,memory_mib,gpu,model\n")
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s,%d,%d,%d,%s\n", n.Name, n.MilliCPU, n.MemoryMiB, n.GPUs, n.Model)
	}
	return b.String()
}
