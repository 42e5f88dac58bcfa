// Command fgd reproduces the evaluation of the paper on fragmentation gradient descent:
//
//	fgd -data DIR -lists "openb_pod_list_default …" -policies "FGD BestFit …" -seeds "42 43" -out DIR
//
// DIR of -data holds openb/. In the directory of -out it writes finals.csv, curves_allo.csv,
// curves_frag.csv and curves_frag_ratio.csv, and keeps what it has played, so that it goes on
// where it was interrupted. The target fgd of the Makefile calls it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/berth-sim/berth/reports/curves"
	"github.com/berth-sim/berth/scenarios/reproduce"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "fgd: interrupted; what has been played is kept")
		os.Exit(130)
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "fgd:", err)
		os.Exit(2)
	}
}

// run is the command.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	flags := flag.NewFlagSet("fgd", flag.ContinueOnError)
	flags.SetOutput(log)
	var s reproduce.Study
	var lists, policies, seeds string
	flags.StringVar(&s.Data, "data", "../shared/data", "`directory` that holds openb/, and fgd-expected/ to compare with")
	flags.StringVar(&lists, "lists", "openb_pod_list_default", "pod `lists` of openb/, without .csv")
	flags.StringVar(&policies, "policies", "DotProd GpuClustering GpuPacking BestFit FGD", "`names` of policies")
	flags.StringVar(&seeds, "seeds", "42 43 44 45 46 47 48 49 50 51", "`numbers`")
	flags.StringVar(&s.Dir, "dir", "scenarios/policies/gpu", "`directory` of the policies")
	flags.StringVar(&s.Out, "out", "fgd", "`directory` to write to")
	flags.IntVar(&s.Workers, "workers", 0, "runs side by side; 0: as many as there are cores")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("there is no argument %q: lists, policies and seeds are flags, each with several words", flags.Arg(0))
	}
	s.Lists, s.Policies = strings.Fields(lists), strings.Fields(policies)
	for _, text := range strings.Fields(seeds) {
		seed, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return fmt.Errorf("-seeds: %q is no whole number", text)
		}
		s.Seeds = append(s.Seeds, seed)
	}
	all := len(s.Lists) * len(s.Policies) * len(s.Seeds)
	if all == 0 {
		return errors.New("there is nothing to play: lists, policies and seeds must name something")
	}
	played := 0
	entries, err := s.Run(ctx, func(e curves.Entry, kept bool) {
		played++
		how := "played"
		if kept {
			how = "kept"
		}
		fmt.Fprintf(out, "%d/%d %s %s %d: %s, %d of %d pods unscheduled, F %.2f\n",
			played, all, e.Workload, e.Policy, e.Seed, how, e.Result.Unscheduled, e.Result.Pods, e.Result.Fragmented)
	})
	if len(entries) > 0 {
		err = errors.Join(err, write(s.Out, entries), compare(out, s.Data, entries))
	}
	return err
}

// compare says how many points of the curves equal the published ones, where these are at
// hand.
func compare(out io.Writer, data string, entries []curves.Entry) error {
	for _, t := range curves.Tables() {
		file, err := os.Open(filepath.Join(data, "fgd-expected", t.Published+".csv"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		a, err := t.Compare(file, entries)
		_ = file.Close() // it was only read
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		fmt.Fprintf(out, "%s.csv: %d of %d points of %d published runs are equal\n", t.Name, a.Equal, a.Points, a.Runs)
		for _, difference := range a.First {
			fmt.Fprintln(out, "  "+difference)
		}
	}
	return nil
}

// write writes the tables.
func write(dir string, entries []curves.Entry) error {
	if err := writeFile(filepath.Join(dir, "finals.csv"), func(w io.Writer) error { return curves.WriteFinals(w, entries) }); err != nil {
		return err
	}
	for _, t := range curves.Tables() {
		err := writeFile(filepath.Join(dir, t.Name+".csv"), func(w io.Writer) error { return t.Write(w, entries) })
		if err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path + ".unfinished")
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		_ = os.Remove(file.Name()) // the first error says more
		return err
	}
	return os.Rename(file.Name(), path)
}
