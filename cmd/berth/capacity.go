package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/capacity"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/manifest"
)

type capacityOptions struct {
	streams
	place     scenarios.PlaceOptions
	templates []string // files
	pending   pendingPods
	fill      capacity.Options
	view      output.View
}

// pendingPods says what to do with the pending pods of a snapshot.
type pendingPods string

const (
	pendingFirst  pendingPods = "first"  // place them before the replicas
	pendingIgnore pendingPods = "ignore" // ignore them
)

// maxReplicas limits the number of replicas. Without a limit, a policy that ignores resources would never end.
const maxReplicas = 1_000_000

func newCapacityCommand(s streams, run func(context.Context, *capacityOptions) error) *cobra.Command {
	o := &capacityOptions{streams: s, view: output.View{Width: s.width}, pending: pendingFirst}
	o.place.Order, o.place.TieBreak, o.fill.Max = place.QueueOrder, string(scheduler.TieRandom), maxReplicas
	var ratio string
	c := &cobra.Command{
		Use:   "capacity -f FILE_OR_DIR... --template FILE...",
		Short: "Show how many more replicas fit into a cluster, and why the next one does not",
		Long: `Show how many more replicas of a pod fit into a snapshot of a cluster, and why
the next one does not, on which nodes. The scheduler places them one after the
other, as it would; nothing is preempted unless --preempt asks for it.

A template is a Pod or what makes pods: a Deployment, StatefulSet, ReplicaSet,
Job, CronJob, PodTemplate. Of several, each is tried alone on the same snapshot
or, with --ratio, all together in these proportions.`,
		Example: `  berth capacity -f cluster.yaml --template pod.yaml
  kubectl get nodes,pods -A -o yaml > dump.yaml && berth capacity -f dump.yaml --template deployment.yaml --nodes
  berth capacity -f cluster.yaml --template deployment.yaml --template pod.yaml --ratio 3:1`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.complete(c, args, ratio); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	filesFlags(c, &o.place.Files, &o.place.Exclude, "manifests of the cluster")
	flags.StringArrayVar(&o.templates, "template", nil, "manifest `FILE` of what to make replicas of (repeatable)")
	flags.StringVar(&ratio, "ratio", "", "place the templates together in these `PROPORTIONS`, such as 3:1")
	numberFlag(c, &o.fill.Max, "max", limits{1, maxReplicas}, "place at most so many replicas of each template or, with --ratio, so many sets")
	choiceFlag(c, &o.pending, "pending", "the pending pods of the snapshot: place them first, or ignore them", []pendingPods{pendingFirst, pendingIgnore})
	flags.BoolVar(&o.fill.Preempt, "preempt", false, "let replicas preempt pods of lower priority")
	pathFlag(c, &o.place.Policy, "policy", "scheduler configuration in `FILE`, or \"default\" for kube-scheduler's (default)")
	choiceFlag(c, (*scheduler.TieBreak)(&o.place.TieBreak), "tie", "how to choose among the best nodes", tieBreaks)
	releaseFlags(c, &o.place.Recipe, "")
	admissionFlag(c, &o.place.Admission, "")
	ignoreFlag(c, &o.place.Ignore, "")
	skipPodsFlag(c, &o.place.SkipPods, "")
	dropFlag(c, &o.place.DropPlugins, "")
	strictFlag(c, &o.place.Strict)
	numberFlag(c, &o.place.Percentage, "percentage", limits{1, 100}, "percentageOfNodesToScore, in place of the configuration's (1 to 100)")
	seedFlag(c, &o.place.Seed, "seed of random ties (0 if not given)")
	flags.BoolVar(&o.view.All, "nodes", false, "list every node")
	formatFlag(c, &o.view.Format, output.Formats)
	quietFlag(c, &o.streams)
	return c
}

// complete takes the arguments, and checks options against each other.
func (o *capacityOptions) complete(c *cobra.Command, args []string, ratio string) error {
	o.place.Files = fromStandardInput(append(o.place.Files, args...))
	o.templates = fromStandardInput(o.templates)
	o.fill.Pending = o.pending == pendingFirst
	switch {
	case len(o.place.Files) == 0:
		return usageError(c, "needs manifests of the cluster: -f FILE_OR_DIR")
	case len(o.templates) == 0:
		return usageError(c, "needs something to make replicas of: --template FILE")
	case c.Flags().Changed("ratio") && o.fill.Preempt:
		return usageError(c, "--preempt is not for --ratio: templates could preempt one another")
	case c.Flags().Changed("ratio"):
		return o.readRatio(c, ratio)
	}
	return nil
}

// maxShare is the largest part of a ratio.
const maxShare = 1000

func (o *capacityOptions) readRatio(c *cobra.Command, text string) error {
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > maxShare {
			return usageError(c, "--ratio: %q must be whole numbers from 1 to %d, such as 3:1", text, maxShare)
		}
		o.fill.Ratio = append(o.fill.Ratio, n)
	}
	return nil
}

// capacityInput is what the question is asked of.
type capacityInput struct {
	snapshot  *scenarios.Snapshot
	skipped   []string // as of a placement
	warnings  []string
	templates []manifest.Replica
}

// load reads the manifests.
func (o *capacityOptions) load() (f capacityInput, err error) {
	if f.snapshot, err = scenarios.ReadSnapshot(o.place); err != nil {
		return f, err
	}
	first, err := f.snapshot.Placement() // only for its errors and warnings
	if err != nil {
		return f, err
	}
	f.skipped, f.warnings = first.Skipped, first.Warnings
	f.templates, err = f.snapshot.Replicas(o.templates...)
	return f, err
}

func findCapacity(ctx context.Context, o *capacityOptions) error {
	loaded := o.loading()
	cluster, err := scenarios.UnlessDone(ctx, o.load)
	loaded()
	if err != nil {
		return err
	}
	if n := len(o.fill.Ratio); n > 0 && n != len(cluster.templates) {
		return &usageMistake{"berth capacity", fmt.Errorf("--ratio: has %d parts for %d templates", n, len(cluster.templates))}
	}
	o.note(cluster.skipped)
	o.warn(cluster.warnings)
	p := o.showProgress()
	defer p.end()
	o.fill.Progress = p.placed
	p.placed(0)
	fresh := func() (capacity.Cluster, error) {
		placement, err := cluster.snapshot.Placement()
		if err != nil {
			return capacity.Cluster{}, err
		}
		placement.Context = ctx
		placement.Scheduler.SetContext(ctx)
		placement.Scheduler.OnSlowExtender(o.slowWarner(p))
		return capacity.Cluster{Placement: &placement.Placement, Pods: placement.Pods, Daemons: placement.Daemons}, nil
	}
	result, err := capacity.Measure(ctx, fresh, cluster.templates, o.fill)
	p.end()
	if err != nil {
		return err
	}
	return answers.WriteCapacity(o.out, result, o.view)
}
