package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/clock"
	"github.com/berth-sim/berth/sim/model/record"
	"github.com/berth-sim/berth/sim/world"
)

type explainOptions struct {
	streams
	pod    explain.Wanted
	path   string // of the scenario; empty: place.Files are placed
	place  scenarios.PlaceOptions
	build  scenarios.Options
	at     clock.Time
	detail explain.Options
	view   output.View
}

func newExplainCommand(s streams, run func(context.Context, *explainOptions) error) *cobra.Command {
	o := &explainOptions{streams: s, view: output.View{Width: s.width}, at: clock.Forever}
	o.place.Order = place.QueueOrder
	var at string
	c := &cobra.Command{
		Use:   "explain POD (-f FILE_OR_DIR... | SCENARIO)",
		Short: "Say why a pod is where it is, or nowhere",
		Long: `Say why a pod is where it is, or nowhere: which plugin turned down which nodes
and why, the nearest misses and the smallest change that would let the pod fit,
or the scores that decided. It is the last attempt to schedule the pod that is
explained, on the state of the cluster that it saw.

POD is namespace/name, or a name. Of a scenario, --at says up to which time.`,
		Example: `  berth explain huge -f cluster.yaml
  berth explain default/api -f cluster.yaml --node node-a
  berth explain critical-4 scenarios/preemption.yaml --at 1h10m
  berth explain critical-4 scenarios/preemption.yaml -o json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.complete(c, args, at); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	flags.StringSliceVarP(&o.place.Files, "filename", "f", nil, "manifests: a `FILE_OR_DIR` with .yaml, .yml and .json files (repeatable)")
	flags.StringVar(&at, "at", "", "of a scenario: the `TIME` since its start, such as 1h30m; the end if left out")
	pathFlag(c, &o.place.Policy, "policy", "scheduler configuration in `FILE`, in place of the scenario's or kube-scheduler's")
	admissionFlag(c, &o.place.Admission, ", in place of the scenario's")
	ignoreFlag(c, &o.place.Ignore, ", in place of the scenario's")
	strictFlag(c, &o.place.Strict)
	choiceFlag(c, &o.place.Tie, "tie", "how to choose among the best nodes", tieBreaks)
	choiceFlag(c, &o.place.Order, "order", "of manifests: order in which pods are tried", []place.Order{place.QueueOrder, place.DocumentOrder})
	numberFlag(c, &o.place.Percentage, "percentage", limits{1, 100}, "of manifests: percentageOfNodesToScore, in place of the configuration's")
	seedFlag(c, &o.build.Seed, "seed, in place of the scenario's")
	o.detail.Top = 5
	numberFlag(c, &o.detail.Top, "top", limits{2, 1000}, "how many of the best nodes to show")
	flags.StringVar(&o.detail.Node, "node", "", "what every plugin says of the node `NAME`")
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "of a scenario: pass over broken lines of traces")
	flags.BoolVar(&o.detail.Nodes, "nodes", false, "list every node that was turned down")
	formatFlag(c, &o.view.Format, []output.Format{output.Table, output.JSON})
	return c
}

// complete takes the arguments, and checks options against each other.
func (o *explainOptions) complete(c *cobra.Command, args []string, at string) error {
	if len(args) == 0 {
		return usageError(c, "needs a POD, and manifests (-f) or a SCENARIO")
	}
	var err error
	if o.pod, err = explain.ParsePod(args[0]); err != nil {
		return usageError(c, "%w", err)
	}
	rest, manifests := args[1:], len(o.place.Files) > 0
	switch {
	case !manifests && len(rest) == 0:
		return usageError(c, "needs manifests (-f) or a SCENARIO that the pod is in")
	case manifests && len(rest) > 0:
		return usageError(c, "takes manifests (-f) or a SCENARIO, got both: %q", rest)
	case len(rest) > 1:
		return usageError(c, "takes one POD and one SCENARIO, got %q", args)
	}
	for _, f := range []struct {
		name string
		only bool // for manifests
	}{{"at", false}, {"skip-bad-lines", false}, {"order", true}, {"percentage", true}} {
		if c.Flags().Changed(f.name) && f.only != manifests {
			return usageError(c, "--%s is for %s only", f.name, map[bool]string{true: "manifests (-f)", false: "a SCENARIO"}[f.only])
		}
	}
	if c.Flags().Changed("at") {
		var d scenarios.Duration
		if err := d.UnmarshalText([]byte(at)); err != nil {
			return usageError(c, "--at: %q %w", at, err)
		}
		if o.at = d.Time(); o.at < 0 {
			return usageError(c, "--at: %q must not be negative", at)
		}
	}
	if !manifests {
		o.path = rest[0]
	}
	o.place.Files = fromStandardInput(o.place.Files)
	o.build.Policy, o.build.TieBreak, o.build.Admission = o.place.Policy, string(o.place.Tie), o.place.Admission
	o.build.Ignore, o.build.Strict = o.place.Ignore, o.place.Strict
	if o.build.Seed != nil {
		o.place.Seed = *o.build.Seed
	}
	return nil
}

func explainPod(ctx context.Context, o *explainOptions) error {
	var found *explain.Explanation
	var err error
	if o.path != "" {
		found, err = o.inScenario(ctx)
	} else {
		found, err = o.inManifests(ctx)
	}
	if err != nil {
		return err
	}
	return answers.WriteExplanation(o.out, found, o.view)
}

// inManifests explains a pod of a one-shot placement.
func (o *explainOptions) inManifests(ctx context.Context) (*explain.Explanation, error) {
	if o.place.Tie == "" {
		o.place.Tie = scheduler.TieRandom
	}
	p, err := o.placement(ctx, o.place)
	if err != nil {
		return nil, err
	}
	o.note(p.Skipped)
	o.warn(p.Warnings)
	o.detail.Daemons, o.detail.Aside = p.Daemons, p.Aside
	t := explain.NewTracker(o.pod, clock.Forever, o.detail)
	p.Scheduler.OnSlowExtender(o.warnSlow)
	if err := t.Place(&p.Placement, p.Pods); err != nil {
		return nil, err
	}
	o.warn(p.Afterwards())
	return t.Result()
}

// inScenario runs the scenario until the attempt is found. If the attempt is known only at the end of the run, it runs
// the scenario a second time.
func (o *explainOptions) inScenario(ctx context.Context) (*explain.Explanation, error) {
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return nil, err
	}
	t := explain.NewTracker(o.pod, o.at, o.detail)
	for pass := 0; ; pass++ {
		loaded := o.loading(false)
		run, err := scenario.BuildContext(ctx, o.build)
		loaded()
		if err != nil {
			return nil, err
		}
		if pass == 0 {
			o.note(run.Skipped)
			o.warn(run.Warnings)
		}
		if err := o.track(ctx, run, t); err != nil {
			return nil, err
		}
		if found, err := t.Result(); found != nil || err != nil {
			o.warn(run.Afterwards("interrupted"))
			return found, err
		}
	}
}

// track runs a scenario until the tracker has found the attempt, or to its end.
func (o *explainOptions) track(outer context.Context, run *scenarios.Run, t *explain.Tracker) error {
	defer run.Close()
	ctx, enough := context.WithCancel(outer)
	defer enough()
	cfg := run.Config
	cfg.Probe = nil // fragmentation is not needed
	t.Scheduler, t.Cluster = cfg.Scheduler, cfg.Cluster
	t.Options.Daemons = cfg.Daemons
	cfg.Attempted, cfg.BeforeAdvance = t.Attempted, t.Passing
	cfg.Record = func(r *record.Record) {
		if !t.Record(r) {
			enough()
		}
	}
	if o.progress {
		p := newProgress(o.err, min(cfg.Horizon, o.at), time.Now)
		defer p.clear()
		cfg.Progress = p.update
	}
	cfg.Scheduler.OnSlowExtender(o.warnSlow)
	t.World = world.New(cfg)
	if _, err := t.World.Run(ctx); err != nil {
		return err
	}
	return outer.Err()
}
