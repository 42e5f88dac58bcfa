package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/berth-sim/berth/reports/steady"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/churn"
	"github.com/berth-sim/berth/sim/files/atomicfile"
)

// runDynamic is the command with the first argument dynamic:
//
//	fgd dynamic -data DIR -scenarios "openb philly mixed" -loads "70 80 90 95" -seeds "1 2" -out DIR
//
// It runs the policies on workloads whose pods arrive and complete. In the directory of -out it writes runs.csv,
// tables.md, figures, scenarios and the result of each run.
func runDynamic(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := dynamicStudy(args, log)
	if err != nil {
		return err
	}
	if s.Version, err = program(); err != nil {
		return err
	}
	made, all := 0, len(s.Scenarios)*len(s.Loads)*len(s.Policies)*len(s.Seeds)
	entries, err := s.Run(ctx, func(e steady.Entry, reused bool) {
		made++
		how := "computed"
		if reused {
			how = "reused"
		}
		fmt.Fprintf(out, "%d/%d %s %d %s %d: %s, allocated %.2f %%, F %.2f %%, wait %.1f s\n", made, all,
			e.Scenario, e.Load, e.Policy, e.Seed, how, 100*e.Result.Allocated, 100*e.Result.Fragmented, e.Result.Waits[steady.All].Mean)
	})
	if len(entries) > 0 {
		err = errors.Join(err, writeDynamic(s.Out, entries))
	}
	return err
}

// writeDynamic writes every run, and tables and figures of the seeds with which the runs of all policies have finished.
func writeDynamic(dir string, entries steady.Entries) error {
	same := entries.Paired()
	files := map[string]func(io.Writer) error{"runs.csv": entries.WriteCSV}
	if len(same) > 0 {
		files["tables.md"] = func(w io.Writer) error { return same.WriteMarkdown(w, churn.Baseline) }
		for _, f := range same.Figures() {
			files[f.Name+".svg"] = f.Chart.WriteSVG
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := atomicfile.Write(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// dynamicStudy returns the study for the flags.
func dynamicStudy(args []string, log io.Writer) (*churn.Study, error) {
	flags := flag.NewFlagSet("fgd dynamic", flag.ContinueOnError)
	flags.SetOutput(log)
	var s churn.Study
	var names, loads, policies, seeds string
	flags.StringVar(&s.Data, "data", "../shared/data", "`directory` that holds openb/ and philly/")
	flags.StringVar(&names, "scenarios", strings.Join(churn.Scenarios(), " "), "`names` of scenarios")
	flags.StringVar(&loads, "loads", "70 80 90 95", "GPUs asked for in the mean, in `percent`")
	flags.StringVar(&policies, "policies", strings.Join(churn.Policies(), " "), "`names` of policies")
	flags.StringVar(&seeds, "seeds", "1 2 3 4 5 6 7 8 9 10", "`numbers`")
	flags.StringVar(&s.Tie, "tie", "rank", "how ties are broken: rank, random, first or upstream")
	flags.BoolVar(&s.ByDemand, "target-by-demand", false, "the target workload counts the GPUs that pods hold, not the pods that come")
	flags.IntVar(&s.OneOf, "one-of", 10, "one node of so `many` of the list is in the fleet")
	longest := flags.Duration("cap", 6*time.Hour, "what no lifetime exceeds")
	warmUp := flags.Duration("warmup", 6*time.Hour, "what is not measured")
	window := flags.Duration("window", 6*time.Hour, "what is measured after that")
	flags.StringVar(&s.Dir, "dir", "scenarios/policies/gpu", "`directory` of the policies")
	flags.StringVar(&s.Out, "out", "fgd-dynamic", "`directory` to write to")
	flags.IntVar(&s.Workers, "workers", 0, "runs side by side; 0: as many as there are cores")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("there is no argument %q: lists of words are flags, each with several words", flags.Arg(0))
	}
	if s.OneOf < 1 || *longest <= 0 || *warmUp < 0 || *window <= 0 {
		return nil, errors.New("-one-of, -cap and -window must be positive, -warmup not negative")
	}
	s.Cap, s.WarmUp, s.Window = scenarios.Duration(*longest), scenarios.Duration(*warmUp), scenarios.Duration(*window)
	s.Scenarios, s.Policies = strings.Fields(names), strings.Fields(policies)
	numbers, err := wholeNumbers("-loads", loads)
	if err != nil {
		return nil, err
	}
	for _, n := range numbers {
		s.Loads = append(s.Loads, int(n))
	}
	if s.Seeds, err = wholeNumbers("-seeds", seeds); err != nil {
		return nil, err
	}
	if len(s.Scenarios)*len(s.Loads)*len(s.Policies)*len(s.Seeds) == 0 {
		return nil, errors.New("there is nothing to run: scenarios, loads, policies and seeds must name something")
	}
	return &s, nil
}

// wholeNumbers reads the words of a flag as numbers.
func wholeNumbers(flag, text string) (numbers []uint64, err error) {
	for _, word := range strings.Fields(text) {
		n, err := strconv.ParseUint(word, 10, 63)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is not a whole number", flag, word)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
