package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/answers"
	"github.com/berth-sim/berth/reports/human"
	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/answers/place"
	"github.com/berth-sim/berth/sim/model/cluster"
)

type placeOptions struct {
	streams
	place      scenarios.PlaceOptions
	view       answers.PlacementView
	scores     bool
	requireAll bool
}

var placeFormats = []output.Format{output.Table, output.Wide, output.JSON, output.JSONL, output.CSV, output.Name, output.Markdown}

func newPlaceCommand(s streams, run func(context.Context, *placeOptions) error) *cobra.Command {
	o := &placeOptions{streams: s, view: answers.PlacementView{View: output.View{Width: s.width}}}
	o.place.Order, o.place.TieBreak = place.QueueOrder, string(scheduler.TieRandom)
	c := &cobra.Command{
		Use:   "place -f FILE_OR_DIR...",
		Short: "Show on which nodes the pending pods of manifests would be placed",
		Long: `Place the pending pods of plain manifests on their nodes, beside the pods that
run there already, without a clock: what the scheduler would do right now. A pod
that must go to make room for one of higher priority is gone at once.

A table is a summary: how many pods each pool (or zone) got, why others got no
node, with the smallest change that would help one of them, and the first pods.
The other formats have every pod; wide is the table with more columns, and jsonl
has every attempt. The exit code is 0 whether or not pods have a node, unless
--require-all is given.

Files and directories may be given with or without -f; "-" is standard input.`,
		Example: `  berth place -f cluster.yaml
  kubectl get nodes,pods -A -o yaml > dump.yaml && berth place -f dump.yaml
  berth place -f cluster.yaml --unschedulable
  berth place -f cluster.yaml -o wide --all
  berth place -f cluster.yaml --order document --tie first --scores -o jsonl`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.complete(c, args); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	filesFlags(c, &o.place.Files, &o.place.Exclude, "manifests")
	pathFlag(c, &o.place.Policy, "policy", "scheduler configuration in `FILE`, or \"default\" for kube-scheduler's (default)")
	choiceFlag(c, &o.place.Order, "order", "order in which pods are tried", []place.Order{place.QueueOrder, place.DocumentOrder})
	choiceFlag(c, (*scheduler.TieBreak)(&o.place.TieBreak), "tie", "how to choose among the best nodes", tieBreaks)
	releaseFlags(c, &o.place.Recipe, "")
	admissionFlag(c, &o.place.Admission, "")
	ignoreFlag(c, &o.place.Ignore, "")
	skipPodsFlag(c, &o.place.SkipPods, "")
	dropFlag(c, &o.place.DropPlugins, "")
	strictFlag(c, &o.place.Strict)
	numberFlag(c, &o.place.Percentage, "percentage", limits{1, 100}, "percentageOfNodesToScore, in place of the configuration's (1 to 100)")
	seedFlag(c, &o.place.Seed, "seed of random ties (0 if not given)")
	flags.BoolVar(&o.scores, "scores", false, "with -o jsonl: the score of every plugin on every feasible node")
	flags.BoolVar(&o.view.WithoutNode, "unschedulable", false, "show only the pods without a node, all of them")
	flags.BoolVar(&o.view.All, "all", false, "show every pod and every reason, not only the first")
	flags.BoolVar(&o.requireAll, "require-all", false, "exit with code 1 unless every pod gets a node")
	formatFlag(c, &o.view.Format, placeFormats)
	quietFlag(c, &o.streams)
	return c
}

// complete takes the arguments, and checks options against each other.
func (o *placeOptions) complete(c *cobra.Command, args []string) error {
	o.place.Files = fromStandardInput(append(o.place.Files, args...))
	switch {
	case len(o.place.Files) == 0:
		return usageError(c, "needs manifests: -f FILE_OR_DIR")
	case o.scores && o.view.Format != output.JSONL:
		return usageError(c, "--scores needs -o jsonl")
	case o.view.All && o.view.WithoutNode:
		return usageError(c, "--all and --unschedulable exclude each other: give one of them")
	}
	return nil
}

// placement reads the manifests and prepares the placement of their pods. If ctx ends first, it returns its error.
func (s streams) placement(ctx context.Context, o scenarios.PlaceOptions) (*scenarios.Placement, error) {
	defer s.loading()()
	p, err := scenarios.UnlessDone(ctx, func() (*scenarios.Placement, error) { return scenarios.NewPlacement(o) })
	if err != nil {
		return nil, err
	}
	p.Context = ctx
	p.Scheduler.SetContext(ctx)
	return p, nil
}

func placePods(ctx context.Context, o *placeOptions) error {
	p, err := o.placement(ctx, o.place)
	if err != nil {
		return err
	}
	o.note(p.Skipped)
	o.warn(p.Warnings)
	write := o.writeOutcome
	if o.view.Format == output.JSONL {
		write = o.writeAttempts
	}
	result, err := write(p)
	if err != nil {
		return err
	}
	if n := result.Pods - result.Placed; o.requireAll && n > 0 {
		return &failure{exitGate, fmt.Errorf("--require-all: %s of %s without a node", human.Whole(n), human.Counted(result.Pods, "pod"))}
	}
	return nil
}

// writeOutcome places the pods and writes where they ended.
func (o *placeOptions) writeOutcome(p *scenarios.Placement) (place.Result, error) {
	shown := o.showProgress()
	shown.say("placing pods")
	p.Scheduler.OnSlowExtender(o.slowWarner(shown))
	found, err := p.Outcome()
	shown.end()
	if err != nil {
		return place.Result{}, err
	}
	o.warn(p.FinalWarnings())
	return found.Result, answers.WritePlacement(o.out, found, o.view)
}

// writeAttempts places the pods and writes every attempt as it comes, which shows how far it is.
func (o *placeOptions) writeAttempts(p *scenarios.Placement) (place.Result, error) {
	p.Scheduler.OnSlowExtender(o.warnSlow)
	writer := answers.NewAttemptWriter(o.out, o.scores, o.view.WithoutNode)
	var failed error
	p.Attempted = func(a *scheduler.Attempt) {
		if failed == nil {
			failed = writer.Attempt(o.describe(p.Cluster, a))
		}
	}
	p.RolledBack = func(r scheduler.RolledBack) {
		if failed == nil {
			failed = writer.RolledBack(podName(p.Cluster, r.Pod), r.Message)
		}
	}
	result, err := p.Run(p.Pods)
	if err != nil {
		return result, err
	}
	p.Gated(func(pod cluster.PodID, why string) {
		if failed == nil {
			failed = writer.Gated(podName(p.Cluster, pod), why)
		}
	})
	if failed != nil {
		return result, failed
	}
	o.warn(p.FinalWarnings())
	placed := map[string]bool{}
	p.EachPod(func(pod cluster.PodID, end place.End) {
		if end == place.Placed {
			placed[podName(p.Cluster, pod)] = true
		}
	})
	return result, writer.Close(result, func(pod string) bool { return placed[pod] })
}

// describe returns an attempt with names in place of ids.
func (o *placeOptions) describe(c *cluster.Cluster, a *scheduler.Attempt) *answers.Attempt {
	out := &answers.Attempt{
		Pod: podName(c, a.Pod), Attempt: a.Number, Feasible: a.Feasible, Evaluated: a.Evaluated, Reasons: a.Reasons(),
		Message: a.Message(), MaxScore: a.MaxScore, StartIndex: a.StartIndex,
	}
	if a.Node != cluster.None {
		out.Node, out.Held, out.Misplaced = c.Node(a.Node).Name, c.Devices.Of(a.Pod), c.Devices.Lacking(a.Pod)
	}
	if a.Nominated != cluster.None {
		out.Nominated = c.Node(a.Nominated).Name
	}
	for _, v := range a.Victims {
		out.Victims = append(out.Victims, podName(c, v))
	}
	for _, n := range a.Ties {
		out.TieSet = append(out.TieSet, c.Node(n).Name)
	}
	slices.SortFunc(out.TieSet, strings.Compare)
	if a.Outcome == scheduler.Waiting {
		out.Message = "waits in Permit for the rest of its pod group"
	}
	if o.scores {
		out.Scores = scoresOf(c, a)
	}
	return out
}

func podName(c *cluster.Cluster, id cluster.PodID) string {
	p := c.Pod(id)
	return c.Text(p.Class.Namespace) + "/" + p.Name
}

func scoresOf(c *cluster.Cluster, a *scheduler.Attempt) []answers.NodeScores {
	var out []answers.NodeScores
	var plugins []answers.PluginScore
	a.EachScore(func(node cluster.NodeID, plugin string, score int64) {
		if plugin != scheduler.TotalScore {
			plugins = append(plugins, answers.PluginScore{Plugin: plugin, Score: score})
			return
		}
		out = append(out, answers.NodeScores{Node: c.Node(node).Name, Plugins: plugins, Total: score})
		plugins = nil
	})
	return out
}
