package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/traceimport"
)

func newImportCommand(s streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Turn a real trace into a scenario, and into manifests",
		Long: `Turn a real trace into a scenario that replays it, and into Kubernetes
manifests of the same nodes and pods. docs/traces.md says how the columns of a
trace are used.`,
		Example: `  berth import openb --nodes openb_node_list_gpu_node.csv --pods openb_pod_list_default.csv --out openb/
  berth import swf --jobs NASA-iPSC-1993-3.1-cln.swf.gz --out nasa/
  berth import philly --jobs philly_jobs.csv.gz --out philly/`,
		Args: verbOnly,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newImportOpenb(s, importTrace), newImportSWF(s, importTrace), newImportPhilly(s, importTrace))
	return c
}

type importFunc func(context.Context, importOptions) error

// importOptions are a trace to import, and the outputs of the verb.
type importOptions struct {
	streams
	traceimport.Import
}

func newImportOpenb(s streams, run importFunc) *cobra.Command {
	o := traceimport.Import{Openb: &scenarios.OpenbPods{}}
	c := &cobra.Command{
		Use:   "openb",
		Short: "Import node and pod lists of openb (Alibaba, GPU trace of 2023)",
		Example: `  berth import openb --nodes openb_node_list_gpu_node.csv --pods openb_pod_list_default.csv --out openb/
  berth import openb --nodes nodes.csv --pods pods.csv --times atOnce --manifests --out openb-at-once/
  berth import openb --nodes nodes.csv --pods pods.csv --fgd --out openb-fgd/`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, name := range []string{"times", "gpu", "limit"} {
				if o.FGD && c.Flags().Changed(name) {
					return usageError(c, "--%s: cannot be given with --fgd, which says it as the paper does", name)
				}
			}
			return interruptible(c, run, importOptions{s, o})
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.Nodes, "nodes", "", "node list, a CSV `FILE`")
	flags.StringVar(&o.Openb.Pods, "pods", "", "pod list, a CSV `FILE`")
	flags.BoolVar(&o.FGD, "fgd", false, "the order, demand and ranks of the paper on fragmentation gradient descent")
	o.Openb.GPU, o.Openb.Times = "share", "real"
	choiceFlag(c, &o.Openb.GPU, "gpu", "GPUs as shares (gpu-milli) or whole devices (nvidia.com/gpu)", []string{"share", "device"})
	choiceFlag(c, &o.Openb.Times, "times", "the trace's own times, or all pods at once in list order", []string{"real", "atOnce"})
	importFlags(c, &s, &o, &o.Openb.TraceOptions)
	requireFlags(c, "nodes", "pods", "out")
	return c
}

func newImportSWF(s streams, run importFunc) *cobra.Command {
	o := traceimport.Import{SWF: &scenarios.SWFJobs{CPUPerProcessor: 1000}}
	c := &cobra.Command{
		Use:     "swf",
		Short:   "Import a log in Standard Workload Format (.swf, .swf.gz)",
		Example: "  berth import swf --jobs NASA-iPSC-1993-3.1-cln.swf.gz --out nasa/",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return interruptible(c, run, importOptions{s, o}) },
	}
	c.Flags().StringVar(&o.SWF.Jobs, "jobs", "", "job log, a `FILE`")
	quantityFlag(c, &o.SWF.CPUPerProcessor, "cpu-per-processor", "cpu of a pod, which stands for one processor (default 1)")
	quantityFlag(c, &o.SWF.MemoryPerProcessor, "memory-per-processor", "memory of a pod (default none)")
	importFlags(c, &s, &o, &o.SWF.TraceOptions)
	requireFlags(c, "jobs", "out")
	return c
}

func newImportPhilly(s streams, run importFunc) *cobra.Command {
	o := traceimport.Import{Philly: &scenarios.PhillyJobs{}}
	c := &cobra.Command{
		Use:     "philly",
		Short:   "Import the Philly job list (Microsoft, 2017)",
		Example: "  berth import philly --jobs philly_jobs.csv.gz --out philly/",
		Args:    noArguments,
		RunE:    func(c *cobra.Command, _ []string) error { return interruptible(c, run, importOptions{s, o}) },
	}
	c.Flags().StringVar(&o.Philly.Jobs, "jobs", "", "job list, a CSV `FILE`, gzipped or not")
	quantityFlag(c, &o.Philly.CPUPerGPU, "cpu-per-gpu", "cpu that a pod asks for with each GPU (default none)")
	quantityFlag(c, &o.Philly.MemoryPerGPU, "memory-per-gpu", "memory that a pod asks for with each GPU (default none)")
	importFlags(c, &s, &o, &o.Philly.TraceOptions)
	requireFlags(c, "jobs", "out")
	return c
}

func importFlags(c *cobra.Command, s *streams, o *traceimport.Import, t *scenarios.TraceOptions) {
	flags := c.Flags()
	pathFlag(c, &o.Dir, "out", "write scenario.yaml to `DIR`")
	flags.BoolVar(&o.Force, "force", false, "write over files that exist")
	flags.BoolVar(&o.Manifests, "manifests", false, "write manifests.yaml too: the same nodes and pods as Kubernetes objects")
	numberFlag(c, &t.Limit, "limit", limits{0, math.MaxInt32}, "jobs to take at most (0: all)")
	flags.BoolVar(&t.SkipBadLines, "skip-bad-lines", false, "skip broken lines, and count them")
	quietFlag(c, s)
}

// quantity is the value of a flag that takes a Kubernetes quantity.
type quantity interface{ UnmarshalText([]byte) error }

func quantityFlag(c *cobra.Command, value quantity, name, usage string) {
	c.Flags().Func(name, "`QUANTITY` of "+usage, func(text string) error { return value.UnmarshalText([]byte(text)) })
}

func importTrace(ctx context.Context, o importOptions) error {
	loaded := o.loading()
	done, err := o.Write(ctx)
	loaded()
	switch {
	case err != nil && ctx.Err() != nil:
		return errNothingWritten
	case err != nil:
		return err
	}
	o.warn(done.Warnings)
	for _, path := range done.Written {
		if _, err := fmt.Fprintln(o.out, path); err != nil {
			return err
		}
	}
	return nil
}
