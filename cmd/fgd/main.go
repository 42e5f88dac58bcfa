// Command fgd reproduces the evaluation of the paper on fragmentation gradient descent:
//
//	fgd -data DIR -lists "openb_pod_list_default …" -policies "FGD BestFit …" -seeds "42 43" -out DIR
//
// DIR of -data holds openb/. In the directory of -out it writes finals.csv, curves_allo.csv,
// curves_frag.csv, curves_frag_ratio.csv, tables.md and figures, and the result of each run, so that an interrupted
// command can be continued. It ends with code 1 if points differ from published ones. The target
// fgd of the Makefile calls it. With the first argument
// dynamic it runs the same policies on workloads whose pods arrive and complete; the target is fgd-dynamic.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/berth-sim/berth/reports/curves"
	"github.com/berth-sim/berth/scenarios/reproduce"
	"github.com/berth-sim/berth/sim/files/atomicfile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "fgd: interrupted; finished runs are saved")
		os.Exit(130)
	case errors.Is(err, errDiffers):
		fmt.Fprintln(os.Stderr, "fgd:", err)
		os.Exit(1)
	case err != nil && !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "fgd:", err)
		os.Exit(2)
	}
}

// errDiffers is the error of results that differ from the published ones. It ends the command with exit code 1.
var errDiffers = errors.New("points differ from the published ones")

// run is the command.
func run(ctx context.Context, args []string, out, log io.Writer) error {
	if len(args) > 0 && args[0] == "dynamic" {
		return runDynamic(ctx, args[1:], out, log)
	}
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
	var err error
	if s.Seeds, err = wholeNumbers("-seeds", seeds); err != nil {
		return err
	}
	all := len(s.Lists) * len(s.Policies) * len(s.Seeds)
	if all == 0 {
		return errors.New("there is nothing to run: lists, policies and seeds must name something")
	}
	if s.Version, err = program(); err != nil {
		return err
	}
	made := 0
	entries, err := s.Run(ctx, func(e curves.Entry, reused bool) {
		made++
		how := "computed"
		if reused {
			how = "reused"
		}
		fmt.Fprintf(out, "%d/%d %s %s %d: %s, %d of %d pods unscheduled, F %.2f\n",
			made, all, e.Workload, e.Policy, e.Seed, how, e.Result.Unscheduled, e.Result.Pods, e.Result.Fragmented)
	})
	if len(entries) > 0 {
		err = errors.Join(err, evaluate(out, &s, entries))
	}
	return err
}

// evaluate writes tables and figures. If the published results are available, it prints how many points of the curves are
// equal to the published ones.
func evaluate(out io.Writer, s *reproduce.Study, entries []curves.Entry) error {
	published, err := curves.ReadPublished(func(name string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(s.Data, "fgd-expected", name+".csv"))
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := write(s.Out, entries, published); err != nil {
		return err
	}
	repeatable := slices.DeleteFunc(slices.Clone(entries), func(e curves.Entry) bool {
		return slices.ContainsFunc(reproduce.Policies(), func(p reproduce.Policy) bool { return p.Draws && p.Table == e.Policy })
	})
	var differs error
	for _, t := range curves.Tables() {
		a := t.Compare(repeatable, published)
		if a.Runs == 0 {
			continue
		}
		fmt.Fprintf(out, "%s.csv: %d of %d points of %d published runs are equal\n", t.Name, a.Equal, a.Points, a.Runs)
		for _, difference := range a.First {
			fmt.Fprintln(out, "  "+difference)
		}
		if a.Equal < a.Points {
			differs = errDiffers
		}
	}
	return differs
}

// write writes the tables, for programs and for people, and the figures.
func write(dir string, entries, published []curves.Entry) error {
	files := map[string]func(io.Writer) error{
		"finals.csv": func(w io.Writer) error { return curves.WriteFinals(w, entries) },
		"tables.md":  func(w io.Writer) error { return curves.WriteMarkdown(w, entries, published) },
	}
	for _, t := range curves.Tables() {
		files[t.Name+".csv"] = func(w io.Writer) error { return t.Write(w, entries) }
	}
	for _, f := range curves.Figures(entries, published) {
		files[f.Name+".svg"] = f.Chart.WriteSVG
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := atomicfile.Write(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// program returns a hash of the executable, which is the version of results.
func program() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, file.Close())
}
