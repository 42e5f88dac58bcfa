package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/berth-sim/berth/reports/output"
	"github.com/berth-sim/berth/reports/upgrades"
	"github.com/berth-sim/berth/scenarios"
	"github.com/berth-sim/berth/scenarios/upgrade"
	"github.com/berth-sim/berth/scheduler"
	"github.com/berth-sim/berth/sim/model/release"
)

type upgradeOptions struct {
	streams
	path       string   // of the scenario; "" without one
	files      []string // manifests in its place
	exclude    []string
	build      scenarios.Options // Kubernetes, FeatureGates and Rules are not used
	kubernetes []string
	given      []release.Release // by --kubernetes
	view       output.View
}

func newUpgradeCommand(s streams, run func(context.Context, *upgradeOptions) error) *cobra.Command {
	o := &upgradeOptions{streams: s, view: output.View{Width: s.width}}
	c := &cobra.Command{
		Use:   "upgrade SCENARIO | upgrade -f FILE_OR_DIR...",
		Short: "Show what changes with another Kubernetes release, and by which rule",
		Long: `Run a scenario, or place the pending pods of manifests, as several releases of
Kubernetes do. The answer is what changes from each to the next: pods on other
nodes, waits, messages, the first decision that differs, and the rules that make
the difference. A rule is found by changing it alone in the older release; rules
that make a difference only together are named so.

Without --kubernetes the releases go from that of the scenario, or of the kubelets
of the manifests, to the newest; where none is named, from the one before it.
Ties are broken by rank unless --tie or the scenario says otherwise, so that one
changed decision does not change the random choices after it. Feature gates are
at the defaults of each release.`,
		Example: `  berth upgrade scenarios/quickstart.yaml
  berth upgrade scenarios/quickstart.yaml --kubernetes 1.33,1.35,1.37
  kubectl get nodes,pods -A -o yaml > dump.yaml && berth upgrade -f dump.yaml --kubernetes 1.35,1.37`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.take(c, args); err != nil {
				return err
			}
			return interruptible(c, run, o)
		},
	}
	flags := c.Flags()
	filesFlags(c, &o.files, &o.exclude, "manifests of a cluster")
	flags.StringSliceVar(&o.kubernetes, "kubernetes", nil, "the `RELEASES` to compare, in order, such as 1.35,1.37")
	words := cobra.FixedCompletions(releaseWords(), cobra.ShellCompDirectiveNoFileComp)
	if err := c.RegisterFlagCompletionFunc("kubernetes", words); err != nil {
		panic(err) // the flag was added above
	}
	pathFlag(c, &o.build.Policy, "policy", "scheduler configuration in `FILE`, or \"default\", in place of the scenario's or kube-scheduler's")
	seedFlag(c, &o.build.Seed, "seed, in place of the scenario's")
	horizonFlag(c, &o.build.Horizon)
	admissionFlag(c, &o.build.Admission, ", in place of the scenario's")
	ignoreFlag(c, &o.build.Ignore, ", in place of the scenario's")
	skipPodsFlag(c, &o.build.SkipPods, ", in place of the scenario's")
	dropFlag(c, &o.build.DropPlugins, ", in place of the scenario's")
	choiceFlag(c, (*scheduler.TieBreak)(&o.build.TieBreak), "tie", "how to choose among the best nodes (default: rank, or the scenario's)", tieBreaks)
	strictFlag(c, &o.build.Strict)
	flags.BoolVar(&o.build.SkipBadLines, "skip-bad-lines", false, "skip broken lines of traces")
	formatFlag(c, &o.view.Format, []output.Format{output.Table, output.Markdown, output.JSON})
	flags.BoolVar(&o.view.All, "all", false, "show every metric, and the rules that make no difference")
	quietFlag(c, &o.streams)
	return c
}

// take takes the scenario or the manifests.
func (o *upgradeOptions) take(c *cobra.Command, args []string) error {
	o.files = fromStandardInput(o.files)
	if err := o.readReleases(c); err != nil {
		return err
	}
	if err := needsFiles(c, o.files); err != nil {
		return err
	}
	if err := noManifests(c, args); err != nil {
		return err
	}
	switch {
	case len(o.files) > 0 && len(args) > 0:
		return usageError(c, "takes a scenario, or manifests with -f, and not both: %s", args[0])
	case len(o.files) == 0:
		if err := oneArgument("SCENARIO")(c, args); err != nil {
			return err
		}
		o.path = args[0]
	case o.build.Horizon != nil || o.build.SkipBadLines:
		return usageError(c, "--horizon and --skip-bad-lines are for a scenario: manifests are placed without a clock")
	}
	return nil
}

func showUpgrade(ctx context.Context, o *upgradeOptions) error {
	ask := o.ofSnapshot
	if o.path != "" {
		ask = o.ofScenario
	}
	u, err := ask(ctx)
	if ctx.Err() != nil && u == nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if err := u.Render(o.out, o.view); err != nil {
		return err
	}
	if u.Partial {
		return errInterrupted
	}
	return nil
}

func (o *upgradeOptions) ofScenario(ctx context.Context) (*upgrades.Upgrade, error) {
	scenario, err := scenarios.Load(o.path)
	if err != nil {
		return nil, err
	}
	first := beforeNewest()
	if scenario.File.Kubernetes != nil {
		first = *scenario.File.Kubernetes
	}
	releases, err := o.releases(first, "the scenario has kubernetes:")
	if err != nil {
		return nil, err
	}
	if o.build.TieBreak == "" && scenario.File.TieBreak == "" {
		o.build.TieBreak = string(scheduler.TieRank)
	}
	q, end := o.study(releases)
	defer end()
	return q.Scenario(ctx, scenario, o.build)
}

// beforeNewest is the release to begin with where the input names none.
func beforeNewest() release.Release { return release.Nearest(release.Newest().Minor - 1) }

func (o *upgradeOptions) ofSnapshot(ctx context.Context) (*upgrades.Upgrade, error) {
	place := scenarios.PlaceOptions{Files: o.files, Exclude: o.exclude, Recipe: o.build.Recipe, Strict: o.build.Strict}
	if place.TieBreak == "" {
		place.TieBreak = string(scheduler.TieRank)
	}
	loaded := o.loading()
	snapshot, err := scenarios.UnlessDone(ctx, func() (_ *scenarios.Snapshot, err error) {
		if place.Manifests, err = scenarios.ReadManifests(place.Files, place.Exclude); err != nil {
			return nil, err
		}
		return scenarios.ReadSnapshot(place)
	})
	loaded()
	if err != nil {
		return nil, err
	}
	first := beforeNewest()
	if minor, said := scenarios.NewestKubelet(snapshot.Nodes()); said {
		first = release.Nearest(minor)
	}
	releases, err := o.releases(first, "the kubelets run")
	if err != nil {
		return nil, err
	}
	q, end := o.study(releases)
	u, err := q.Snapshot(ctx, place)
	end()
	if u != nil {
		u.Subject, u.Policy = strings.Join(o.files, ", "), "default"
		if place.Policy != "" {
			u.Policy = place.Policy
		}
	}
	return u, err
}

// study returns the question with its progress, which must be ended.
func (o *upgradeOptions) study(releases []release.Release) (q *upgrade.Study, end func()) {
	p := o.showProgress()
	q = &upgrade.Study{Releases: releases, Done: func(runs int) { p.tried("run", runs) }}
	q.Warn = func(text []string) { p.pause(func() { o.warn(text) }) }
	return q, p.end
}

// readReleases reads the releases that the flag names.
func (o *upgradeOptions) readReleases(c *cobra.Command) error {
	for _, text := range o.kubernetes {
		r, err := release.Parse(text)
		if err != nil {
			return usageError(c, "--kubernetes: %v", err)
		}
		if slices.ContainsFunc(o.given, func(other release.Release) bool { return other.Minor == r.Minor }) {
			return usageError(c, "--kubernetes: %s is there twice", r)
		}
		o.given = append(o.given, r)
	}
	return nil
}

// releases returns the releases that are given, or those from one to the newest: from the one that is given, else from
// first. whose says what first is taken from.
func (o *upgradeOptions) releases(first release.Release, whose string) ([]release.Release, error) {
	if len(o.given) > 1 {
		return o.given, nil
	}
	if len(o.given) == 1 {
		first = o.given[0]
	}
	if newest := release.Newest(); first.Minor == newest.Minor {
		return nil, fmt.Errorf("%s: the newest release that berth follows: give two with --kubernetes, such as 1.36,1.37",
			map[bool]string{true: "--kubernetes " + newest.String(), false: whose + " " + newest.String()}[len(o.given) == 1])
	}
	return slices.DeleteFunc(release.All(), func(r release.Release) bool { return r.Minor < first.Minor }), nil
}
