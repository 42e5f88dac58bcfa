// Package html writes a report of one to four saved runs as one HTML file that needs
// nothing else: no network, no other file. Figures are those of the metrics; charts are
// drawn as SVG when the file is written; what nodes did and which pods ran on them is kept
// in compact form and shown by a small script.
package html

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
)

// MaxRuns is how many runs a report can show side by side.
const MaxRuns = 4

// Report is what a page is made from.
type Report struct{ runs []*run }

// run is one run of a report.
type run struct {
	*rundir.Run
	*collector
	name  string // what it is called
	label string // what distinguishes it from the others
}

// Source is a run to read.
type Source struct {
	Dir  string
	Name string // what it is called; "" is the directory
}

// Read reads the run directories, the records of each once. From time to time it calls progress
// with the number of records read so far. Errors are those of
// rundir.Open and Replay.
func Read(sources []Source, progress func(records int64)) (*Report, error) {
	if len(sources) == 0 || len(sources) > MaxRuns {
		return nil, fmt.Errorf("a report is of 1 to %d runs, not %d", MaxRuns, len(sources))
	}
	report := &Report{}
	for _, source := range sources {
		saved, err := rundir.Open(source.Dir)
		if err != nil {
			return nil, err
		}
		report.runs = append(report.runs, &run{Run: saved, name: cmp.Or(source.Name, source.Dir)})
	}
	records := int64(0)
	for _, r := range report.runs {
		resources := r.Resources()
		resources = resources[:min(len(resources), maxResources)]
		if !math.IsNaN(r.Figure("devices.count", "")) {
			resources = append(slices.Clip(resources), devicesRow)
		}
		nodes := 0
		if n := max(r.Figure("utilization.nodes", ""), 0); !math.IsNaN(n) {
			nodes = int(n)
		}
		c := newCollector(clock.FromSeconds(r.Seconds), resources, limitsOf(len(sources), nodes, len(resources)))
		err := r.Replay(func(record *record.Record) {
			c.observe(record)
			if records++; records%progressEvery == 0 {
				progress(records)
			}
		})
		if err != nil {
			return nil, err
		}
		c.finish()
		r.collector = c
	}
	report.label()
	return report, nil
}

const (
	// maxResources is how many resources are shown by node.
	maxResources  = 4
	progressEvery = 10_000 // records
)

// policy returns the name of a policy: that of its file without folders, if that is enough to distinguish
// the runs.
func (r *Report) policy(m rundir.Manifest) string {
	short := func(name string) string {
		name = path.Base(filepath.ToSlash(name))
		return strings.TrimSuffix(name, path.Ext(name))
	}
	for _, run := range r.runs {
		if other := run.Manifest.Policy; other != m.Policy && short(other) == short(m.Policy) {
			return m.Policy
		}
	}
	return short(m.Policy)
}

// label labels the runs by what differs between them.
func (r *Report) label() {
	differ := func(of func(m rundir.Manifest) string) bool {
		for _, run := range r.runs {
			if of(run.Manifest) != of(r.runs[0].Manifest) {
				return true
			}
		}
		return false
	}
	parts := []func(m rundir.Manifest) string{
		func(m rundir.Manifest) string { return m.Scenario },
		r.policy,
		func(m rundir.Manifest) string { return fmt.Sprintf("seed %d", *m.Seed) },
	}
	seen := map[string]int{}
	for _, run := range r.runs {
		for _, part := range parts {
			if differ(part) {
				if run.label != "" {
					run.label += ", "
				}
				run.label += part(run.Manifest)
			}
		}
		if run.label == "" {
			run.label = r.policy(run.Manifest)
		}
		seen[run.label]++
	}
	for i, run := range r.runs {
		if len(r.runs) > 1 && seen[run.label] > 1 {
			run.label = fmt.Sprintf("run %d, %s", i+1, run.name)
		}
	}
}
