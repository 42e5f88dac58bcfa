package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/rundir"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/experiment"
	"github.com/berth-sim/berth/scenarios/initialize"
)

// runInputs are the runs that a verb is about: directories of saved runs, and scenarios and manifests, which are run first.
type runInputs struct {
	paths    []string // of run directories and scenarios
	files    []string // manifests of one cluster; none: there is no cluster
	exclude  []string // patterns of files to leave out of them
	policies []string // that all but saved runs are made under; none: each under its own
	build    scenarios.Options
}

// runFlags are the flags that saved runs have no use for.
var runFlags = []string{
	"policy", "kubernetes", "feature-gates", "rule", "seed", "horizon", "admission", "ignore", "skip-pods", "drop-plugin", "tie", "inflate", "strict", "skip-bad-lines",
}

// addFlags adds the flags for what is run.
func (in *runInputs) addFlags(c *cobra.Command) {
	filesFlags(c, &in.files, &in.exclude, "manifests of a cluster")
	c.Flags().StringArrayVar(&in.policies, "policy", nil, "run scenarios with the configuration in `FILE`, or \"default\", in place of their own (repeat)")
	seedFlag(c, &in.build.Seed, "seed, in place of the scenario's")
	recipeFlags(c, &in.build.Recipe)
	strictFlag(c, &in.build.Strict)
	c.Flags().BoolVar(&in.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces")
}

// take takes the arguments. least and most are how many runs the verb takes.
func (in *runInputs) take(c *cobra.Command, args []string, least, most int) error {
	in.paths, in.files = args, fromStandardInput(in.files)
	if err := needsFiles(c, in.files); err != nil {
		return err
	}
	if err := noManifests(c, args); err != nil {
		return err
	}
	run := len(slices.DeleteFunc(slices.Clone(args), isSaved)) // what is run first
	saved := len(args) - run
	if len(in.files) > 0 {
		run++
	}
	if slices.Contains(in.policies, "") {
		return usageError(c, "--policy: must not be empty: write default for kube-scheduler's own")
	}
	if run == 0 && saved > 0 {
		for _, name := range runFlags {
			if c.Flags().Changed(name) {
				return usageError(c, "--%s is for scenarios and manifests, which are run first: %q are saved runs", name, args)
			}
		}
	}
	runs := saved + run*max(1, len(in.policies))
	if runs >= least && runs <= most {
		return nil
	}
	if runs == 0 {
		return usageError(c, "needs a run: a directory that berth run --out has written, or a scenario, or manifests (-f)")
	}
	number := fmt.Sprintf("%d to %d runs", least, most)
	if least == most {
		number = fmt.Sprintf("%d runs", most)
	}
	return usageError(c, "takes %s, got %d: %q. A run is a directory that berth run --out has written; a scenario or manifests (-f) are "+
		"run once for each --policy", number, runs, slices.Concat(args, in.files))
}

// noManifests returns an error if a path is a directory with manifests and without runs.
func noManifests(c *cobra.Command, paths []string) error {
	yaml := func(e os.DirEntry) bool { return isYAML(e.Name()) }
	for _, path := range paths {
		if entries, _ := os.ReadDir(path); slices.ContainsFunc(entries, yaml) && !experiment.HoldsRuns(path) {
			return usageError(c, "%s holds .yaml files and no run: if these are manifests, write -f %[1]s", path)
		}
	}
	return nil
}

// isSaved reports whether a path is a directory, and so a saved run. A path that does not exist is none.
func isSaved(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// savedFile reports whether a path is that of a file in a run directory.
func savedFile(path string) bool {
	return slices.Contains([]string{rundir.ManifestFile, rundir.SummaryFile, rundir.SeriesFile, rundir.RecordsFile}, filepath.Base(path))
}

// readyRun is a run directory to read.
type readyRun struct {
	dir  string
	name string // of what has just been run; "" for a saved run
}

// madeRuns are runs that are ready to be read. Those that were made for the verb are in a temporary directory.
type madeRuns struct {
	list   []readyRun
	temp   string   // "" without any
	warned []string // what has been written of the input
}

// remove removes the runs that were made for the verb.
func (m *madeRuns) remove() {
	if m.temp != "" {
		_ = os.RemoveAll(m.temp)
	}
}

// first returns the lines that it has not returned before: what is wrong with an input is said once.
func (m *madeRuns) first(lines []string) []string {
	var out []string
	for _, line := range lines {
		if !slices.Contains(m.warned, line) {
			out, m.warned = append(out, line), append(m.warned, line)
		}
	}
	return out
}

// dirs returns the directories of the runs.
func (m *madeRuns) dirs() []string {
	out := make([]string, len(m.list))
	for i, r := range m.list {
		out[i] = r.dir
	}
	return out
}

// makeRuns makes the runs that are not saved ones. The caller must call remove, also after an error.
func (s streams) makeRuns(ctx context.Context, in *runInputs) (*madeRuns, error) {
	out := &madeRuns{}
	paths := slices.Clone(in.paths)
	if len(in.files) > 0 || slices.ContainsFunc(paths, func(path string) bool { return !isSaved(path) }) {
		var err error
		if out.temp, err = os.MkdirTemp("", "berth-"); err != nil {
			return out, err
		}
	}
	names := map[string]string{} // of scenarios made of manifests
	if len(in.files) > 0 {
		path, err := s.scenarioOf(ctx, initialize.Options{Files: in.files, Exclude: in.exclude}, in.build, out.temp)
		if err != nil {
			return out, err
		}
		paths, names[path] = append(paths, path), strings.ReplaceAll(strings.Join(in.files, ", "), standardInput, "-")
	}
	for _, path := range paths {
		if isSaved(path) {
			out.list = append(out.list, readyRun{dir: path})
			continue
		}
		policies := in.policies
		if len(policies) == 0 {
			policies = []string{""}
		}
		for _, policy := range policies {
			if err := s.makeRun(ctx, out, madeRun{path, names[path], policy, in.build}); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// scenarioOf writes a scenario of the files of o to a directory and returns its path. What is left out of them is said by build.
func (s streams) scenarioOf(ctx context.Context, o initialize.Options, build scenarios.Options, dir string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(o.Files[0]), filepath.Ext(o.Files[0]))
	if o.Files[0] == standardInput || strings.Trim(name, ".") == "" {
		name = "cluster"
	}
	o.Ignore, o.SkipPods, o.Strict, o.Out = build.Ignore, build.SkipPods, build.Strict, filepath.Join(dir, name+".yaml")
	loaded := s.loading()
	done, err := initialize.Write(ctx, o)
	loaded()
	if err == nil {
		s.note(done.LeftOut)
		s.warn(done.Warnings)
	}
	return o.Out, err
}

// madeRun is one run to make.
type madeRun struct {
	path, name string // of the scenario; the name is "" if the path is it
	policy     string // "" for the scenario's own
	build      scenarios.Options
}

// makeRun runs a scenario and adds the run.
func (s streams) makeRun(ctx context.Context, to *madeRuns, m madeRun) error {
	if dir := filepath.Dir(m.path); savedFile(m.path) {
		return fmt.Errorf("%s: is a file of a saved run: give its directory, %s", m.path, dir)
	}
	scenario, err := scenarios.Load(m.path)
	if err != nil {
		return err
	}
	m.build.Policy = m.policy
	loaded := s.loading()
	run, err := scenario.BuildContext(ctx, m.build)
	loaded()
	if err != nil {
		return err
	}
	if m.name == "" {
		m.name = m.path
	}
	s.note(to.first(run.Skipped))
	s.warn(to.first(run.Warnings))
	made := readyRun{
		dir:  filepath.Join(to.temp, fmt.Sprintf("run-%d", len(to.list)+1)),
		name: fmt.Sprintf("%s, policy %s, seed %d", m.name, run.Policy.Name, *run.Recipe.Seed),
	}
	p := s.showProgress()
	outcome, err := s.runner(p, run.Config.Horizon).Run(ctx, run, made.dir)
	p.end()
	if err != nil {
		return err
	}
	if outcome.Summary.Run.Partial {
		return &failure{exitInterrupted, errors.New("interrupted: " + made.name + " was not run to its end")}
	}
	s.warn(to.first(outcome.Warnings))
	if n, first := run.SkippedLines(); n > 0 {
		s.note(to.first([]string{fmt.Sprintf("skipped %d broken lines, the first: %v", n, errors.Join(first[:1]...))}))
	}
	to.list = append(to.list, made)
	return nil
}
