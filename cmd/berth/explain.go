package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/replay"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/explain"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/clock"
)

type explainOptions struct {
	streams
	pod    explain.PodName
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
		Short: "Explain why a pod was placed on its node, or why it is unschedulable",
		Long: `Explain why a pod was placed on its node, or why it is unschedulable: which
plugin rejected which nodes and why, the nodes that lack least and the smallest
change that would let the pod fit, or the scores that decided. The explanation
is of the last attempt to schedule the pod, on the state of the cluster that the
attempt saw.

POD is namespace/name, or a name. With a scenario, --at sets the time. The
scenario may also come first: then the shell completes the names of its pods.`,
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
	filesFlags(c, &o.place.Files, &o.place.Exclude, "manifests")
	flags.StringVar(&at, "at", "", "of a scenario: the `TIME` since its start, such as 1h30m; the end if left out")
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, or \"default\", in place of the scenario's or kube-scheduler's")
	releaseFlags(c, &o.build.Recipe, ", in place of the scenario's")
	admissionFlag(c, &o.build.Admission, ", in place of the scenario's")
	ignoreFlag(c, &o.build.Ignore, ", in place of the scenario's")
	skipPodsFlag(c, &o.build.SkipPods, ", in place of the scenario's")
	dropFlag(c, &o.build.DropPlugins, ", in place of the scenario's")
	strictFlag(c, &o.build.Strict)
	choiceFlag(c, (*scheduler.TieBreak)(&o.build.TieBreak), "tie", "how to choose among the best nodes", tieBreaks)
	choiceFlag(c, &o.place.Order, "order", "of manifests: order in which pods are tried", []place.Order{place.QueueOrder, place.DocumentOrder})
	numberFlag(c, &o.place.Percentage, "percentage", limits{1, 100}, "of manifests: percentageOfNodesToScore, in place of the configuration's")
	seedFlag(c, &o.build.Seed, "seed, in place of the scenario's")
	o.detail.Top = 5
	numberFlag(c, &o.detail.Top, "top", limits{2, 1000}, "how many of the best nodes to show")
	flags.StringVar(&o.detail.Node, "node", "", "what every plugin says of the node `NAME`")
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "of a scenario: skip broken lines of traces")
	flags.BoolVar(&o.detail.Nodes, "nodes", false, "list every node that was rejected")
	formatFlag(c, &o.view.Format, []output.Format{output.Table, output.JSON})
	quietFlag(c, &o.streams)
	return c
}

// complete takes the arguments, and checks options against each other.
func (o *explainOptions) complete(c *cobra.Command, args []string, at string) error {
	if len(args) == 0 {
		return usageError(c, "needs a POD, and manifests (-f) or a SCENARIO")
	}
	if len(args) == 2 && isYAML(args[0]) && !isYAML(args[1]) {
		args = []string{args[1], args[0]}
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
	}{{"at", false}, {"skip-bad-lines", false}, {"order", true}, {"percentage", true}, {"exclude", true}} {
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
	o.place.Recipe, o.place.Strict = o.build.Recipe, o.build.Strict
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
	p, err := o.placement(ctx, o.place)
	if err != nil {
		return nil, err
	}
	o.note(p.Skipped)
	o.warn(p.Warnings)
	shown := o.showProgress()
	shown.say("placing pods")
	p.Scheduler.OnSlowExtender(o.slowWarner(shown))
	found, err := p.Explain(o.pod, o.detail)
	shown.end()
	o.warn(p.FinalWarnings())
	return found, err
}

// inScenario explains a pod of a scenario.
func (o *explainOptions) inScenario(ctx context.Context) (*explain.Explanation, error) {
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return nil, err
	}
	pass := passes{explainOptions: o, scenario: scenario, shown: o.showProgress()}
	found, err := replay.ExplainPod(ctx, replay.PodQuestion{Pod: o.pod, Until: o.at, Options: o.detail, Build: pass.next})
	pass.end()
	return found, err
}

// passes are the runs that an explanation takes.
type passes struct {
	*explainOptions
	scenario *scenarios.Scenario
	last     *scenarios.Run // nil before the first
	shown    *progress
}

// next builds a run. What there is to say about the scenario is said of the first.
func (p *passes) next(ctx context.Context) (*scenarios.Run, error) {
	p.shown.say(loadingFiles)
	run, err := p.scenario.BuildContext(ctx, p.build)
	if err != nil {
		return nil, err
	}
	if p.last == nil {
		p.shown.pause(func() {
			p.note(run.Skipped)
			p.warn(run.Warnings)
		})
	}
	run.Config.Progress = p.shown.ofRun(min(run.Config.Horizon, p.at))
	run.Config.Scheduler.OnSlowExtender(p.slowWarner(p.shown))
	p.last = run
	return run, nil
}

// end ends what is shown, and warns of what is known only afterwards.
func (p *passes) end() {
	p.shown.end()
	if p.last != nil {
		p.warn(p.last.FinalWarnings("interrupted"))
	}
}
